"""Scenarios that people reported, about files: forms of names, marks, broken and long topics, queries."""

import json
import shutil
from pathlib import Path

import pytest

from cli_example import Ran, run
from scriptorium.service import Service
from scriptorium.settings import load
from scriptorium.workspace import Committed
from scriptorium_core.recall import Query
from scriptorium_core.transaction import Rejected
from small_homes import create, on_disk, request, service

NFC, NFD = "topics/caf\u00e9.md", "topics/cafe\u0301.md"


def home(folder: Path, *contents: str, topic: str = "topics/keys.md") -> Path:
    """A home with these records in one topic; gives the file of the topic."""
    with service(folder) as opened:
        done = opened.change(request(*(create(content, topic) for content in contents)))
        assert isinstance(done, Committed), done
    return folder / "memory" / topic


def adopt(folder: Path) -> Ran:
    return run("--home", folder, "adopt")


def found(opened: Service, text: str) -> list[str]:
    return [hit.content for hit in opened.search(Query(text)).hits]


def refusal(folder: Path, topic: str) -> str:
    """Why a request for a record in a topic is refused."""
    with service(folder) as opened:
        outcome = opened.change(request(create("Another key.", topic)))
    assert isinstance(outcome, Rejected)
    (problem,) = outcome.problems
    return f"{problem.message}; {problem.remedy}"


def test_two_forms_of_a_name_are_one_topic_and_no_file_is_renamed(tmp_path: Path) -> None:
    """bc-056: the second spelling is refused where it is written, and told where a person made it."""
    file = home(tmp_path, "The café is open.", topic=NFC)
    assert NFC in refusal(tmp_path, NFD)
    other = tmp_path / "memory" / NFD
    other.write_bytes(file.read_bytes().replace(b"open", b"shut"))
    refused = adopt(tmp_path)
    assert refused.code == 3
    assert "only in case or Unicode form" in refused.err
    assert NFD in run("--home", tmp_path, "doctor").out
    assert {path.name for path in file.parent.iterdir()} == {Path(NFC).name, Path(NFD).name}
    with service(tmp_path) as opened:
        shown = [opened.show(name) for name in (NFC, NFD)]
    assert shown[0] == shown[1]


def test_a_name_in_another_case_leads_to_the_topic_that_there_is(tmp_path: Path) -> None:
    """bc-057: also where the disk would take both."""
    home(tmp_path, "Coffee is brewed at 93 degrees.", topic="topics/Coffee Brewing.md")
    assert refusal(tmp_path, "topics/coffee brewing.md").endswith("write to topics/Coffee Brewing.md")


def test_a_folder_that_cannot_be_seen_takes_nothing_away(tmp_path: Path) -> None:
    """bc-055: what is not there on the disk is a draft, which deletes nothing until a person says so."""
    file = home(tmp_path, "The key is under the mat.")
    shutil.rmtree(file.parent)
    with service(tmp_path) as opened:
        assert found(opened, "key") == ["The key is under the mat."]
        assert [line.records for line in opened.topics()] == [1]
    refused = adopt(tmp_path)
    assert refused.code == 3
    assert "BLOCK_LOST" in refused.err
    with service(tmp_path) as opened:
        opened.change(request(create("The bell is broken.", "topics/bell.md")))
        assert "The key is under the mat." in found(opened, "key")


@pytest.mark.parametrize(
    "head",
    [
        "---\nname: a\ndescription: has: colon\n---\n",
        "---\ntags: [#foo]\n---\n",
        "---\nday: {{TODAY}}\n---\n",
    ],
)
def test_a_head_that_cannot_be_read_is_left_as_it_is(tmp_path: Path, head: str) -> None:
    """bc-064: the file stays byte for byte, its line is named, and the other topics go on."""
    file = home(tmp_path, "The key is under the mat.")
    file.write_text(head + file.read_text())
    before = file.read_bytes()
    refused = adopt(tmp_path)
    assert (refused.code, "line 1" in refused.err) == (3, True)
    with service(tmp_path) as opened:
        other = opened.change(request(create("The bell is broken.", "topics/bell.md")))
        assert isinstance(other, Committed)
        assert found(opened, "bell") == ["The bell is broken."]
    assert file.read_bytes() == before


