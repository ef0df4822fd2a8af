"""Every route that reads, by a client over HTTP: what it answers is what the OpenAPI description says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from scriptorium.service import Service
from scriptorium.settings import Settings
from small_homes import NOW, create, request, told
from web_homes import API, Client, served


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A home with a conversation, a core, two topics, and a delivery."""
    home = tmp_path_factory.mktemp("home")
    told(home)
    with Service(home, settings=Settings(timezone="UTC"), moment=lambda: NOW) as service:
        service.write(force=True)
        service.remember("Always answer in British English.", topic="core")
        service.change(request(create("The spare key is under the pot."), create("The shed has no lock.")))
        service.context("Where is the spare key?")
    with served(home) as found:
        yield found


@pytest.fixture(scope="module")
def description(client: Client) -> Any:
    return client.get("/openapi.json").json


def key(client: Client) -> str:
    """The id of the record about the key."""
    return str(client.get("/search?q=spare+key").json["hits"][0]["id"])


ROUTES = (
    ("/status", "/status", {"ok", "revision", "records", "health"}),
    ("/refs?q=key", "/refs", {"ok", "refs"}),
    ("/search?q=spare+key&limit=3", "/search", {"ok", "hits", "nothing", "revision"}),
    ("/search?q=tea&kind=both&since=2026&until=2026-12", "/search", {"hits"}),
    ("/context?q=Where+is+the+key%3F&budget=300", "/context", {"ok", "text", "tokens", "shown"}),
    ("/why/{key}", "/why/{id}", {"ok", "shown", "conversations", "history"}),
    ("/why/^{key}?around=0", "/why/{id}", {"shown"}),
    ("/why/chat/s1/u1", "/why/{id}", {"shown"}),
    ("/traces?limit=1", "/traces", {"ok", "traces"}),
    ("/history?limit=2", "/history", {"ok", "history"}),
    ("/history?topic=keys&record={key}", "/history", {"history"}),
    ("/diff?old=HEAD~1", "/diff", {"ok", "old", "new", "steps"}),
    ("/records/{key}", "/records/{id}", {"ok", "kind", "record", "groups"}),
    ("/records/{key}/history", "/records/{id}/history", {"ok", "versions"}),
    ("/records/{key}/standing", "/records/{id}/standing", {"ok", "changes"}),
    ("/timeline", "/timeline", {"ok", "days"}),
    ("/timeline/2026-04", "/timeline/{date}", {"ok", "rows"}),
    ("/recent?limit=3", "/recent", {"ok", "rows", "limit"}),
    ("/topics", "/topics", {"ok", "topics"}),
    ("/topics/keys.md", "/topics/{path}", {"ok", "kind", "text", "records"}),
    ("/held?limit=5", "/held", {"ok", "messages", "of"}),
    ("/core", "/core", {"ok", "content"}),
    ("/review?limit=3", "/review", {"ok", "items", "of"}),
    ("/digest", "/digest", {"ok", "topics"}),
    ("/sessions", "/sessions", {"ok", "sessions"}),
)


def test_the_description_is_valid(description: Any) -> None:
    validate(description)
    assert description["openapi"].startswith("3.1")
    described = {f"{API}{route}" for _, route, _ in ROUTES}
    reading = {path for path, item in description["paths"].items() if "get" in item}
    assert described == reading


