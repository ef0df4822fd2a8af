"""Examples of a staged edit in a real directory, for a writer that is a program."""

import os
import stat
from pathlib import Path

import pytest

from memory_example import KEYS, memory
from scriptorium.layout import Layout, create
from scriptorium.stage import Collected, clear_leftovers, collected, laid_out
from scriptorium_core.changes import Caller
from scriptorium_core.facts import facts_of
from scriptorium_core.problem import Code
from scriptorium_core.transaction import Edit, Rejected, Rules, Snapshot, prepare
from scriptorium_core.tree import Tree, tree_of

KEYS_PATH = "topics/keys.md"
SOURCE = "sources/chat/_v2/s1.md"


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return create(tmp_path / "memory")


@pytest.fixture
def tree() -> Tree:
    return tree_of(memory())


def dropped(outcome: Collected) -> list[tuple[str, Code]]:
    return [(problem.path, problem.code) for problem in outcome.dropped]


def test_topics_can_be_written_and_archives_only_read(layout: Layout, tree: Tree) -> None:
    with laid_out(layout, tree) as folder:
        assert (folder / KEYS_PATH).read_text("utf-8") == KEYS
        assert stat.S_IMODE(os.stat(folder / KEYS_PATH).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(folder / SOURCE).st_mode) == 0o444
        assert folder.is_relative_to(layout.staging)
    assert not list(layout.staging.iterdir())


def test_what_is_left_alone_is_no_difference(layout: Layout, tree: Tree) -> None:
    with laid_out(layout, tree) as folder:
        outcome = collected(folder, tree)
    assert not outcome.tree.differences()
    assert not outcome.dropped


def test_written_new_and_removed_topics_are_taken(layout: Layout, tree: Tree) -> None:
    with laid_out(layout, tree) as folder:
        (folder / KEYS_PATH).write_text("changed")
        (folder / "topics" / "new").mkdir()
        (folder / "topics" / "new" / "a.md").write_text("new")
        (folder / "topics" / "people" / "mira.md").unlink()
        outcome = collected(folder, tree)
    assert outcome.tree.differences() == {
        KEYS_PATH: b"changed",
        "topics/new/a.md": b"new",
        "topics/people/mira.md": None,
    }


def test_stray_files_are_dropped_by_name(layout: Layout, tree: Tree) -> None:
    with laid_out(layout, tree) as folder:
        (folder / "notes.txt").write_text("stray")
        (folder / "sources" / "mine.md").write_text("stray")
        (folder / "topics" / "notes.txt").write_text("stray")
        (folder / "topics" / ".hidden.md").write_text("stray")
        (folder / "topics" / "link.md").symlink_to(folder / "notes.txt")
        (folder / "topics" / "folder").symlink_to(folder / "sources")
        outcome = collected(folder, tree)
    assert not outcome.tree.differences()
    assert dropped(outcome) == [
        ("notes.txt", Code.READ_ONLY_PATH),
        ("sources/mine.md", Code.READ_ONLY_PATH),
        ("topics/.hidden.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/folder", Code.PATH_OUTSIDE_WORKSPACE),
        ("topics/link.md", Code.PATH_OUTSIDE_WORKSPACE),
        ("topics/notes.txt", Code.INVALID_TOPIC_FORMAT),
    ]
    assert not list(layout.staging.iterdir())


@pytest.mark.parametrize("remove", [True, False])
def test_an_archive_that_was_tampered_with_is_refused_by_the_checks(
    layout: Layout, tree: Tree, remove: bool
) -> None:
    with laid_out(layout, tree) as folder:
        (folder / SOURCE).chmod(0o600)
        (folder / SOURCE).unlink() if remove else (folder / SOURCE).write_text("forged")
        outcome = collected(folder, tree)
    edit = Edit(outcome.tree)
    prepared = prepare(Snapshot(tree, facts_of(tree)), edit, Rules(Caller(), len))
    assert isinstance(prepared, Rejected)
    assert prepared.problems[0].code is Code.SOURCES_CHANGED


def test_what_a_killed_process_left_is_cleared_away_and_what_is_in_use_is_not(
    layout: Layout, tree: Tree
) -> None:
    left = layout.staging / "0123"
    (left / "topics").mkdir(parents=True)
    (left / "topics" / "a.md").write_text("left")
    (layout.staging / "0123.lock").touch()
    with laid_out(layout, tree) as folder:
        assert not left.exists()
        clear_leftovers(layout)
        assert (folder / KEYS_PATH).exists()


def test_the_directory_goes_also_when_the_program_fails(layout: Layout, tree: Tree) -> None:
    with pytest.raises(ValueError, match="failed"), laid_out(layout, tree):
        raise ValueError("failed")
    assert not list(layout.staging.iterdir())
