"""Requests with a key: carried out once, and answered from the commit that did it when they come again."""

from collections.abc import Callable, Iterator

from attrs import evolve

from scriptorium_core.facts.once import REQUEST, Claim, Made, misused
from scriptorium_core.names import SourceId, TopicPath
from scriptorium_core.sources.archive import is_archive, scan
from scriptorium_core.topics.normalize import Naming
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.trailers import values_of
from scriptorium_core.transaction import Edit, Prepared, Rejected, Report, Snapshot
from scriptorium_core.transaction.again import told_again
from scriptorium_core.transaction.permitting import Gate

from ..history import History
from ..index import Index
from .committed import Committed

__all__ = ["answered", "claiming", "plainly", "repeated", "says_something"]


def claiming(
    plan: Callable[[Snapshot], Edit | Rejected], claim: Claim | None
) -> Callable[[Snapshot], Edit | Rejected]:
    """The plan, its commit claiming the key of the request; what is rejected claims nothing."""
    if claim is None:
        return plan

    def claimed(base: Snapshot) -> Edit | Rejected:
        edit = plan(base)
        return edit if isinstance(edit, Rejected) else evolve(edit, trailers=(*edit.trailers, claim.trailer))

    return claimed


def plainly(
    result: Committed | Rejected | None, claim: Claim | None, prepared: Prepared
) -> Committed | Rejected | None:
    """The first answer to a request with a key, with no more in it than later ones will have."""
    if claim is None or not isinstance(result, Committed):
        return result
    unchanged = not prepared.tree.differences()
    return evolve(result, report=evolve(result.report, naming=Naming()), unchanged=unchanged)


def says_something(prepared: Prepared) -> bool:
    """Whether a commit says something though no file changes: a tombstone, or that a request was done."""
    return any(values_of(prepared.trailers, name) for name in ("Forgotten", REQUEST))


def repeated(
    history: History, index: Index, head: str | None, claim: Claim | None, gate: Gate | None
) -> Committed | Rejected | None:
    """What is answered to a request whose key is known at `head`; None if it is not, or there is no key."""
    made = index.queries.made(claim.key) if claim is not None else None
    return answered(history, head, claim, made, gate) if claim is not None and made is not None else None


def answered(
    history: History, head: str | None, claim: Claim, made: Made, gate: Gate | None
) -> Committed | Rejected:
    """The answer to a request that was carried out before, as far as whoever asks may see it."""
    if problem := misused(claim, made):
        return Rejected((problem,))
    try:
        return _committed(history, made.commit, gate)
    except KeyError:  # a rewritten history has other commits: that it was carried out is all that is left
        return Committed(head or "", Report(), unchanged=True)


def _committed(history: History, commit: str, gate: Gate | None) -> Committed:
    entry = history.entry(commit)
    parent = entry.parents[0] if entry.parents else None
    may = gate.may() if gate is not None else None
    whole = list(history.changes(parent, commit))
    changes = [each for each in whole if may is None or may(each.path)]
    topics = [each for each in changes if each.path.startswith("topics/")]
    before, after = (
        {
            TopicPath(path): parse_topic(TopicPath(path), history.blob(blob))[0]
            for path, blob in ((each.path, getattr(each, side)) for each in topics)
            if blob is not None
        }
        for side in ("old", "new")
    )
    archives = ((each.path, each.old, each.new) for each in changes if is_archive(each.path))
    archived = (name for each in archives for name in _archived(history, *each))
    report = told_again(before, after, archived, entry.trailers)
    return Committed(commit, report, unchanged=not whole)


def _archived(history: History, path: str, old: str | None, new: str | None) -> Iterator[SourceId]:
    known, now = (
        () if blob is None else tuple(frame.id for frame in scan(path, history.blob(blob)).frames)
        for blob in (old, new)
    )
    yield from (name for name in now if name not in known)
