"""Examples of how far a record may be relied on, by what stands in its evidence."""

from datetime import date

import pytest

from scriptorium_core.facts import SourceFact
from scriptorium_core.knowledge.standing import Standing, days_since, is_stale, standing_of
from scriptorium_core.names import NodeId, SessionId, SourceId, TopicPath
from scriptorium_core.sources import Context, Origin
from scriptorium_core.topics import Record, parse_topic
from scriptorium_core.topics.standing import Freshness, Reuse, State, noted_at, read_noted, with_noted
from scriptorium_core.when import When, parse_when

MARCH = When(2026, 3, 1)
LINK = "[said](../sources/chat/_v2/s1.md#source-1234567890abcdef)"


def said(origin: Origin | None = None, at: str = "2026-02-27T10:00:00Z") -> SourceFact:
    name, place = SourceId("chat/s1/m1"), "sources/chat/_v2/s1.md#source-1234567890abcdef"
    context = None if origin is None else Context(name, origin, SessionId("s1"), NodeId("m1"))
    return SourceFact(name, place, 9, "Mira", at, "It is blue.", None, "", None, True, context)


def record(*fields: str, time: str = "2026-03-01") -> Record:
    cites = "".join(f"[^e{place}]" for place, _ in enumerate(fields))
    lines = "".join(
        f"[^e{place}]: Time: `{time}`; Sources: {LINK}{each}\n" for place, each in enumerate(fields)
    )
    text = f"The kettle is blue.{cites} ^a1b2c3d4\n\n{lines}"
    topic, problems = parse_topic(TopicPath("topics/tea.md"), text.encode())
    assert problems == ()
    return topic.records[0]


def standing(fields: str) -> Standing:
    return standing_of(record(fields), [said()])


def test_without_a_status_it_follows_from_what_stands_behind_it() -> None:
    whole = record("")
    supported, unverified = Standing(State.SUPPORTED, 0.75, evident=MARCH), Standing(State.UNVERIFIED, 0.5)
    assert standing_of(whole, [said()]) == standing_of(whole, [said(Origin.HUMAN)]) == supported
    assert standing_of(whole, [said(Origin.ASSISTANT), said(Origin.HUMAN)]) == supported
    assert standing_of(whole) == unverified._replace(evident=MARCH)
    for origin in (Origin.ASSISTANT, Origin.AGENT, Origin.TOOL, Origin.SUMMARY):
        assert standing_of(whole, [said(origin)]) == unverified._replace(evident=MARCH)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("; Status: verified", Standing(State.VERIFIED, 0.95)),
        ("; Status: Verified 0.9", Standing(State.VERIFIED, 0.9)),
        ("; Status: disputed 0.4", Standing(State.DISPUTED, 0.4)),
        ("; Status: plausible", Standing(State.PLAUSIBLE, 0.5)),
        (
            "; Status: verified 1; Checked: 2026-04-01; Fresh: volatile; Reuse: revalidate",
            Standing(State.VERIFIED, 1.0, Freshness.VOLATILE, 1, Reuse.REVALIDATE, When(2026, 4, 1)),
        ),
        ("; Status: verified; Fresh: dynamic 7d", Standing(State.VERIFIED, 0.95, Freshness.DYNAMIC, 7)),
        ("; Status: verified; Fresh: immutable", Standing(State.VERIFIED, 0.95, Freshness.IMMUTABLE, None)),
        ("; Fresh: volatile", Standing(State.SUPPORTED, 0.75, Freshness.VOLATILE, 1)),
        ("; Reuse: always", Standing(State.SUPPORTED, 0.75, reuse=Reuse.ALWAYS)),
        ("; Until: 2026-06", Standing(State.SUPPORTED, 0.75)),
    ],
)
def test_a_status_is_read_with_its_fields(fields: str, expected: Standing) -> None:
    assert standing(fields) == expected._replace(evident=MARCH)


def test_what_a_former_value_was_worth_is_nothing_that_the_current_one_inherits() -> None:
    changed = record("; Status: verified 0.95; Until: 2026-02", "")
    assert standing_of(changed, [said()]) == Standing(State.SUPPORTED, 0.75, evident=MARCH)
    assert (place := noted_at(changed)) is not None
    assert place.id == "e1"


def test_a_second_citation_leaves_the_standing_where_it_is() -> None:
    cited_again = record("; Status: verified 0.95; Checked: 2026-01", "")
    assert standing_of(cited_again, [said()]).state is State.VERIFIED
    assert standing_of(cited_again, [said()]).since == When(2026, 1)
    assert (place := noted_at(cited_again)) is not None
    assert place.id == "e0"


def test_the_day_of_undated_evidence_is_that_of_its_message() -> None:
    assert standing_of(record("", time="undated"), [said()]).since == When(2026, 2, 27)
    assert standing_of(record("", time="undated")).since is None


@pytest.mark.parametrize(
    ("when", "days"),
    [(None, 0), ("2026-04-10", 5), ("2026-04-20", 0), ("2026-03", 15), ("2025", 105), ("2024-02", 776)],
)
def test_age_counts_from_the_last_day_that_a_date_can_mean(when: str | None, days: int) -> None:
    assert days_since(parse_when(when) if when else None, date(2026, 4, 15)) == days


def test_what_never_grows_stale_is_fresh_for_ever() -> None:
    long_after = date(2040, 1, 1)
    assert is_stale(Standing(State.VERIFIED, 1.0, Freshness.DYNAMIC, 30, evident=MARCH), long_after)
    assert not is_stale(Standing(State.VERIFIED, 1.0, Freshness.IMMUTABLE, None, evident=MARCH), long_after)


def test_a_field_that_is_given_twice_counts_once_and_is_named() -> None:
    fields = (("Status", "plausible 0.6"), ("Fresh", "dynamic"), ("Status", "disputed"), ("Note", "kept"))
    noted, (fault,) = read_noted(fields)
    assert noted.state is State.DISPUTED
    assert fault.message == "Status is given 2 times; the last one counts"
    assert fault.remedy == "leave one of them"
    changed = with_noted(fields, noted._replace(state=State.VERIFIED, confidence=0.9, fresh=None))
    assert changed == (("Status", "verified 0.9"), ("Note", "kept"))
