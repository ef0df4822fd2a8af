"""Leases: a batch that an agent has taken to write it, for ten minutes; pure decisions about whose it is.

    {"version": 1, "leases": [{"batch": "b-5a0c…", "session": "chat/s1", "holder": "owner",
     "refs": ["chat/s1/m1", …], "digest": "9f86d081…", "seen": "3f2c…", "begun": 1775217600,
     "until": 1775218200, "tokens": 8120, "rejected": 0, "end": "", "commit": ""}]}

A lease is open from the second in which it began until it is over, or has ended: a clock that went back
behind its beginning frees the batch. It never holds a lock. One session has at most one open lease, for what
follows in a conversation is written behind what comes before, and so has a message that forks share. A lease
that is over stays known for a while, so that whoever hands in late, or twice, is told what became of the
batch. The file holds no words of anybody.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Literal, cast, get_args

from attrs import evolve, frozen

from ..problem import Code
from .outcome import Failed, NothingToKeep, Outcome, Wrote

__all__ = [
    "ATTEMPTS",
    "LENGTH",
    "MENDABLE",
    "MOST",
    "End",
    "Lapsed",
    "Lease",
    "Leases",
    "Mine",
    "Others",
    "Standing",
    "Unknown",
    "Written",
    "after_outcome",
    "decode_leases",
    "digest_of",
    "encode_leases",
    "ended",
    "granted",
    "holding",
    "is_news",
    "is_open",
    "lease",
    "open_leases",
    "own",
    "put",
    "rejected",
    "standing",
]

LENGTH = 600
"""Seconds that a lease lasts, and once more after a first rejection."""

ATTEMPTS = 2
"""How often a batch may be handed in: once, and once more after a rejection."""

MOST = 64
"""How many leases are remembered, the open ones first."""

MENDABLE = (Code.COMMIT_REJECTED, Code.WRITER_NO_PROGRESS)
"""The codes of what an agent can mend by handing in something else."""

_VERSION = 1

End = Literal["", "written", "rejected", "taken over", "overtaken"]
"""How a lease ended before its time; empty where it did not."""


@frozen
class Lease:
    """A batch (its key) of a session (`provider/id`) in the hands of an actor.

    `refs` are the source ids of all its messages, `digest` is that of what the agent was shown of them,
    `seen` the commit on which its outline was made. `begun` and `until` are seconds since 1970, `tokens` the
    size of the batch. `rejected` counts hand-ins that were refused; `commit` is where the batch was written.
    """

    batch: str
    session: str
    holder: str
    refs: tuple[str, ...]
    digest: str
    seen: str
    begun: int
    until: int
    tokens: int = 0
    rejected: int = 0
    end: End = ""
    commit: str = ""

    @property
    def attempts(self) -> int:
        """How often the batch may still be handed in under this lease."""
        return max(ATTEMPTS - self.rejected, 0) if not self.end else 0


Leases = tuple[Lease, ...]
"""The leases that are remembered, each batch once, the newest last."""


@frozen
class Mine:
    """The lease is open, and it is that of whoever asks."""

    lease: Lease


@frozen
class Others:
    """The lease is open, and somebody else has it."""

    lease: Lease


@frozen
class Written:
    """The batch was handed in and is written."""

    lease: Lease


@frozen
class Lapsed:
    """The lease ran out, or ended without anything being written."""

    lease: Lease


@frozen
class Unknown:
    """No lease of this batch is remembered."""


Standing = Mine | Others | Written | Lapsed | Unknown


def lease(
    batch: str,
    session: str,
    holder: str,
    refs: Sequence[str],
    shown: str,
    seen: str | None,
    now: int,
    tokens: int,
) -> Lease:
    """A lease that begins `now`; `shown` is the text of the batch as its holder is given it."""
    digest = digest_of(shown)
    return Lease(batch, session, holder, tuple(refs), digest, seen or "", now, now + LENGTH, tokens)


def digest_of(shown: str) -> str:
    """The digest of the text of a batch: another one says that the conversation has moved on."""
    return sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_open(lease: Lease, now: int) -> bool:
    """Whether a lease holds its batch at this time."""
    return not lease.end and lease.begun <= now < lease.until


def open_leases(leases: Iterable[Lease], now: int) -> Leases:
    """Those that are open."""
    return tuple(each for each in leases if is_open(each, now))


def holding(leases: Iterable[Lease], session: str, now: int, refs: Collection[str] = ()) -> Lease | None:
    """The open lease of a session, or of one of these messages, which a fork shares; None if all is free."""
    wanted = frozenset(refs)
    return next(
        (
            each
            for each in leases
            if is_open(each, now) and (each.session == session or not wanted.isdisjoint(each.refs))
        ),
        None,
    )


def own(leases: Iterable[Lease], holder: str, now: int, session: str = "") -> Lease | None:
    """The open lease of an actor (of a session, if one is named): asking again gives the same batch."""
    mine = (each for each in open_leases(leases, now) if each.holder == holder)
    return next((each for each in mine if session in ("", each.session)), None)


def standing(leases: Iterable[Lease], batch: str, holder: str, now: int) -> Standing:
    """How a batch stands towards an actor who would hand it in."""
    found = next((each for each in leases if each.batch == batch), None)
    if found is None:
        return Unknown()
    if found.end == "written":
        return Written(found)
    if is_open(found, now):
        return Mine(found) if found.holder == holder else Others(found)
    return Lapsed(found)


def granted(leases: Leases, fresh: Lease, now: int) -> Leases | Lease:
    """The leases with a fresh one; the open lease that is in its way, if there is one."""
    freed = leases
    while (taken := holding(freed, fresh.session, now, fresh.refs)) is not None:
        if taken.holder != fresh.holder:
            return taken
        freed = put(freed, ended(taken, "overtaken"), now)
    return put(freed, fresh, now)


def put(leases: Leases, changed: Lease, now: int) -> Leases:
    """The leases with one in the place of what was known of its batch, and the oldest forgotten."""
    others = [each for each in leases if each.batch != changed.batch]
    kept = [*others, changed]
    closed = [each for each in kept if not is_open(each, now)]
    room = max(MOST - (len(kept) - len(closed)), 0)
    forgotten = {each.batch for each in closed[: max(len(closed) - room, 0)]}
    return tuple(each for each in kept if each.batch not in forgotten)


def rejected(lease: Lease, now: int) -> Lease:
    """The lease after a hand-in that was refused: begun anew for the last attempt, or at its end."""
    count = lease.rejected + 1
    if count >= ATTEMPTS:
        return evolve(lease, rejected=count, end="rejected")
    return evolve(lease, rejected=count, begun=now, until=now + LENGTH)


def ended(lease: Lease, how: End, commit: str = "") -> Lease:
    """The lease at its end; one that ended before stays as it is."""
    return lease if lease.end else evolve(lease, end=how, commit=commit)


def after_outcome(lease: Lease, outcome: Outcome, now: int) -> Lease:
    """The lease after its batch was handed in: what can be mended may be tried once more.

    A failure that is none of the answer (somebody else was faster, the disk) leaves it as it is.
    """
    match outcome:
        case Wrote(commit=commit) | NothingToKeep(commit=commit):
            return ended(lease, "written", commit)
        case Failed(code=code) if code in MENDABLE:
            return rejected(lease, now)
        case _:
            return lease


def is_news(lease: Lease, outcome: Outcome) -> bool:
    """Whether an outcome is kept for `status`, `lease` being that after it; what goes on is none yet."""
    if not isinstance(outcome, Failed):
        return True
    return bool(lease.end) or outcome.code not in (*MENDABLE, Code.CONCURRENT_UPDATE)


def encode_leases(leases: Leases) -> bytes:
    """The bytes of the file."""
    rows = [
        {
            "batch": each.batch,
            "session": each.session,
            "holder": each.holder,
            "refs": list(each.refs),
            "digest": each.digest,
            "seen": each.seen,
            "begun": each.begun,
            "until": each.until,
            "tokens": each.tokens,
            "rejected": each.rejected,
            "end": each.end,
            "commit": each.commit,
        }
        for each in leases
    ]
    return (json.dumps({"version": _VERSION, "leases": rows}, indent=1) + "\n").encode()


def decode_leases(data: bytes | None) -> Leases:
    """The leases in the file; what cannot be read of it is none, and its batch is free."""
    try:
        value: object = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return ()
    rows = cast("Mapping[str, object]", value).get("leases") if isinstance(value, dict) else None
    found = (_lease(row) for row in cast("list[object]", rows)) if isinstance(rows, list) else ()
    kept = {each.batch: each for each in found if each is not None}
    return tuple(kept.values())


def _lease(row: object) -> Lease | None:
    if not isinstance(row, dict):
        return None
    fields = cast("Mapping[str, object]", row)
    names = ("batch", "session", "holder", "digest", "seen", "end", "commit")
    batch, session, holder, digest, seen, end, commit = (fields.get(name) for name in names)
    begun, until, tokens, count = (fields.get(name) for name in ("begun", "until", "tokens", "rejected"))
    refs = fields.get("refs")
    texts = all(isinstance(each, str) for each in (batch, session, holder, digest, seen, commit))
    numbers = all(type(each) is int for each in (begun, until, tokens, count))
    listed = isinstance(refs, list) and all(isinstance(ref, str) for ref in cast("list[object]", refs))
    if not (texts and numbers and listed and batch and end in get_args(End)):
        return None
    return Lease(
        str(batch),
        str(session),
        str(holder),
        tuple(map(str, cast("list[object]", refs))),
        str(digest),
        str(seen),
        cast(int, begun),
        cast(int, until),
        cast(int, tokens),
        cast(int, count),
        cast(End, end),
        str(commit),
    )