@pytest.mark.parametrize(("target", "route", "keys"), ROUTES)
def test_a_route_answers_as_it_is_described(
    client: Client, description: Any, target: str, route: str, keys: set[str]
) -> None:
    reply = client.get(target.replace("{key}", key(client)))
    assert reply.status == 200, reply.data
    assert keys <= set(reply.json)
    item = description["paths"][f"{API}{route}"]["get"]
    schema = item["responses"]["200"]["content"]["application/json"]["schema"]
    whole = {**schema, "components": description["components"]}
    faults = [
        f"{each.json_path}: {each.message}" for each in Draft202012Validator(whole).iter_errors(reply.json)
    ]
    assert faults == []
    described = description["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    assert set(described["properties"]) == set(described["required"]) == set(reply.json)


@pytest.mark.parametrize(("target", "route", "keys"), ROUTES)
def test_the_head_of_a_route_is_that_of_its_answer(
    client: Client, target: str, route: str, keys: set[str]
) -> None:
    target = target.replace("{key}", key(client))
    head, whole = client.ask("HEAD", f"{API}{target}"), client.get(target)
    assert (head.status, head.data) == (200, b"")
    assert head.headers.keys() == whole.headers.keys()


def test_a_search_has_citations_and_an_empty_one_says_why(client: Client) -> None:
    hit = client.get("/search?q=spare+key").json["hits"][0]
    assert hit["content"] == "The spare key is under the pot."
    assert hit["citations"][0]["turn"]["text"] == "I said so."
    assert client.get("/search?q=zeppelin").json["nothing"]["message"]


def test_names_are_completed_by_topics_then_records_and_by_an_id(client: Client) -> None:
    refs = client.get("/refs?q=KEY").json["refs"]
    assert [(each["kind"], each["ref"]) for each in refs[:2]] == [
        ("topic", "topics/keys.md"),
        ("record", f"^{key(client)}"),
    ]
    assert [each["ref"] for each in client.get("/refs?q=key&limit=1").json["refs"]] == ["topics/keys.md"]
    (named,) = client.get(f"/refs?q=%5E{key(client)}").json["refs"]
    assert (named["ref"], named["title"]) == (f"^{key(client)}", "The spare key is under the pot.")
    assert client.get("/refs?q=%5Enone").json["refs"] == []


def test_the_core_has_exactly_its_fields_and_stands_in_no_list_of_topics(client: Client) -> None:
    core = client.get("/core")
    assert set(core.json) == {
        "ok", "content", "size", "mtime", "rendered_content", "rendered_tokens", "injection_enabled",
        "injected_content", "injected_tokens", "budget_tokens",
    }  # fmt: skip
    assert core.json["size"] == len(core.json["content"].encode())
    assert core.headers["etag"] == f'"{client.get("/status").json["revision"]}"'
    paths = [each["path"] for each in client.get("/topics").json["topics"]]
    assert "topics/keys.md" in paths
    assert "topics/core.md" not in paths
    assert client.get("/topics?prefix=nowhere").json["topics"] == []


def test_the_recent_records_say_their_limit_in_a_header(client: Client) -> None:
    assert client.get("/recent").headers["x-memory-recent-limit"] == "50"
    reply = client.get("/recent?limit=2")
    assert (reply.headers["x-memory-recent-limit"], len(reply.json["rows"])) == ("2", 2)


def test_a_delivery_is_traced_with_what_was_delivered(client: Client) -> None:
    given = client.get("/context?q=Has+the+shed+a+lock%3F").json
    trace = client.get("/traces?limit=1").json["traces"][0]
    assert (trace["text"], trace["actor"]) == (given["text"], "owner")


MISSING = (
    ("/why/nothing", 404, "MEMORY_NOT_FOUND"),
    ("/records/nothing", 404, "MEMORY_NOT_FOUND"),
    ("/records/nothing/history", 404, "MEMORY_NOT_FOUND"),
    ("/records/nothing/standing", 404, "MEMORY_NOT_FOUND"),
    ("/search?q=x&least=2", 400, "INVALID_ARGUMENT"),
    ("/records/topics%2Fkeys.md", 404, "NO_SUCH_ROUTE"),
    ("/topics/nothing.md", 404, "MEMORY_NOT_FOUND"),
    ("/context?q=x&session=nobody", 404, "SESSION_NODES_UNAVAILABLE"),
    ("/timeline/yesterday", 400, "INVALID_ARGUMENT"),
    ("/search", 400, "INVALID_ARGUMENT"),
    ("/search?q=x&limit=many", 400, "INVALID_ARGUMENT"),
    ("/search?q=x&kind=all", 400, "INVALID_ARGUMENT"),
    ("/search?q=x&since=soon", 400, "INVALID_ARGUMENT"),
    ("/recent?limit=0", 400, "INVALID_ARGUMENT"),
    ("/diff?old=nothing", 400, "INVALID_ARGUMENT"),
    ("/nothing", 404, "NO_SUCH_ROUTE"),
    ("", 404, "NO_SUCH_ROUTE"),
)


@pytest.mark.parametrize(("target", "status", "code"), MISSING)
def test_what_is_not_there_or_makes_no_sense_is_said(
    client: Client, target: str, status: int, code: str
) -> None:
    reply = client.get(target)
    assert (reply.status, reply.code) == (status, code)


def test_all_that_is_wrong_with_a_question_is_said_at_once(client: Client) -> None:
    reply = client.get("/search?limit=0&kind=all")
    assert reply.problems == [
        ("INVALID_ARGUMENT", "query.q"),
        ("INVALID_ARGUMENT", "query.limit"),
        ("INVALID_ARGUMENT", "query.kind"),
    ]


@pytest.mark.parametrize(
    ("target", "places"),
    [
        ("/search?q=x&bogus=1", ["query.bogus"]),
        ("/search?q=x&Limit=1&kinds=turn", ["query.Limit", "query.kinds"]),
        ("/search?limit=0&bogus=1", ["query.q", "query.limit", "query.bogus"]),
        ("/status?verbose=1", ["query.verbose"]),
        ("/timeline/2026?limit=1", ["query.limit"]),
        ("/diff?old=xx", ["query.old"]),
        ("/diff?new=HEAD~999", ["query.new"]),
    ],
)
def test_the_place_of_a_fault_is_a_parameter_of_the_address(
    client: Client, target: str, places: list[str]
) -> None:
    reply = client.get(target)
    assert reply.status in (400, 404)
    assert [place for _, place in reply.problems] == places


def test_a_parameter_that_there_is_not_is_refused_with_those_that_there_are(client: Client) -> None:
    (problem,) = client.get("/recent?most=3").json["error"]["problems"]
    assert problem["message"] == "there is no parameter 'most'"
    assert problem["remedy"] == "this route takes: limit"
    asked = client.post("/ask?keep=1", {"question": "Where is the spare key?"})
    assert asked.problems == [("INVALID_ARGUMENT", "query.keep")]
    assert asked.json["error"]["problems"][0]["remedy"] == "this route takes: no parameters"


def test_home_and_memory_are_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Service(Path("home"), settings=Settings()) as service:
        service.init()
        status = service.status()
    assert (status.home, status.memory) == (tmp_path / "home", tmp_path / "home" / "memory")


def test_a_topic_is_found_by_a_name_in_any_script(client: Client) -> None:
    made = client.post("/changes", request(create("Sencha at eighty degrees.", "topics/飲み物/緑茶.md")))
    assert made.status == 200
    assert client.get(f"/topics/{quote('飲み物/緑茶.md')}").json["path"] == "topics/飲み物/緑茶.md"


def test_where_there_is_no_memory_every_route_says_so_and_makes_none(tmp_path: Path) -> None:
    with served(tmp_path / "empty") as empty:
        for target in ("/status", "/search?q=x", "/topics", "/core", "/recent", "/why/x", "/traces"):
            reply = empty.get(target)
            assert (reply.status, reply.code) == (404, "MEMORY_NOT_FOUND")
    assert not (tmp_path / "empty" / "memory").exists()


def test_where_memory_is_switched_off_every_route_says_so_and_makes_none(tmp_path: Path) -> None:
    with served(tmp_path / "off", 'backend = "none"\n') as off:
        replies = [off.get("/status"), off.get("/search?q=x"), off.post("/remember", {"text": "x"})]
        assert [(each.status, each.code) for each in replies] == [(503, "MEMORY_DISABLED")] * 3
        assert replies[0].problems[0][0] == "NOT_PERMITTED"
    assert not (tmp_path / "off" / "memory").exists()
