"""A memory's directory: moved, taken over, cloned, committed to by hand, and what is no file of a memory."""

import shutil
from pathlib import Path

import pytest

from memory_example import memory as files_of_another_hand
from scriptorium.layout import locate
from scriptorium.refused import Refused
from scriptorium.workspace import Memory
from scriptorium_core.problem import Code
from scriptorium_core.trailers import values_of
from small_homes import committed, create, git, on_disk, opened, request, unsound, written
from small_memory import KEYS, cited, codes, draft, sure, topic

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="the git program is not installed")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return opened(tmp_path / "memory")


# --- Directories ---------------------------------------------------------------------------------


def test_a_directory_that_moves_keeps_its_id_and_its_memory(memory: Memory, tmp_path: Path) -> None:
    written(memory, "One.")
    name, revision = memory.workspace, memory.revision
    memory.close()
    moved = tmp_path / "elsewhere" / "memory"
    shutil.move(memory.layout.root, moved.parent)
    with opened(moved.parent) as again:
        assert (again.workspace, again.revision) == (name, revision)
        written(again, "Two.")


def test_reopening_commits_nothing(memory: Memory) -> None:
    for _ in range(2):
        opened(memory.layout.root).close()
    assert memory.revision is None
    written(memory, "One.")
    before = memory.revision
    with opened(memory.layout.root) as again:
        assert again.revision == before
        assert again.notices == ()


def foreign(root: Path) -> Path:
    for path, data in (files_of_another_hand() | {"relations.json": b"{}\n"}).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def test_a_directory_without_a_history_is_taken_over_as_one_commit(tmp_path: Path) -> None:
    with opened(foreign(tmp_path / "memory")) as memory:
        (entry,) = memory.history.log()
        assert values_of(entry.trailers, "Kind") == ("adopt",)
        assert committed(memory)[KEYS] == files_of_another_hand()[KEYS]
        assert not (memory.layout.root / "relations.json").exists()
    assert list(unsound(tmp_path)) == []


def test_what_does_not_pass_is_taken_over_quarantined_and_said(tmp_path: Path) -> None:
    root = foreign(tmp_path / "memory")
    (root / "topics/broken.md").write_text("# Broken\n\nno citation\n")
    (root / "topics/notes.txt").write_text("mine")
    (root / "topics/link.md").symlink_to(root / KEYS)
    with opened(root) as memory:
        assert {notice.path for notice in memory.notices} == {
            "topics/broken.md",
            "topics/notes.txt",
            "topics/link.md",
        }
        assert (root / "topics/notes.txt").read_text() == "mine"
        assert (root / "topics/link.md").is_symlink()
        assert codes(memory.update(request(create("x", "topics/broken.md"))))
        written(memory, "Fine.", topic="topics/other.md")


@needs_git
@pytest.mark.parametrize("checked_out", [True, False])
def test_a_clone_is_opened_without_a_commit(memory: Memory, tmp_path: Path, checked_out: bool) -> None:
    written(memory, "One.")
    clone = tmp_path / "clone" / "memory"
    option = [] if checked_out else ["--no-checkout"]
    git(tmp_path, "clone", "-q", *option, str(memory.layout.root), str(clone))
    if not checked_out:
        (clone / ".scriptorium").mkdir()
    with opened(clone) as cloned:
        assert cloned.revision == memory.revision
        assert cloned.workspace != memory.workspace
        assert ".scriptorium*" in (clone / ".git/info/exclude").read_text()
    assert list(unsound(clone.parent)) == []


@needs_git
def test_a_plain_commit_between_ours_is_adopted_and_takes_nothing_back(
    memory: Memory, tmp_path: Path
) -> None:
    written(memory, "One.")
    draft(
        memory,
        cited(memory, "By hand.")
        .replace("[^e1]", "[^e-1]")
        .replace("By hand.[^e-1]", "By hand.[^e-1] ^hand"),
    )
    git(memory.layout.root, "commit", "-q", "-a", "-m", "Mine")
    mine = memory.revision
    with memory.reading() as (revision, base):
        assert revision == mine
        assert "hand" in base.facts.records
    written(memory, "Three.")
    ours, adopting, theirs, *_ = memory.history.log()
    assert theirs.commit == mine
    assert values_of(adopting.trailers, "Created") == ("hand",)
    assert values_of(ours.trailers, "Kind") == ("edit",)
    with memory.reading() as (_, base):
        assert [known.order for known in base.facts.newest] == [2, 1, 0]
    memory.close()
    assert list(unsound(tmp_path)) == []


