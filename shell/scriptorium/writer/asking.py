"""One batch: asked of the writer, committed with its evidence, and asked once more where that was refused.

Nothing is locked while a writer thinks. What it hands in is put onto HEAD as it is then: whole topics, and
records that it changes, must stand there as they stood when it was asked; otherwise the pass ends, retryable.
"""

from collections.abc import Callable, Iterable, Mapping

from attrs import evolve, field, frozen

from scriptorium_core.budget import Count
from scriptorium_core.changes import Caller
from scriptorium_core.names import NodeId, SourceId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.evidence import frames
from scriptorium_core.sessions.pending import Batch
from scriptorium_core.sources.frame import Context, Frame
from scriptorium_core.sources.redact import Secret, clean_contexts, clean_frames, totalled
from scriptorium_core.trailers import Trailer
from scriptorium_core.transaction import Edit, Rejected, Snapshot
from scriptorium_core.transaction.overtaking import meant
from scriptorium_core.writing.admitting import (
    cited_in,
)
from scriptorium_core.writing.batch import Said, batch_key, said_in
from scriptorium_core.writing.branches import LiveNotes, with_branches
from scriptorium_core.writing.harmless import plain_label
from scriptorium_core.writing.outcome import Failed, NothingToKeep, Outcome, Wrote, fail, rejection
from scriptorium_core.writing.used import NOTHING_USED, Used, together, used_trailers

from ..conversations.standing import live_notes
from ..conversations.store import Session, Store
from ..refused import Refused
from ..workspace import Committed, Memory
from .answers import Kept, cleaned_answer, edit_from, overtaken_by
from .proposal import Answer, Edited, NothingProposed, Proposed, Task, Unable, Writer, quiet

__all__ = ["Heard", "Pass", "Record", "hear", "refused", "write_answer", "write_batch"]

Record = Callable[[tuple[SourceId, ...], Kept], None]
"""Told the source ids of a batch and what of it came into memory, with all that it cost."""

_LONGEST_SUBJECT = 200


@frozen
class Pass:
    """What a pass is made with: batches of `goal` tokens; with `force` it goes on until nothing is pending.

    `record`, if there is one, is told each batch and what came of it. `branch` is the node at which the one
    branch ends that is to be written, None for all of them. `progress` takes short lines for people. A
    session of which an agent has taken a batch is left alone, unless `take_over` ends its lease. `more` are
    further trailers of the commits.
    """

    memory: Memory
    store: Store
    writer: Writer
    count: Count
    goal: int = 16_000
    force: bool = False
    caller: Caller = field(factory=Caller)
    record: Record | None = None
    branch: NodeId | None = None
    progress: Callable[[str], None] = quiet
    take_over: bool = False
    more: tuple[Trailer, ...] = ()


@frozen
class Heard:
    """A batch without secrets: what is archived of it, and what of that a writer is shown."""

    session: Session
    frames: tuple[Frame, ...]
    contexts: tuple[Context, ...]
    said: tuple[Said, ...]
    tokens: int
    found: Mapping[Secret, int]
    live: LiveNotes

    @property
    def key(self) -> str:
        return batch_key(tuple(frame.id for frame in self.frames))


@frozen
class _Tried:
    """An answer, cleaned, and what became of it."""

    answer: Kept
    result: Committed | Rejected
    found: Mapping[Secret, int]


def write_batch(made: Pass, session: Session, portion: Batch) -> Outcome:
    """Write one batch; the writer is asked again, once, if it can mend why its changes were refused.

    Secrets are taken out before anything else is done, so that no writer, tape or commit ever holds one.
    """
    heard = hear(made, session, portion)
    task = Task(
        "write",
        heard.said,
        made.memory.reading,
        made.caller,
        made.memory.today(),
        made.count,
        progress=made.progress,
    )
    tried, used = _tried(made, heard, task, NOTHING_USED)
    if isinstance(tried, _Tried) and isinstance(tried.result, Rejected):
        problems = tried.result.problems
        if rejection(problems) is Code.COMMIT_REJECTED:
            reasons = f"{len(problems)} reason{'s' if len(problems) > 1 else ''}"
            made.progress(f"refused for {reasons}; the writer is asked once more")
            tried, used = _tried(made, heard, evolve(task, problems=problems), used)
    return evolve(tried, used=used) if isinstance(tried, Failed) else _told(made, heard, tried, used)


def write_answer(made: Pass, heard: Heard, answer: Kept, seen: str | None) -> Outcome:
    """Write a batch as an answer says that was made on the commit `seen`; nobody is asked again."""
    kept, found = cleaned_answer(made.memory, answer)
    tried = _Tried(kept, _commit(made, heard, kept, seen, answer.used), found)
    return _told(made, heard, tried, answer.used)


def _told(made: Pass, heard: Heard, tried: _Tried, used: Used) -> Outcome:
    """What came of it, recorded where it came into memory."""
    if isinstance(tried.result, Rejected):
        return evolve(refused(made, tried.result.problems), used=used)
    if made.record is not None:
        made.record(tuple(item.source for item in heard.said), evolve(tried.answer, used=used))
    return _outcome(heard, tried, tried.result, used)


