"""Examples of what held at a date, and of scenarios about freshness and feedback that people reported."""

from pathlib import Path

import pytest

from cli_example import run_json
from scriptorium.service import Service
from scriptorium.service.shown import RecordShown
from scriptorium.workspace import Committed
from scriptorium_core.knowledge.assess import Assessment, Decision, Doubt
from scriptorium_core.knowledge.valid import valid_at
from scriptorium_core.names import TopicPath
from scriptorium_core.recall import Query
from scriptorium_core.topics import Record, parse_topic
from scriptorium_core.when import parse_when
from small_homes import create, request, service

LINK = "[said](../sources/chat/_v2/s1.md#source-1234567890abcdef)"


def record(*lines: str) -> Record:
    cites = "".join(f"[^e{place}]" for place, _ in enumerate(lines))
    definitions = "".join(
        f"[^e{place}]: Time: `{time}`; Sources: {LINK}{rest and f'; Until: {rest}'}\n"
        for place, line in enumerate(lines)
        for time, _, rest in (line.partition(" "),)
    )
    topic, problems = parse_topic(TopicPath("topics/a.md"), f"A.{cites} ^a1\n\n{definitions}".encode())
    assert problems == ()
    return topic.records[0]


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("2025-12-31", []),
        ("2026-01", ["e0"]),
        ("2026-03-31", ["e0"]),
        ("2026-04-01", []),
        ("2026-05", []),
        ("2026-07-01", ["e1"]),
        ("2030", ["e1"]),
        ("2026", ["e0", "e1"]),
    ],
)
def test_evidence_holds_from_its_date_until_the_day_that_ends_it(asked: str, held: list[str]) -> None:
    when = parse_when(asked)
    assert when is not None
    assert [str(each.id) for each in valid_at(record("2026-01 2026-04", "2026-07"), when)] == held


def test_what_has_no_date_held_from_the_beginning_and_an_end_that_is_none_is_an_end() -> None:
    when = parse_when("1999")
    assert when is not None
    assert len(valid_at(record("undated"), when)) == 1
    assert valid_at(record("undated someday"), when) == ()


def follow(block: str, content: str, time: str) -> dict[str, object]:
    cited = [{"source": "new-source-a", "label": "Owner"}]
    return {
        "op": "update_record", "memory_id": block, "content": content, "time": time, "sources": cited,
        "supersede": True,
    }  # fmt: skip


def assessed(home: Service, block: str) -> Assessment:
    found = home.show(block)
    assert isinstance(found, RecordShown)
    assert found.assessment is not None
    return found.assessment


def works(home: Service) -> str:
    """Alex is on Payments, on Search, and on Payments again, in one record."""
    done = home.change(
        request(create("Alex is on Payments.") | {"time": "2026-01"}, says="Alex is on Payments.")
    )
    assert isinstance(done, Committed)
    (block,) = done.report.created
    for content, time in (("Alex is on Search.", "2026-04"), ("Alex is on Payments again.", "2026-07")):
        assert isinstance(home.change(request(follow(block, content, time), says=content)), Committed)
    return block


def test_who_was_on_payments_in_may_is_nobody_and_today_it_is_alex(tmp_path: Path) -> None:
    """bc-031: a state that was so twice was not so in between."""
    with service(tmp_path) as home:
        works(home)
        told = {
            asked: [hit.content for hit in home.search(Query("Alex", valid_at=parse_when(asked))).hits]
            for asked in ("2025", "2026-02", "2026-05", "2026-08")
        }
        (today,) = home.search(Query("Who is on Payments?")).hits
        in_may = home.search(Query("Who was on Payments in May?", valid_at=parse_when("2026-05"))).hits
        assert [hit.content for hit in in_may if "Payments" in hit.content] == []
        assert today.content == "Alex is on Payments again."
    assert told == {
        "2025": [],
        "2026-02": ["Alex is on Payments."],
        "2026-05": ["Alex is on Search."],
        "2026-08": ["Alex is on Payments again."],
    }
    found = run_json("--home", tmp_path, "search", "Alex", "--valid-at", "2026-05")
    assert [hit["content"] for hit in found["hits"]] == ["Alex is on Search."]


def test_old_citations_do_not_keep_a_newer_state_from_being_assessed_by_itself(tmp_path: Path) -> None:
    """bc-037: what the former value was worth, and how often it was said, raises nothing of the new one."""
    with service(tmp_path) as home:
        block = works(home)
        path = home.root / "topics/keys.md"
        lines = path.read_text().splitlines()
        first = next(number for number, line in enumerate(lines) if line.endswith("Until: 2026-04"))
        lines[first] += "; Status: verified 0.95; Checked: 2026-03-01"
        path.write_text("\n".join([*lines, ""]))
        home.adopt()
        found = assessed(home, block)
        assert (found.state, found.confidence, found.checked) == ("supported", 0.75, None)


def test_an_assistant_that_repeats_itself_supports_nothing(tmp_path: Path) -> None:
    """bc-024: what only a model said is unverified however often; a person's word changes that."""
    with service(tmp_path) as home:
        made = create("The owner lives in Porto.")
        sources = [
            {"label": "new-source-a", "role": "assistant", "content": "You live in Porto."},
            {"label": "new-source-b", "role": "assistant", "content": "As I said, you live in Porto."},
        ]
        cited = [{"source": each["label"], "label": "Assistant"} for each in sources]
        done = home.change({"memory_changes": [made | {"sources": cited}], "sources": sources})
        assert isinstance(done, Committed)
        (block,) = done.report.created
        before = assessed(home, block)
        assert before.decision is Decision.REVALIDATE
        assert before.reasons[:2] == (Doubt.VALIDATION_INSUFFICIENT, Doubt.CONFIDENCE_BELOW_THRESHOLD)
        said = {"source": "new-source-a", "label": "Owner"}
        added = {"op": "update_record", "memory_id": block, "time": "2026-05", "sources": [said], "add": True}
        added |= {"content": "The owner lives in Porto."}
        done = home.change(request(added, says="Yes, I live in Porto."))
        assert isinstance(done, Committed), done
        after = assessed(home, block)
        assert (after.state, after.decision) == ("supported", Decision.REUSE)
