"""What there is to look at, what is decided about it, and what each topic is about, on the page."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from page_homes import Visitor, filled, visited
from scriptorium.service import Service
from scriptorium.settings import Settings
from small_homes import NOW, create, request


@pytest.fixture
def home(tmp_path: Path) -> Path:
    filled(tmp_path)
    return tmp_path


@pytest.fixture
def visitor(home: Path) -> Iterator[Visitor]:
    with visited(home) as found:
        yield found


def disputed(visitor: Visitor) -> str:
    """The record of the spare key, in doubt."""
    (block, *_) = re.findall(r'data-record="([\w-]+)"', visitor.text("/topics/keys.md"))
    (seen,) = re.findall(r'name="seen" value="([^"]*)"', visitor.text(f"/records/{block}"))
    assert visitor.send(f"/records/{block}/dispute", seen=seen).status == 303
    return str(block)


def items(page: str) -> list[str]:
    return re.findall(r'<form class="entry" id="i-(\w+)"', page)


def test_nothing_to_look_at_says_what_will_appear(tmp_path: Path) -> None:
    with Service(tmp_path, settings=Settings()) as service:
        service.init()
    with visited(tmp_path) as visitor:
        page = visitor.text("/review")
        assert "Nothing to look at" in page
        assert "0 / 0" in page
        assert "will appear here" in visitor.text("/digest")


def test_what_is_in_doubt_comes_up_with_its_evidence_and_what_can_be_decided(visitor: Visitor) -> None:
    block = disputed(visitor)
    page = visitor.text("/review")
    assert page.index("<h2>Disputed</h2>") < page.index("The spare key is under the pot.")
    assert f'href="/memory/records/{block}"' in page
    shown = page[page.index("<h2>Disputed</h2>") :].partition("</form>")[0]
    assert re.findall(r'name="key" value="(\w)">([^<]+)<', shown) == [("v", "Validate"), ("x", "Discard")]


def test_a_decision_is_carried_out_and_the_item_is_gone(visitor: Visitor) -> None:
    block = disputed(visitor)
    (item, *_) = items(visitor.text("/review"))
    reply = visitor.send("/review", item=item, key="v")
    assert (reply.status, reply.headers["location"]) == (303, "/memory/review")
    assert item not in items(visitor.text("/review"))
    assert "verified" in visitor.text(f"/records/{block}")
    again = visitor.send("/review", item=item, key="v")
    assert (again.status, "look at the list again" in again.data.decode()) == (409, True)


def test_what_is_refused_leads_back_to_the_page_of_ours_that_somebody_came_from(visitor: Visitor) -> None:
    host = f"http://{visitor.client.host}:{visitor.client.port}"
    for referer, back in (
        (f"{host}/memory/timeline/2025?start=0", 'href="/memory/timeline/2025?start=0"'),
        ("http://evil.example/memory/x", ""),
        (f"{host}/elsewhere", ""),
        ("", ""),
    ):
        given = {"cookie": visitor.cookie, "authorization": "", "referer": referer}
        page = visitor.client.ask("GET", "/memory/records/none", None, **given).data.decode()
        assert ("Back to where you were" in page) == bool(back)
        assert back in page


def test_nothing_is_decided_by_another_page_or_by_a_key_that_there_is_not(visitor: Visitor) -> None:
    block = disputed(visitor)
    (item, *_) = items(visitor.text("/review"))
    assert visitor.send("/review", word="0" * 64, item=item, key="v").status == 403
    assert visitor.send("/review", item=item, key="z").status == 400
    assert "disputed" in visitor.text(f"/records/{block}")


def test_of_two_that_say_nearly_the_same_one_is_kept(home: Path) -> None:
    with Service(home, settings=Settings(timezone="UTC"), moment=lambda: NOW) as service:
        for words in ("on the second shelf of the shed.", "on the second shelf in the shed."):
            service.change(request(create(f"The green watering can stands {words}", "topics/garden.md")))
    with visited(home) as visitor:
        page = visitor.text("/review")
        shown = page[page.index("<h2>Nearly the same</h2>") :].partition("</form>")[0]
        assert shown.count("watering can") == 2
        keys = ["Keep the first", "Keep the second", "Keep both", "Dispute both"]
        assert re.findall(r'name="key" value="\w">([^<]+)<', shown) == keys
        (item,) = re.findall(r'name="item" value="(\w+)"', shown)
        assert visitor.send("/review", item=item, key="1").status == 303
        assert "Nearly the same" not in visitor.text("/review")


def test_every_topic_has_a_line_of_what_it_is_about(visitor: Visitor) -> None:
    page = visitor.text("/digest")
    for words in ("The spare key is under the pot", 'href="/memory/topics/house/keys/door.md"', "2025"):
        assert words in page
    assert "topics/core.md" not in page
    assert "spare key" not in visitor.text("/digest?folder=house/")


def test_the_lines_of_many_topics_come_so_many_at_a_time(tmp_path: Path) -> None:
    with Service(tmp_path, settings=Settings(timezone="UTC"), moment=lambda: NOW) as service:
        service.change(request(*(create(f"Fact {n}.", f"topics/t{n:02}.md") for n in range(52))))
    with visited(tmp_path) as visitor:
        first = visitor.text("/digest")
        assert first.count('<article class="entry"') == 50
        (following,) = re.findall(r'href="/memory/digest(\?start=\d+)">Next', first)
        last = visitor.text(f"/digest{following}")
        assert last.count('<article class="entry"') == 2
        assert "Next" not in last
