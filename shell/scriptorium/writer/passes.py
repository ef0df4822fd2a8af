"""A pass over a conversation: what is unwritten goes to the writer, and in one commit into the memory.

The order is what makes a crash harmless: frames and topics are one commit; the marks on the nodes come
after it. A pass that finds frames in the archive already only sets the marks that are missing.
"""

from collections.abc import Callable, Iterator, Mapping

from attrs import evolve, field, frozen

from scriptorium_core.budget import Count
from scriptorium_core.changes import Applied, Caller, apply_changes, bring, cleaned
from scriptorium_core.changes.sources import place
from scriptorium_core.names import NodeId, SourceId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.evidence import frames
from scriptorium_core.sessions.pending import Batch, Waiting, batch
from scriptorium_core.sources.frame import Context, Frame
from scriptorium_core.sources.redact import Secret, clean_contexts, clean_frames, totalled
from scriptorium_core.transaction import Edit, Rejected, Snapshot
from scriptorium_core.writing.batch import batch_key, said_in
from scriptorium_core.writing.branches import with_branches
from scriptorium_core.writing.outcome import (
    Failed,
    NothingDue,
    NothingToKeep,
    Outcome,
    Wrote,
    fail,
    rejection,
)

from .. import files
from ..conversations import unwritten
from ..conversations.standing import live_notes
from ..conversations.store import Session, Store
from ..lock import held
from ..refused import Refused
from ..workspace import Committed, Memory
from .proposal import Edited, NothingProposed, Proposed, Task, Unable, Writer
from .restating import restate

__all__ = ["Pass", "write_session"]

_PATIENCE = 1.0


@frozen
class Pass:
    """What a pass is made with: batches of `goal` tokens; with `force` it goes on until nothing is pending.

    `record`, if there is one, is told each batch (its source ids) and what the writer proposed for it.
    `branch` is the node at which the one branch ends that is to be written, None for all of them.
    """

    memory: Memory
    store: Store
    writer: Writer
    count: Count
    goal: int = 16_000
    force: bool = False
    caller: Caller = field(factory=Caller)
    record: Callable[[tuple[SourceId, ...], Proposed | NothingProposed], None] | None = None
    branch: NodeId | None = None


def write_session(made: Pass, session: Session) -> Iterator[Outcome]:
    """Write what is unwritten of a session, an outcome for each batch; the last one says how it ended.

    One pass at a time for a memory: a second one fails after a second, retryable.
    """
    try:
        root = made.memory.layout.root
        with files.explained(root), held(made.memory.layout.runtime / "pass.lock", _PATIENCE):
            yield from _batches(made, session)
    except Refused as refused:
        yield _refused(refused.problems)


def _batches(made: Pass, session: Session) -> Iterator[Outcome]:
    written = 0
    yield from _restated(made, session)
    while True:
        waiting = _waiting(made, session)
        portion = batch(waiting, made.count, made.goal)
        due = portion.write and (made.force or portion.reached)
        if not due:
            marks = [item.node for item in _only_marks(waiting)]
            unwritten.mark(made.store, session, marks, made.memory.workspace)
            if marks or not written:
                yield NothingDue(portion.tokens, len(marks))
            return
        outcome = _write(made, session, portion)
        if isinstance(outcome, Failed):
            yield evolve(outcome, tokens=portion.tokens)
            return
        # Before it is told: whoever listens may stop here.
        unwritten.mark(made.store, session, portion.mark, made.memory.workspace)
        yield outcome
        written += 1


def _restated(made: Pass, session: Session) -> Iterator[Outcome]:
    """What became of messages that are archived already; where that is refused, the rest is written still."""
    result = restate(made.memory, made.store, session, made.caller)
    if isinstance(result, Rejected):
        message = "the evidence of a branch that was given up, or taken up again, could not be noted"
        yield fail(Code.COMMIT_REJECTED, message, problems=result.problems)
    elif result is not None:
        report, done = result.report, "messages that are archived stand on another branch now"
        if report.topics:
            yield Wrote(
                result.revision,
                updated=report.updated,
                topics=report.topics,
                summary=done,
                projected=result.projected,
            )
        else:
            yield NothingToKeep(done, result.revision)


