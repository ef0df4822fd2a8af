"""What a server does not do: answer foreign names, foreign pages, strangers, and what can mean two things."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium import credentials
from scriptorium.web.statuses import STATUSES, Fault
from scriptorium_core.policy import READER
from scriptorium_core.problem import Code
from small_homes import create, request
from web_homes import API, Client, served


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("homes") / "home"


@pytest.fixture(scope="module")
def client(home: Path) -> Iterator[Client]:
    with served(home) as found:
        found.post("/changes", request(create("The spare key is under the pot.")))
        yield found


def test_every_code_has_a_status() -> None:
    assert set(STATUSES) == {*map(str, Code), *map(str, Fault)}
    assert all(400 <= status < 600 for status in STATUSES.values())


# --- Hosts and origins -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8420", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0",
        "127.0.0.2", "localhost.", "[::2]", "::1", "", "user@localhost", "evil.example@127.0.0.1",
    ],
)  # fmt: skip
def test_a_name_that_was_bent_to_this_computer_is_refused(client: Client, host: str) -> None:
    reply = client.get("/status", host=host)
    assert (reply.status, reply.code) == (421, "HOST_NOT_ALLOWED")
    assert client.ask("GET", "/memory", host=host).status == 421


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LocalHost:1", "[::1]", "[::1]:8420"])
def test_the_names_of_this_computer_are_answered_at_any_port(client: Client, host: str) -> None:
    assert client.get("/status", host=host).status == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
    ],
)
def test_a_page_of_another_origin_is_refused(client: Client, origin: str) -> None:
    for method in ("GET", "OPTIONS", "POST"):
        reply = client.ask(method, f"{API}/status", origin=origin.format(port=client.port))
        assert (reply.status, reply.code) == (403, "ORIGIN_NOT_ALLOWED")
        assert not [name for name in reply.headers if name.startswith("access-control-")]


def test_what_a_browser_says_of_the_page_decides(client: Client) -> None:
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
        assert client.get("/status", sec_fetch_site=site).status == status
    own = client.get("/status", origin=f"http://127.0.0.1:{client.port}")
    assert own.status == 200
    assert not [name for name in own.headers if name.startswith("access-control-")]


# --- Tokens ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    ["", "Bearer", "Bearer ", "Bearer wrong", "Basic {token}", "{token}", "Bearer {token}x", "Bearer é"],
)
def test_nobody_is_answered_without_a_token(client: Client, given: str) -> None:
    for target in (
        f"{API}/status",
        f"{API}/openapi.json",
        f"{API}/nothing",
        f"{API}/status?token={client.token}",
    ):
        reply = client.ask("GET", target, authorization=given.format(token=client.token))
        assert (reply.status, reply.code) == (401, "UNAUTHORIZED")
        assert reply.headers["www-authenticate"].startswith("Bearer")
        assert client.token not in reply.data.decode()


def test_a_token_is_bound_to_an_actor(client: Client, home: Path) -> None:
    token = credentials.create(home, READER, "a reader")
    reader = Client(client.host, client.port, token)
    assert reader.get("/search?q=spare+key").json["hits"]
    for reply in (
        reader.post("/changes", request(create("The reader was here."))),
        reader.post("/remember", {"text": "The reader was here."}),
        reader.post("/forget", {"names": ["00000000"]}),
    ):
        assert (reply.status, reply.code) == (403, "NOT_PERMITTED")
    credentials.revoke(home, "a reader")
    assert reader.get("/status").status == 401


def test_tokens_that_others_could_have_written_are_not_taken(tmp_path: Path) -> None:
    with served(tmp_path / "home") as client:
        token = credentials.create(tmp_path / "home", READER)
        (tmp_path / "home" / credentials.FILE).chmod(0o644)
        reply = Client(client.host, client.port, token).get("/status")
        assert (reply.status, reply.code) == (403, "NOT_PERMITTED")


def test_the_page_takes_the_token_of_its_address(client: Client) -> None:
    assert client.ask("GET", f"/memory?token={client.token}", authorization="").status == 303
    for target in ("/memory", "/memory?token=wrong"):
        assert client.ask("GET", target, authorization="").status == 401


# --- Addresses ---------------------------------------------------------------------------------------

ESCAPES = (
    "../.git/config", "..%2f.git%2fconfig", "%2e%2e/.git/config", "%2E%2E%2F.git%2Fconfig", ".%2e/x", "..\\x",
    "..%5c.git%5cconfig", "a/../../.git/config", "/etc/passwd", "%2fetc%2fpasswd", "C:%5cx", "c:/x",
    ".git/config", ".git%2fconfig", ".GIT/config", "%2egit/config", "git~1/config", ".scriptorium/index",
    ".scriptorium%2findex", "a/.scriptorium/x", "./x", "a//b", "a/", "", "con.md", "a%0ab",
    "a%00b", "..%c0%af.git/config", "%ff", "%", "%zz", "%2", "a%E2%80", "%u002e%u002e/x", "a" * 300,
)  # fmt: skip


@pytest.mark.parametrize("path", ESCAPES)
def test_no_path_leads_out_of_the_topics(client: Client, home: Path, path: str) -> None:
    before = sorted(each for each in (home / "memory" / "topics").rglob("*"))
    body = json.dumps({"content": "# Out\n"}).encode()
    get = client.get(f"/topics/{path}")
    put = client.ask("PUT", f"{API}/topics/{path}", body, content_type="application/json", if_none_match="*")
    gone = client.ask("DELETE", f"{API}/topics/{path}", if_match='"' + "0" * 40 + '"')
    allowed = {
        "INVALID_ARGUMENT",
        "INVALID_TOPIC_FORMAT",
        "PATH_OUTSIDE_WORKSPACE",
        "BAD_REQUEST",
        "READ_ONLY_PATH",
    }
    for reply in (get, put, gone):
        assert reply.status == 400, reply.data
        assert reply.code in allowed
        assert b"repositoryformatversion" not in reply.data
    assert sorted(each for each in (home / "memory" / "topics").rglob("*")) == before


@pytest.mark.parametrize("path", ["%252e%252e%252f.git", "%25zz", "%2525"])
def test_what_was_escaped_twice_is_a_name_and_leads_nowhere(client: Client, path: str) -> None:
    assert client.get(f"/topics/{path}").status in (400, 404)


@pytest.mark.parametrize(
    "target", ["/../etc/passwd", "//", "/api/memory/../../etc", "/.git/config", "*", "/api"]
)
def test_other_addresses_are_no_routes(client: Client, target: str) -> None:
    reply = client.ask("GET", target)
    assert (reply.status, reply.code) == (404, "NO_SUCH_ROUTE")


@pytest.mark.parametrize("query", ["q=%zz", "q=%ff", "q=%00", "q=a%", "%c0%80=x"])
def test_a_question_that_can_mean_two_things_is_refused(client: Client, query: str) -> None:
    reply = client.get(f"/search?{query}")
    assert (reply.status, reply.code) == (400, "BAD_REQUEST")


@pytest.mark.parametrize("name", [".git", ".git/config", "../core.md", ".scriptorium/index.sqlite3", "^%5E"])
def test_other_names_lead_nowhere_either(client: Client, name: str) -> None:
    for route in ("why", "records"):
        assert client.get(f"/{route}/{name}").status in (400, 404)


# --- Methods and headers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "target", "allowed"),
    [
        ("POST", "/status", "GET, HEAD"),
        ("OPTIONS", "/status", "GET, HEAD"),
        ("OPTIONS", "/topics/keys.md", "DELETE, GET, HEAD, PUT"),
        ("PATCH", "/topics/keys.md", "DELETE, GET, HEAD, PUT"),
        ("DELETE", "/core", "GET, HEAD, PUT"),
        ("GET", "/changes", "POST"),
        ("TRACE", "/search?q=x", "GET, HEAD"),
        ("BREW", "/search?q=x", "GET, HEAD"),
    ],
)
def test_a_method_that_a_route_has_not_is_refused_with_those_that_it_has(
    client: Client, method: str, target: str, allowed: str
) -> None:
    reply = client.ask(method, f"{API}{target}")
    assert (reply.status, reply.code, reply.headers["allow"]) == (405, "METHOD_NOT_ALLOWED", allowed)


def test_the_head_of_a_refusal_has_no_body(client: Client) -> None:
    for target, status in (("/changes", 405), ("/nothing", 404), ("/why/nothing", 404)):
        reply = client.ask("HEAD", f"{API}{target}")
        assert (reply.status, reply.data) == (status, b"")


def test_every_answer_stays_out_of_caches_and_frames(client: Client) -> None:
    answers = (client.get("/status"), client.get("/why/nothing"), client.get("/status", host="evil.example"))
    for reply in answers:
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["x-frame-options"] == "DENY"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert "server" not in reply.headers
