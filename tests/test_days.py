"""Examples of the days that words name, and of times among days."""

from datetime import UTC, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from scriptorium_core.when import When, day_of, is_assumed, local_time, parse_when, time_order
from scriptorium_core.writing.days import named_day

SATURDAY = When(2026, 7, 25)
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Yesterday I signed the lease.", "2026-07-24"),
        ("I slept badly last night", "2026-07-24"),
        ("I quit the day before yesterday.", "2026-07-23"),
        ("We leave tomorrow; tomorrow at nine.", "2026-07-26"),
        ("We leave the day after tomorrow.", "2026-07-27"),
        ("I started today", "2026-07-25"),
        ("I moved three days ago.", "2026-07-22"),
        ("I moved 30 days ago.", "2026-06-25"),
        ("I met her last Friday.", "2026-07-24"),
        ("I met her last Saturday.", "2026-07-18"),
        ("I met her LAST SUNDAY.", "2026-07-19"),
        ("We bought it last month.", "2026-06"),
        ("We bought it last year.", "2025"),
        ("Ich habe gestern unterschrieben.", "2026-07-24"),
        ("Vorgestern kam der Brief.", "2026-07-23"),
        ("昨天我签了租约。", "2026-07-24"),
    ],
)
def test_a_word_names_a_day_seen_from_the_day_on_which_it_was_said(text: str, day: str) -> None:
    assert named_day(text, SATURDAY) == parse_when(day)


@pytest.mark.parametrize(
    "text",
    [
        "I like tea.",
        "Yesterday it was red, from now on it is blue.",
        "Use the format of yesterday's report.",
        "Je suis né hier.",
        "Guten Morgen, ich komme morgen.",
        "Todayish",
    ],
)
def test_a_text_that_names_no_day_or_several_names_none(text: str) -> None:
    assert named_day(text, SATURDAY) is None


def test_from_an_unknown_day_no_other_is_named() -> None:
    assert named_day("yesterday", None) is named_day("yesterday", When(2026, 7)) is None
    assert named_day("999 days ago", When(1, 1, 1)) is None


def test_the_month_before_january_is_december() -> None:
    assert named_day("last month", When(2026, 1, 31)) == When(2025, 12)


def test_a_time_falls_on_the_day_of_the_zone_and_a_date_on_itself() -> None:
    assert day_of("2026-07-24T22:30:00Z", BERLIN) == day_of("2026-07-25T08:30:00+10:00", BERLIN) == SATURDAY
    assert day_of("2026-07-24T22:30:00", BERLIN) == day_of("2026-07-24", BERLIN) == When(2026, 7, 24)
    assert day_of("2026-07-24T22:30:00Z") == When(2026, 7, 24)
    assert day_of("", BERLIN) is day_of("2026-07", BERLIN) is None


def test_only_a_time_with_an_offset_is_shown_by_the_clocks_of_the_zone() -> None:
    shown = local_time("2026-07-25T02:00:00Z", BERLIN)
    assert shown is not None
    assert shown.isoformat() == "2026-07-25T04:00:00+02:00"
    assert local_time("2026-07-25T02:00:00Z", None) is local_time("2026-07-25T02:00", BERLIN) is None
    assert local_time("0001-01-01T00:00:00+00:00", timezone(timedelta(hours=-5))) is None
    assert local_time("2026-07-25Tnoon", BERLIN) is local_time("2026-07-25", BERLIN) is None


def test_a_time_without_a_zone_is_assumed_to_be_of_the_workspace() -> None:
    assert is_assumed("2026-03-01T10:00:00")
    assert is_assumed("2026-03-01 10:00")
    assert not any(map(is_assumed, ("2026-03-01T10:00:00Z", "2026-03-01", "", "2026-03-01Tnoon")))


def test_times_of_every_kind_are_put_in_order() -> None:
    """bc-032."""
    times = ["2026-03-01T10:00:00", "2026-03-01T10:00:00+09:00", "2026-03-01", "2026-03-01T09:00:00Z", ""]
    wanted = ["2026-03-01", "2026-03-01T10:00:00+09:00", "2026-03-01T10:00:00", "2026-03-01T09:00:00Z", ""]
    tokyo = ZoneInfo("Asia/Tokyo")
    assert sorted(times, key=lambda at: time_order(at, BERLIN)) == wanted
    assert time_order(times[0], tokyo) == time_order(times[1], tokyo)
    assert time_order("2026-03-01T10:00") == time_order("2026-03-01T10:00", UTC)
    assert time_order("nonsense") == time_order("")
