"""A batch that an agent hands in: under its lease, through the same checks and to the same end as any other.

The order is that of a pass: evidence and topics in one commit, then the marks, then the lease ends. Whatever
is killed in between, the same call again finds what is written and finishes the rest.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from attrs import evolve, frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.writing.handing import HandIn, Nothing, decode_hand_in
from scriptorium_core.writing.leasing import (
    Lapsed,
    Lease,
    Mine,
    Others,
    Unknown,
    Written,
    after_outcome,
    ended,
    is_news,
    is_open,
    put,
    standing,
)
from scriptorium_core.writing.outcome import Failed, Handled, NothingDue, Outcome, fail, next_move
from scriptorium_core.writing.status import after_hand_in
from scriptorium_core.writing.watching import ended_event

from .. import files
from ..conversations import unwritten
from ..conversations.activity import state_of
from ..conversations.linking import all_excluded
from ..conversations.store import Session, Store, open_store
from ..refused import Refused
from .leased import HandedIn
from .opening import see_it_is_on
from .runtime import publish
from .shaping import moment_text
from .writing import keep_outcome, made_with

if TYPE_CHECKING:
    from ..writer.asking import Pass as Making
    from ..writer.handed import Shown
    from .place import Place

__all__ = ["handed_in"]

_AGAIN = "ask for the next batch; nothing of this one is lost, it is offered again"


def handed_in(service: Place, batch: str, raw: object, record: Path | None = None) -> HandedIn:
    """What came of a batch that the actor hands in. Raises Refused where the call itself has no form.

    With `record`, what came into memory is added to this tape.
    """
    from ..writer.leases import leasing

    see_it_is_on(service)
    handed = decode_hand_in(raw)
    if isinstance(handed, tuple):
        raise Refused(*handed)
    if not service.sessions_path.is_file():
        return HandedIn(batch, "", _unknown(batch))
    with open_store(service.sessions_path) as store:
        made = _made(service, store, record)
        layout = made.memory.layout
        with files.explained(layout.root), leasing(layout):
            return _Handing(service, store, made, handed).told(batch)


@frozen
class _Handing:
    """One hand-in, under the lock of the leases."""

    service: Place
    store: Store
    made: Making
    handed: HandIn | Nothing

    @property
    def now(self) -> int:
        """The present, in seconds since 1970."""
        return self.service.moment().seconds

    def told(self, batch: str) -> HandedIn:
        """What came of it, by how the batch stands towards the actor."""
        from ..writer.leases import read_leases

        leases = read_leases(self.made.memory.layout)
        found = standing(leases, batch, self.service.actor.name, self.now)
        match found:
            case Unknown():
                return HandedIn(batch, "", _unknown(batch))
            case Written(lease):
                return HandedIn(batch, lease.session, NothingDue(), commit=lease.commit, already=True)
            case Others(lease):
                return HandedIn(batch, lease.session, self._late(lease, "another agent has it now"))
            case Lapsed(lease) if not self._is_archived(lease):
                words = "its lease ran out" if not lease.end else f"its lease ended: it was {lease.end}"
                return HandedIn(batch, lease.session, self._late(lease, words))
            case Lapsed(lease) | Mine(lease):
                return self._written(lease) if self._is_archived(lease) else self._tried(lease)
        assert_never(found)

    def _tried(self, lease: Lease) -> HandedIn:
        """Write it, if the conversation still is what the agent was shown."""
        from ..writer.handed import unchanged

        session = self._session(lease)
        shown = unchanged(self.made, session, lease) if session is not None else None
        if session is None or shown is None:
            self._keep(ended(lease, "overtaken"))
            words = "the conversation has gone on in another way since, or never enters memory now"
            return HandedIn(lease.batch, lease.session, self._late(lease, words))
        outcome = self._outcome(lease, shown)
        after = after_outcome(lease, outcome, self.now)
        if after.end == "written":
            unwritten.mark(self.store, session, shown.portion.mark, self.made.memory.workspace)
        if is_news(after, outcome):
            self._tell(session, outcome)
        self._keep(after)
        until = moment_text(self.service.moment()._replace(seconds=after.until)) if not after.end else ""
        return HandedIn(lease.batch, lease.session, outcome, after.attempts, until, after.commit)

    def _outcome(self, lease: Lease, shown: Shown) -> Outcome:
        from ..writer.asking import refused, write_answer
        from ..writer.handed import answer_of

        seen = self.handed.seen if isinstance(self.handed, HandIn) else ""
        seen = seen or lease.seen
        try:
            answer = answer_of(self.made, shown.heard, self.handed, seen)
            if isinstance(answer, tuple):
                return refused(self.made, answer)
            return write_answer(self.made, shown.heard, answer, seen or None)
        except Refused as problem:
            first = problem.problems[0]
            return fail(first.code, first.message, problems=problem.problems)

    def _written(self, lease: Lease) -> HandedIn:
        """It is archived already: by a call that was cut off, or by another writer. Marks are set."""
        from ..writer.passes import only_marks, waiting_of

        if (session := self._session(lease)) is not None:
            marks = [item.node for item in only_marks(waiting_of(self.made, session))]
            unwritten.mark(self.store, session, marks, self.made.memory.workspace)
        self._keep(ended(lease, "written"))
        return HandedIn(lease.batch, lease.session, NothingDue(), already=True)

    def _is_archived(self, lease: Lease) -> bool:
        with self.made.memory.reading() as (_, base):
            known = base.facts.sources
            return any(ref in known for ref in lease.refs) and all(
                ref in known or ref in base.facts.forgotten for ref in lease.refs
            )

    def _session(self, lease: Lease) -> Session | None:
        """The session, unless it is gone or never enters memory now."""
        provider, _, name = lease.session.partition("/")
        session = self.store.get(provider, name)
        return None if session is None or session.num in all_excluded(self.store) else session

    def _tell(self, session: Session, outcome: Outcome) -> None:
        """Keep it for `status`; whoever listens is told of what is given up."""
        layout, name = self.made.memory.layout, f"{session.provider}/{session.id}"
        keep_outcome(self.service, layout, outcome, name, state_of(session), after_hand_in)
        move = next_move(outcome)
        if isinstance(outcome, Failed) and isinstance(move, Handled):
            publish(layout, ended_event(name, moment_text(self.service.moment()), move.ended))

    def _keep(self, lease: Lease) -> None:
        from ..writer.leases import keep_leases, read_leases

        layout = self.made.memory.layout
        keep_leases(layout, put(read_leases(layout), lease, self.now))

    def _late(self, lease: Lease, words: str) -> Failed:
        until = ""
        if is_open(lease, self.now):
            until = moment_text(self.service.moment()._replace(seconds=lease.until))
        return _failed(f"the batch {lease.batch} is not yours any more: {words}", until)


def _made(service: Place, store: Store, record: Path | None) -> Making:
    """With what it is written: as a pass is made, with the agent's name in the commit and on the tape."""
    from ..writer.recorded import Recorder, see_tape

    if record is not None:
        see_tape(record)
    made = made_with(service, store, "agent", True)
    made = evolve(made, more=(("Agent", service.actor.name),))
    if record is None:
        return made
    return evolve(made, record=Recorder(record, made.writer.name, made.writer.prompt, goes_on=True))


def _unknown(batch: str) -> Failed:
    return _failed(f"no agent has taken a batch {batch[:80]!r}")


def _failed(message: str, until: str = "") -> Failed:
    problem = Problem(Code.CONCURRENT_UPDATE, message, "batch", remedy=_AGAIN)
    return fail(Code.CONCURRENT_UPDATE, message, until=until, problems=(problem,))
