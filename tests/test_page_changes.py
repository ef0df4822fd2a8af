"""What a person changes on the page: texts by compare-and-set, and what is thought of a record."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from page_homes import Visitor, filled, visited
from web_homes import Reply

KEYS = "/topics/keys.md"


@frozen
class Editor:
    """The editor of a page: the draft in it, the revision that it stands on, and how saving went."""

    text: str
    base: str
    outcome: str
    page: str


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    filled(tmp_path)
    with visited(tmp_path) as found:
        yield found


def editor(page: str) -> Editor:
    """The editor in a page."""
    area = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    base = re.search(r'name="base" value="(\w*)"', page)
    outcome = re.search(r'data-outcome="(\w*)"', page)
    assert area is not None
    assert base is not None
    assert outcome is not None
    return Editor(html.unescape(area[1]), base[1], outcome[1], page)


def opened(visitor: Visitor, address: str = f"{KEYS}?view=edit") -> Editor:
    return editor(visitor.text(address))


def saved(visitor: Visitor, text: str, base: str, address: str = KEYS, **more: str) -> tuple[int, Editor]:
    """Send the text as a browser does, every line end as CRLF."""
    reply = visitor.send(address, text=text.replace("\n", "\r\n"), base=base, **more)
    return reply.status, editor(reply.data.decode())


def record(visitor: Visitor) -> str:
    return str(re.findall(r'data-record="([\w-]+)"', visitor.text(KEYS))[0])


def judged(visitor: Visitor, block: str, verdict: str, seen: str | None = None) -> Reply:
    """Decide about a record as its page says that it was seen."""
    found = re.search(r'name="seen" value="([^"]*)"', visitor.text(f"/records/{block}"))
    assert found is not None
    return visitor.send(f"/records/{block}/{verdict}", seen=found[1] if seen is None else seen)


def test_what_was_edited_is_committed_with_its_line_ends(visitor: Visitor) -> None:
    draft = opened(visitor)
    status, after = saved(visitor, draft.text.replace("under the pot", "in the shed"), draft.base)
    assert (status, after.outcome) == (200, "saved")
    assert after.base != draft.base
    assert after.text == draft.text.replace("under the pot", "in the shed")
    assert "in the shed" in visitor.text(KEYS)


def test_the_same_text_again_changes_nothing(visitor: Visitor) -> None:
    draft = opened(visitor)
    assert saved(visitor, draft.text, draft.base)[1].outcome == "unchanged"


def test_a_rejected_edit_keeps_the_draft_and_marks_each_problem_at_its_line(visitor: Visitor) -> None:
    draft = opened(visitor)
    lines = draft.text.split("\n")
    broken = "\n".join([*lines[:2], "No source says this.", "", *lines[2:], "", "- nor this"])
    status, after = saved(visitor, broken, draft.base)
    assert (status, after.outcome) == (400, "rejected")
    assert after.text == broken
    assert after.base == draft.base
    marked = re.findall(r'<li id="line-(\d+)" class="fault"', after.page)
    assert marked == ["3", str(len(lines) + 4)]
    assert after.page.count('data-line="') == 2
    assert "No source says this" not in visitor.text(KEYS)


def test_records_that_the_text_leaves_out_are_deleted_only_on_purpose(visitor: Visitor) -> None:
    draft = opened(visitor)
    cut = draft.text[: draft.text.index("The shed has no lock")]
    status, after = saved(visitor, cut, draft.base)
    assert (status, after.outcome) == (400, "rejected")
    assert "The shed has no lock" in after.page
    assert "deleted on purpose" in after.page
    status, after = saved(visitor, cut, draft.base, delete="1")
    assert (status, after.outcome) == (200, "saved")
    assert "no lock" not in visitor.text(KEYS)


def test_changes_of_two_people_that_do_not_meet_are_merged_by_record(visitor: Visitor) -> None:
    draft = opened(visitor)
    saved(visitor, draft.text.replace("under the pot", "in the shed"), draft.base)
    mine = draft.text.replace("no lock", "a new lock")
    status, after = saved(visitor, mine, draft.base)
    assert (status, after.outcome) == (409, "conflict")
    assert "in the shed" in after.text
    assert "a new lock" in after.text
    both = html.unescape(after.page)
    assert f'<pre tabindex="0">{mine}' in both.replace("\r\n", "\n")
    assert "In memory now" in both
    status, last = saved(visitor, after.text, after.base)
    assert (status, last.outcome) == (200, "saved")
    shown = visitor.text(KEYS)
    assert "in the shed" in shown
    assert "a new lock" in shown


def test_changes_of_two_people_that_meet_show_both_texts_and_lose_neither(visitor: Visitor) -> None:
    draft = opened(visitor)
    saved(visitor, draft.text.replace("under the pot", "in the shed"), draft.base)
    mine = draft.text.replace("under the pot", "in the kitchen")
    status, after = saved(visitor, mine, draft.base)
    assert (status, after.outcome) == (409, "conflict")
    assert "in the kitchen" in after.text
    assert "in the shed" in after.page
    assert "Both changed the same" in after.page
    assert "in the shed" in visitor.text(KEYS)


def test_the_core_is_saved_by_compare_and_set_too(visitor: Visitor) -> None:
    draft = opened(visitor, "/core?view=source")
    status, after = saved(visitor, draft.text.replace("British", "plain"), draft.base, "/core")
    assert (status, after.outcome) == (200, "saved")
    assert "plain English" in visitor.text("/core")
    assert saved(visitor, draft.text.replace("British", "old"), draft.base, "/core")[0] == 409


def test_what_was_typed_while_a_save_went_on_is_taken_together_with_what_was_saved(visitor: Visitor) -> None:
    sent = opened(visitor).text
    mine, now = sent.replace("no lock", "a lock"), sent.replace("the pot", "the mat")
    both = visitor.send("/merge", path="topics/keys.md", sent=sent, mine=mine, saved=now).json["text"]
    assert "a lock" in both
    assert "the mat" in both
    other = sent.replace("the pot", "the tree")
    assert (
        visitor.send("/merge", path="topics/keys.md", sent=sent, mine=other, saved=now).json["text"] is None
    )


def test_a_record_is_disputed_and_validated_as_it_was_seen(visitor: Visitor) -> None:
    block = record(visitor)
    assert judged(visitor, block, "dispute").status == 303
    assert "disputed" in visitor.text(f"/records/{block}")
    assert judged(visitor, block, "validate", seen="something else").status == 409
    assert judged(visitor, block, "validate").status == 303
    page = visitor.text(f"/records/{block}")
    assert "verified" in page
    assert "Standing:" in visitor.text(f"/records/{block}/history")


def test_a_record_is_forgotten_once_it_was_said_what_goes(visitor: Visitor) -> None:
    block = record(visitor)
    assert "What will be forgotten" in visitor.text(f"/records/{block}/forget")
    assert "spare key" in visitor.text(KEYS)
    assert visitor.send(f"/records/{block}/forget", reason="wrong").status == 303
    assert visitor.get(f"/records/{block}").status == 410
    assert "spare key" not in visitor.text("/recent")


def test_an_earlier_version_is_restored_and_a_change_is_undone(visitor: Visitor) -> None:
    draft, block = opened(visitor), record(visitor)
    saved(visitor, draft.text.replace("under the pot", "in the shed"), draft.base)
    history = visitor.text(f"/records/{block}/history")
    assert re.search(r"<del>[^<]*pot", history)
    (since,) = re.findall(r'name="since" value="(\w+)"', history)
    assert visitor.send(f"/records/{block}/restore", since=since).status == 303
    assert "under the pot" in visitor.text(KEYS)
    (newest, *_) = re.findall(r"/commits/(\w+)", visitor.text("/log"))
    assert visitor.send(f"/commits/{newest}/undo").status == 303
    assert "in the shed" in visitor.text(KEYS)
