"""The editor in a real browser: no draft is lost, whatever is saved, typed or changed meanwhile."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import frozen

from browsers import Open, opened
from page_homes import filled
from scriptorium.service import Service
from scriptorium.settings import Settings
from small_homes import NOW

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

EDIT = "/topics/keys.md?view=edit"
SOON = 15_000


@frozen
class Desk:
    """An open window, and another hand on the same home."""

    window: Open
    home: Path

    def edit(self, address: str = EDIT) -> "Page":
        return self.window.go(address)

    def change(self, old: str, new: str, path: str = "topics/keys.md") -> None:
        """Somebody else changes a topic."""
        with Service(self.home, settings=Settings(), moment=lambda: NOW) as service:
            text = service.show(path).text.replace(old, new)  # type: ignore[union-attr]
            done = service.change({"changes": [{"path": path, "action": "write", "content": text}]})
            assert done.report is not None  # type: ignore[union-attr]

    def committed(self, path: str = "topics/keys.md") -> str:
        """The text of a topic as it is now."""
        with Service(self.home, settings=Settings(), moment=lambda: NOW) as service:
            return service.show(path).text  # type: ignore[union-attr]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    home = tmp_path / "home"
    filled(home)
    with opened(home, tmp_path / "profile") as window:
        window.page.on("dialog", lambda dialog: dialog.accept())
        yield Desk(window, home)


def replaced(page: "Page", old: str, new: str) -> None:
    area = page.locator("textarea")
    area.fill(area.input_value().replace(old, new))


def outcome(page: "Page", wanted: str) -> None:
    """Wait until saving has gone so."""
    page.locator(f"#editor[data-outcome='{wanted}']").wait_for()


def test_what_is_saved_is_committed_and_the_editor_stays(desk: Desk) -> None:
    page = desk.edit()
    replaced(page, "under the pot", "in the shed")
    page.keyboard.press("Control+s")
    outcome(page, "saved")
    assert "in the shed" in desk.committed()
    replaced(page, "in the shed", "on the shelf")
    page.get_by_role("button", name="Save").click()
    page.locator(".outcome", has_text=re.compile("^Saved$")).wait_for()
    assert "on the shelf" in desk.committed()


def test_a_draft_typed_while_saving_is_not_overwritten(desk: Desk) -> None:
    page = desk.edit()

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
    page = desk.edit()
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
    page = desk.edit()
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
    desk.edit()
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
    page = desk.edit("/core?view=source")
    replaced(page, "British", "plain")
    page.get_by_role("button", name="Save").click()
    outcome(page, "saved")
    assert "plain" in desk.committed("topics/core.md")


def test_without_script_everything_that_matters_works(tmp_path: Path) -> None:
    home = tmp_path / "home"
    filled(home)
    with opened(home, tmp_path / "profile", java_script_enabled=False) as window:
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
