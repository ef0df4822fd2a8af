"""The page in a real browser: its four sections, its measures, narrow windows, and the keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browsers import WIDTHS, Open, box, opened, shot
from page_homes import filled

pytestmark = pytest.mark.browser

SECTIONS = ("Topics", "Timeline", "Recent", "Core")
VIEWS = ("/topics", "/topics/keys.md", "/topics/keys.md?view=edit", "/timeline/2025", "/recent", "/core")
MORE = (
    "/core?view=source", "/search?q=spare+key&kind=both", "/search", "/traces", "/settings", "/log",
    "/commits/HEAD", "/timeline", "/review", "/digest",
)  # fmt: skip
OVERLAPPING = """() => {
    const found = [];
    for (const parent of document.querySelectorAll('.head, .top, .editor-actions, .acts')) {
        const boxes = [...parent.children].map(e => [e, e.getBoundingClientRect()])
            .filter(([, b]) => b.width > 1 && b.height > 1);
        for (const [i, [e, a]] of boxes.entries()) {
            if (a.right > innerWidth + 1) found.push('out: ' + e.textContent);
            for (const [f, b] of boxes.slice(i + 1)) {
                const beside = a.right <= b.left + 1 || b.right <= a.left + 1;
                const below = a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
                if (!beside && !below) found.push(e.textContent + ' | ' + f.textContent);
            }
        }
    }
    return found;
}"""


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    home = tmp_path_factory.mktemp("home")
    filled(home)
    with opened(home, tmp_path_factory.mktemp("profile")) as found:
        yield found
        assert found.faults == []
        host = f"http://{found.client.host}:{found.client.port}/"
        assert [each for each in found.asked if not each.startswith(host)] == []


@pytest.fixture(autouse=True)
def _wide(window: Open) -> None:
    window.wide(1440)


def test_the_token_is_gone_from_the_address(window: Open) -> None:
    page = window.go(f"?token={window.client.token}")
    assert page.url.endswith("/memory/topics")
    assert page.evaluate("document.cookie") == ""


def test_there_are_four_sections(window: Open) -> None:
    page = window.go("/topics")
    assert tuple(page.locator(".sections a").all_inner_texts()) == SECTIONS


def test_the_top_bar_holds_identity_and_settings_only(window: Open) -> None:
    page = window.go("/topics")
    assert page.locator(".top").inner_text().split() == ["memory", "owner", "Settings"]


@pytest.mark.parametrize("address", ["/topics/house/keys/door.md", "/timeline/2025-11-03"])
def test_rows_have_the_measures(window: Open, address: str) -> None:
    page = window.go(address)
    for index in range(page.locator(".side .row:visible").count()):
        row = page.locator(".side .row:visible").nth(index)
        found = row.evaluate(
            "e => { const s = getComputedStyle(e); return"
            " [e.getBoundingClientRect().height, s.paddingRight, s.borderRadius, s.fontSize] }"
        )
        assert found == [36, "10px", "8px", "13px"]
    top = page.locator(".sections .row").first
    assert top.evaluate("e => getComputedStyle(e).paddingLeft") == "10px"
    for index in range(page.locator(".chevron:visible").count()):
        found = page.locator(".chevron:visible").nth(index).bounding_box()
        assert found is not None
        assert (round(found["width"]), round(found["height"])) == (14, 14)
    badges = page.locator(".items summary .badge").all_text_contents()
    assert badges
    assert all(each.isdigit() for each in badges)


def test_there_is_one_selection_background(window: Open) -> None:
    page = window.go("/topics/house/keys/door.md")
    grounds = page.locator(".row[aria-current]").evaluate_all(
        "all => all.map(e => getComputedStyle(e).backgroundColor)"
    )
    assert len(grounds) == 2
    assert len(set(grounds)) == 1


def test_hierarchy_is_by_indentation_only(window: Open) -> None:
    page = window.go("/topics/house/keys/door.md")
    lefts = [box(page, f".items .row:has-text('{name}') .label")["x"] for name in ("house", "door")]
    assert lefts[0] < lefts[1]
    borders = page.locator(".items li, .items ul").evaluate_all(
        "all => all.map(e => getComputedStyle(e).borderLeftWidth)"
    )
    assert set(borders) == {"0px"}
    # What stands beside each other begins at the same place, whether it opens or not.
    rows = page.locator(".items > ul > li > .row .label, .items > ul > li > details > summary .label")
    starts = rows.evaluate_all("all => all.map(e => Math.round(e.getBoundingClientRect().x))")
    assert len(starts) > 2
    assert len(set(starts)) == 1


def test_topics_does_not_list_the_core_and_recent_and_core_have_no_middle_list(window: Open) -> None:
    assert "core" not in window.go("/topics").locator("#items").inner_text()
    for address in ("/recent", "/core"):
        assert window.go(address).locator("#items .row").count() == 0


@pytest.mark.parametrize("width", [720, 390])
def test_a_narrow_header_holds_name_type_path_and_time(window: Open, width: int) -> None:
    window.wide(width)
    page = window.go("/topics/keys.md")
    head = box(page, ".head")
    for part in ("h1", ".kind", ".path", "time"):
        found = box(page, f".head {part}")
        assert found["width"] > 10, part
        assert head["y"] <= found["y"], part
        assert found["y"] + found["height"] <= head["y"] + head["height"], part
    names = page.locator(".names")
    assert names.evaluate("e => e.querySelector('time').getBoundingClientRect().right") <= (
        names.evaluate("e => e.getBoundingClientRect().right") + 1
    )


def test_the_actions_of_a_narrow_header_are_in_a_menu_that_keys_open_and_close(window: Open) -> None:
    window.wide(390)
    page = window.go("/topics/keys.md")
    action = page.locator(".actions a")
    assert not action.is_visible()
    page.get_by_role("link", name="Edit").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Actions"
    page.keyboard.press("Enter")
    assert action.is_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Changes"
    page.keyboard.press("Escape")
    assert not action.is_visible()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Actions"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("h1", has_text="Changes").wait_for()


def test_the_actions_of_a_wide_header_stand_in_it(window: Open) -> None:
    page = window.go("/topics/keys.md")
    assert page.locator(".head .actions a").is_visible()
    assert not page.locator(".opener").is_visible()


def test_the_header_has_name_type_path_time_views_and_actions(window: Open) -> None:
    head = window.go("/topics/keys.md").locator(".head").inner_text()
    for words in ("keys", "Topic", "topics/keys.md", "2023-11-14", "Read", "Edit", "Changes"):
        assert words in head


@pytest.mark.parametrize("width", WIDTHS)
def test_the_reading_area_is_at_most_780_pixels_and_the_editor_is_wide_and_monospaced(
    window: Open, width: int
) -> None:
    window.wide(width)
    assert box(window.go("/topics/keys.md"), ".read")["width"] <= 780
    page = window.go("/topics/keys.md?view=edit")
    assert box(page, ".sheet")["width"] >= box(page, "main")["width"] - 64
    assert "mono" in page.locator("textarea").evaluate("e => getComputedStyle(e).fontFamily")


def test_notes_are_superscripts_in_sequence_and_lead_there_and_back(window: Open) -> None:
    page = window.go("/topics/keys.md")
    assert page.locator("sup a").all_inner_texts()[:1] == ["[1]"]
    page.locator("sup a").first.click()
    assert page.url.endswith("#fn-1")
    page.locator("#fn-1 .back").click()
    assert page.url.endswith("#ref-1-1")


def test_evidence_is_shown_on_click_with_speaker_time_branch_and_standing(window: Open) -> None:
    page = window.go("/search?q=prefer+tea")
    page.locator("a.proof").first.click()
    panel = page.locator(".panel")
    panel.wait_for()
    for words in ("I prefer tea to coffee", "Tea it is", "2026-03-01 09:00", "live branch", "supported 0.75"):
        assert words in panel.inner_text()
    for name in ("History", "Validate", "Dispute", "Forget…"):
        assert panel.get_by_text(name, exact=True).first.is_visible()
    page.locator("a.proof").first.click()
    panel.wait_for(state="detached")


def test_the_core_opens_on_the_preview_with_tokens_and_budget(window: Open) -> None:
    page = window.go("/core")
    assert page.locator(".count").inner_text().endswith(" / 2,000")
    assert "<memory-context" in page.locator("pre.preview").inner_text()
    assert page.locator("textarea").count() == 0
    page.get_by_text("Source records").click()
    page.locator("textarea").wait_for()


def test_recent_says_records_and_limit(window: Open) -> None:
    page = window.go("/recent")
    shown = page.locator(".entry").count()
    assert page.locator(".count").inner_text() == f"{shown} / 50"


def test_the_timeline_folds_and_partial_dates_keep_their_place(window: Open) -> None:
    page = window.go("/timeline")
    folders = page.locator(".items > ul > li > details > summary .label").all_inner_texts()
    assert folders == sorted(folders, reverse=True)
    page.locator("summary:has-text('2025')").click()
    inside = page.locator("details[data-key='2025'] > ul > li .label").all_inner_texts()
    assert "2025, no month" in inside
    page.locator("details[data-key='2025'] > ul").get_by_text("November", exact=True).click()
    page.get_by_text("3 November 2025").click()
    assert page.url.endswith("/timeline/2025-11-03")
    days = window.go("/timeline/2025").locator(".day h2").all_inner_texts()
    assert days == ["2025 no month known", "3 November 2025"]


@pytest.mark.parametrize("width", [719, 390])
def test_below_720_list_and_detail_exclude_each_other_with_a_way_back(window: Open, width: int) -> None:
    window.wide(width)
    page = window.go("/topics")
    assert page.locator(".side").is_visible()
    assert not page.locator("main").is_visible()
    page.locator(".items a:has-text('keys')").first.click()
    page.locator("main").wait_for()
    assert not page.locator(".side").is_visible()
    page.locator(".back-link").click()
    page.locator(".side").wait_for()
    assert not page.locator("main").is_visible()


def test_at_720_both_are_there(window: Open) -> None:
    window.wide(720)
    page = window.go("/topics/keys.md")
    assert page.locator(".side").is_visible()
    assert page.locator("main").is_visible()
    assert not page.locator(".back-link").is_visible()


@pytest.mark.parametrize("address", [*VIEWS, *MORE])
def test_at_every_width_the_header_has_76_pixels_and_nothing_overlaps_or_runs_out(
    window: Open, address: str, tmp_path: Path
) -> None:
    page = window.go(address)
    assert page.locator("main header").count() == 1
    name = address.strip("/").replace("/", "-").replace("?", "-")
    for width in WIDTHS:
        window.wide(width)
        shot(page, f"{name}-{width}", tmp_path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if page.locator("main").is_visible():
            assert box(page, ".head")["height"] == 76, width
        assert page.evaluate(OVERLAPPING) == [], width


def test_editor_actions_have_their_own_row(window: Open) -> None:
    window.wide(390)
    page = window.go("/topics/keys.md?view=edit")
    head, actions, sheet = (box(page, each) for each in (".head", ".editor-actions", ".sheet"))
    assert head["y"] + head["height"] <= actions["y"]
    assert actions["y"] + actions["height"] <= sheet["y"]


def test_slash_searches_from_anywhere_but_where_one_writes(window: Open) -> None:
    for width in (1440, 390):
        window.wide(width)
        page = window.go("/topics/keys.md")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.name") == "q"
        page.keyboard.type("spare/key")
        assert page.locator("[name=q]").input_value() == "spare/key"
        page.locator("[name=q]").fill("spare key")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?q=spare+key")
        assert "Found by terms" in page.locator(".hit").first.inner_text()


def test_the_keyboard_reaches_everything_in_order_and_focus_is_seen(window: Open) -> None:
    page = window.go("/topics/keys.md")
    order: list[str] = []
    for _ in range(16):
        page.keyboard.press("Tab")
        order.append(
            page.evaluate(
                "() => { const e = document.activeElement, s = getComputedStyle(e);"
                " const unseen = s.outlineStyle === 'none' ? 'unseen: ' : '';"
                " return unseen + (e.innerText || e.name || e.className) }"
            )
        )
    assert not [each for each in order if each.startswith("unseen")], order
    wanted = ["Skip to the content", "memory", "Settings", "q", *SECTIONS]
    assert [each.strip() for each in order[:8]] == wanted
    assert "Read" in order
    assert order.index("Read") > order.index("Core")


def test_a_folder_opens_by_key(window: Open) -> None:
    page = window.go("/topics")
    page.locator("summary:has-text('house')").focus()
    page.keyboard.press("Enter")
    page.locator("summary:has-text('keys')").wait_for()


def test_light_and_dark_follow_the_system(window: Open) -> None:
    grounds = set()
    for scheme in ("light", "dark"):
        window.like(color_scheme=scheme)
        page = window.go("/topics")
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    window.like(color_scheme="light")
    assert len(grounds) == 2


def test_nothing_moves_where_less_motion_is_wanted(window: Open) -> None:
    window.like(reduced_motion="reduce")
    page = window.go("/topics")
    moving = page.evaluate(
        "[...document.querySelectorAll('*')]"
        ".filter(e => getComputedStyle(e).transitionDuration !== '0s').length"
    )
    window.like(reduced_motion="no-preference")
    assert moving == 0
