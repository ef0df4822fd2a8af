"""Examples of partial dates."""

import pytest

from scriptorium_core.when import When, Window, day_of, overlaps, parse_when, render_when


@pytest.mark.parametrize("text", ["2026", "2026-04", "2026-04-22", "2024-02-29", "0001"])
def test_a_real_date_of_any_precision_is_read_and_written_back(text: str) -> None:
    assert str(parse_when(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "26", "0000", "2026-13", "2026-00", "2026-02-30", "2023-02-29", "2026-4", "2026-04-22T10:00",
     "undated", "２０２６", " 2026", "2026\n"],
)  # fmt: skip
def test_anything_else_is_no_date(text: str) -> None:
    assert parse_when(text) is None


def test_no_date_is_undated() -> None:
    assert render_when(None) == "undated"


def test_dates_are_ordered_and_coarse_ones_come_first() -> None:
    assert sorted([When(2026, 4, 22), When(2026), When(2026, 4)]) == [
        When(2026),
        When(2026, 4),
        When(2026, 4, 22),
    ]


def test_an_instant_falls_on_a_day_in_its_own_zone() -> None:
    assert day_of("2026-04-22T23:59:00-07:00") == When(2026, 4, 22)
    assert day_of("2026-04-22 10:00") == day_of("2026-04-22") == When(2026, 4, 22)
    assert day_of("") is None
    assert day_of("2026-04") is None


@pytest.mark.parametrize(
    ("when", "window", "found"),
    [
        (When(2026, 4), Window(When(2026, 4, 30)), True),
        (When(2026, 4), Window(When(2026, 5)), False),
        (When(2026), Window(None, When(2026)), True),
        (When(2026, 12, 31), Window(None, When(2026)), True),
        (When(2026, 3), Window(None, When(2026, 2)), False),
        (When(2024, 2), Window(When(2024, 2, 29), When(2024, 2, 29)), True),
        (When(2026), Window(), True),
    ],
)
def test_a_date_overlaps_a_window_if_any_of_its_days_does(when: When, window: Window, found: bool) -> None:
    assert overlaps(when, window) is found
