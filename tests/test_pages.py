"""The page without a browser: who comes in, what is shown where, and what no page lets through."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from page_homes import Visitor, filled, visited
from scriptorium.service import Service
from scriptorium.settings import Settings
from small_homes import NOW, create, request

PAGES = (
    ("/topics", "Choose a topic"),
    ("/topics?folder=house/", "keys"),
    ("/rows?folder=house/", "keys"),
    ("/topics/keys.md", "spare key"),
    ("/topics/house/keys/door", "予備の鍵は青いドアの裏です"),
    ("/topics/keys.md?view=edit", "Source"),
    ("/topics/new/topic.md?view=edit", "# Topic"),
    ("/timeline", "Choose a date"),
    ("/timeline/2025", "no month known"),
    ("/timeline/2025-11-03", "boiler"),
    ("/timeline/1999", "Nothing on this date"),
    ("/recent", "boiler"),
    ("/core", "British English"),
    ("/core?view=source", "British English"),
    ("/search", "Search memory"),
    ("/search?q=spare+key", "Found by terms"),
    ("/search?q=tea&kind=both", "message"),
    ("/search?q=zzzz", "Nothing found"),
    ("/message?name=chat/s1/u1", "prefer tea"),
    ("/traces", "Where is the spare key?"),
    ("/log?topic=keys", "commits/"),
    ("/commits/HEAD", "created"),
    ("/settings", "settings.toml"),
)


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    home = tmp_path_factory.mktemp("home")
    filled(home)
    with visited(home) as found:
        yield found


def record(visitor: Visitor, topic: str = "keys") -> str:
    """The first record of a topic."""
    return str(re.findall(r'data-record="([\w-]+)"', visitor.text(f"/topics/{topic}.md"))[0])


@pytest.mark.parametrize(("address", "words"), PAGES)
def test_a_page_shows_what_it_is_about(visitor: Visitor, address: str, words: str) -> None:
    assert words in visitor.text(address)


@pytest.mark.parametrize("address", [address for address, _ in PAGES])
def test_no_page_holds_script_style_or_another_host(visitor: Visitor, address: str) -> None:
    reply = visitor.get(address)
    html = reply.data.decode()
    scripts = re.findall(r"<script[^>]*>", html)
    assert all(
        re.fullmatch(r'<script src="/memory/assets/\w{12}/page.js" type="module">', s) for s in scripts
    )
    assert not re.search(r"<style|\sstyle=|\son\w+=", html)
    assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', html)
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert reply.headers["cache-control"] == "no-store"


def test_a_record_shows_the_message_with_its_neighbours_and_where_it_was_written(visitor: Visitor) -> None:
    (tea,) = re.findall(r"/records/([\w-]+)\"", visitor.text("/search?q=prefer+tea"))[:1]
    html = visitor.text(f"/records/{tea}")
    for words in (
        "I prefer tea to coffee",
        "Tea it is, and euros.",
        "live branch",
        "supported 0.75",
    ):
        assert words in html
    assert "Where it was written" in html


def test_the_part_of_a_record_is_what_the_script_puts_into_a_page(visitor: Visitor) -> None:
    part = visitor.get(f"/records/{record(visitor)}", x_part="1").data.decode()
    assert "<html" not in part
    assert 'class="panel"' in part


def test_a_deep_link_to_a_record_leads_to_where_it_stands(visitor: Visitor) -> None:
    block = record(visitor, "house/keys/door")
    reply = visitor.get(f"/records/{block}/place")
    assert reply.headers["location"] == f"/memory/topics/house/keys/door.md#r-{block}"


def test_what_is_not_there_is_said_on_a_page(visitor: Visitor) -> None:
    for address, status in (
        ("/topics/none", 404),
        ("/nowhere", 404),
        ("/records/none", 404),
        ("/timeline/x", 400),
    ):
        reply = visitor.get(address)
        assert reply.status == status
        assert "<h1>Not possible</h1>" in reply.data.decode()


def test_the_core_preview_is_empty_where_nothing_is_injected(tmp_path: Path) -> None:
    filled(tmp_path)
    with visited(tmp_path, "inject = false\n") as visitor:
        html = visitor.text("/core")
        assert "Nothing is injected" in html
        assert "British English" not in html
        assert "0 / 2,000" in html


def test_empty_sections_say_what_will_appear(tmp_path: Path) -> None:
    with Service(tmp_path, settings=Settings()) as service:
        service.init()
    with visited(tmp_path) as visitor:
        told = (("/topics", "No topics yet"), ("/timeline", "No dates yet"), ("/recent", "Nothing new yet"))
        for address, words in (*told, ("/core", "The core is empty"), ("/traces", "Nothing delivered yet")):
            assert words in visitor.text(address)
            assert "will appear here" in visitor.text(address)


def test_a_year_of_many_records_comes_so_many_days_at_a_time(tmp_path: Path) -> None:
    days = [f"2024-01-{day:02}" for day in range(1, 25)]
    made = [
        create(f"On {day}, fact {n}.", "topics/year.md") | {"time": day} for day in days for n in range(10)
    ]
    with Service(tmp_path, settings=Settings(timezone="UTC"), moment=lambda: NOW) as service:
        for start in range(0, len(made), 60):
            service.change(request(*made[start : start + 60]))
    with visited(tmp_path) as visitor:
        first = visitor.text("/timeline/2024")
        assert re.findall(r'class="day" id="d-([\d-]+)"', first) == days[:20]
        assert first.count('class="entry"') == 200
        (following,) = re.findall(r'href="/memory/timeline/2024(\?start=\d+)">Next', first)
        last = visitor.text(f"/timeline/2024{following}")
        assert re.findall(r'class="day" id="d-([\d-]+)"', last) == days[20:]
        assert last.count('class="entry"') == 40
        assert ">Next<" not in last