@needs_git
def test_a_checked_out_commit_is_read_and_not_written_to(memory: Memory) -> None:
    written(memory, "One.")
    old = memory.revision
    written(memory, "Two.")
    git(memory.layout.root, "checkout", "-q", "HEAD~1")
    with opened(memory.layout.root) as detached:
        with detached.reading() as (revision, base):
            assert revision == old
            assert len(base.facts.newest) == 1
        with pytest.raises(Refused) as refused:
            detached.update(request(create("Three.")))
        assert refused.value.problems[0].code is Code.GIT_COMMIT_FAILED
    git(memory.layout.root, "checkout", "-q", "main")
    with opened(memory.layout.root) as back:
        assert len(written(back, "Three.")) == 1
        assert b"Two." in (committed(back)[KEYS] or b"")


@needs_git
def test_a_branch_of_a_person_is_written_to_like_the_first(memory: Memory, tmp_path: Path) -> None:
    written(memory, "One.")
    main = memory.revision
    git(memory.layout.root, "switch", "-q", "-c", "trial/one")
    written(memory, "On the branch.")
    assert git(memory.layout.root, "rev-parse", "main").strip() == main
    git(memory.layout.root, "switch", "-q", "main")
    with opened(memory.layout.root) as again:
        written(again, "On main.")
        assert b"On the branch." not in (committed(again)[KEYS] or b"")
    assert list(unsound(tmp_path)) == []


# --- What is no file of a memory -----------------------------------------------------------------


def test_a_linked_topic_is_neither_read_nor_written_through(memory: Memory, tmp_path: Path) -> None:
    written(memory, "One.")
    outside = tmp_path / "outside.md"
    outside.write_text("outside")
    topic(memory).unlink()
    topic(memory).symlink_to(outside)
    assert codes(memory.update(request(create("Two.")))) == [
        Code.DRAFT_IN_THE_WAY,
        Code.PATH_OUTSIDE_WORKSPACE,
    ]
    assert codes(memory.adopt()) == [Code.PATH_OUTSIDE_WORKSPACE]
    assert outside.read_text() == "outside"
    written(memory, "Fine.", topic="topics/other.md")


@pytest.mark.parametrize("name", ["topics", "sources", "timeline"])
def test_a_linked_folder_is_neither_read_nor_written_through(
    memory: Memory, name: str, tmp_path: Path
) -> None:
    written(memory, "One.")
    outside = tmp_path / "outside"
    shutil.move(memory.layout.root / name, outside)
    (memory.layout.root / name).symlink_to(outside)
    before = on_disk(outside)
    result = memory.update(request(create("Two."), says="Again."))
    if name == "topics":
        assert codes(result)[0] is Code.DRAFT_IN_THE_WAY
    else:
        assert [path for path in sure(result).drafts if path.startswith(f"{name}/")]
    assert on_disk(outside) == before


def test_a_git_file_in_the_place_of_the_repository_is_refused(memory: Memory) -> None:
    written(memory, "One.")
    memory.close()
    git_folder = memory.layout.git
    shutil.move(git_folder, git_folder.with_name("kept"))
    git_folder.write_text("gitdir: /elsewhere\n")
    before = on_disk(memory.layout.root)
    with pytest.raises(Refused) as refused:
        opened(memory.layout.root)
    assert refused.value.problems[0].code is Code.INVALID_ARGUMENT
    assert on_disk(memory.layout.root) == before


def test_a_linked_runtime_folder_is_refused(memory: Memory, tmp_path: Path) -> None:
    written(memory, "One.")
    memory.close()
    shutil.move(memory.layout.runtime, tmp_path / "outside")
    memory.layout.runtime.symlink_to(tmp_path / "outside")
    with pytest.raises(Refused) as refused:
        opened(memory.layout.root)
    assert refused.value.problems[0].code is Code.PATH_OUTSIDE_WORKSPACE


def test_an_index_that_was_lost_or_spoilt_is_made_anew(memory: Memory, tmp_path: Path) -> None:
    written(memory, "One.")
    memory.close()
    index = locate(memory.layout.root).facts
    index.write_bytes(b"no database at all" * 100)
    assert list(unsound(tmp_path)) == []
    index.unlink()
    assert list(unsound(tmp_path)) == []
