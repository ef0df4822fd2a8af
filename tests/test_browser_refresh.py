"""What changes while a page is open appears by itself, and nothing that somebody has open goes away."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browsers import opened
from page_homes import Desk, filled

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytestmark = pytest.mark.browser

SOON = 15_000
KEYS = "/topics/keys.md"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    home = tmp_path_factory.mktemp("home")
    filled(home)
    with opened(home, tmp_path_factory.mktemp("profile")) as window:
        yield Desk(window, home)
        # What was asked for once more and is gone is no fault of the page.
        assert [each for each in window.faults if "404" not in each] == []


@pytest.fixture(autouse=True)
def _as_it_was(desk: Desk) -> Iterator[None]:
    before = desk.committed()
    yield
    desk.window.go("/settings")
    desk.write(before)


def seen(place: "Locator", words: str) -> None:
    """Wait until words appear by themselves."""
    place.get_by_text(words).first.wait_for(timeout=SOON)


def test_evidence_that_is_open_stays_open_and_is_that_of_the_record_as_it_is_now(desk: Desk) -> None:
    page = desk.window.go(KEYS)
    proofs = page.locator("a.proof")
    proofs.nth(1).click()
    panel = page.locator(".panel")
    panel.wait_for()
    dispute = panel.get_by_role("button", name="Dispute")
    dispute.focus()
    before = panel.locator("[name=seen]").get_attribute("value")
    desk.change("no lock", "a new lock")
    seen(page.locator(".prose"), "a new lock")
    assert panel.count() == 1
    assert panel.evaluate("e => e.previousElementSibling.innerText").startswith("The shed has a new lock")
    assert proofs.nth(1).get_attribute("aria-expanded") == "true"
    assert panel.locator("[name=seen]").get_attribute("value") != before
    assert page.evaluate("document.activeElement.innerText") == "Dispute"
    dispute.click()
    page.locator(".standing.reject").first.wait_for()


def test_the_evidence_of_a_record_that_is_gone_goes_with_it(desk: Desk) -> None:
    page = desk.window.go(KEYS)
    page.locator("a.proof").nth(1).click()
    page.locator(".panel").wait_for()
    desk.drop(page.locator(".record").nth(1).get_attribute("data-record") or "")
    page.locator(".panel").wait_for(state="detached", timeout=SOON)
    assert page.locator(".record").count() == 1


def test_what_is_read_stays_at_its_place_whatever_is_written_above_it(desk: Desk) -> None:
    desk.window.wide(1440, 230)
    page = desk.window.go(KEYS)
    last = page.locator(".notes li").last
    last.scroll_into_view_if_needed()
    before = last.bounding_box()
    assert before is not None
    assert page.locator("main").evaluate("e => e.scrollTop") > 0
    desk.change("under the pot", "under the pot, " + "behind the shed, " * 40 + "to the left")
    page.locator(".prose", has_text="to the left").wait_for(timeout=SOON)
    after = page.locator(".notes li").last.bounding_box()
    assert after is not None
    assert abs(after["y"] - before["y"]) < 3
    desk.window.wide(1440)


def test_an_editor_without_a_draft_takes_what_was_written_elsewhere(desk: Desk) -> None:
    expect = pytest.importorskip("playwright.sync_api").expect
    page = desk.window.go(f"{KEYS}?view=edit")
    area = page.locator("textarea")
    area.focus()
    area.evaluate("e => e.setSelectionRange(4, 4)")
    desk.change("no lock", "a new lock")
    expect(area).to_have_value(re.compile("a new lock"), timeout=SOON)
    assert page.evaluate("document.activeElement.name") == "text"
    assert area.evaluate("e => e.selectionStart") == 4
    area.fill(area.input_value().replace("a new lock", "an old lock"))
    page.get_by_role("button", name="Save").click()
    page.locator("#editor[data-outcome='saved']").wait_for()
    assert "an old lock" in desk.committed()


def test_words_that_are_typed_into_a_form_stay_in_it(desk: Desk) -> None:
    block = desk.window.go(KEYS).locator(".record").first.get_attribute("data-record")
    page = desk.window.go(f"/records/{block}/forget")
    page.locator("[name=reason]").fill("It was wrong")
    old = page.locator("body").get_attribute("data-revision")
    desk.change("no lock", "a new lock")
    page.locator(f"body:not([data-revision='{old}'])").wait_for(timeout=SOON)
    assert page.locator("[name=reason]").input_value() == "It was wrong"


def test_what_was_opened_in_a_search_stays_open(desk: Desk) -> None:
    page = desk.window.go("/search?q=spare+key")
    page.locator("details.cites > summary").first.click()
    desk.change("under the pot", "under the blue pot")
    seen(page.locator(".hit"), "under the blue pot")
    assert page.locator("details.cites").first.get_attribute("open") is not None


def test_what_is_not_there_any_more_is_said_to_be_so(desk: Desk) -> None:
    desk.create("topics/short.md", "The tent is lent.")
    page = desk.window.go("/topics/short.md")
    desk.drop(page.locator(".record").first.get_attribute("data-record") or "")
    page.locator(".status", has_text="is not there any more").wait_for(timeout=SOON)
