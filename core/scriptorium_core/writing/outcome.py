"""How a pass ends, as one closed type, and what its watcher does next.

| outcome | the watcher |
|---|---|
| `Wrote`: topics changed | marks the turn handled |
| `NothingToKeep`: the writer said so; frames archived, nodes marked | marks it handled |
| `NothingDue`: below the threshold, nothing pending, or an agent's to write | marks it handled |
| `Failed`, retryable: lock held, model not reached, rate limit, git failed | leaves it, waits, tries again |
| `Failed`, not retryable: rejected twice, no progress, refused by the provider | marks it handled, says so |

Silence never means success: each pass returns one of these.
"""

from collections.abc import Mapping
from typing import assert_never

from attrs import field, frozen

from ..problem import Code, Problem
from ..sources.redact import Secret
from .used import NOTHING_USED, Used

__all__ = [
    "RETRYABLE",
    "WRITER_WIDE",
    "Failed",
    "Handled",
    "NextMove",
    "NothingDue",
    "NothingToKeep",
    "Outcome",
    "Retry",
    "Wrote",
    "backoff",
    "fail",
    "handled",
    "next_move",
    "rejection",
    "retryable",
]

RETRYABLE = frozenset(
    [
        Code.CONCURRENT_UPDATE,
        Code.DISK_FAILED,
        Code.DRAFT_IN_THE_WAY,
        Code.EMBEDDING_UNAVAILABLE,
        Code.GIT_COMMIT_FAILED,
        Code.GIT_UNAVAILABLE,
        Code.MODEL_FAILURE_UNKNOWN,
        Code.MODEL_PROVIDER_INTERNAL,
        Code.MODEL_RATE_LIMIT,
        Code.MODEL_TIMEOUT,
        Code.MODEL_TRANSPORT,
        Code.SESSION_NODES_UNAVAILABLE,
        Code.SOURCES_CHANGED,
        Code.WRITER_FAILURE_UNKNOWN,
    ]
)
"""The codes after which the same pass, tried later, may succeed."""

WRITER_WIDE = frozenset(
    [Code.MODEL_AUTHENTICATION, Code.MODEL_AUTHORIZATION, Code.WRITER_PRECONDITION_FAILED]
)
"""Final failures that are the writer's and no conversation's: all others would fail alike."""

_FIRST_WAIT = 30
_LONGEST_WAIT = 3600


@frozen
class Wrote:
    """Topics changed: the commit, the ids of records by what happened to them, frames archived, tokens read.

    `projected` is false where the commit stands but the working tree could not follow it yet. `redacted`
    counts the secrets that were taken out of the messages before anything was written. `used` is what the
    writer cost, also the answer that had to be mended; `dropped` what it left beside the topics.
    """

    commit: str
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    frames: int = 0
    tokens: int = 0
    summary: str = ""
    projected: bool = True
    redacted: Mapping[Secret, int] = field(factory=dict[Secret, int], hash=False)
    used: Used = NOTHING_USED
    dropped: tuple[Problem, ...] = ()


@frozen
class NothingToKeep:
    """The writer found nothing worth keeping; `commit` holds the archived frames, if there were new ones."""

    reason: str
    commit: str = ""
    frames: int = 0
    tokens: int = 0
    redacted: Mapping[Secret, int] = field(factory=dict[Secret, int], hash=False)
    used: Used = NOTHING_USED


@frozen
class NothingDue:
    """Nothing to do: `waiting` tokens are below the threshold, or nothing is pending (0).

    `marked` counts nodes that only lacked their mark. With `agent` what waits is for an agent to take and
    write; `holder` is one that has taken it, `until` an ISO 8601 time.
    """

    waiting: int = 0
    marked: int = 0
    agent: bool = False
    holder: str = ""
    until: str = ""


@frozen
class Failed:
    """The pass did nothing; `until` is an ISO 8601 time before which a retry is useless, empty if unknown.

    `tokens` were offered to the writer all the same.
    """

    code: Code
    retryable: bool
    message: str = ""
    until: str = ""
    problems: tuple[Problem, ...] = ()
    tokens: int = 0
    used: Used = NOTHING_USED


Outcome = Wrote | NothingToKeep | NothingDue | Failed


@frozen
class Handled:
    """The turn is done with; `ended`, unless empty, is published as reason of `memory.ingest_ended`."""

    ended: str = ""


@frozen
class Retry:
    """The turn stays open: not before `seconds` have passed, nor before `until` if that is known."""

    seconds: int
    until: str = ""


NextMove = Handled | Retry


def retryable(code: Code) -> bool:
    """Whether a pass that failed with `code` may succeed later without anybody doing anything."""
    return code in RETRYABLE


def fail(code: Code, message: str = "", *, until: str = "", problems: tuple[Problem, ...] = ()) -> Failed:
    """A failure with the retry rule of its code."""
    return Failed(code, retryable(code), message, until, problems)


def rejection(problems: tuple[Problem, ...]) -> Code:
    """The code of a pass whose changes were rejected: retryable where a person's hand was in the way.

    `COMMIT_REJECTED` alone is what the writer itself can mend.
    """
    passing = (Code.CONCURRENT_UPDATE, Code.DRAFT_IN_THE_WAY, Code.WRITER_NO_PROGRESS)
    return next((problem.code for problem in problems if problem.code in passing), Code.COMMIT_REJECTED)


def handled(outcome: Outcome) -> bool:
    """Whether the watcher marks the turn as handled; only a retryable failure stays open."""
    match outcome:
        case Wrote() | NothingToKeep() | NothingDue():
            return True
        case Failed(retryable=again):
            return not again
    assert_never(outcome)


def backoff(failures: int) -> int:
    """The seconds to wait after so many failures in a row: they double from half a minute up to an hour."""
    return min(_FIRST_WAIT << min(max(failures, 1) - 1, 16), _LONGEST_WAIT)


def next_move(outcome: Outcome, failures: int = 1) -> NextMove:
    """What the watcher does after `failures` failures in a row, this one included."""
    if isinstance(outcome, Failed):
        if outcome.retryable:
            return Retry(backoff(failures), outcome.until)
        return Handled(f"{outcome.code}: {outcome.message}" if outcome.message else str(outcome.code))
    return Handled()
