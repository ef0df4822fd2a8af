"""A topic that does not pass the checks: the page shows the file as it is, and where to put it right."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from page_homes import Visitor, by_hand, filled, visited

WRONG = "Nobody says <b>this</b> or *that*."
TEXT = f"# Broken\n\n{WRONG}\n"


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    """Somebody committed topics by hand that are no topics."""
    filled(tmp_path)
    by_hand(tmp_path, {"broken": TEXT.encode(), "bytes": b"# Bytes\n\nA \xff word.\n"})
    with visited(tmp_path) as found:
        yield found


def editor(page: str) -> tuple[str, str]:
    """The text in the editor, and the revision that it stands on."""
    area = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    base = re.search(r'name="base" value="(\w*)"', page)
    assert area is not None
    assert base is not None
    return unescape(area[1]), base[1]


def test_it_is_shown_as_the_file_is_with_its_path_and_the_line_of_the_fault(visitor: Visitor) -> None:
    page = visitor.text("/topics/broken.md")
    assert "does not pass the checks" in page
    assert "<code>topics/broken.md</code>" in page
    raw = re.search(r'<pre class="raw"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert raw is not None
    assert unescape(raw[1]) == TEXT
    assert 'class="prose"' not in page
    assert re.findall(r'<a href="#(line-\d+)">Line 3</a>', page) == ["line-3"]
    assert re.findall(r'<li id="(line-\d+)" class="fault"', page) == ["line-3"]


def test_bytes_that_are_no_text_are_said_to_be_so_at_their_line(visitor: Visitor) -> None:
    page = visitor.text("/topics/bytes.md")
    assert "not UTF-8" in page
    assert re.findall(r'<li id="(line-\d+)" class="fault"', page) == ["line-3"]


def test_the_list_marks_it_for_eyes_and_ears_and_all_other_topics_go_on(visitor: Visitor) -> None:
    page = visitor.text("/topics/keys.md")
    row = page[page.index('href="/memory/topics/broken.md"') :].partition("</li>")[0]
    assert "does not pass the checks</span>" in row
    assert "The spare key is under the pot." in page
    assert 'class="record"' in page


def test_the_editor_opens_on_it_with_the_faults_at_their_lines_and_puts_it_right(visitor: Visitor) -> None:
    page = visitor.text("/topics/broken.md?view=edit")
    text, base = editor(page)
    assert text == TEXT
    assert re.findall(r'<li id="(line-\d+)" class="fault"', page) == ["line-3"]
    assert "does not pass the checks" in page
    reply = visitor.send("/topics/broken.md", text=text + "\nNor this.\n", base=base)
    assert reply.status == 400
    marked = re.findall(r'<li id="(line-\d+)" class="fault"', reply.data.decode())
    assert marked == ["line-3", "line-5"]
    (cited,) = re.findall(r"^\[\^[^\n]+$", editor(visitor.text("/topics/keys.md?view=edit"))[0], re.M)[:1]
    name = cited[2 : cited.index("]")]
    mended = f"# Broken\n\nThe spare key is under the pot, it is said.[^{name}]\n\n{cited}\n"
    reply = visitor.send("/topics/broken.md", text=mended, base=base)
    assert (reply.status, 'data-outcome="saved"' in reply.data.decode()) == (200, True)
    page = visitor.text("/topics/broken.md")
    assert "This topic does not pass the checks" not in page
    assert 'class="prose"' in page