def test_one_broken_topic_costs_no_other(tmp_path: Path) -> None:
    """bc-065: it is listed as broken and not written to; two hundred others are found and written to."""
    with service(tmp_path) as opened:
        for start in range(0, 200, 50):
            rows = [create(f"Fact {n} of all.", f"topics/t{n}.md") for n in range(start, start + 50)]
            assert isinstance(opened.change(request(*rows, says=f"Told {start}.")), Committed)
        opened.change(request(create("The bell is broken.", "topics/bad.md")))
    bad = tmp_path / "memory" / "topics" / "bad.md"
    bad.write_text("---\nname: [\n---\n" + bad.read_text())
    with service(tmp_path) as opened:
        assert [found(opened, f"fact {number}")[0] for number in (0, 77, 199)] == [
            f"Fact {number} of all." for number in (0, 77, 199)
        ]
        assert isinstance(opened.change(request(create("Another fact.", "topics/t7.md"))), Committed)
        refused = opened.change(request(create("Another bell.", "topics/bad.md"), says="A bell."))
        assert isinstance(refused, Rejected)
        assert {problem.path for problem in refused.problems} == {"topics/bad.md"}
        assert opened.status().drafts == ("topics/bad.md",)


def test_lines_of_a_list_are_no_records(tmp_path: Path) -> None:
    """bc-066: a record has an id and evidence; times, boxes and links in a list are none."""
    listed = (
        "- [12:30] call\n- [x] item\n- [/] half\n- [[Link]]\n- [a](http://b)\n- [24:33.098 - 24:41.260] a\n"
    )
    file = home(tmp_path, "The key is under the mat.")
    file.write_text(f"{file.read_text()}\n{listed}")
    refused = adopt(tmp_path)
    assert (refused.code, "prose without a citation" in refused.err) == (3, True)
    with service(tmp_path) as opened:
        assert opened.verify().counted.records == 1


def test_a_heading_is_meant_by_its_whole_chain(tmp_path: Path) -> None:
    """bc-068: two headings of one name are two; a record that is not there is an error, and makes nothing."""
    rows = [create(f"The {name} goes well.", "topics/work.md") for name in ("boat", "house")]
    for row, name in zip(rows, ("Boat", "House"), strict=True):
        row["destination"]["headings"] = ["Work", name, "Status"]
    with service(tmp_path) as opened:
        assert isinstance(opened.change(request(*rows)), Committed)
        more = create("The house has a roof.", "topics/work.md")
        more["destination"]["headings"] = ["Work", "House", "Status"]
        assert isinstance(opened.change(request(more, says="It has a roof.")), Committed)
        (hit,) = opened.search(Query("roof")).hits
        assert hit.headings == ("Work", "House", "Status")
        before = on_disk(opened.root)
        lost = create("The house burns.") | {"op": "update_record", "memory_id": "0badf00d"}
        del lost["destination"]
        assert isinstance(opened.change(request(lost)), Rejected)
        assert on_disk(opened.root) == before


def test_a_mark_at_the_start_and_other_line_ends_are_no_change(tmp_path: Path) -> None:
    """bc-071: a topic and the settings as an editor saved them; the difference is the word that changed."""
    file = home(tmp_path, "A key lies there.")
    settings = tmp_path / "settings.toml"
    settings.write_bytes(b"\xef\xbb\xbfredact = false\r\n")
    assert load(tmp_path).redact is False
    saved = b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n").replace(b"A key", b"The key")
    file.write_bytes(saved)
    assert adopt(tmp_path).code == 0
    assert file.read_bytes() == saved
    diff = run("--home", tmp_path, "diff").out
    assert "[-A-]{+The+} key lies there." in diff
    asked = tmp_path / "request.json"
    asked.write_bytes(b"\xef\xbb\xbf" + json.dumps(request(create("A bell."))).encode())
    assert run("--home", tmp_path, "change", asked).code == 0


def test_the_last_word_of_a_long_topic_is_found_by_its_record(tmp_path: Path) -> None:
    """bc-084: of forty thousand characters, and the hit names the record."""
    rows = [f"Note {number}: {'words and ' * 90}so on." for number in range(44)]
    home(tmp_path, *rows, "The zanzibar is at the end.")
    with service(tmp_path) as opened:
        assert len(opened.show("topics/keys.md").text) > 40_000  # type: ignore[union-attr]
        (hit,) = opened.search(Query("zanzibar")).hits
        assert (hit.content, hit.path) == ("The zanzibar is at the end.", "topics/keys.md")


@pytest.mark.parametrize(
    "text", ['"', "*", "NEAR(", "AND", "🦊", "", "%", "_", "x" * 10_000, "'; DROP TABLE x", "\0"]
)
def test_no_query_is_syntax(tmp_path: Path, text: str) -> None:
    """bc-085: nothing that matches nothing, and no error."""
    home(tmp_path, "It is 100%_done in a\\b.", "It is 100 or so.")
    with service(tmp_path) as opened:
        answer = opened.search(Query(text))
        assert (answer.hits, answer.nothing is not None) == ((), True)
        assert found(opened, "100%_done")[0] == "It is 100%_done in a\\b."
        assert found(opened, "a\\b") == ["It is 100%_done in a\\b."]
