"""Times as logs spell them."""

import pytest

from scriptorium.conversations.moments import moment, sortable
from scriptorium_core.when import day_of, render_when


@pytest.mark.parametrize(
    ("given", "expected", "day"),
    [
        ("2026-03-01T10:00:00", "2026-03-01T10:00:00", "2026-03-01"),
        ("2026-03-01T10:00:00+09:00", "2026-03-01T10:00:00+09:00", "2026-03-01"),
        ("2026-03-01", "2026-03-01", "2026-03-01"),
        (1772355600, "2026-03-01T09:00:00+00:00", "2026-03-01"),
        (1772355600000, "2026-03-01T09:00:00+00:00", "2026-03-01"),
    ],
)
def test_every_spelling_of_a_time_is_accepted_and_none_is_made_up(
    given: object, expected: str, day: str
) -> None:
    """bc-032: what has no zone gets none, and a date alone never becomes a midnight."""
    assert moment(given) == expected
    assert render_when(day_of(moment(given))) == day


@pytest.mark.parametrize(
    "given",
    [
        1772355600,
        1772355600.0,
        1772355600_000,
        1772355600_000_000,
        1772355600_000_000_000,
        "1772355600",
        "1772355600000",
        "1772355600.0",
    ],
)
def test_a_number_is_read_in_the_unit_that_its_size_tells_also_as_text(given: object) -> None:
    assert moment(given) == "2026-03-01T09:00:00+00:00"


def test_digits_that_could_be_a_date_of_another_century_are_a_number() -> None:
    assert moment("1712011510123") == "2024-04-01T22:45:10.123+00:00"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("20260301", "2026-03-01"),
        ("20260301T100000Z", "2026-03-01T10:00:00+00:00"),
        ("2026-W09-7", "2026-03-01"),
        ("2026-03-01 10:00", "2026-03-01 10:00"),
        ("2026-03-01T10:00:00.123456789Z", "2026-03-01T10:00:00.123456789Z"),
    ],
)
def test_iso_8601_without_hyphens_is_spelled_with_them(given: str, expected: str) -> None:
    assert moment(given) == expected


@pytest.mark.parametrize("given", [0, 0.0, "0", -1, "", "2026", "10:21", "00000000000", {}, b"2026-03-01"])
def test_what_is_no_time_is_unknown(given: object) -> None:
    assert moment(given) == ""


def test_times_sort_by_the_instant_whatever_their_spelling() -> None:
    later = ["2026-03-01T10:00:00+09:00", "2026-03-01T01:00:01Z", "2026-03-01T01:00:01.5", 1772355600]
    assert [sortable(given) for given in later] == sorted(sortable(given) for given in later)
    assert sortable("2026-03-01T10:00:00+09:00") == sortable("2026-03-01T01:00:00Z")
    assert (sortable(None), sortable("0001-01-01T00:00+09:00")) == ("", "")
