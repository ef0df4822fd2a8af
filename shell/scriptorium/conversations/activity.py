"""What the keeper has to know of the sessions that hold something unwritten; costs what is unwritten."""

from collections.abc import Iterator

from attrs import evolve

from scriptorium_core.budget import Count
from scriptorium_core.names import NodeId, WorkspaceId
from scriptorium_core.sessions.pending import unmarked
from scriptorium_core.writing.cadence import Pace, Talk, is_idle, seconds_of

from .linking import all_excluded
from .store import Session, Store
from .unwritten import branch_state, count_pending, ends, said_at, tokens_waiting

__all__ = ["state_of", "talks"]

_UNSAID = (
    "SELECT id FROM nodes WHERE session = :s AND mark < :w AND talk UNION ALL"
    " SELECT id FROM nodes WHERE session = :s AND mark > :w AND talk"
)


def talks(
    store: Store, workspace: WorkspaceId, count: Count, pace: Pace, now: int, offset: int
) -> tuple[Talk, ...]:
    """The sessions with unwritten messages, those that never enter left out.

    Of those that are idle no text is read: whatever they hold is due, whole.
    """
    out = all_excluded(store)
    found: list[Talk] = []
    for session in store.sessions():
        if session.num in out or not count_pending(store, session, workspace):
            continue
        talk = Talk(
            f"{session.provider}/{session.id}",
            state_of(session),
            _active_at(store, session, now, offset),
            0,
        )
        if not is_idle(talk, pace, now):
            tokens = tokens_waiting(store, session, workspace, count, pace.batch_tokens)
            talk = evolve(talk, tokens=tokens, left=tuple(_left(store, session, workspace)))
        found.append(talk)
    return tuple(found)


def state_of(session: Session) -> str:
    """What changes when something comes to a session or its head moves."""
    return f"{session.turns}/{session.head or ''}"


def _active_at(store: Store, session: Session, now: int, offset: int) -> int:
    """When something was last said; where the log does not know, or is ahead of us, when it was taken in."""
    said = seconds_of(said_at(store, session), offset)
    taken = seconds_of(session.updated_at, offset)
    return said if said is not None and said <= now else taken if taken is not None else 0


def _left(store: Store, session: Session, workspace: WorkspaceId) -> Iterator[NodeId]:
    """The ends of the branches that the head has left and on which something unwritten was said."""
    state = branch_state(store, session)
    values = {"s": session.num, "w": workspace}
    aside = {row[0] for row in store.rows(_UNSAID, values) if state(row[0]) == "abandoned"}
    if not aside:
        return
    get = store.lookup(session)
    for end in ends(store, session, workspace):
        if state(end) == "abandoned" and any(node.id in aside for node in unmarked(get, end, workspace)):
            yield end
