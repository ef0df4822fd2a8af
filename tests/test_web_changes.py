"""Every route that changes memory: what was read is named, and nothing is overwritten that was not seen."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from small_homes import create, request
from web_homes import API, Client, Reply, served

KEYS = "/topics/keys.md"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """A home with one record in one topic."""
    with served(tmp_path / "home") as found:
        assert found.post("/changes", request(create("The spare key is under the pot."))).status == 200
        yield found


def text_of(client: Client, path: str = KEYS) -> tuple[str, str]:
    """The text of a topic and its tag."""
    reply = client.get(path)
    return str(reply.json["text"]), reply.headers["etag"]


def put(client: Client, path: str, content: str, **headers: str) -> Reply:
    return client.send("PUT", path, {"content": content}, **headers)


def car(colour: str) -> dict[str, Any]:
    """The body of a topic that cites what it brings."""
    says = f"The car is {colour}."
    content = f"# Car\n\n{says}[^e-1]\n\n[^e-1]: Time: `2026-04`; Sources: [Owner](new-source-a)\n"
    source = {"label": "new-source-a", "role": "user", "content": says}
    return {"content": content, "sources": [source], "commit_message": "The car"}


def revision(client: Client) -> str:
    return str(client.get("/status").json["revision"])


# --- Structured changes ----------------------------------------------------------------------------


def test_changes_are_one_commit_and_say_what_they_did(client: Client) -> None:
    base = revision(client)
    done = client.post("/changes", request(create("The shed has no lock."), base=base)).json
    assert done["ok"] is True
    assert (done["memory_committed"], done["git_committed"], done["unchanged"]) == (True, True, False)
    assert len(done["report"]["created"]) == 1
    assert done["revision"] == revision(client) != base


def test_all_that_is_wrong_with_changes_is_said_at_once_with_its_place(client: Client) -> None:
    before = revision(client)
    faulty = request(create("", source="nobody/knows/this"), {"op": "burn"})
    reply = client.post("/changes", {**faulty, "extra": 1})
    assert (reply.status, reply.code) == (400, "INVALID_ARGUMENT")
    places = [place for _, place in reply.problems]
    assert {"extra", "memory_changes[0].content", "memory_changes[1].op"} <= set(places)
    assert revision(client) == before


def test_changes_of_what_is_not_there_are_not_found(client: Client) -> None:
    gone = {"memory_changes": [{"op": "delete_record", "memory_id": "00000000"}]}
    reply = client.post("/changes", gone)
    assert (reply.status, reply.code) == (404, "MEMORY_NOT_FOUND")


def test_changes_on_a_topic_that_has_changed_since_are_a_conflict(client: Client) -> None:
    base = revision(client)
    client.post("/changes", request(create("The shed has no lock.")))
    reply = client.post("/changes", request(create("The door sticks."), base=base))
    assert (reply.status, reply.code) == (409, "CONCURRENT_UPDATE")
    elsewhere = request(create("The car is red.", "topics/car.md"), base=base)
    assert client.post("/changes", elsewhere).status == 200


def test_changes_on_a_revision_that_never_was_are_refused(client: Client) -> None:
    for never in ("0" * 40, "HEAD", "x\u0000y", "é" * 40):
        reply = client.post("/changes", request(create("The door sticks."), base=never))
        assert (reply.status, reply.problems[0]) == (400, ("INVALID_ARGUMENT", "base_revision"))


# --- Topics ----------------------------------------------------------------------------------------


def test_a_topic_is_written_at_the_revision_that_was_read(client: Client) -> None:
    text, tag = text_of(client)
    done = put(client, KEYS, text.replace("pot", "mat"), if_match=tag)
    assert (done.status, done.json["report"]["topics"]) == (200, ["topics/keys.md"])
    after, fresh = text_of(client)
    assert "under the mat" in after
    assert fresh == done.headers["etag"] == f'"{done.json["revision"]}"' != tag


def test_a_commit_elsewhere_does_not_spoil_what_was_read(client: Client) -> None:
    text, tag = text_of(client)
    client.post("/changes", request(create("The car is red.", "topics/car.md")))
    assert put(client, KEYS, text.replace("pot", "mat"), if_match=tag).status == 200


def test_a_topic_that_has_changed_since_is_not_overwritten(client: Client) -> None:
    text, tag = text_of(client)
    assert put(client, KEYS, text.replace("pot", "mat"), if_match=tag).status == 200
    for reply in (
        put(client, KEYS, text.replace("pot", "bed"), if_match=tag),
        client.ask("DELETE", f"{API}{KEYS}", if_match=tag),
    ):
        assert (reply.status, reply.code) == (412, "CONCURRENT_UPDATE")
    assert "under the mat" in text_of(client)[0]


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
@pytest.mark.parametrize(
    ("given", "status"),
    [(None, 428), ("*", 428), ('"' + "0" * 40 + '"', 412), ('W/"{tag}"', 412), ("{tag}", 412), ('""', 412)],
)
def test_a_revision_must_be_named_and_must_have_been(
    client: Client, method: str, given: str | None, status: int
) -> None:
    text, tag = text_of(client)
    headers = {} if given is None else {"if_match": given.replace("{tag}", tag.strip('"'))}
    body = json.dumps({"content": text.replace("pot", "mat")}).encode() if method == "PUT" else None
    reply = client.ask(method, f"{API}{KEYS}", body, content_type="application/json", **headers)
    assert (
        reply.status,
        reply.code in ("PRECONDITION_REQUIRED", "CONCURRENT_UPDATE", "INVALID_ARGUMENT"),
    ) == (
        status,
        True,
    )
    assert text_of(client) == (text, tag)


def test_a_new_topic_is_made_only_where_there_is_none(client: Client) -> None:
    made = client.send("PUT", "/topics/car", car("red"), if_none_match="*")
    assert (made.status, len(made.json["report"]["created"])) == (201, 1), made.data
    assert client.get("/history?limit=1").json["history"][0]["subject"] == "The car"
    again = client.send("PUT", "/topics/car.md", car("blue"), if_none_match="*")
    assert (again.status, again.code) == (412, "CONCURRENT_UPDATE")
    assert client.ask("DELETE", f"{API}/topics/car.md", if_none_match="*").status == 428


def test_the_first_topic_of_a_memory_is_not_overwritten_either(tmp_path: Path) -> None:
    with served(tmp_path / "new") as client:
        assert client.send("PUT", "/topics/car.md", car("red"), if_match='""').status == 200
        for headers in ({"if_match": '""'}, {"if_none_match": "*"}):
            second = client.send("PUT", "/topics/car.md", car("blue"), **headers)
            assert (second.status, second.code) == (412, "CONCURRENT_UPDATE")
        assert "red" in text_of(client, "/topics/car.md")[0]


def test_a_first_change_that_holds_nothing_is_a_commit_without_files(tmp_path: Path) -> None:
    with served(tmp_path / "new") as client:
        done = put(client, KEYS, "# Keys\n", if_match='""')
        assert (done.status, done.json["report"]["topics"]) == (200, [])
        assert client.get("/topics").json["topics"] == []
        assert client.post("/remember", {"text": "The shed has no lock."}).status == 200


def test_a_record_that_is_left_out_must_be_named(client: Client) -> None:
    _, tag = text_of(client)
    (record,) = client.get(KEYS).json["records"]
    lost = put(client, KEYS, "# Keys\n", if_match=tag)
    assert (lost.status, lost.code) == (400, "BLOCK_LOST")
    body = {"content": "# Keys\n", "deleted": [record["id"]]}
    done = client.send("PUT", KEYS, body, if_match=tag)
    assert (done.status, done.json["report"]["deleted"]) == (200, [record["id"]])


def test_a_topic_is_deleted_with_its_records(client: Client) -> None:
    _, tag = text_of(client)
    (record,) = client.get(KEYS).json["records"]
    done = client.ask("DELETE", f"{API}{KEYS}", if_match=tag)
    assert (done.status, done.json["report"]["deleted"]) == (200, [record["id"]])
    assert client.get(KEYS).status == 404
    assert client.ask("DELETE", f"{API}{KEYS}", if_match=tag).status == 404
    assert client.get(f"/records/{record['id']}").status == 404


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "content"),
        ({"content": 1}, "content"),
        ({"content": "# A\n", "deleted": "x"}, "deleted"),
        ({"content": "# A\n", "text": "x"}, "text"),
        ({"content": "# A\n\u0000"}, "content"),
    ],
)
def test_the_place_of_a_fault_is_one_of_the_body(client: Client, body: Any, place: str) -> None:
    reply = client.send("PUT", KEYS, body, if_match=text_of(client)[1])
    assert (reply.status, reply.problems[0]) == (400, ("INVALID_ARGUMENT", place))


# --- The core --------------------------------------------------------------------------------------


def test_the_core_is_saved_by_compare_and_set(client: Client) -> None:
    client.post("/remember", {"text": "Always answer in British English.", "topic": "core"})
    core = client.get("/core")
    text, tag = core.json["content"], core.headers["etag"]
    saved = put(client, "/core", text.replace("British", "Indian"), if_match=tag)
    assert saved.status == 200
    assert "Indian English" in saved.json["content"]
    assert "Indian English" in saved.json["rendered_content"]
    assert "Indian English" in saved.json["injected_content"]
    assert saved.headers["etag"] == client.get("/core").headers["etag"]
    late = put(client, "/core", text.replace("British", "Welsh"), if_match=tag)
    assert (late.status, late.code) == (412, "CONCURRENT_UPDATE")
    assert client.get("/core").json == saved.json
    assert put(client, "/core", text).status == 428


def test_a_new_core_is_made_as_a_new_topic_is(tmp_path: Path) -> None:
    body = car("red")
    with served(tmp_path / "new") as client:
        made = client.send("PUT", "/core", body, if_none_match="*")
        assert (made.status, made.json["ok"]) == (201, True), made.data
        again = client.send("PUT", "/core", body, if_none_match="*")
    assert (again.status, again.code) == (412, "CONCURRENT_UPDATE")


def test_nothing_is_injected_of_the_core_where_that_is_switched_off(tmp_path: Path) -> None:
    with served(tmp_path / "off", "inject = false\n") as client:
        client.post("/remember", {"text": "Always answer in British English.", "topic": "core"})
        core = client.get("/core").json
    assert "British" in core["rendered_content"]
    assert (core["injection_enabled"], core["injected_content"], core["injected_tokens"]) == (False, "", 0)


# --- Words, consent, forgetting, going back ---------------------------------------------------------


def test_words_are_remembered_once(client: Client) -> None:
    first = client.post("/remember", {"text": "The shed has no lock."}).json
    again = client.post("/remember", {"text": "The shed has no lock."}).json
    assert (first["known"], again["known"]) == (False, True)
    assert first["records"] == again["records"]


def test_a_record_is_forgotten_and_gone(client: Client) -> None:
    (record,) = client.get(KEYS).json["records"]
    planned = client.post("/forget", {"names": [record["id"]], "dry_run": True}).json
    assert (planned["dry_run"], client.get(f"/records/{record['id']}").status) == (True, 200)
    done = client.post("/forget", {"names": [record["id"]], "reason": "moved"}).json
    assert done["records"] == planned["records"] == [record["id"]]
    reply = client.get(f"/records/{record['id']}")
    assert (reply.status, reply.code) == (410, "FORGOTTEN")


def test_a_topic_is_restored_and_a_commit_undone(client: Client) -> None:
    text, tag = text_of(client)
    changed = put(client, KEYS, text.replace("pot", "mat"), if_match=tag).json["revision"]
    (record,) = client.get(KEYS).json["records"]
    assert client.post("/restore", {"names": [f"^{record['id']}"], "since": "HEAD~1"}).status == 200
    assert "under the pot" in text_of(client)[0]
    back = client.post("/undo", {"commit": revision(client)})
    assert back.status == 200, back.data
    assert "under the mat" in text_of(client)[0]
    assert changed in {each["commit"] for each in client.get("/history").json["history"]}


@pytest.mark.parametrize(
    ("route", "body", "status", "code"),
    [
        ("/remember", {}, 400, "INVALID_ARGUMENT"),
        ("/remember", {"text": " "}, 400, "INVALID_ARGUMENT"),
        ("/remember", {"text": "x", "speaker": "owner"}, 400, "INVALID_ARGUMENT"),
        ("/promote", {"names": []}, 400, "INVALID_ARGUMENT"),
        ("/promote", {"names": ["chat/s1/u1"]}, 400, "MISSING_SOURCE"),
        ("/forget", {"names": ["00000000"]}, 404, "MEMORY_NOT_FOUND"),
        ("/forget", {"names": ["00000000"], "erase": True}, 400, "INVALID_ARGUMENT"),
        ("/restore", {"names": ["keys"], "since": "never"}, 400, "INVALID_ARGUMENT"),
        ("/undo", {"commit": "nothing"}, 400, "INVALID_ARGUMENT"),
    ],
)
def test_what_cannot_be_done_is_said(client: Client, route: str, body: Any, status: int, code: str) -> None:
    reply = client.post(route, body)
    assert (reply.status, reply.code) == (status, code), reply.data
