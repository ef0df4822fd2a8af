"""An open memory: what is committed, what a reader sees, and what becomes of a person's own hand."""

import shutil
from pathlib import Path

import pytest

from memory_example import memory as files_of_another_hand
from scriptorium.history import ADOPTED
from scriptorium.layout import locate
from scriptorium.refused import Refused
from scriptorium.workspace import Committed, Memory
from scriptorium_core.problem import Code
from scriptorium_core.trailers import values_of
from scriptorium_core.transaction import Rejected
from small_homes import committed, create, delete, git, move, on_disk, opened, request, unsound, written

KEYS = "topics/keys.md"
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="the git program is not installed")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return opened(tmp_path / "memory")


def codes(result: Committed | Rejected) -> list[Code]:
    assert isinstance(result, Rejected), result
    return [problem.code for problem in result.problems]


def sure(result: Committed | Rejected) -> Committed:
    assert isinstance(result, Committed), result
    return result


def topic(memory: Memory, path: str = KEYS) -> Path:
    return memory.layout.root / path


# --- Updates -------------------------------------------------------------------------------------


def test_an_update_is_one_commit_of_topics_evidence_and_views(memory: Memory, tmp_path: Path) -> None:
    done = sure(memory.update(request(create("The key hangs by the door."))))
    assert done.projected
    assert done.memory_committed
    assert done.git_committed
    assert done.revision == memory.revision
    (entry,) = memory.history.log()
    assert values_of(entry.trailers, "Created") == done.report.created
    assert {path.split("/")[0] for path in committed(memory)} == {
        "topics", "sources", "timeline", "recent_events.jsonl",
    }  # fmt: skip
    assert list(unsound(tmp_path)) == []


@needs_git
def test_git_status_is_clean_after_each_commit(memory: Memory) -> None:
    first, second = written(memory, "One.", "Two.")
    for change in (create("Three.", "topics/a/b.md"), move(first, topic="topics/c.md"), delete(second)):
        sure(memory.update(request(change)))
        assert git(memory.layout.root, "status", "--porcelain") == ""


def test_what_is_archived_already_is_not_archived_twice(memory: Memory) -> None:
    assert len(sure(memory.update(request(create("One.")))).report.archived) == 1
    assert sure(memory.update(request(create("Two.")))).report.archived == ()


def test_a_commit_that_would_change_nothing_is_none(memory: Memory) -> None:
    written(memory, "One.")
    before = memory.revision
    done = sure(memory.adopt())
    assert done.unchanged
    assert done.revision == memory.revision == before


def test_a_rejected_update_changes_nothing_at_all(memory: Memory) -> None:
    written(memory, "One.")
    before, files = memory.revision, on_disk(memory.layout.root)
    kept = sorted(path.name for path in memory.history.layout.git.rglob("*"))
    assert codes(memory.update(request(create("Fine."), delete("nosuch")))) == [Code.MEMORY_NOT_FOUND]
    assert codes(memory.update({"memory_changes": 7})) == [Code.INVALID_ARGUMENT]
    assert (memory.revision, on_disk(memory.layout.root)) == (before, files)
    assert sorted(path.name for path in memory.history.layout.git.rglob("*")) == kept


def test_a_reader_keeps_its_commit_while_another_process_writes(memory: Memory) -> None:
    written(memory, "One.")
    with opened(memory.layout.root) as other, memory.reading() as (revision, base):
        assert len(base.facts.newest) == 1
        written(other, "Two.")
        assert other.revision != revision
        assert len(base.facts.newest) == 1
        assert b"Two." not in (base.tree.get(KEYS) or b"")
    with memory.reading() as (revision, base):
        assert revision == other.revision
        assert len(base.facts.newest) == 2


# --- The revision that a caller has seen ---------------------------------------------------------


def test_a_request_on_an_older_revision_holds_if_its_topics_did_not_change(memory: Memory) -> None:
    written(memory, "One.")
    seen = memory.revision
    written(memory, "Elsewhere.", topic="topics/other.md")
    done = sure(memory.update(request(create("Two."), base=seen)))
    assert len(done.report.created) == 1


def test_a_request_on_an_older_revision_is_refused_if_its_topic_changed(memory: Memory) -> None:
    (block,) = written(memory, "One.")
    seen = memory.revision
    written(memory, "Two.")
    now = memory.revision
    result = memory.update(request(delete(block), base=seen))
    assert codes(result) == [Code.CONCURRENT_UPDATE]
    assert isinstance(result, Rejected)
    assert seen
    assert now
    assert seen in result.problems[0].message
    assert now in result.problems[0].message
    assert memory.revision == now


def test_a_record_that_vanished_since_is_a_conflict_and_not_a_mistake(memory: Memory) -> None:
    first, second = written(memory, "One.", "Two.")
    seen = memory.revision
    sure(memory.update(request(delete(first))))
    assert codes(memory.update(request(delete(first), base=seen))) == [Code.CONCURRENT_UPDATE]
    assert codes(memory.update(request(create("x", "topics/x.md"), delete("nosuch"), base=seen))) == [
        Code.MEMORY_NOT_FOUND
    ]
    seen = memory.revision
    sure(memory.update(request(move(second, topic="topics/new.md"))))
    assert codes(memory.update(request(delete(second), base=seen))) == [Code.CONCURRENT_UPDATE]


