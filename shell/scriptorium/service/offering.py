"""The next batch for an agent: chosen as a pass would write it, leased, and shown with all that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from scriptorium_core.policy.rules import Right, anywhere
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.pending import Batch, batch
from scriptorium_core.transaction.permitting import Gate
from scriptorium_core.writing.batch import batch_key
from scriptorium_core.writing.cadence import spent
from scriptorium_core.writing.leasing import (
    Lease,
    Leases,
    ended,
    granted,
    holding,
    lease,
    own,
    put,
)
from scriptorium_core.writing.offering import Given, given, rules
from scriptorium_core.writing.outline import outline
from scriptorium_core.writing.status import after_offer, given_up

from .. import files
from ..clock import Moment
from ..conversations import unwritten
from ..conversations.activity import state_of
from ..conversations.store import Session, Store, open_store
from ..lock import held
from ..refused import Refused
from .leased import NoOffer, Offered, Unoffered
from .opening import see_it_is_on
from .outlook import pace_of
from .runtime import change_status, read_status
from .shaping import moment_text
from .writing import keep_outcome, made_with, the_sessions

if TYPE_CHECKING:
    from ..writer.asking import Heard
    from ..writer.asking import Pass as Making
    from .place import Place

__all__ = ["offered"]

_PATIENCE = 5.0


def offered(service: Place, name: str, tokens: int | None, force: bool) -> Offered | Unoffered:
    """The batch that the actor has taken already, else the next one that is free, of one session or of all.

    Raises Refused with CONCURRENT_UPDATE while a pass of another writer runs.
    """
    from ..writer.leases import PASS_LOCK, leasing

    see_it_is_on(service)
    if not name and not service.sessions_path.is_file():
        return Unoffered(NoOffer.NOTHING)
    with open_store(service.sessions_path) as store:
        sessions = the_sessions(store, [name] if name else None)
        made = made_with(service, store, "agent", force)
        if tokens is not None:
            made = evolve(made, goal=max(1, min(tokens, made.goal)))
        layout = made.memory.layout
        with files.explained(layout.root), held(layout.runtime / PASS_LOCK, _PATIENCE), leasing(layout):
            asking = _Asking(service, store, made, bool(name))
            again = asking.again(sessions)
            return again if again is not None else asking.fresh(sessions)


@define
class _Asking:
    """One question for a batch, under both locks."""

    service: Place
    store: Store
    made: Making
    named: bool
    leases: Leases = field(init=False)
    now: Moment = field(init=False)
    gate: Gate | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        from ..workspace.governing import gate_of
        from ..writer.leases import read_leases

        self.leases, self.now = read_leases(self.made.memory.layout), self.service.moment()
        whole = self.service.whole()
        self.gate = gate_of(whole.history, whole.revision, self.service.actor)
        if self.gate is not None and not anywhere(self.gate.policy, self.gate.actor, Right.WRITE):
            message = f"{self.gate.actor} may not write"
            raise Refused(Problem(Code.NOT_PERMITTED, message, "session", remedy="ask the owner"))

    def again(self, sessions: Sequence[Session]) -> Offered | None:
        """What the actor has taken and not handed in, if the conversation still is what they were shown."""
        from ..writer.handed import unchanged

        names = {f"{session.provider}/{session.id}": session for session in sessions}
        wanted = next(iter(names)) if self.named else ""
        known = own(self.leases, self.service.actor.name, self.now.seconds, wanted)
        if known is None:
            return None
        session = names.get(known.session)
        may = session is not None and self._may(session)
        found = unchanged(self.made, session, known) if session is not None and may else None
        if found is None:
            self._keep(put(self.leases, ended(known, "overtaken"), self.now.seconds))
            return None
        return self._shown(known, found.heard, found.text)

    def fresh(self, sessions: Sequence[Session]) -> Offered | Unoffered:
        """The first batch that is free; a session of which somebody has taken one is passed over."""
        service, made = self.service, self.made
        status = read_status(made.memory.layout)
        pace = evolve(pace_of(service.settings), costs=True)
        stopped = spent(status, pace, self.now.seconds, self.now.offset)
        if stopped is not None:
            return Unoffered(NoOffer.SPENT, 0, moment_text(self.now._replace(seconds=stopped.until)))
        why, below, taken = NoOffer.NOTHING, 0, list[Lease]()
        for session in sessions:
            name = f"{session.provider}/{session.id}"
            if not unwritten.count_pending(self.store, session, made.memory.workspace):
                continue
            if not self._may(session):  # as if it were not there
                continue
            if (other := holding(self.leases, name, self.now.seconds)) is not None:
                taken.append(other)
            elif not self.named and given_up(status, name, state_of(session)):
                why = NoOffer.REFUSED
            else:
                portion = self._portion(session)
                refs = [source_of(item.node) for item in portion.write]
                if (fork := holding(self.leases, name, self.now.seconds, refs)) is not None:
                    taken.append(fork)
                elif portion.write and (made.force or portion.reached):
                    return self._leased(session, portion)
                else:
                    below += portion.tokens
        if taken:
            return Unoffered(NoOffer.TAKEN, below, min(_until(each, self.now) for each in taken))
        return Unoffered(NoOffer.BELOW if below else why, below)

    def _may(self, session: Session) -> bool:
        from ..writer.handed import may_write

        return may_write(self.gate, self.store, session, self.made.memory.workspace)

    def _portion(self, session: Session) -> Batch:
        """What a pass would write of a session; marks that are missing are set, as it does."""
        from ..writer.passes import only_marks, restated, waiting_of

        made, name = self.made, f"{session.provider}/{session.id}"
        for outcome in restated(made, session):
            keep_outcome(self.service, made.memory.layout, outcome, name, state_of(session))
        waiting = waiting_of(made, session)
        marks = [item.node for item in only_marks(waiting)]
        unwritten.mark(self.store, session, marks, made.memory.workspace)
        return batch(waiting[len(marks) :], made.count, made.goal)

    def _leased(self, session: Session, portion: Batch) -> Offered | Unoffered:
        from ..writer.asking import hear

        heard = hear(self.made, session, portion)
        refs, text = tuple(frame.id for frame in heard.frames), given(heard.said)
        name = f"{session.provider}/{session.id}"
        holder, now = self.service.actor.name, self.now.seconds
        fresh = lease(batch_key(refs), name, holder, refs, text.text, None, now, portion.tokens)
        return self._shown(fresh, heard, text)

    def _shown(self, known: Lease, heard: Heard, text: Given) -> Offered:
        """Keep the lease, and say what its holder needs; the outline is that of HEAD now."""
        memory = self.made.memory
        with memory.reading() as (revision, base):
            renewed = evolve(known, seen=revision or "")
            leases = granted(self.leases, renewed, self.now.seconds)
            assert isinstance(leases, tuple)  # looked at under the same lock
            self._keep(leases)
            held_already = outline(base.facts, heard.said, self.made.count)
        at, size = moment_text(self.now), known.tokens
        change_status(memory.layout, lambda status: after_offer(status, size, at))
        return Offered(
            known.batch,
            known.session,
            text.refs,
            text.text,
            held_already,
            rules(),
            memory.today(),
            known.tokens,
            _until(known, self.now),
            known.attempts,
            revision,
            text.cut,
        )

    def _keep(self, leases: Leases) -> None:
        from ..writer.leases import keep_leases

        keep_leases(self.made.memory.layout, leases)
        self.leases = leases


def _until(lease: Lease, now: Moment) -> str:
    return moment_text(now._replace(seconds=lease.until))
