"""A list of topics of the size of a life: sent in parts, and smooth to scroll."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsers import Open, opened
from page_homes import many_topics
from scriptorium.service import Service
from scriptorium.settings import Settings
from small_homes import NOW, create, request

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SOON = 15_000
TOPICS = 660
# As many pieces as 20,000 topics have, made of those that are there.
MANY = """() => {
    const list = document.querySelector('#items details[open] ul');
    const pieces = [...list.children].slice(0, 3);
    for (let n = 0; n < 33; n++) list.append(...pieces.map(e => e.cloneNode(true)));
}"""
SCROLLED = """async () => {
    const side = document.querySelector('.side'), times = [];
    let last = performance.now();
    side.scrollTop = 0;
    for (let n = 0; n < 60; n++) {
        side.scrollTop += 400;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        times.push(now - last);
        last = now;
    }
    return times.sort((a, b) => a - b)[30];
}"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """660 topics in one folder: more than are sent at once."""
    home = tmp_path_factory.mktemp("large")
    many_topics(home, [f"topics/many/topic {n:05}.md" for n in range(TOPICS)])
    return home


@pytest.fixture(scope="module")
def large(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    with opened(home, tmp_path_factory.mktemp("profile")) as found:
        yield found


def test_of_a_long_list_a_piece_is_sent_and_the_others_follow_when_somebody_comes_near(large: Open) -> None:
    page = large.go("/topics?folder=many/")
    page.locator("#items .chunk").first.wait_for()
    sent = large.page.request.get(page.url).text()
    assert "topic 00199" in sent
    assert "topic 00200" not in sent
    whole = _height(page)
    _all_rows(page)
    assert _names(page) == [f"topic {n:05}" for n in range(TOPICS)]
    assert abs(_height(page) - whole) < 72  # the list is as long from the first


def test_what_is_open_is_seen_however_far_below_it_stands(large: Open) -> None:
    page = large.go("/topics/many/topic 00455.md")
    row = page.locator("#items [aria-current=page]")
    assert row.inner_text().startswith("topic 00455")
    box = row.bounding_box()
    assert box is not None
    assert 0 < box["y"] < 900
    assert page.locator(".chunk[data-wait]").count() >= 1


def test_a_list_of_20_000_scrolls_as_smoothly_as_a_short_one(large: Open) -> None:
    page = large.go("/topics?folder=many/")
    _all_rows(page)
    short = _frame(page)
    page.evaluate(MANY)
    assert page.locator("#items a").count() >= 20_000
    assert _frame(page) < 4 * short + 10


def test_a_long_list_of_which_all_was_loaded_takes_in_what_changes_and_stays_where_it_is(
    large: Open, home: Path
) -> None:
    page = large.go("/topics?folder=many/")
    _all_rows(page)
    row = page.locator("#items a", has_text="topic 00500")
    row.focus()
    page.evaluate("document.querySelector('.side').scrollTop += 300")
    before = row.bounding_box()
    _added(home, ["aaa first", "topic 00500 again"])
    page.locator("#items a", has_text="topic 00500 again").wait_for(timeout=SOON)
    after = row.first.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) <= 36
    assert page.evaluate("document.activeElement.innerText").startswith("topic 00500")
    _all_rows(page)
    names = ["aaa first", *(f"topic {n:05}" for n in range(TOPICS)), "topic 00500 again"]
    assert _names(page) == sorted(names, key=lambda name: f"{name}.md")


def _added(home: Path, names: list[str]) -> None:
    """Topics that somebody writes."""
    with Service(home, settings=Settings(timezone="UTC"), moment=lambda: NOW) as service:
        made = [create(f"Fact of {name} in the garden.", f"topics/many/{name}.md") for name in names]
        done = service.change(request(*made))
        assert done.revision  # type: ignore[union-attr]


def _names(page: "Page") -> list[str]:
    names: list[str] = page.locator("#items a .label").all_text_contents()
    return names


def _height(page: "Page") -> int:
    return int(page.locator(".side").evaluate("e => e.scrollHeight"))


def _all_rows(page: "Page") -> None:
    """Scroll until nothing follows, and nothing is older than memory."""
    for _ in range(40):
        missing = page.locator(".chunk[data-wait], .chunk[data-stale]")
        if not missing.count():
            break
        with page.expect_response("**/rows?*"):
            missing.first.scroll_into_view_if_needed()
    page.locator("#items .chunk a:not(:has(.label))").first.wait_for(state="detached")


def _frame(page: "Page") -> float:
    """The median time of a frame while the list is scrolled, in milliseconds."""
    return float(page.evaluate(SCROLLED))
