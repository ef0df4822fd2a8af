"""For people who do not see the page, or not all of it: axe finds no serious fault, light or dark."""

from collections.abc import Iterator

import pytest

from browsers import Open, opened
from page_homes import by_hand, filled

pytestmark = pytest.mark.browser

PAGES = (
    "/topics", "/topics/keys.md", "/topics/keys.md?view=edit", "/timeline/2025", "/recent", "/core",
    "/core?view=source", "/search?q=spare+key&kind=both", "/traces", "/settings", "/log", "/commits/HEAD",
    "/review", "/digest", "/topics/broken.md", "/topics/broken.md?view=edit",
)  # fmt: skip


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    home = tmp_path_factory.mktemp("home")
    filled(home)
    by_hand(home, {"broken": b"# Broken\n\nNobody says this.\n"})
    with opened(home, tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_no_serious_fault_light_or_dark(window: Open, address: str) -> None:
    sync = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python")
    page = window.go(address)
    for scheme in ("light", "dark"):
        window.like(color_scheme=scheme)
        # The policy of the page lets no script in but its own: axe comes in by the browser's own way.
        found = sync.Axe().run(page).response["violations"]
        serious = [
            (scheme, each["id"], node["html"]) for each in found for node in each["nodes"]
            if each["impact"] in ("serious", "critical")
        ]  # fmt: skip
        assert serious == []
