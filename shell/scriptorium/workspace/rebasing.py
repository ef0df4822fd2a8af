"""A request on a memory that has moved since its caller looked: it holds where its topics did not change."""

from collections.abc import Iterable

from scriptorium_core.changes import Change
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Snapshot
from scriptorium_core.transaction.overtaking import meant

from ..history import History

__all__ = ["moved_meanwhile"]


def moved_meanwhile(
    history: History,
    seen: str | None,
    head: str | None,
    base: Snapshot,
    changes: Iterable[Change],
    touched: Iterable[str],
) -> tuple[Problem, ...]:
    """Whether a topic that a request means, or that its edit touches, has changed since `seen`.

    An empty `seen` is the memory before its first commit, None says nothing.
    """
    if seen is None or seen == (head or ""):
        return ()
    try:
        since = {change.path: change.old for change in history.changes(seen or None, head)}
    except KeyError:
        return (_unknown(seen, head),)
    before = {path: history.blob(old) for path, old in since.items() if old and path.startswith("topics/")}
    both = sorted(since.keys() & {*touched, *meant(changes, base.facts, before)})
    return (_conflict(both, seen, head),) if both else ()


def _unknown(seen: str, head: str | None) -> Problem:
    message = f"the revision {seen!r} is not in the history of this memory"
    remedy = f"read again; the memory is at {head}"
    return Problem(Code.INVALID_ARGUMENT, message, "base_revision", remedy=remedy)


def _conflict(paths: list[str], seen: str, head: str | None) -> Problem:
    message = f"{', '.join(paths)} changed between {seen} and {head}"
    remedy = "read them again and make the change anew"
    return Problem(Code.CONCURRENT_UPDATE, message, "base_revision", remedy=remedy)
