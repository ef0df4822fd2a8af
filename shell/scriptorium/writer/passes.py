"""A pass over a conversation: what is unwritten goes to the writer, and in one commit into the memory.

The order is what makes a crash harmless: frames and topics are one commit; the marks on the nodes come
after it. A pass that finds frames in the archive already only sets the marks that are missing.
"""

from collections.abc import Iterator

from attrs import evolve

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.pending import Waiting, batch
from scriptorium_core.transaction import Rejected
from scriptorium_core.writing.leasing import Lease
from scriptorium_core.writing.outcome import Failed, NothingDue, NothingToKeep, Outcome, Wrote, fail

from .. import files
from ..clock import Moment, time_of
from ..conversations import unwritten
from ..conversations.store import Session
from ..lock import held
from ..refused import Refused
from .agent import Agent
from .asking import Pass, write_batch
from .leases import PASS_LOCK, in_the_way
from .restating import restate

__all__ = ["only_marks", "restated", "waiting_of", "write_session"]

_PATIENCE = 1.0


def write_session(made: Pass, session: Session) -> Iterator[Outcome]:
    """Write what is unwritten of a session, an outcome for each batch; the last one says how it ended.

    One pass at a time for a memory: a second one fails after a second, retryable. What an agent has taken to
    write is left to it.
    """

    def waits() -> frozenset[str]:
        return frozenset(source_of(item.node) for item in waiting_of(made, session) if item.write)

    try:
        root = made.memory.layout.root
        with files.explained(root), held(made.memory.layout.runtime / PASS_LOCK, _PATIENCE):
            name, now = f"{session.provider}/{session.id}", made.memory.moment()
            lease = in_the_way(made.memory.layout, name, waits, now.seconds, made.take_over)
            yield from _batches(made, session) if lease is None else (_taken(made, lease),)
    except Refused as refused:
        yield _refused(refused.problems)


def _batches(made: Pass, session: Session) -> Iterator[Outcome]:
    written = 0
    yield from restated(made, session)
    while True:
        waiting = waiting_of(made, session)
        portion = batch(waiting, made.count, made.goal)
        due = bool(portion.write) and (made.force or portion.reached)
        offered = due and isinstance(made.writer, Agent)
        if not due or offered:
            marks = [item.node for item in only_marks(waiting)]
            unwritten.mark(made.store, session, marks, made.memory.workspace)
            if marks or not written:
                yield NothingDue(portion.tokens, len(marks), agent=offered)
            return
        outcome = write_batch(made, session, portion)
        if isinstance(outcome, Failed):
            yield evolve(outcome, tokens=portion.tokens)
            return
        # Before it is told: whoever listens may stop here.
        unwritten.mark(made.store, session, portion.mark, made.memory.workspace)
        yield outcome
        written += 1


def restated(made: Pass, session: Session) -> Iterator[Outcome]:
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


def waiting_of(made: Pass, session: Session) -> tuple[Waiting, ...]:
    """What of a session waits, as HEAD has it."""
    with made.memory.reading() as (_, base):
        return unwritten.waiting(
            made.store,
            session,
            made.memory.workspace,
            lambda source: source in base.facts.sources or source in base.facts.forgotten,
            made.branch,
        )


def _taken(made: Pass, lease: Lease) -> Outcome:
    """That an agent has taken what is written next of the session, who, and until when."""
    until = time_of(Moment(lease.until, made.memory.moment().offset)).isoformat()
    return NothingDue(lease.tokens, holder=lease.holder, until=until)


def only_marks(waiting: tuple[Waiting, ...]) -> Iterator[Waiting]:
    """The nodes before the first that is to be written: a mark says that all above it is done."""
    for item in waiting:
        if item.write:
            return
        yield item


def _refused(problems: tuple[Problem, ...]) -> Failed:
    first = problems[0]
    return fail(first.code, first.message, problems=problems)