def _waiting(made: Pass, session: Session) -> tuple[Waiting, ...]:
    with made.memory.reading() as (_, base):
        return unwritten.waiting(
            made.store,
            session,
            made.memory.workspace,
            lambda source: source in base.facts.sources or source in base.facts.forgotten,
            made.branch,
        )


def _only_marks(waiting: tuple[Waiting, ...]) -> Iterator[Waiting]:
    """The nodes before the first that is to be written: a mark says that all above it is done."""
    for item in waiting:
        if item.write:
            return
        yield item


def _write(made: Pass, session: Session, portion: Batch) -> Outcome:
    """One batch: asked of the writer, applied to HEAD, committed with its evidence.

    Secrets are taken out before anything else is done, so that no writer, tape or commit ever holds one.
    """
    spoken, contexts = frames(portion.write, made.caller.principal_id)
    evidence, found = clean_frames(spoken, made.memory.redact)
    contexts = clean_contexts(contexts, made.memory.redact)
    said = tuple(item for item in said_in(evidence, contexts, made.memory.zone) if item.trusted)
    today = made.memory.today()
    answer = made.writer.propose(Task("write", said, made.memory.reading, made.caller, today, made.count))
    if isinstance(answer, Unable):
        return answer.outcome
    if isinstance(answer, Edited):
        return fail(Code.WRITER_PRECONDITION_FAILED, "edits are not taken in yet")
    if isinstance(answer, Proposed):  # it may bring sources of its own, or play an old tape
        clean = cleaned(answer.changes, answer.sources, made.memory.redact)
        answer = evolve(answer, changes=clean.changes, sources=clean.sources)
        found = totalled((found, clean.found))
    if made.record is not None:
        made.record(tuple(item.source for item in said), answer)
    result = _commit(made, session, evidence, contexts, answer)
    if isinstance(result, Rejected):
        message = f"the changes of the {made.writer.name} writer were rejected"
        return fail(rejection(result.problems), message, problems=result.problems)
    return _outcome(result, answer, portion, found)


def _commit(
    made: Pass,
    session: Session,
    evidence: tuple[Frame, ...],
    contexts: tuple[Context, ...],
    answer: Proposed | NothingProposed,
) -> Committed | Rejected:
    brought = bring(answer.sources if isinstance(answer, Proposed) else (), made.caller)
    ids = tuple(frame.id for frame in evidence)
    places: Mapping[str, str] = {source: place(source) for source in ids} | dict(brought.places)
    trailers = (
        ("Batch", batch_key(ids)),
        ("Session", f"{session.provider}/{session.id}"),
        ("Writer", made.writer.name),
    )
    new = (evidence + brought.frames, contexts + brought.contexts)
    subject = _subject(session, answer, len(ids))

    live = live_notes(made.store, session)

    def plan(base: Snapshot) -> Edit | Rejected:
        changes = answer.changes if isinstance(answer, Proposed) else ()
        applied = apply_changes(base.tree, base.facts, changes, places, made.memory.today())
        if not isinstance(applied, Applied):
            return Rejected(applied)
        tree = with_branches(applied.tree, contexts, base.facts, live)
        return Edit(tree, applied.deleted, *new, "write", subject, trailers)

    citable = frozenset(ids) | frozenset(frame.id for frame in brought.frames)
    return made.memory.commit(plan, made.memory.rules(made.caller, citable))


def _subject(session: Session, answer: Proposed | NothingProposed, messages: int) -> str:
    if isinstance(answer, Proposed):
        return answer.summary or f"Write {len(answer.changes)} changes from {session.id}"
    return f"Archive {messages} messages of {session.id}"


def _outcome(
    result: Committed, answer: Proposed | NothingProposed, portion: Batch, found: Mapping[Secret, int]
) -> Outcome:
    report, frames_archived = result.report, len(result.report.archived)
    if isinstance(answer, NothingProposed):
        commit = result.revision if frames_archived else ""
        return NothingToKeep(answer.reason, commit, frames_archived, portion.tokens, found)
    return Wrote(
        result.revision,
        report.created,
        report.updated,
        report.deleted,
        report.topics,
        frames_archived,
        portion.tokens,
        answer.summary,
        result.projected,
        found,
    )


def _refused(problems: tuple[Problem, ...]) -> Failed:
    first = problems[0]
    return fail(first.code, first.message, problems=problems)
