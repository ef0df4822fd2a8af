"""Requests with a key are carried out once, and answered alike however often they come, by whatever way."""

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mcp_clients import called, here, refused
from scriptorium import Memory
from scriptorium.plain import plain
from scriptorium.settings import Settings
from scriptorium.workspace import Committed
from scriptorium_core.facts import once
from scriptorium_core.policy import OWNER
from scriptorium_core.policy.actor import AGENT
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Rejected
from small_homes import NOW, create, git, request
from small_memory import codes, sure
from sync_homes import Copy, bare
from web_homes import served

KEYS = request(create("The spare key hangs in the shed."), says="The spare key is in the shed.")


def opened(path: Path) -> Memory:
    return Memory.open(path, settings=Settings(), moment=lambda: NOW)


def commits(memory: Memory) -> int:
    return len(memory.log(None))


def changed(memory: Memory, key: str) -> Committed | Rejected:
    return memory.update(KEYS["memory_changes"], sources=KEYS["sources"], key=key)


def test_a_key_has_a_form_and_is_of_whoever_asks() -> None:
    for bad in ("", "  ", "a\nb", "x" * 256):
        assert isinstance(once.claim_of(OWNER, bad, {}), Problem)
    mine, theirs = (once.claim_of(actor, "k", {"b": 1, "a": 2}) for actor in (OWNER, AGENT))
    assert isinstance(mine, once.Claim)
    assert isinstance(theirs, once.Claim)
    assert mine.key != theirs.key
    assert once.claim_of(OWNER, "k", {"a": 2, "b": 1}) == mine
    other = once.claim_of(OWNER, "k", {"a": 2})
    assert isinstance(other, once.Claim)
    assert (other.key == mine.key, other.request == mine.request) == (True, False)


