"""A list of topics of the size of a life: sent in parts, and smooth to scroll."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browsers import Open, opened
from scriptorium.service import Service
from scriptorium.settings import Settings
from small_homes import NOW, create, request

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

TOPICS = 660
MANY = """() => {
    const list = document.querySelector('#items details[open] ul');
    const pieces = [...list.querySelectorAll('.chunk')];
    for (let n = 0; n < 44; n++) list.append(...pieces.map(e => e.cloneNode(true)));
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
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """660 topics in one folder: more than are sent at once."""
    home = tmp_path_factory.mktemp("large")
    with Service(home, settings=Settings(timezone="UTC"), moment=lambda: NOW) as service:
        for start in range(0, TOPICS, 60):
            numbers = range(start, start + 60)
            made = [create(f"Fact {n} of the garden.", f"topics/many/topic {n:05}.md") for n in numbers]
            done = service.change(request(*made))
            assert done.revision  # type: ignore[union-attr]
    with opened(home, tmp_path_factory.mktemp("profile")) as found:
        yield found


def test_a_long_list_is_sent_in_parts_that_follow_when_somebody_comes_near(large: Open) -> None:
    page = large.go("/topics?folder=many/")
    page.locator("#items li").first.wait_for()
    assert "topic 00250" not in large.page.request.get(page.url).text()
    _all_rows(page)
    names = page.locator("#items a .label").all_text_contents()
    assert names == [f"topic {n:05}" for n in range(TOPICS)]


def test_a_list_of_20_000_scrolls_as_smoothly_as_a_short_one(large: Open) -> None:
    page = large.go("/topics?folder=many/")
    _all_rows(page)
    short = _frame(page)
    page.evaluate(MANY)
    assert page.locator("#items a").count() >= 20_000
    assert _frame(page) < 4 * short + 10


def _all_rows(page: "Page") -> None:
    """Scroll until nothing follows."""
    while page.locator("#items .more").count():
        page.locator(".side").evaluate("e => e.scrollTo(0, e.scrollHeight)")
        page.wait_for_timeout(200)


def _frame(page: "Page") -> float:
    """The median time of a frame while the list is scrolled, in milliseconds."""
    return float(page.evaluate(SCROLLED))
