"""The page at the size of a life, and for people who do not see it: axe finds no serious fault."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browsers import Open, opened
from page_homes import filled
from scriptorium.service import Service
from scriptorium.settings import Settings
from small_homes import NOW, create, request

pytestmark = pytest.mark.browser

PAGES = (
    "/topics", "/topics/keys.md", "/topics/keys.md?view=edit", "/timeline/2025", "/recent", "/core",
    "/core?view=source", "/search?q=spare+key&kind=both", "/traces", "/settings", "/log", "/commits/HEAD",
)  # fmt: skip


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    home = tmp_path_factory.mktemp("home")
    filled(home)
    with opened(home, tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_no_serious_fault(window: Open, address: str, scheme: str) -> None:
    sync = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python")
    window.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page = window.go(address)
    # The policy of the page lets no script in but its own: axe comes in by the browser's own way.
    found = sync.Axe().run(page).response["violations"]
    serious = [
        (each["id"], node["html"]) for each in found if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]  # fmt: skip
    assert serious == []


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """2,000 topics in one folder."""
    home = tmp_path_factory.mktemp("large")
    with Service(home, settings=Settings(timezone="UTC"), moment=lambda: NOW) as service:
        for start in range(0, 2_000, 50):
            made = [
                create(f"Fact {n} about the garden.", f"topics/many/topic {n:05}.md")
                for n in range(start, start + 50)
            ]
            done = service.change(request(*made))
            assert done.revision  # type: ignore[union-attr]
    with opened(home, tmp_path_factory.mktemp("profile")) as found:
        yield found


def test_a_long_list_is_sent_in_parts_that_follow_when_somebody_comes_near(large: Open) -> None:
    page = large.go("/topics?folder=many/")
    rows = page.locator("#items li")
    first = rows.count()
    assert first <= 410
    for _ in range(12):
        page.locator(".side").evaluate("e => e.scrollTo(0, e.scrollHeight)")
        page.wait_for_timeout(400)
    assert rows.count() >= 2_000
    assert page.locator("#items .more").count() == 0
    names = page.locator("#items a .label").all_text_contents()
    assert names == sorted(set(names))


def test_a_long_list_scrolls_smoothly(large: Open) -> None:
    page = large.go("/topics?folder=many/")
    for _ in range(12):
        page.locator(".side").evaluate("e => e.scrollTo(0, e.scrollHeight)")
        page.wait_for_timeout(300)
    short = _frames(page)
    # Ten times as many rows as were sent, so that the list is one of 20,000.
    page.evaluate(
        "() => { const list = document.querySelector('#items details[open] ul');"
        " const rows = [...list.children]; for (let n = 0; n < 9; n++) list.append(...rows.map(e => e.cloneNode(true))) }"
    )
    assert page.locator("#items li").count() >= 20_000
    assert _frames(page) < 4 * short + 10


def _frames(page: object) -> float:
    """The median time of a frame while the list is scrolled, in milliseconds."""
    return float(
        page.evaluate(  # type: ignore[attr-defined]
            "async () => { const side = document.querySelector('.side'), times = []; let last = performance.now();"
            " side.scrollTop = 0; for (let n = 0; n < 60; n++) { side.scrollTop += 400;"
            " await new Promise(requestAnimationFrame); const now = performance.now(); times.push(now - last);"
            " last = now } return times.sort((a, b) => a - b)[30] }"
        )
    )
