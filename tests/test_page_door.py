"""The door of the page: an address that opens once, a cookie that no script sees, forms of no other page."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from page_homes import Visitor, filled, visited
from scriptorium import credentials
from scriptorium_core.policy import READER
from web_homes import API, Reply, served


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    filled(home)
    return home


@pytest.fixture(scope="module")
def visitor(home: Path) -> Iterator[Visitor]:
    with visited(home) as found:
        yield found


def opening(visitor: Visitor, token: str, cookie: str = "") -> Reply:
    """A browser opens an address with a token."""
    given = {"cookie": cookie} if cookie else {}
    return visitor.client.ask("GET", f"/memory?token={token}", None, authorization="", **given)


def other_address(visitor: Visitor) -> str:
    """The token of another address, as the settings give it."""
    reply = visitor.send("/address")
    assert reply.status == 200
    (host, token) = re.findall(r"http://([\w.:]+)/memory\?token=(\w+)", reply.data.decode())[0]
    assert host == f"{visitor.client.host}:{visitor.client.port}"
    return str(token)


def test_the_token_leaves_the_address_and_no_script_sees_the_cookie(home: Path) -> None:
    with served(home) as client:
        reply = client.ask("GET", f"/memory?token={client.token}", authorization="")
        assert (reply.status, reply.headers["location"]) == (303, "/memory/topics")
        for word in ("HttpOnly", "SameSite=strict", "Path=/memory", "Max-Age="):
            assert word in reply.headers["set-cookie"]
        assert client.token not in reply.headers["set-cookie"]


def test_an_address_opens_once_and_the_second_time_it_is_said_how_to_get_another(visitor: Visitor) -> None:
    for _ in range(2):
        reply = opening(visitor, visitor.client.token)
        assert reply.status == 401
        assert "set-cookie" not in reply.headers
        for words in ("opened before", "Settings", "start it again"):
            assert words in reply.data.decode()
    # To programs the token says who they are as long as the server runs.
    assert visitor.client.get("/status").status == 200


def test_an_address_that_was_kept_leads_to_the_page_in_the_browser_that_is_in(visitor: Visitor) -> None:
    reply = opening(visitor, visitor.client.token, visitor.cookie)
    assert (reply.status, reply.headers["location"]) == (303, "/memory/topics")
    assert "set-cookie" not in reply.headers
    stale = visitor.cookie[:-4] + "0000"
    assert opening(visitor, visitor.client.token, stale).status == 401


def test_the_settings_give_another_address_that_opens_once_and_is_no_token_of_programs(
    visitor: Visitor,
) -> None:
    assert "Address for another browser" in visitor.text("/settings")
    token = other_address(visitor)
    program = visitor.client.ask("GET", f"{API}/status", authorization=f"Bearer {token}")
    assert program.status == 401
    reply = opening(visitor, token)
    assert reply.status == 303
    other = Visitor(visitor.client, reply.headers["set-cookie"].partition(";")[0])
    assert other.cookie != visitor.cookie
    assert "spare key" in other.text("/topics/keys.md")
    assert opening(visitor, token).status == 401


def test_of_the_addresses_that_nobody_opened_the_oldest_are_void(visitor: Visitor) -> None:
    first, *_, last = [other_address(visitor) for _ in range(9)]
    assert opening(visitor, first).status == 401
    assert opening(visitor, last).status == 303


def test_a_token_that_was_made_for_somebody_opens_the_page_as_them_once(home: Path, visitor: Visitor) -> None:
    token = credentials.create(home, READER, "a guest")
    reply = opening(visitor, token)
    guest = Visitor(visitor.client, reply.headers["set-cookie"].partition(";")[0])
    assert 'class="actor">reader<' in guest.text("/topics")
    assert opening(visitor, token).status == 401
    other = opening(visitor, other_address(guest))
    credentials.revoke(home, "a guest")
    for cookie in (guest.cookie, other.headers["set-cookie"].partition(";")[0]):
        assert Visitor(visitor.client, cookie).get("/topics").status == 401


@pytest.mark.parametrize("address", ["", "/topics", "/core", "/revision", "/records/x"])
def test_nobody_without_a_session_sees_anything(visitor: Visitor, address: str) -> None:
    name = visitor.cookie.partition("=")[0]
    for cookie in ("", f"{name}=wrong", f"{name}=", "other=x"):
        reply = visitor.client.ask("GET", f"/memory{address}", authorization="", cookie=cookie)
        # With any cookie the door leads on to a page, which refuses it.
        assert reply.status == (303 if not address and cookie.startswith(name) else 401), cookie
        assert "spare key" not in reply.data.decode()


def test_who_leaves_is_out(visitor: Visitor) -> None:
    with_own = opening(visitor, other_address(visitor))
    other = Visitor(visitor.client, with_own.headers["set-cookie"].partition(";")[0])
    assert other.send("/leave").status == 200
    assert other.get("/topics").status == 401


def test_a_form_of_another_page_changes_nothing(visitor: Visitor) -> None:
    (block, *_) = re.findall(r'data-record="([\w-]+)"', visitor.text("/topics/keys.md"))
    for word in ("", "0" * 64):
        assert visitor.send(f"/records/{block}/forget", word=word).status == 403
    body = f"word={visitor.word()}".encode()
    kind = {"content_type": "application/x-www-form-urlencoded", "cookie": visitor.cookie}
    for headers in ({"origin": "http://evil.example"}, {"sec_fetch_site": "cross-site"}):
        reply = visitor.client.ask("POST", f"/memory/records/{block}/forget", body, **kind, **headers)
        assert reply.status == 403
    assert visitor.get(f"/records/{block}").status == 200


def test_a_program_with_a_token_reads_pages_and_sends_no_form(visitor: Visitor) -> None:
    client = visitor.client
    assert client.ask("GET", "/memory/topics").status == 200
    body = b"word="
    kind = {"content_type": "application/x-www-form-urlencoded"}
    assert client.ask("POST", "/memory/core", body, **kind).status == 401
