"""Examples of how far a record may be relied on, by what stands in its evidence."""

from datetime import date

import pytest

from scriptorium_core.knowledge.standing import Standing, days_since, is_stale, standing_of
from scriptorium_core.names import TopicPath
from scriptorium_core.topics import parse_topic
from scriptorium_core.when import When, parse_when


def standing(fields: str, grounded: bool = True) -> Standing:
    link = "[said](../sources/chat/_v2/s1.md#source-1234567890abcdef)"
    text = f"The kettle is blue.[^e1] ^a1b2c3d4\n\n[^e1]: Time: `2026-03-01`; Sources: {link}{fields}\n"
    topic, problems = parse_topic(TopicPath("topics/tea.md"), text.encode())
    assert problems == ()
    return standing_of(topic.records[0], grounded)


def test_without_a_status_it_follows_from_what_stands_behind_it() -> None:
    assert standing("") == Standing("supported", 0.75, since=When(2026, 3, 1))
    assert standing("", grounded=False) == Standing("unverified", 0.5, since=When(2026, 3, 1))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("; Status: verified", Standing("verified", 0.95, since=When(2026, 3, 1))),
        ("; Status: disputed 0.4", Standing("disputed", 0.4, since=When(2026, 3, 1))),
        ("; Status: plausible", Standing("plausible", 0.5, since=When(2026, 3, 1))),
        (
            "; Status: verified 1; Checked: 2026-04-01; Fresh: volatile; Reuse: revalidate",
            Standing("verified", 1.0, 1, "revalidate", When(2026, 4, 1)),
        ),
        ("; Status: verified; Fresh: dynamic 7d", Standing("verified", 0.95, 7, since=When(2026, 3, 1))),
        ("; Status: verified; Fresh: immutable", Standing("verified", 0.95, None, since=When(2026, 3, 1))),
    ],
)
def test_a_status_is_read_with_its_fields(fields: str, expected: Standing) -> None:
    assert standing(fields) == expected


@pytest.mark.parametrize(
    ("when", "days"),
    [(None, 0), ("2026-04-10", 5), ("2026-04-20", 0), ("2026-03", 18), ("2025", 108)],
)
def test_age_counts_from_the_last_day_that_a_date_can_mean(when: str | None, days: int) -> None:
    assert days_since(parse_when(when) if when else None, date(2026, 4, 15)) == days


def test_what_never_grows_stale_is_fresh_for_ever() -> None:
    long_after = date(2040, 1, 1)
    assert is_stale(Standing("verified", 1.0, 30, since=When(2026, 3, 1)), long_after)
    assert not is_stale(Standing("verified", 1.0, None, since=When(2026, 3, 1)), long_after)
