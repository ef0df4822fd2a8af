"""Before a pass: what the archive says of a session's branches is brought up to date, in one commit.

A message that was archived on a live branch may have been given up since, or the other way round. Its new
state and the notes of the evidence that rests on it go into the memory together.
"""

from collections.abc import Iterator, Mapping

from attrs import evolve

from scriptorium_core.changes import Caller
from scriptorium_core.names import SourceId
from scriptorium_core.sources.frame import Branch, Context
from scriptorium_core.transaction import Edit, Rejected, Snapshot
from scriptorium_core.writing.branches import with_states

from ..conversations.standing import turned
from ..conversations.store import Session, Store
from ..workspace import Committed, Memory

__all__ = ["restate"]


def restate(memory: Memory, store: Store, session: Session, caller: Caller) -> Committed | Rejected | None:
    """Commit what changed; None if nothing did."""
    with memory.reading():
        states = turned(store, session, memory.index.queries.branches)
    if not states:
        return None
    trailers = (("Session", f"{session.provider}/{session.id}"),)
    subject = _subject(session, states)

    def plan(base: Snapshot) -> Edit:
        contexts = tuple(_contexts(base, states))
        tree = with_states(base.tree, contexts, base.facts)
        return Edit(tree, contexts=contexts, kind="write", subject=subject, trailers=trailers)

    return memory.commit(plan, memory.rules(caller))


def _contexts(base: Snapshot, states: Mapping[SourceId, Branch]) -> Iterator[Context]:
    for name, branch in states.items():
        known = base.facts.sources.get(name)
        if known is not None and known.context is not None:
            yield evolve(known.context, branch=branch)


def _subject(session: Session, states: Mapping[SourceId, Branch]) -> str:
    count = len(states)
    return f"Note the branch of {count} message{'s' if count > 1 else ''} of {session.id}"
