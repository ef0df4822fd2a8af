"""Before a pass: what the archive says of a session's branches is brought up to date, in one commit.

A message that was archived on a live branch may have been given up since, or the other way round, or another
live branch may have begun above it. Its new state and the notes of the evidence that rests on it go into the
memory together.
"""

from collections.abc import Iterable, Iterator, Mapping

from scriptorium_core.changes import Caller
from scriptorium_core.names import SourceId
from scriptorium_core.sources.frame import Branch, Context
from scriptorium_core.transaction import Edit, Rejected, Snapshot
from scriptorium_core.tree import Tree
from scriptorium_core.writing.branches import LiveNotes, with_states

from ..conversations.standing import live_notes, turned
from ..conversations.store import Session, Store
from ..conversations.unwritten import spoken
from ..workspace import Committed, Memory

__all__ = ["restate"]


def restate(memory: Memory, store: Store, session: Session, caller: Caller) -> Committed | Rejected | None:
    """Commit what changed; None if nothing did."""
    live = live_notes(store, session)
    with memory.reading() as (_, base):
        states = turned(store, session, memory.index.queries.branches)
        named = [source for source, _ in spoken(store, session)] if states or live else []
        if not states and not (live and _tree(base, named, states, live).differences()):
            return None
    trailers = (("Session", f"{session.provider}/{session.id}"),)
    subject = _subject(session, states)

    def plan(base: Snapshot) -> Edit:
        contexts, tree = tuple(_contexts(base, states, states)), _tree(base, named, states, live)
        return Edit(tree, contexts=contexts, kind="write", subject=subject, trailers=trailers)

    return memory.commit(plan, memory.rules(caller))


def _tree(
    base: Snapshot, named: Iterable[SourceId], states: Mapping[SourceId, Branch], live: LiveNotes
) -> Tree:
    """The topics with the notes of what is cited of the session, as its branches stand now."""
    return with_states(base.tree, tuple(_contexts(base, named, states)), base.facts, live)


def _contexts(
    base: Snapshot, named: Iterable[SourceId], states: Mapping[SourceId, Branch]
) -> Iterator[Context]:
    """The contexts of archived messages, each with its branch of now."""
    for name in named:
        known = base.facts.sources.get(name)
        if known is not None and known.context is not None:
            yield known.context._replace(branch=states.get(name, known.context.branch))


def _subject(session: Session, states: Mapping[SourceId, Branch]) -> str:
    if not states:
        return f"Note the live branches of {session.id}"
    count = len(states)
    return f"Note the branch of {count} message{'s' if count > 1 else ''} of {session.id}"
