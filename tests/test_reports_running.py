"""Scenarios that people reported, about what runs beside something else: git, an index, a long turn."""

from pathlib import Path

import pytest

from scriptorium.service import Service
from scriptorium.workspace import Committed
from scriptorium_core.recall import Query
from scriptorium_core.transaction import Rejected
from small_homes import create, git, on_disk, request, said, service, told, unsound


def made(home: Service, content: str, topic: str = "topics/keys.md") -> None:
    assert isinstance(home.change(request(create(content, topic), says=content)), Committed)


def found(home: Service, text: str) -> list[str]:
    return [hit.content for hit in home.search(Query(text)).hits]


@pytest.mark.parametrize("value", ["true", "false", "input"])
def test_what_git_does_to_line_ends_changes_no_byte(tmp_path: Path, value: str) -> None:
    """bc-044: a setting of the person's git, with a topic of either kind of line ends."""
    with service(tmp_path) as home:
        made(home, "The key is under the mat.")
        git(home.root, "config", "core.autocrlf", value)
        file = home.root / "topics" / "keys.md"
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
        assert isinstance(home.adopt(), Committed)
        made(home, "The bell is broken.", "topics/bell.md")
        made(home, "The lamp is new.")
        lines = file.read_bytes().splitlines(keepends=True)
        assert all(line.endswith(b"\r\n") for line in lines)
        assert b"\r" not in (home.root / "topics" / "bell.md").read_bytes()
        assert home.status().drafts == ()
    assert [line for line in unsound(tmp_path) if not line.startswith("warning")] == []


def test_what_was_rejected_leaves_nothing_for_the_next_change(tmp_path: Path) -> None:
    """bc-045: no trace in the working tree, the index of git or the branches."""
    with service(tmp_path) as home:
        made(home, "The key is under the mat.")
        before = (on_disk(home.root), git(home.root, "status", "--porcelain"), git(home.root, "show-ref"))
        bare = {"path": "topics/new.md", "action": "write", "content": "# New\n\nProse that cites nothing.\n"}
        assert isinstance(home.change({"changes": [bare]}), Rejected)
        assert (
            on_disk(home.root),
            git(home.root, "status", "--porcelain"),
            git(home.root, "show-ref"),
        ) == before
        made(home, "The bell is broken.", "topics/bell.md")
        changed = {
            line for line in git(home.root, "show", "--name-only", "--format=", "HEAD").splitlines() if line
        }
        assert {path for path in changed if path.startswith("topics/")} == {"topics/bell.md"}
    assert list(unsound(tmp_path)) == []


def test_what_is_written_while_an_index_is_built_is_there(tmp_path: Path) -> None:
    """bc-054: an index is built for a commit; it never takes away what came after."""
    with service(tmp_path) as home:
        for number in range(30):
            made(home, f"Fact {number} of all.", f"topics/t{number}.md")
        home.search(Query("fact"))
        for path in (home.root / ".scriptorium").glob("*.sqlite3*"):
            path.unlink()
    with service(tmp_path) as reader, service(tmp_path) as writer:
        told_of: list[int] = []

        def meanwhile(done: int, _total: int) -> None:
            if not told_of:
                told_of.append(done)
                made(writer, "The new fact is blue.", "topics/new.md")

        assert len(reader.search(Query("fact"), meanwhile).hits) > 0
        assert told_of
        assert found(reader, "blue") == ["The new fact is blue."]
        assert (reader.root / "topics" / "new.md").is_file()
    assert list(unsound(tmp_path)) == []


def test_the_resident_block_is_that_of_the_newest_commit_and_names_it(tmp_path: Path) -> None:
    """bc-087: asked again in a long turn, it says what holds now, and of which revision it is."""
    with service(tmp_path) as home, service(tmp_path) as other:
        made(home, "The owner likes tea.", "topics/core.md")
        first = home.core()
        assert (first.revision, "likes tea" in first.text) == (home.memory().revision, True)
        made(other, "The owner lives in Bonn.", "topics/core.md")
        second = home.core()
        assert second.revision != first.revision
        assert ("likes tea" in second.text, "lives in Bonn" in second.text) == (True, True)


def test_a_state_that_comes_back_is_there_with_the_day_of_each_time(tmp_path: Path) -> None:
    """bc-031: three periods are three dates, none of which swallows another."""
    months = ("2026-01", "2026-04", "2026-07")
    words = ("Alex works on Payments.", "Alex works on Search.", "Alex is back on Payments.")
    with service(tmp_path) as home:
        for month, content in zip(months, words, strict=True):
            row = create(content) | {"time": month}
            assert isinstance(home.change(request(row, says=content)), Committed)
        days = {row.quote: row.date for month in months for row in home.timeline(month).rows}
        assert days == dict(zip(words, months, strict=True))
        assert [row.quote for row in home.timeline("2026-05").rows] == []


def test_the_same_words_on_another_day_are_one_record_of_which_nothing_is_lost(tmp_path: Path) -> None:
    """bc-040: nine times the same and five other facts are six records, whoever asks."""
    same = [
        said(f"u{number}", f"u{number - 1}" if number else None, "I prefer green tea.") for number in range(9)
    ]
    others = ("bread", "jam", "oats", "figs", "rice")
    more = [said(name, "u8", f"I prefer {name} in the morning.") for name in others]
    told(tmp_path, [*same, *more])
    with service(tmp_path) as home:
        home.write(force=True)
        contents = [row.record.content for row in home.recent().rows]
        assert len(contents) == len(set(contents)) == 6
        assert found(home, "prefer green tea")[0] == "I prefer green tea."
        assert home.verify().counted.sources == 14
