"""How many branches a session has, counted where it is stored: without its texts, and not node by node.

The same count as that of `tips_of`: a branch ends in a message of talk with no talk below it, or in the leaf
of a path on which nobody spoke. It is kept with the session until nodes come in.
"""

from collections.abc import Iterator

from .store import ABOVE, Session, Store

__all__ = ["count_branches"]

# A parent that was never written leaves a node to the one before it in the log.
_BRIDGED = (
    "SELECT n.after, n.id FROM nodes n WHERE n.session = ? AND n.parent IS NOT NULL AND n.after IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM nodes p WHERE p.session = n.session AND p.id = n.parent)"
)
_LEAVES = (
    "SELECT n.id, n.talk FROM nodes n WHERE n.session = ?"
    " AND NOT EXISTS (SELECT 1 FROM nodes c WHERE c.session = n.session AND c.parent = n.id)"
)
_UP = f"SELECT a.id, a.talk FROM nodes n JOIN nodes a ON a.session = n.session AND a.id = {ABOVE}"
_UP_FROM = _UP + " WHERE n.session = ? AND n.id = ?"
_TALK = "SELECT talk FROM nodes WHERE session = ? AND id = ?"
_BELOW = "SELECT id, talk FROM nodes WHERE session = ? AND parent = ?"


def count_branches(store: Store, session: Session) -> int:
    """The number of a session's branches; costs nothing while nothing has come in."""
    kept = store.rows("SELECT branches FROM sessions WHERE num = ?", (session.num,))[0][0]
    if kept is not None:
        return int(kept)
    count = sum(1 for _ in _ends(store, session.num))
    with store.transaction():
        store.run("UPDATE sessions SET branches = ? WHERE num = ?", (count, session.num))
    return count


def _ends(store: Store, session: int) -> Iterator[str]:
    bridged: dict[str, list[str]] = {}
    for after, node in store.rows(_BRIDGED, (session,)):
        bridged.setdefault(after, []).append(node)
    seen: set[str] = set()
    for leaf, talks in store.rows(_LEAVES, (session,)):
        end = leaf if leaf in bridged or talks else _last_talk(store, session, leaf)
        if leaf in bridged or end in seen:
            continue
        seen.add(end)
        if end == leaf or not _is_answered(store, session, end, bridged):
            yield end


def _last_talk(store: Store, session: int, leaf: str) -> str:
    """The nearest message of talk above a leaf, the leaf itself if there is none."""
    here = leaf
    while above := store.rows(_UP_FROM, (session, here)):
        here = str(above[0][0])
        if above[0][1]:
            return here
    return leaf


def _is_answered(store: Store, session: int, node: str, bridged: dict[str, list[str]]) -> bool:
    """Whether talk stands below a node."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        below = store.rows(_BELOW, (session, here))
        below += [(name, store.rows(_TALK, (session, name))[0][0]) for name in bridged.get(here, ())]
        if any(talks for _, talks in below):
            return True
        waiting += [name for name, _ in below]
    return False
