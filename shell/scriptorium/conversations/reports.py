"""What an import found and did: a report of each log, and one report of them all."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from attrs import field, frozen

from scriptorium_core.problem import Problem

__all__ = ["Progress", "Report", "together"]

Progress = Callable[[int, int], None]
"""Called with the bytes that are done and the bytes there are."""


@frozen
class Report:
    """What an import found and did.

    `files` is 1 for a log, and 0 for a folder or an archive, whose `passed_over` counts by reason what in it
    was left alone; `unchanged` is 1 if nothing has come since the log was read.
    `sessions` are `provider/id`; `turns_known` were in the store already; `copies` of the new ones
    are a fork's copies of known messages; `branches` counts the tips of the sessions; `links` counts by
    kind how sessions came from others; `excluded` are the sessions that never enter, with the reason, and
    `turns_excluded` their turns. `skipped` counts by reason and `places` gives the first lines; `torn` is the
    line of half a record at the end, 0 if none; `gaps` are turns whose parent is missing, `cut` those that
    closed a circle; `noted` counts by kind what is odd in records that were taken, `replaced` the records
    with U+FFFD for what is no character; `empty` says that there is nothing in the file.
    """

    path: str
    format: str
    dry_run: bool = False
    sessions: tuple[str, ...] = ()
    sessions_new: int = 0
    turns_new: int = 0
    turns_known: int = 0
    copies: int = 0
    branches: int = 0
    gaps: int = 0
    cut: int = 0
    skipped: Mapping[str, int] = field(factory=dict)
    places: tuple[tuple[int, str], ...] = ()
    replaced: int = 0
    noted: Mapping[str, int] = field(factory=dict)
    torn: int = 0
    problems: tuple[Problem, ...] = ()
    empty: bool = False
    links: Mapping[str, int] = field(factory=dict)
    excluded: Mapping[str, str] = field(factory=dict)
    turns_excluded: int = 0
    files: int = 1
    unchanged: int = 0
    passed_over: Mapping[str, int] = field(factory=dict)


def together(reports: Iterable[Report], path: str = "") -> Report:
    """One report of many logs: numbers added up (`torn`: how many logs end in half a record), no places."""
    found = tuple(reports)

    def added(name: str) -> int:
        return sum(int(getattr(report, name)) for report in found)

    def counted(name: str) -> Mapping[str, int]:
        return dict(sum((Counter(getattr(report, name)) for report in found), Counter[str]()))

    # Of two logs of the same sessions the later one counts the branches of both; titles alone have none.
    branches = {each.sessions: each.branches for each in found if each.turns_new or each.turns_known}
    formats = dict.fromkeys(report.format for report in found if report.format)
    return Report(
        path,
        ", ".join(formats),
        any(report.dry_run for report in found),
        tuple(dict.fromkeys(session for report in found for session in report.sessions)),
        sessions_new=added("sessions_new"),
        turns_new=added("turns_new"),
        turns_known=added("turns_known"),
        copies=added("copies"),
        branches=sum(branches.values()),
        gaps=added("gaps"),
        cut=added("cut"),
        skipped=counted("skipped"),
        replaced=added("replaced"),
        noted=counted("noted"),
        torn=sum(report.torn > 0 for report in found),
        problems=tuple(problem for report in found for problem in report.problems),
        empty=bool(found) and all(report.empty for report in found),
        links=counted("links"),
        excluded={name: why for report in found for name, why in report.excluded.items()},
        turns_excluded=added("turns_excluded"),
        files=added("files"),
        unchanged=added("unchanged"),
        passed_over=counted("passed_over"),
    )