def hear(made: Pass, session: Session, portion: Batch) -> Heard:
    """The batch as it is archived and shown: without secrets."""
    spoken, contexts = frames(portion.write, made.caller.principal_id)
    evidence, found = clean_frames(spoken, made.memory.redact)
    contexts = clean_contexts(contexts, made.memory.redact)
    said = tuple(item for item in said_in(evidence, contexts, made.memory.zone) if item.trusted)
    live = live_notes(made.store, session)
    return Heard(session, evidence, contexts, said, portion.tokens, found, live)


def _tried(made: Pass, heard: Heard, task: Task, before: Used) -> tuple[_Tried | Failed, Used]:
    """Ask the writer and commit its answer; with what it cost, `before` added."""
    with made.memory.reading() as (seen, _):
        pass
    answer = _asked(made, task)
    used = together(before, answer.used)
    if isinstance(answer, Unable):
        return answer.outcome, used
    kept, found = cleaned_answer(made.memory, answer)
    return _Tried(kept, _commit(made, heard, kept, seen, used), found), used


def _asked(made: Pass, task: Task) -> Answer:
    """What the writer answers; one that breaks off has failed, and no conversation suffers from it."""
    try:
        return made.writer.propose(task)
    except Refused:
        raise  # it says itself what it is
    except Exception as error:
        words = plain_label(made.memory.redact(f"{type(error).__name__}: {error}".rstrip(": ")).text)
        return Unable(fail(Code.WRITER_FAILURE_UNKNOWN, f"the {made.writer.name} writer broke off: {words}"))


# --- Committing ----------------------------------------------------------------------------------


def _commit(
    made: Pass,
    heard: Heard,
    answer: Kept,
    seen: str | None,
    used: Used,
) -> Committed | Rejected:
    ids = tuple(frame.id for frame in heard.frames)
    trailers = (
        ("Batch", heard.key),
        ("Session", f"{heard.session.provider}/{heard.session.id}"),
        ("Writer", made.writer.name),
        ("Prompt", made.writer.prompt),
        *made.more,
        *used_trailers(used),
    )
    citable = frozenset(ids) | _cited_already(made, answer)

    def plan(base: Snapshot) -> Edit | Rejected:
        overtaken = _forgotten(ids, base) or overtaken_by(made.memory, answer, seen, base)
        edit = (
            Rejected(overtaken) if overtaken else edit_from(answer, base, ids, made.memory.today(), "write")
        )
        if isinstance(edit, Rejected):
            return edit
        return evolve(
            edit,
            tree=with_branches(edit.tree, heard.contexts, base.facts, heard.live),
            frames=heard.frames,
            contexts=heard.contexts,
            subject=_subject(heard, answer),
            trailers=(*trailers, *edit.trailers),
        )

    return made.memory.commit(plan, made.memory.rules(made.caller, citable))


def _forgotten(ids: Iterable[SourceId], base: Snapshot) -> tuple[Problem, ...]:
    """That a message of the batch was forgotten while the writer worked; the next pass leaves it out."""
    gone = [source for source in ids if source in base.facts.forgotten]
    message = "was forgotten while the writer worked"
    remedy = "nothing is to be done: the next pass leaves it out"
    return tuple(Problem(Code.CONCURRENT_UPDATE, f"{each} {message}", each, remedy=remedy) for each in gone)


def _cited_already(made: Pass, answer: Kept) -> frozenset[SourceId]:
    """What the topics of an answer cite: a writer may merge and split what stands there."""
    match answer:
        case Edited():
            return cited_in(answer.stage.base, answer.stage.tree.differences())
        case Proposed():
            with made.memory.reading() as (_, base):
                return cited_in(base, meant(answer.changes, base.facts, {}))
        case NothingProposed():
            return frozenset()


# --- What came of it -----------------------------------------------------------------------------


def _subject(heard: Heard, answer: Kept) -> str:
    match answer:
        case NothingProposed():
            return f"Archive {len(heard.frames)} messages of {heard.session.id}"
        case Edited():
            return answer.summary[:_LONGEST_SUBJECT]
        case Proposed():
            default = f"Write {len(answer.changes)} changes from {heard.session.id}"
            return answer.summary[:_LONGEST_SUBJECT] or default


def refused(made: Pass, problems: tuple[Problem, ...]) -> Failed:
    """That the answer of the writer was refused, with the code that says whether it can be mended."""
    code = rejection(problems)
    if code is Code.COMMIT_REJECTED:
        return fail(code, f"the changes of the {made.writer.name} writer were rejected", problems=problems)
    return fail(code, problems[0].message, problems=problems)


def _outcome(heard: Heard, tried: _Tried, result: Committed, used: Used) -> Outcome:
    report, archived = result.report, len(result.report.archived)
    found = totalled((heard.found, tried.found))
    answer = tried.answer
    if isinstance(answer, NothingProposed):
        commit = result.revision if archived else ""
        return NothingToKeep(answer.reason, commit, archived, heard.tokens, found, used)
    return Wrote(
        result.revision,
        report.created,
        report.updated,
        report.deleted,
        report.topics,
        archived,
        heard.tokens,
        answer.summary,
        result.projected,
        found,
        used,
        answer.dropped if isinstance(answer, Edited) else (),
    )
