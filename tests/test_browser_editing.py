"""The editor in a real browser: no draft is lost, whatever is saved, typed or changed meanwhile."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsers import alone, opened
from page_homes import Desk, filled

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

EDIT = "/topics/keys.md?view=edit"
SOON = 15_000


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    home = tmp_path_factory.mktemp("home")
    filled(home)
    with opened(home, tmp_path_factory.mktemp("profile")) as window:
        window.page.on("dialog", lambda dialog: dialog.accept())
        yield Desk(window, home)


@pytest.fixture
def desk(shared: Desk) -> Iterator[Desk]:
    """The desk, on which everything stands as it stood before when a test has ended."""
    paths = ("topics/keys.md", "topics/core.md")
    before = [shared.committed(path) for path in paths]
    yield shared
    shared.window.go("/settings")
    for path, text in zip(paths, before, strict=True):
        shared.write(text, path)


def replaced(page: "Page", old: str, new: str) -> None:
    area = page.locator("textarea")
    area.fill(area.input_value().replace(old, new))


def outcome(page: "Page", wanted: str) -> None:
    """Wait until saving has gone so."""
    page.locator(f"#editor[data-outcome='{wanted}']").wait_for()


def test_what_is_saved_is_committed_and_the_editor_stays(desk: Desk) -> None:
    page = desk.window.go(EDIT)
    replaced(page, "under the pot", "in the shed")
    page.keyboard.press("Control+s")
    outcome(page, "saved")
    assert "in the shed" in desk.committed()
    replaced(page, "in the shed", "on the shelf")
    page.get_by_role("button", name="Save").click()
    page.locator(".outcome", has_text=re.compile("^Saved$")).wait_for()
    assert "on the shelf" in desk.committed()


def test_a_draft_typed_while_saving_is_not_overwritten(desk: Desk) -> None:
    page = desk.window.go(EDIT)

    def slowly(route: "Route") -> None:
        if route.request.method == "POST":
            replaced(page, "no lock", "a lock")  # typed while the server works
        route.continue_()

    page.route("**/topics/keys.md", slowly)
    replaced(page, "under the pot", "in the shed")
    page.get_by_role("button", name="Save").click()
    outcome(page, "saved")
    page.unroute("**/topics/keys.md")
    draft = page.locator("textarea").input_value()
    assert "a lock" in draft
    assert "in the shed" in draft
    assert "no lock" in desk.committed()
    page.get_by_role("button", name="Save").click()
    page.locator(".outcome", has_text=re.compile("^Saved$")).wait_for()
    assert "a lock" in desk.committed()


def test_a_rejected_edit_keeps_the_draft_and_its_problems_lead_to_their_lines(desk: Desk) -> None:
    page = desk.window.go(EDIT)
    area = page.locator("textarea")
    broken = area.input_value() + "\nNobody says this.\n"
    area.fill(broken)
    page.get_by_role("button", name="Save").click()
    outcome(page, "rejected")
    assert area.input_value() == broken
    line = broken.split("\n").index("Nobody says this.") + 1
    marked = page.locator(".gutter .fault")
    assert marked.all_inner_texts() == [str(line)]
    mark = marked.bounding_box()
    sheet = area.bounding_box()
    assert mark is not None
    assert sheet is not None
    assert abs(mark["y"] - (sheet["y"] + 10 + 20 * (line - 1))) < 2  # beside its line
    page.locator(".problems a").click()
    chosen = area.evaluate("e => e.value.slice(e.selectionStart, e.selectionEnd)")
    assert chosen == "Nobody says this."
    assert "Nobody" not in desk.committed()


def test_a_conflict_shows_both_texts_and_is_merged_by_record(desk: Desk) -> None:
    page = desk.window.go(EDIT)
    replaced(page, "no lock", "a new lock")
    desk.change("under the pot", "in the shed")
    page.get_by_role("button", name="Save").click()
    outcome(page, "conflict")
    assert "a new lock" in page.locator("section[aria-label='Your text']").inner_text()
    assert "in the shed" in page.locator("section[aria-label='The text in memory']").inner_text()
    draft = page.locator("textarea").input_value()
    assert "a new lock" in draft
    assert "in the shed" in draft
    page.get_by_role("button", name="Save").click()
    outcome(page, "saved")
    assert "a new lock" in desk.committed()
    assert "in the shed" in desk.committed()


def test_what_changes_meanwhile_appears_and_an_open_draft_stays(desk: Desk) -> None:
    page = desk.window.go("/topics/keys.md")
    desk.change("under the pot", "in the shed")
    page.locator(".prose:has-text('in the shed')").wait_for(timeout=SOON)
    desk.window.go(EDIT)
    replaced(page, "no lock", "my draft")
    page.locator("textarea").evaluate("e => e.setSelectionRange(5, 5)")
    desk.change("in the shed", "elsewhere")
    page.locator(".status:has-text('Memory has changed')").wait_for(timeout=SOON)
    assert "my draft" in page.locator("textarea").input_value()
    assert page.locator("textarea").evaluate("e => e.selectionStart") == 5


def test_an_open_folder_and_the_focus_stay_where_they_are_when_something_changes(desk: Desk) -> None:
    page = desk.window.go("/topics/keys.md")
    page.locator("summary:has-text('house')").click()
    page.locator("summary:has-text('keys')").first.wait_for()
    page.get_by_role("link", name="Edit").focus()
    desk.change("under the pot", "in the shed")
    page.locator(".prose:has-text('in the shed')").wait_for(timeout=SOON)
    assert page.locator("details[data-key='house/']").get_attribute("open") is not None
    assert page.evaluate("document.activeElement.textContent") == "Edit"


def test_the_core_keeps_a_draft_typed_while_saving_too(desk: Desk) -> None:
    page = desk.window.go("/core?view=source")
    replaced(page, "British", "plain")
    page.get_by_role("button", name="Save").click()
    outcome(page, "saved")
    assert "plain" in desk.committed("topics/core.md")


def test_without_script_everything_that_matters_works(shared: Desk, tmp_path: Path) -> None:
    with alone(shared.window, tmp_path / "profile", java_script_enabled=False) as window:
        page = window.go("/topics?folder=house/")
        page.locator("summary:has-text('keys')").click()
        page.get_by_role("link", name="Open keys").click()
        page.get_by_role("link", name="door").click()
        page.locator("a.proof").first.click()
        page.locator(".turn.main").first.wait_for()
        page.get_by_role("button", name="Dispute").click()
        page.locator(".standing.reject").first.wait_for()
        page = window.go(EDIT)
        page.locator("textarea").fill("# Keys\n\nNobody says this.\n")
        page.get_by_role("button", name="Save").click()
        assert page.locator("textarea").input_value() == "# Keys\n\nNobody says this.\n"
        assert page.locator(".gutter .fault").all_inner_texts() == ["3"]
