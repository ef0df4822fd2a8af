"""What the service answers: values that every door turns into its own words.

Ids are bare (`6c1f02aa`, without `^`); dates are as they are written (`2026-04`); times are ISO 8601.
A result of reading names the commit that it was read from in `revision` (None: nothing is committed yet).
Where there is nothing to answer, the service raises `Refused` with a problem that says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import field, frozen

from scriptorium_core.problem import Problem

from .cited import Alternative, Citation, Turn
from .found import Found, FoundItem
from .kept import Outlook
from .shown import (
    Conversation,
    Group,
    Linked,
    Mention,
    RecordLine,
    RecordShown,
    Shown,
    Sibling,
    SourceShown,
    TopicShown,
    Why,
)

if TYPE_CHECKING:
    from scriptorium_core.knowledge.assess import Assessment
    from scriptorium_core.knowledge.offer import Left
    from scriptorium_core.writing.outcome import Outcome

    from ..conversations.unwritten import Summary

__all__ = [
    "Alternative",
    "Citation",
    "Conversation",
    "CoreShown",
    "Counted",
    "Day",
    "Failure",
    "Finding",
    "Found",
    "FoundItem",
    "Group",
    "Initialised",
    "LastOutcome",
    "Linked",
    "LogEntry",
    "Mention",
    "Next",
    "Pass",
    "Recent",
    "RecentRow",
    "RecordLine",
    "RecordShown",
    "Row",
    "Shown",
    "Sibling",
    "SourceShown",
    "Status",
    "Timeline",
    "TopicLine",
    "TopicShown",
    "Turn",
    "Verified",
    "Why",
]


@frozen
class Initialised:
    """A home that is ready; `created` is false where the memory was there before."""

    home: Path
    memory: Path
    workspace: str
    revision: str | None
    created: bool
    notices: tuple[Problem, ...] = ()


@frozen
class Pass:
    """What happened to one session (`provider/id`): an outcome a batch; the last one says how it ended.

    `differences` say what of the prompts and tools is another now than when a tape was recorded.
    """

    session: str
    outcomes: tuple[Outcome, ...]
    differences: tuple[str, ...] = ()


# --- Reading -------------------------------------------------------------------------------------


@frozen
class TopicLine:
    """A topic in a list; one with problems is quarantined."""

    path: str
    records: int
    problems: tuple[Problem, ...] = ()


@frozen
class CoreShown:
    """The resident block as it is handed out: `shown` of `of` records.

    `omitted` did not fit the budget, `withheld` cite a source that is pending or missing; `aside` stand on
    abandoned branches alone, or do not hold in the `scope` (a directory) that was asked for. `left_out` are
    those that may not be relied on, with the reason; `assessments` says of each that is shown how far it may.
    """

    revision: str | None
    text: str
    tokens: int
    budget: int
    counter: str
    shown: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    of: int = 0
    aside: tuple[str, ...] = ()
    scope: str = ""
    assessments: Mapping[str, Assessment] = field(factory=dict[str, "Assessment"], hash=False)
    left_out: tuple[Left, ...] = ()


@frozen
class Row:
    """One dated evidence group; `trusted` says whether all that its record rests on may be relied on.

    `assessment` is that of the record as it stands now.
    """

    date: str
    record: str
    topic_path: str
    quote: str
    sources: tuple[str, ...]
    trusted: bool = True
    assessment: Assessment | None = None


@frozen
class Day:
    """A date as it is written and the number of records with evidence of it."""

    date: str
    records: int


@frozen
class Timeline:
    """The dates at and below the one that was asked for, oldest first, and their rows."""

    revision: str | None
    asked: str
    days: tuple[Day, ...]
    rows: tuple[Row, ...] = ()


@frozen
class RecentRow:
    """A record by its creation order, with the source ids that it cites; not `trusted`: it is pending."""

    record: RecordLine
    order: int
    sources: tuple[str, ...]
    trusted: bool = True
    assessment: Assessment | None = None


@frozen
class Recent:
    """The newest records, newest first."""

    revision: str | None
    rows: tuple[RecentRow, ...]
    limit: int


@frozen
class LogEntry:
    """One commit; `kind` is write, edit, adopt, …, empty where another hand made it."""

    commit: str
    at: str
    author: str
    subject: str
    kind: str
    trailers: tuple[tuple[str, str], ...] = ()


# --- Status and proof ----------------------------------------------------------------------------


@frozen
class Failure:
    """The last failed pass: when, its code, whether trying again may help, and what to do about it.

    `until` is the time before which it is not tried again by itself, where the provider has named one.
    """

    at: str
    code: str
    retryable: bool
    message: str = ""
    session: str = ""
    until: str = ""
    words: str = ""
    remedy: str = ""


@frozen
class LastOutcome:
    """How writing went (`writer-status.json`); `outcome` is success, failure, or empty before the first."""

    outcome: str = ""
    success_at: str = ""
    failure: Failure | None = None


@frozen
class Next:
    """What a pass would write: sessions whose unwritten part reaches the size of a batch, and all others."""

    writer: str
    batch_tokens: int
    due: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


@frozen
class Status:
    """How a memory stands; `waiting` are the sessions with unwritten messages, `pending` counts those.

    `untrusted` counts messages that are held for the owner; `quarantined` says what is wrong in which
    topic; `drafts` are topics that were edited by hand and wait, `unsound` what does not pass in them;
    `broken` is what commits by another hand took away; `outlook` is what would be written by itself, and
    when; `redacts` says that secrets are taken out of
    whatever is archived.
    """

    home: Path
    memory: Path
    workspace: str
    revision: str | None
    topics: int
    records: int
    sources: int
    untrusted: int
    forgotten: int
    broken_archives: int
    sessions: int
    pending: int
    waiting: tuple[Summary, ...]
    quarantined: tuple[Problem, ...]
    drafts: tuple[str, ...]
    next: Next
    last: LastOutcome
    counter: str
    unsound: tuple[Problem, ...] = ()
    broken: tuple[Problem, ...] = ()
    indexed: str | None = None
    notices: tuple[Problem, ...] = ()
    outlook: Outlook = field(factory=Outlook)
    redacts: bool = True

    @property
    def health(self) -> Literal["ok", "degraded"]:
        """Whether writing goes as it should: no pass, scan or hook failed last, nothing waits for a day."""
        ahead = self.outlook
        wrong = (ahead.overdue, ahead.hook_failed, ahead.keeper.scan_failed, self.last.outcome == "failure")
        return "degraded" if any(wrong) else "ok"


@frozen
class Finding:
    """Something that `verify` came upon; information is no fault of the memory."""

    level: Literal["problem", "information"]
    problem: Problem


@frozen
class Counted:
    """How much was looked at."""

    files: int = 0
    topics: int = 0
    records: int = 0
    sources: int = 0
    links: int = 0
    citations: int = 0
    views: int = 0


@frozen
class Verified:
    """The proof of a memory: it holds if no finding is a problem."""

    revision: str | None
    findings: tuple[Finding, ...]
    counted: Counted = field(factory=Counted)

    @property
    def holds(self) -> bool:
        """Whether every invariant holds."""
        return not any(finding.level == "problem" for finding in self.findings)
