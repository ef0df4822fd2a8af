"""What the service answers about writing that goes on by itself; times are ISO 8601, empty where unknown."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from scriptorium_core.writing.costs import Spent
from scriptorium_core.writing.watching import Fault, Injected

__all__ = [
    "Coming",
    "Fault",
    "Injected",
    "Keeper",
    "Leased",
    "Outlook",
    "Overdue",
    "Spending",
    "Spent",
    "Stopped",
]


@frozen
class Stopped:
    """No pass is made before `until`: a failure is waited out (`code`), or the day's tokens are spent."""

    until: str
    code: str
    words: str
    remedy: str


@frozen
class Coming:
    """A session that a keeper would write `at` that time (empty: when something new is said), and why."""

    session: str
    why: str
    at: str = ""
    code: str = ""


@frozen
class Overdue:
    """A session in which something has been unwritten for longer than a day, since when, and why."""

    session: str
    since: str
    reason: str
    remedy: str


@frozen
class Keeper:
    """Who keeps the memory (`process 4711`, empty: nobody), what it watches, and how its last scan went.

    `requests` of hooks wait.
    """

    process: str = ""
    watch: tuple[str, ...] = ()
    scanned_at: str = ""
    scan_failed: Fault | None = None
    requests: int = 0


@frozen
class Leased:
    """A batch that an agent (`holder`) has, of how many tokens, and how often it may still be handed in."""

    batch: str
    session: str
    holder: str
    tokens: int
    until: str
    attempts: int


@frozen
class Spending:
    """What models took today, in this month, and in this month by model."""

    today: Spent = field(factory=Spent)
    month: Spent = field(factory=Spent)
    models: Mapping[str, Spent] = field(factory=dict[str, Spent], hash=False)


@frozen
class Outlook:
    """What a keeper would do: what is `due` now, what waits, when it looks again, when it organizes topics.

    `offered` tokens went to the writer today, or were used by its model if that is more, of `cap` (None: any
    number). `spending` is what models took, `leases` are the batches that agents have.
    """

    due: tuple[Coming, ...] = ()
    waits: tuple[Coming, ...] = ()
    overdue: tuple[Overdue, ...] = ()
    stopped: Stopped | None = None
    next_at: str = ""
    organize_at: str = ""
    organize_why: str = ""
    organized_at: str = ""
    offered: int = 0
    cap: int | None = None
    keeper: Keeper = field(factory=Keeper)
    injected: Injected | None = None
    hook_failed: Fault | None = None
    spending: Spending = Spending()
    leases: tuple[Leased, ...] = ()
