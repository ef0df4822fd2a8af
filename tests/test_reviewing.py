"""What a person is walked through, what each key decides, and what topics and conversations are about."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli_example import in_a_process
from mcp_clients import called, here, refused
from scriptorium.cli.correct import correct_command, retract_command, validate_command
from scriptorium.cli.door import Door
from scriptorium.cli.review import review_command
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.reviewing import Decided
from scriptorium.service.shown import RecordShown
from scriptorium_core.changes import Caller
from scriptorium_core.knowledge.digest import LONGEST
from scriptorium_core.problem import Code
from scriptorium_core.recall import Query
from scriptorium_core.transaction import Rejected
from small_homes import create, listed, request, service, told
from web_homes import served

PAIRS = (
    ("The spare key hangs behind the blue door.", "The spare key hangs behind the blue door of ours."),
    ("The rent is 900 euros a month.", "The rent is 950 euros a month."),
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Service]:
    with service(tmp_path) as made:
        yield made


def said(memory: Service, *contents: str, topic: str = "topics/keys.md") -> list[str]:
    done = memory.change(request(*(create(content, topic) for content in contents)))
    assert not isinstance(done, Rejected), done
    return [str(block) for block in done.report.created]


def kinds(memory: Service) -> list[str]:
    return [str(item.kind) for item in memory.review().items]


def noted(memory: Service, block: str, fields: str) -> None:
    """A person writes fields behind the definition of a record."""
    found = memory.show(f"^{block}")
    assert isinstance(found, RecordShown)
    topic = memory.root / found.record.topic_path
    label = f"[^{found.groups[0].evidence}]:"
    lines = topic.read_text().splitlines(keepends=True)
    topic.write_text(
        "".join(line.rstrip("\n") + f"; {fields}\n" if line.startswith(label) else line for line in lines)
    )
    assert not isinstance(memory.adopt(), Rejected)


def status(memory: Service, block: str) -> str:
    found = memory.show(f"^{block}")
    assert isinstance(found, RecordShown)
    assert found.assessment is not None
    return str(found.assessment.state)


def pressed(memory: Service, key: str, place: int = 0) -> Decided:
    done = memory.decide(memory.review().items[place].item, key)
    assert isinstance(done, Decided), done
    return done


def test_nothing_waits_where_nothing_is_in_doubt(memory: Service) -> None:
    said(memory, "The spare key hangs in the shed.", "Tea is at six.")
    assert memory.review().items == ()


def test_each_kind_is_listed_in_its_order(memory: Service) -> None:
    ids = said(
        memory, *(text for pair in PAIRS for text in pair), "Tea is at six.", "Bo plays chess.", "Ann sings."
    )
    noted(memory, ids[4], "Status: disputed")
    noted(memory, ids[5], "Status: unverified 0.5")
    noted(memory, ids[6], "Checked: 2020-01-01")
    assert kinds(memory) == ["disputed", "contradictory", "near-duplicate", "pending", "stale"]


def test_records_that_answer_one_question_differently_collide(memory: Service) -> None:
    one, two = said(memory, "The spare key hangs in the shed.", "Ask the neighbour at number four.")
    for block in (one, two):
        noted(memory, block, "Ask: Where is the spare key?")
    (item,) = memory.review().items
    assert (str(item.kind), item.question) == ("colliding", "Where is the spare key?")
    assert item.keys == ("1", "2", "b", "d")
    pressed(memory, "2")
    assert [status(memory, block) for block in (one, two)] == ["retracted", "supported"]
    assert kinds(memory) == []


@pytest.mark.parametrize(
    ("key", "states"),
    [
        ("1", ["supported", "retracted"]),
        ("2", ["retracted", "supported"]),
        ("b", ["verified", "verified"]),
        ("d", ["disputed", "disputed"]),
    ],
)
def test_a_key_decides_about_two_in_one_commit(memory: Service, key: str, states: list[str]) -> None:
    ids = said(memory, *PAIRS[0])
    before = len(memory.log(None))
    done = pressed(memory, key)
    assert [status(memory, block) for block in ids] == states
    assert len(memory.log(None)) == before + 1
    assert {each.record.id for each in done.records} <= set(ids)
    assert kinds(memory) == (["disputed", "disputed"] if key == "d" else [])


def test_nothing_is_decided_by_another_key_or_about_what_has_changed(memory: Service) -> None:
    one, _ = said(memory, *PAIRS[1])
    (item,) = memory.review().items
    for key, code in (
        ("z", Code.INVALID_ARGUMENT),
        ("v", Code.INVALID_ARGUMENT),
        ("", Code.INVALID_ARGUMENT),
    ):
        with pytest.raises(Refused) as wrong:
            memory.decide(item.item, key)
        assert wrong.value.problems[0].code is code
    memory.correct(one, "The rent is 900 euros, and was paid.")
    with pytest.raises(Refused) as gone:
        memory.decide(item.item, "1")
    assert gone.value.problems[0].code is Code.CONCURRENT_UPDATE


def run(home: Path, command: Any, arguments: Sequence[str], keys: str = "") -> tuple[int, str]:
    door = Door()
    result = CliRunner().invoke(
        command, ["--home", str(home), *arguments], input=keys, obj=door, standalone_mode=False
    )
    assert result.exception is None, result.output
    return int(result.return_value or 0), result.output


def test_a_person_walks_through_it_one_key_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with service(tmp_path) as memory:
        ids = said(memory, *(text for pair in PAIRS for text in pair))
    monkeypatch.setattr("scriptorium.cli.review.attended", lambda: True)
    code, text = run(tmp_path, review_command, [], "?2s")
    assert code == 0
    assert "1 of 2: contradictory" in text
    assert "1 decision" in text
    with service(tmp_path) as memory:
        assert [status(memory, block) for block in ids[2:]] == ["retracted", "supported"]
        assert kinds(memory) == ["near-duplicate"]
    assert "0 decisions" in run(tmp_path, review_command, [], "q")[1]


@pytest.mark.parametrize("keys", ["", "2\n"])
def test_no_key_is_taken_where_nobody_sees_what_it_is_about(tmp_path: Path, keys: str) -> None:
    with service(tmp_path) as memory:
        said(memory, *PAIRS[1])
    ran = in_a_process("--home", tmp_path, "review", input=keys)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("INVALID_ARGUMENT  stdin")
    assert "--list" in ran.err
    with service(tmp_path) as memory:
        assert kinds(memory) == ["contradictory"]


def test_a_program_answers_on_the_standard_input(tmp_path: Path) -> None:
    with service(tmp_path) as memory:
        said(memory, *PAIRS[1])
    listed = json.loads(run(tmp_path, review_command, ["--json", "--list"])[1])
    name = listed["items"][0]["item"]
    answer = json.loads(run(tmp_path, review_command, ["--json"], f"{name} b\n")[1])
    assert answer["ok"] is True
    assert answer["items"] == []
    assert [each["key"] for each in answer["decided"]] == ["b"]
    code, again = run(tmp_path, review_command, ["--json"], f"{name} b\n")
    assert (code, json.loads(again)["error"]["code"]) == (5, "CONCURRENT_UPDATE")


def test_a_person_sees_a_record_before_they_decide(tmp_path: Path) -> None:
    with service(tmp_path) as memory:
        (block,) = said(memory, "The spare key hangs in the shed.")
        said(memory, "The spare key hangs in the car.", topic="topics/car.md")
    assert run(tmp_path, validate_command, [block], "n\n")[0] == 3
    assert "The spare key hangs in the shed." in run(tmp_path, validate_command, [block], "y\n")[1]
    code, text = run(tmp_path, correct_command, ["spare key hangs", "It is lost."])
    assert code == 3
    assert "several records could be meant" in text
    with service(tmp_path) as memory:
        assert status(memory, block) == "verified"


def test_one_word_may_replace_a_text_and_then_the_text_is_shown_and_the_way_back(tmp_path: Path) -> None:
    with service(tmp_path) as memory:
        said(memory, "The spare key hangs in the shed.")
    sent = [["shed", "It is lost.", "--key", "k1"]] * 2
    first, again = (run(tmp_path, correct_command, words)[1] for words in sent)
    assert first == again
    assert "  instead of:\n    The spare key hangs in the shed.\n  `scriptorium undo " in first
    back = first.split("scriptorium undo ")[1].split("`")[0]
    assert "instead of" not in run(tmp_path, correct_command, ["lost", "It is lost."])[1]
    assert "scriptorium undo" in run(tmp_path, retract_command, ["lost"])[1]
    with service(tmp_path) as memory:
        memory.undo(str(memory.memory().revision))
        assert not isinstance(memory.undo(back), Rejected)
        assert [hit.content for hit in memory.search(Query("key")).hits] == [
            "The spare key hangs in the shed."
        ]


def test_an_agent_reviews_decides_and_corrects(tmp_path: Path) -> None:
    with service(tmp_path) as memory:
        said(memory, *PAIRS[1])
        said(memory, "Tea is at six.", topic="topics/tea.md")

    async def talk(client: Any) -> None:
        (item,) = (await called(client, "memory_review"))["items"]
        done = await called(client, "memory_review", item=item["item"], key="1", idempotency_key="d1")
        again = await called(client, "memory_review", item=item["item"], key="1", idempotency_key="d1")
        assert done == again
        unclear = await called(
            client, "memory_correct", target="rent euros", do="correct", text="It is gone."
        )
        assert (unclear["changed"], len(unclear["candidates"])) == (False, 2)
        late = await called(client, "memory_correct", target="tea", do="correct", text="Tea is at seven.")
        assert late["replaced"] == "Tea is at six."
        fixed = await called(client, "memory_correct", target="tea", do="append", text="Bo brings the cups.")
        assert "replaced" not in fixed
        seen, block = fixed["record"]["seen"], fixed["record"]["id"]
        await called(client, "memory_correct", target=block, do="validate", seen=seen)
        problems = await refused(client, "memory_correct", target=block, do="dispute", seen="0" * 16)
        assert problems == [("CONCURRENT_UPDATE", "seen")]
        digest = await called(client, "memory_overview")
        assert [each["path"] for each in digest["topics"]] == ["topics/keys.md", "topics/tea.md"]
        assert (await called(client, "memory_overview", of="conversations"))["conversations"] == []

    here(tmp_path, talk)


def test_the_same_is_done_over_http(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with served(home) as client:
        with service(home) as memory:
            ids = said(memory, *PAIRS[1])
        (item,) = client.get("/review").json["items"]
        done = client.post("/review", {"item": item["item"], "key": "2"}, idempotency_key="a")
        assert done.status == 200, done.data
        assert (
            client.post("/review", {"item": item["item"], "key": "2"}, idempotency_key="a").data == done.data
        )
        seen = client.get(f"/records/{ids[1]}").json["seen"]
        judge = {"id": ids[1], "verdict": "validate", "seen": seen}
        assert client.post("/judge", {**judge, "seen": "0" * 16}).status == 409
        assert client.post("/judge", judge).status == 200
        assert client.post("/judge", {**judge, "verdict": "burn"}).status == 400
        fixed = client.post("/correct", {"target": f"^{ids[1]}", "text": "The rent is 990 euros."}).json
        assert fixed["target"]["record"]["content"] == "The rent is 990 euros."


def test_the_digest_of_a_topic_is_short_and_no_evidence(memory: Service) -> None:
    said(memory, *(f"The drawer number {number} holds the tools of week {number}." for number in range(20)))
    said(memory, "Wx" * 400, topic="topics/long.md")
    keys, long = memory.digest()
    assert len(keys.line) <= LONGEST
    assert len(long.line) <= LONGEST
    assert keys.line.startswith("Keys: The drawer number 0 holds")
    assert (keys.path, keys.records, keys.first) == ("topics/keys.md", 20, "2026-04")
    assert [each.path for each in memory.digest("topics/long")] == ["topics/long.md"]
    assert keys.line not in memory.context("What is in the drawer?").text


def test_no_digest_says_what_may_not_be_relied_on_or_is_held(memory: Service) -> None:
    block, *_ = said(memory, "The spare key hangs in the shed.", "The door is blue.", "The lock is new.")
    assert "spare key" in memory.digest()[0].line
    assert not isinstance(memory.retract(f"^{block}"), Rejected)
    assert not isinstance(
        memory.change(request(create("Zed was here.")), Caller.unknown("4402", "Z")), Rejected
    )
    (found,) = memory.digest()
    assert (found.line, found.records) == ("Keys: The door is blue. · The lock is new.", 4)


def test_conversations_say_how_long_they_are_and_what_they_gave(tmp_path: Path) -> None:
    told(tmp_path)
    with service(tmp_path) as memory:
        (before,) = memory.sessions()
        assert (before.messages, before.begun_at, before.gave) == (6, "2026-03-01T09:00:00+00:00", ())
    listed(tmp_path)
    with service(tmp_path) as memory:
        (after,) = memory.sessions()
        assert len(after.gave) > 1
        assert set(after.gave) == {line.id for line in (row.record for row in memory.recent(50).rows)}
