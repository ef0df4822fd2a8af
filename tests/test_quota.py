"""Examples of how much speakers whom nobody knows may bring, and of what they are told."""

from datetime import UTC, datetime, timedelta

import pytest

from scriptorium_core.policy import Held, Quota, overdrawn, usage
from scriptorium_core.problem import Code

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SMALL = Quota(messages=3, seconds=3600, each=10, total=100)


def at(minutes: int, size: int = 1) -> Held:
    """A message that came in so many minutes ago."""
    return Held((NOW - timedelta(minutes=minutes)).isoformat(), size)


def refused(*sizes: int, written: int = 0, held: tuple[Held, ...] = (), quota: Quota = SMALL) -> list[str]:
    found = overdrawn(usage(held, NOW, quota), sizes, written, NOW, quota)
    assert {(each.code, each.path) for each in found} <= {(Code.NOT_PERMITTED, "sources")}
    return [f"{each.message.removeprefix('of unknown speakers ')}: {each.remedy}" for each in found]


def test_what_came_before_the_period_or_without_a_time_counts_by_its_size_alone() -> None:
    held = (at(10, 2), at(60, 3), Held("", 4), Held("no time", 5), at(-5, 6), Held("2026-05-01T11:30:00", 7))
    used = usage(held, NOW, SMALL)
    assert used.size == 27
    ago = [round((NOW - time).total_seconds() / 60) for time in used.times]
    assert ago == [30, 10, -5]


def test_what_fits_is_not_refused() -> None:
    assert refused(10, 10, 10, written=30) == []
    assert refused(10, held=(at(10), at(20))) == []


@pytest.mark.parametrize(
    ("sizes", "written", "held", "told"),
    [
        ((11,), 0, (), "a message may have 10 bytes; this one has 11: shorten it"),
        (
            (10,),
            11,
            (),
            "the records may have 10 bytes in all; these have 11: shorten them; each new source makes room",
        ),
        (
            (1,),
            0,
            (at(600, 100),),
            "100 bytes may wait for the owner; 0 are left of them: "
            "there is room again when the owner has promoted or forgotten some",
        ),
        (
            (1, 1, 1, 1),
            0,
            (),
            "3 messages may come in an hour; 3 are left, 4 were brought: bring fewer at a time",
        ),
        (
            (1, 1),
            0,
            (at(10), at(40)),
            "3 messages may come in an hour; 1 are left, 2 were brought: "
            "there is room for them again at 2026-05-01T12:20:00+00:00",
        ),
    ],
)
def test_what_is_too_much_is_refused_with_what_may_be_done(
    sizes: tuple[int, ...], written: int, held: tuple[Held, ...], told: str
) -> None:
    assert refused(*sizes, written=written, held=held) == [told]


def test_the_time_of_room_is_never_past_and_in_the_zone_of_the_asker() -> None:
    # A clock that was set back leaves times that are yet to come: they count as long as any.
    east = NOW.astimezone(datetime.fromisoformat("2026-05-01T14:00:00+02:00").tzinfo)
    quota = Quota(messages=1, seconds=90)
    (problem,) = overdrawn(usage((at(-1),), NOW, quota), (1,), 0, east, quota)
    assert "1 messages may come in 90 seconds" in problem.message
    assert problem.remedy == "there is room for them again at 2026-05-01T14:02:30+02:00"
