"""The same question at every door, and what whoever asks may not see."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from mcp import Client

from asked_homes import KEY, QUESTION, asked_home, saved
from cli_example import fresh_home, run, run_json
from hidden_homes import HIDDEN, OPEN, as_, with_hidden
from mcp_clients import called, here, refused
from scriptorium import Memory
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium_core.knowledge.asking import Decision
from scriptorium_core.policy import AGENT, OWNER
from small_homes import NOW
from web_homes import served

HOURS = "The library opens at nine."


def test_the_command_says_it_to_people_and_to_programs(tmp_path: Path) -> None:
    done = run_json("--home", tmp_path, "remember", KEY, "--ask", QUESTION)
    block = done["records"][0]["id"]
    found = run_json("--home", tmp_path, "ask", "where is THE spare key?")
    assert (found["decision"], found["way"], found["reasons"]) == ("reuse", "exact-question", [])
    assert (found["answer"], found["records"][0]["id"]) == (KEY, block)
    assert found["records"][0]["citations"][0]["turn"]["text"] == KEY
    doubted = run_json("--home", tmp_path, "ask", QUESTION, "--least", "1", "--no-model")
    assert (doubted["decision"], doubted["reasons"]) == ("revalidate", ["confidence-below-threshold"])
    told = run("--home", tmp_path, "ask", QUESTION)
    assert told.code == 0
    assert told.out.startswith(f"reuse (exact-question)\n\n{KEY}\n")
    assert f"^{block} topics/notes.md, verified 0.95" in told.out
    missed = run("--home", tmp_path, "ask", "zeppelins")
    assert missed.out == "miss: nothing-known\n"
    assert run("--home", tmp_path, "ask", " ").code != 0


def test_a_person_sees_each_record_once_and_a_program_what_goes_along_for_a_model(tmp_path: Path) -> None:
    home = ("--home", tmp_path)
    block = run_json(*home, "remember", KEY, "--ask", QUESTION)["records"][0]["id"]
    other = run_json(*home, "remember", HOURS)["records"][0]["id"]
    for question, shown in (
        (QUESTION, block),
        ("What do you know about the spare key?", block),
        ("When does the library open?", other),
    ):
        told, answer = run(*home, "ask", question).out, run_json(*home, "ask", question)
        assert answer["records"][0]["id"] == shown
        assert (told.count(answer["records"][0]["content"]), told.count(f"^{shown}")) == (1, 1)
        assert "memory-context" not in told
        assert "<memory-context" in answer["text"]
    run(*home, "retract", block)
    told = run(*home, "ask", QUESTION).out
    assert (told.startswith("reject"), KEY in told, f"^{block}" in told) == (True, False, True)


def test_a_miss_says_that_something_was_too_far_away(tmp_path: Path) -> None:
    home = ("--home", fresh_home(tmp_path))
    far = "garden tickets kitchen forty pounds bag station allergic"  # a word of each record
    found = run_json(*home, "ask", far)
    assert (found["decision"], len(found["left_out"]) > 1) == ("miss", True)
    told = run(*home, "ask", far).out.splitlines()
    assert told[1] == f"{len(found['left_out'])} records left out: `scriptorium context … --why` says why"


def test_a_correction_stands_when_the_words_are_saved_again(tmp_path: Path) -> None:
    block = run_json("--home", tmp_path, "remember", KEY, "--ask", QUESTION)["records"][0]["id"]
    correction = {
        "op": "update_record",
        "memory_id": block,
        "content": "The spare key is with Mira.",
        "time": "2026-11",
        "sources": [{"source": "new-source-1", "label": "Owner"}],
    }
    source = {"label": "new-source-1", "role": "user", "content": "Mira has the key now."}
    (tmp_path / "c.json").write_text(json.dumps({"memory_changes": [correction], "sources": [source]}))
    assert run("--home", tmp_path, "change", tmp_path / "c.json").code == 0
    again = run_json("--home", tmp_path, "remember", KEY, "--ask", QUESTION)
    assert (again["known"], again["committed"]["unchanged"], again["records"]) == (True, True, [])
    found = run_json("--home", tmp_path, "ask", QUESTION)
    assert [record["content"] for record in found["records"]] == ["The spare key is with Mira."]


def test_the_library_the_tool_and_the_route_say_the_same(tmp_path: Path) -> None:
    with asked_home(tmp_path) as made:
        saved(made, KEY, QUESTION)
        saved(made, HOURS)
    wide = "When does the library open?"
    settings = Settings(timezone="UTC")
    with Memory.open(tmp_path / "memory", settings=settings, moment=lambda: NOW) as memory:
        own = {question: memory.ask(question) for question in (QUESTION, wide, "zeppelins")}
        known = memory.remember(KEY, asks=[QUESTION])
        assert known.known is True  # type: ignore[union-attr]

    async def talk(client: Client) -> dict[str, Any]:
        return {question: await called(client, "memory_ask", question=question) for question in own}

    tool = here(tmp_path, talk)
    with served(tmp_path) as client:
        route = {question: client.post("/ask", {"question": question}).json for question in own}
        assert client.post("/ask", {"question": ""}).code == "INVALID_ARGUMENT"
        assert client.post("/ask", {"question": "x", "least": 2}).code == "INVALID_ARGUMENT"
        again = client.post("/remember", {"text": KEY, "asks": [QUESTION]}).json
        assert (again["known"], again["organized"]) == (True, None)
    for question, found in own.items():
        for other in (tool[question], route[question]):
            assert other["decision"] == found.decision
            assert other["reasons"] == [*found.reasons]
            # What an agent is told cannot open a wrapper: its text is inert.
            assert other["text"].replace("&lt;", "<") == found.text
            named = [each["id"].lstrip("^") for each in other["records"]]
            assert named == [record.id for record in found.records]
    assert [each.decision for each in own.values()] == ["reuse", "provider-required", "miss"]


@pytest.mark.parametrize("question", ["", " \n"])
def test_where_nothing_is_asked_every_door_says_so_and_delivers_nothing(
    tmp_path: Path, question: str
) -> None:
    home = fresh_home(tmp_path)
    for command in ("ask", "context"):
        assert run("--home", home, command, question).code == 2, command

    async def talk(client: Client) -> None:
        for tool in ("memory_ask", "memory_context"):
            assert await refused(client, tool, question=question) == [("INVALID_ARGUMENT", "question")]

    here(home, talk)
    with served(home) as client:
        assert client.get("/context?" + urlencode({"q": question})).code == "INVALID_ARGUMENT"
    with Memory.open(home / "memory") as memory, memory.at("HEAD") as then:
        for asked in (memory.ask, memory.context, then.ask, then.context):
            with pytest.raises(Refused, match="holds no words"):
                asked(question)
        assert memory.traces() == ()


def test_a_conversation_goes_along_with_no_question(tmp_path: Path) -> None:
    with Service(fresh_home(tmp_path)) as made:
        given = made.context("", session="native/porto")
        assert {str(each.part) for each in given.shown} == {"turn"}


def test_nobody_is_answered_from_what_they_may_not_read(tmp_path: Path) -> None:
    with with_hidden(tmp_path) as made:
        assert made.ask("What is the gift for Mira?").decision is Decision.PROVIDER_REQUIRED
        hidden = saved(made, "The gift costs forty euros.", "What is to be paid?", topic=HIDDEN)
        open_one = saved(made, "The tea costs five euros.", "What does tea cost?", topic=OPEN)
        questions = ("What is to be paid?", "What do you know about the gift?", "gift teapot")
        assert [made.ask(each).decision for each in questions][:2] == [Decision.REUSE, Decision.REUSE]
        as_(made, AGENT)
        for question in questions:
            found = made.ask(question)
            assert found.decision is Decision.MISS, question
            assert (found.records, found.text, found.rivals, found.left_out) == ((), "", (), ())
        own = made.ask("What does tea cost?")
        assert (own.decision, own.answer) == (Decision.REUSE, "The tea costs five euros.")
        assert [record.id for record in own.records] == [open_one]
        assert not any(hidden in each.text for each in made.traces())
        assert [trace.question for trace in made.traces()] == ["What does tea cost?"]
        as_(made, OWNER)


def test_a_collision_with_what_is_hidden_is_none(tmp_path: Path) -> None:
    with with_hidden(tmp_path) as made:
        made.remember("It costs forty euros.", topic=HIDDEN, asks=["What does it cost?"])
        made.remember("It costs five euros.", topic=OPEN, asks=["What does it cost?"])
        assert made.ask("What does it cost?").decision is Decision.REVALIDATE
        as_(made, AGENT)
        found = made.ask("What does it cost?")
        assert (found.decision, found.answer, found.rivals) == (Decision.REUSE, "It costs five euros.", ())
