"""Examples of taking over what another program wrote: what it drops of a definition is put back."""

import re
from pathlib import Path

import pytest

from scriptorium.layout import git_program
from scriptorium.workspace import Committed, Memory
from scriptorium_core.facts import contributes
from scriptorium_core.names import TopicPath
from scriptorium_core.topics import parse_topic
from scriptorium_core.transaction.adopting import adopted_files, fields_put_back
from scriptorium_core.tree import tree_of
from small_homes import create, git, opened, request, unsound, written

PATH = TopicPath("topics/people/mira.md")
LINE = "[^e-1]: Time: `2026`; Sources: [talk](../../sources/chat/_v2/s1.md#source-1)"
STATUS = "; Status: verified 0.95; Until: 2026-06"


def mended(ours: str, theirs: str, path: TopicPath = PATH) -> str | None:
    """What becomes of a topic that another program wrote after us."""
    before = parse_topic(PATH, ours.encode())[0]
    after = parse_topic(path, theirs.encode())[0]
    found = fields_put_back([before], [after])
    return found[path].decode() if path in found else None


def topic(line: str, content: str = "Mira paints.") -> str:
    return f"# Mira\n\n{content}[^e-1] ^a1\n\n{line}\n"


def test_fields_that_another_program_dropped_come_back() -> None:
    assert mended(topic(LINE + STATUS), topic(LINE)) == topic(LINE + STATUS)


def test_they_come_back_where_only_the_paragraph_changed() -> None:
    assert mended(topic(LINE + STATUS), topic(LINE, "Mira draws.")) == topic(LINE + STATUS, "Mira draws.")


def test_they_follow_a_record_into_another_topic() -> None:
    moved = LINE.replace("../../", "../")
    assert mended(topic(LINE + STATUS), topic(moved), TopicPath("topics/mira.md")) == topic(moved + STATUS)


@pytest.mark.parametrize(
    "line",
    [
        LINE.replace("2026", "2027"),
        LINE.replace("source-1", "source-2"),
        LINE.replace("[^e-1]", "[^e-2]"),
        LINE + "; Status: disputed 0.2",
    ],
)
def test_a_definition_that_says_something_else_keeps_what_it_says(line: str) -> None:
    assert mended(topic(LINE + STATUS), topic(line).replace("[^e-1] ", line[:6] + " ")) is None


def test_line_ends_stay_as_they_are() -> None:
    windows = topic(LINE).replace("\n", "\r\n")
    assert mended(topic(LINE + STATUS), windows) == topic(LINE + STATUS).replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("path", "truth"),
    [
        ("topics/a/b.md", True),
        ("topics/a/b.png", False),
        ("topics/.trash/b.md", False),
        ("topics/.b.md", False),
        ("sources/chat/_v2/s1.md", True),
        ("sources/chat/_v2/s1.jsonl", True),
        ("sources/chat/s1.jsonl", False),
        ("sources/D1.md", True),
        ("core.md", False),
    ],
)
def test_what_is_memory_itself_is_told_from_what_is_derived(path: str, truth: bool) -> None:
    assert contributes(path) is truth


@pytest.mark.skipif(git_program() is None, reason="git is not installed")
def test_the_next_write_puts_back_what_a_commit_by_another_program_dropped(tmp_path: Path) -> None:
    with opened(tmp_path / "memory") as memory:
        written(memory, "One.")
        (old,) = written(memory, "Two.")
        superseded = request(
            {
                "op": "update_record",
                "memory_id": old,
                "content": "Two and a half.",
                "time": "2026-05",
                "sources": [{"source": "new-source-a", "label": "Owner"}],
                "supersede": True,
            },
            says="Two and a half, now.",
        )
        assert isinstance(memory.update(superseded), Committed)
        ours = _text(memory)
        assert "; Until: 2026-05" in ours
        (memory.layout.root / "topics/keys.md").write_text(re.sub(r"; Until: \S+", "", ours))
        git(memory.layout.root, "commit", "-q", "-a", "-m", "By another program")
        assert isinstance(memory.update(request(create("Three."), says="Three.")), Committed)
        assert "; Until: 2026-05" in _text(memory)
    assert list(unsound(tmp_path)) == []


@pytest.mark.skipif(git_program() is None, reason="git is not installed")
def test_what_stands_in_a_hidden_folder_stays_committed(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    (root / "topics" / ".trash").mkdir(parents=True)
    (root / "topics" / ".trash" / "old.md").write_text("# Old\n")
    (root / "topics" / "keys.md").write_text("# Keys\n")
    git(tmp_path, "init", "-q", "-b", "main", str(root))
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "By another program")
    with opened(root) as memory:
        head = memory.history.head()
        assert head is not None
        kept = set(memory.history.base(head).under("topics/"))
    assert kept == {"topics/.trash/old.md", "topics/keys.md"}
    assert (root / "topics" / ".trash" / "old.md").read_text() == "# Old\n"


def _text(memory: Memory) -> str:
    return (memory.layout.root / "topics/keys.md").read_text()


def test_a_core_that_was_written_by_hand_becomes_a_topic_once() -> None:
    by_hand = "# Core\n\nSee [keys](topics/keys.md#^key1), [said](sources/chat/_v2/s1.md#source-1), [home](https://a.b).\n"
    found = adopted_files(tree_of({}), {"core.md": by_hand.encode(), "notes.txt": b"x"})
    (path,) = found
    assert path == "topics/core.md"
    expected = by_hand.replace("(topics/keys", "(keys").replace("(sources/", "(../sources/")
    assert found[path] == expected.encode()
    derived = b"<!-- core: 1 of 1 -->\n# Core\n"
    assert adopted_files(tree_of({}), {"core.md": derived}) == {}
    kept = {"core.md": by_hand.encode(), "topics/core.md": b"# Core\n"}
    assert adopted_files(tree_of({"topics/old.md": b""}), kept) == {
        "topics/old.md": None,
        "topics/core.md": b"# Core\n",
    }
