"""A point in time as a person names it."""

from datetime import UTC, datetime

import pytest

from scriptorium_core.knowledge.asof import as_of, had_happened


def _had(asked: str, event: str) -> bool:
    point, when = as_of(asked), datetime.fromisoformat(event)
    shift = when.utcoffset()
    assert point is not None
    assert shift is not None
    return had_happened(point, int(when.astimezone(UTC).timestamp()), int(shift.total_seconds()) // 60)


@pytest.mark.parametrize(
    ("asked", "event", "had"),
    [
        ("2026-05-01", "2026-05-01T23:59:59+00:00", True),
        ("2026-05-01", "2026-05-02T00:00:00+00:00", False),
        ("2026-05-01", "2026-05-01T23:59:59-05:00", True),
        ("2026-05-01", "2026-05-02T00:30:00+09:00", False),
        ("2026-05", "2026-05-31T12:00:00+00:00", True),
        ("2026-02", "2026-03-01T00:00:00+00:00", False),
        ("2026", "2026-12-31T23:59:59+00:00", True),
        ("2026", "2027-01-01T00:00:00+00:00", False),
        ("9999", "2026-01-01T00:00:00+00:00", True),
        ("0001", "2026-01-01T00:00:00+00:00", False),
        ("2026-05-01T10:00", "2026-05-01T10:00:00-05:00", True),
        ("2026-05-01T10:00", "2026-05-01T10:00:01-05:00", False),
        ("2026-05-01T10:00:00+00:00", "2026-05-01T05:00:00-05:00", True),
        ("2026-05-01T10:00:00+00:00", "2026-05-01T10:00:00-05:00", False),
        ("2026-05-01T10:00:00.75Z", "2026-05-01T10:00:00+00:00", True),
    ],
)
def test_a_day_ends_on_the_clock_of_the_event_and_a_zoned_time_everywhere(
    asked: str, event: str, had: bool
) -> None:
    assert _had(asked, event) is had


@pytest.mark.parametrize(
    "text", ["", "later", "2026-13", "2026-02-30", "20260501", "abcdef12", "HEAD", "12-"]
)
def test_anything_else_is_no_point_in_time(text: str) -> None:
    assert as_of(text) is None