def test_the_second_call_changes_nothing_and_has_the_answer_of_the_first(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        first = sure(changed(memory, "k1"))
        other = memory.update([create("Tea is at six.", source=first.report.archived[0])], key="k2")
        later = commits(memory)
        assert plain(changed(memory, "k1")) == plain(first)
        assert commits(memory) == later
        assert sure(other).revision != first.revision


def test_the_same_key_with_another_request_is_refused_and_says_what_to_do(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        sure(changed(memory, "k1"))
        result = memory.remember("Something else.", key="k1")
        assert isinstance(result, Rejected)
        (problem,) = result.problems
        assert (problem.code, problem.path) == (Code.INVALID_ARGUMENT, "idempotency_key")
        assert "a key of its own" in problem.remedy
        assert commits(memory) == 1


def test_what_is_rejected_claims_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        bad = memory.update([create("It cites nothing.", source="chat/s9/m9")], key="k1")
        assert codes(bad) == [Code.MISSING_SOURCE]
        assert not sure(changed(memory, "k1")).unchanged


def test_a_request_that_changes_nothing_claims_its_key_too(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        sure(changed(memory, "k1"))
        again = sure(changed(memory, "k2"))
        assert again.unchanged
        assert plain(changed(memory, "k2")) == plain(again)
        assert codes(memory.undo(again.revision, key="k2")) == [Code.INVALID_ARGUMENT]


def test_words_are_saved_once_and_forgotten_once(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        saved = memory.remember("My bike is red.\n\nIts lock is blue.", key="r1")
        assert not isinstance(saved, Rejected)
        assert not saved.known
        assert plain(memory.remember("My bike is red.\n\nIts lock is blue.", key="r1")) == plain(saved)
        gone = memory.forget([saved.records[0].id], key="f1")
        assert plain(memory.forget([saved.records[0].id], key="f1")) == plain(gone)
        again = memory.remember("My bike is red.\n\nIts lock is blue.", key="r1")
        assert not isinstance(again, Rejected)
        assert [line.content for line in again.records] == ["Its lock is blue."]


def test_a_key_outlives_its_process_the_index_and_a_clone(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        first = plain(changed(memory, "k1"))
        index = next((tmp_path / "memory").glob(".*/index*"))
    index.unlink()
    with opened(tmp_path / "memory") as memory:
        assert plain(changed(memory, "k1")) == first
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    git(tmp_path, "clone", "-q", str(tmp_path / "memory"), str(tmp_path / "clone"))
    with opened(tmp_path / "clone") as memory:
        assert plain(changed(memory, "k1")) == first


def test_a_key_goes_with_what_a_sync_brings_also_where_both_sides_wrote(tmp_path: Path) -> None:
    remote = str(bare(tmp_path / "remote.git"))
    with Copy(tmp_path / "a", remote) as one, Copy(tmp_path / "b", remote) as two:
        one.say("The spare keys hang behind the blue door.")
        one.sync()
        two.sync()
        asked = ["remember", "Tea is at six."]
        for copy, text in ((one, "Tea is at six."), (two, "Coffee is at ten.")):
            with copy.service.once(f"key of {text}", ["remember", text]):
                copy.say(text, "tea")
        for copy in (one, two, one):
            copy.sync()
        for copy in (one, two):
            before = copy.head
            with copy.service.once("key of Tea is at six.", asked):
                result = copy.service.remember("Tea is at six.", topic="tea")
            assert not isinstance(result, Rejected)
            assert [line.content for line in result.records] == ["Tea is at six."]
            with copy.service.once("key of Coffee is at ten.", asked):
                assert isinstance(copy.service.remember("Tea is at six.", topic="tea"), Rejected)
            assert copy.head == before


def test_only_the_newest_keys_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scriptorium_core.facts.once.KEPT", 2)
    with opened(tmp_path / "memory") as memory:
        for number in range(3):
            memory.remember(f"The number {number} is mine.", key=f"k{number}")
        known = commits(memory)
        assert isinstance(memory.remember("Something else.", key="k1"), Rejected)
        assert not isinstance(memory.remember("Something else.", key="k0"), Rejected)
        assert commits(memory) == known + 1


def test_two_calls_at_once_over_http_run_once_and_get_one_answer(tmp_path: Path) -> None:
    with served(tmp_path / "home") as client, ThreadPoolExecutor(4) as pool:
        body = {"text": "The spare key hangs in the shed."}
        calls = [pool.submit(client.post, "/remember", body, idempotency_key='"k1"') for _ in range(4)]
        answers = [call.result() for call in calls]
        assert {answer.status for answer in answers} == {200}
        assert len({answer.data for answer in answers}) == 1
        assert answers[0].json["known"] is False
        history = client.get("/history").json
        assert [entry["kind"] for entry in history["history"]] == ["remember"]
        wrong = client.post("/remember", {"text": "Another."}, idempotency_key="k1")
        assert (wrong.status, wrong.problems) == (400, [("INVALID_ARGUMENT", "idempotency_key")])
        empty = client.post("/remember", {"text": "Another."}, idempotency_key="")
        assert (empty.status, empty.problems) == (400, [("INVALID_ARGUMENT", "idempotency_key")])


def test_a_topic_is_made_and_deleted_once_over_http(tmp_path: Path) -> None:
    with served(tmp_path / "home") as client:
        client.post("/remember", {"text": "Tea is at six.", "topic": "tea"})
        text = client.get("/topics/tea").json["text"]
        body = {"content": text.replace(" ^", " ^x").replace("[^e", "[^x")}
        made, again = (
            client.send("PUT", "/topics/more", body, if_none_match="*", idempotency_key="p") for _ in range(2)
        )
        assert made.status == again.status == 201, (made, again)
        assert made.data == again.data
        tag = client.get("/topics/tea").headers["etag"]
        asked = ("DELETE", "/api/memory/topics/tea", None)
        gone = [client.ask(*asked, if_match=tag, idempotency_key="d") for _ in range(2)]
        assert gone[0].status == gone[1].status == 200, gone
        assert gone[0].data == gone[1].data


def test_an_agent_gives_its_key_as_an_argument(tmp_path: Path) -> None:
    async def talk(client: Any) -> None:
        first = await called(client, "memory_remember", text="I like oats.", idempotency_key="k1")
        again = await called(client, "memory_remember", text="I like oats.", idempotency_key="k1")
        assert first == again
        assert first["known"] is False
        problems = await refused(client, "memory_remember", text="I like rye.", idempotency_key="k1")
        assert problems == [("INVALID_ARGUMENT", "idempotency_key")]
        asked = await called(
            client, "memory_ask", question="What do I like?", keep=True, idempotency_key="k2"
        )
        assert asked["decision"] == "provider-required"

    here(tmp_path, talk)


def test_every_tool_that_changes_memory_takes_a_key(tmp_path: Path) -> None:
    async def talk(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        changing = {name for name, tool in tools.items() if not tool.annotations.read_only_hint}
        keyed = {
            name
            for name, tool in tools.items()
            if "idempotency_key" in tool.input_schema.get("properties", ())
        }
        # A batch is the key of what is made of it.
        assert changing - keyed == {"memory_pending", "memory_write"}
        assert keyed <= changing

    here(tmp_path, talk)


def test_two_calls_of_an_agent_at_once_run_once_and_get_one_answer(tmp_path: Path) -> None:
    async def talk(client: Any) -> None:
        given = {"text": "The spare key hangs in the shed.", "idempotency_key": "k1"}
        answers = await asyncio.gather(*(called(client, "memory_remember", **given) for _ in range(4)))
        assert all(answer == answers[0] for answer in answers)
        assert answers[0]["known"] is False
        assert (await called(client, "memory_status"))["records"] == 1

    here(tmp_path, talk)