@pytest.mark.parametrize("revision", ["abc", "HEAD", "é", "\ud800", "0" * 40, "g" * 40, " ", "topics"])
def test_a_revision_that_is_none_is_refused_whatever_it_is(memory: Memory, revision: str) -> None:
    written(memory, "One.")
    if revision == "topics":
        revision = memory.history.tree_id(memory.revision, "topics") or ""
    assert codes(memory.update(request(create("Two."), base=revision))) == [Code.INVALID_ARGUMENT]


# --- Drafts --------------------------------------------------------------------------------------


def draft(memory: Memory, text: str, path: str = KEYS) -> None:
    """A person adds text to the end of a topic and saves it."""
    place = topic(memory, path)
    place.write_text((place.read_text() if place.exists() else "") + text)


def cited(memory: Memory, content: str) -> str:
    """A paragraph as a person writes it, with a label of their own and no id."""
    with memory.reading() as (_, base):
        place = next(iter(base.facts.places))
    return f"\n{content}[^e1]\n\n[^e1]: Time: `2026`; Sources: [me](../{place})\n"


def test_a_draft_in_the_way_is_adopted_first_as_a_commit_of_its_own(memory: Memory, tmp_path: Path) -> None:
    written(memory, "One.")
    draft(memory, cited(memory, "By hand."))
    sure(memory.update(request(create("Three."))))
    ours, adopted, *_ = memory.history.log()
    assert values_of(adopted.trailers, "Kind") == ("adopt",)
    assert len(values_of(adopted.trailers, ADOPTED)) == 1
    assert values_of(ours.trailers, "Kind") == ("edit",)
    text = topic(memory).read_text()
    assert [part in text for part in ("One.", "By hand.", "Three.", "[^e1]")] == [True, True, True, False]
    assert memory.history.drafts() == ()
    memory.close()
    assert list(unsound(tmp_path)) == []


def test_adopting_says_what_was_adopted_and_gives_the_file_its_ids(memory: Memory) -> None:
    written(memory, "One.")
    draft(memory, cited(memory, "By hand."))
    done = sure(memory.adopt())
    assert len(done.report.created) == 1
    assert f"^{done.report.created[0]}" in topic(memory).read_text()
    assert memory.history.drafts() == ()
    assert sure(memory.adopt()).unchanged


def test_a_new_topic_of_a_person_is_adopted_too(memory: Memory) -> None:
    written(memory, "One.")
    draft(memory, "# New\n" + cited(memory, "By hand."), "topics/new.md")
    sure(memory.adopt(("topics/new.md",)))
    assert topic(memory, "topics/new.md").read_bytes() == committed(memory)["topics/new.md"]


def test_a_draft_that_does_not_pass_stays_and_only_its_topic_is_closed(memory: Memory) -> None:
    written(memory, "One.")
    draft(memory, "\nno citation\n")
    mine = topic(memory).read_bytes()
    result = memory.update(request(create("Two.")))
    assert codes(result) == [Code.DRAFT_IN_THE_WAY, Code.INVALID_TOPIC_FORMAT]
    assert topic(memory).read_bytes() == mine
    sure(memory.update(request(create("Elsewhere.", "topics/other.md"))))
    assert topic(memory).read_bytes() == mine
    assert codes(memory.adopt()) == [Code.INVALID_TOPIC_FORMAT]


def test_a_topic_that_was_deleted_by_hand_is_not_taken_for_a_deletion(memory: Memory) -> None:
    written(memory, "One.")
    topic(memory).unlink()
    assert codes(memory.update(request(create("Two."))))[0] is Code.DRAFT_IN_THE_WAY
    assert codes(memory.adopt()) == [Code.BLOCK_LOST]
    assert b"One." in (committed(memory)[KEYS] or b"")


@pytest.mark.parametrize("path", [KEYS, "topics/fresh.md"])
def test_a_draft_that_holds_nothing_yet_stands_in_nobodys_way(memory: Memory, path: str) -> None:
    written(memory, "One.")
    draft(memory, "\n## Not written yet\n", path)
    sure(memory.update(request(create("Two.", path))))
    assert memory.history.drafts() == ()
    assert b"Two." in topic(memory, path).read_bytes()


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "/etc/passwd", "core.md", "topics/../x.md", ".git/config"]
)
def test_only_topics_can_be_adopted(memory: Memory, path: str) -> None:
    written(memory, "One.")
    before = memory.revision
    codes(memory.adopt((path,)))
    assert memory.revision == before


def test_an_image_beside_the_topics_hinders_nothing(memory: Memory) -> None:
    written(memory, "One.")
    (topic(memory).parent / "image.png").write_bytes(b"\x89PNG\0")
    draft(memory, cited(memory, "By hand."))
    assert len(sure(memory.adopt()).report.created) == 1


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
    index = locate(memory.layout.root).index
    index.write_bytes(b"no database at all" * 100)
    assert list(unsound(tmp_path)) == []
    index.unlink()
    assert list(unsound(tmp_path)) == []
