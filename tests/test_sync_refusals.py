"""What a sync refuses: other memories, rewritten histories, what no memory takes in, what was erased."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium.service.forgetting import Forgotten
from scriptorium_core.problem import Code
from sync_homes import DIALOGUE, Copy, bare, git


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Copy, Copy]]:
    remote = str(bare(tmp_path / "remote.git"))
    with Copy(tmp_path / "a", remote) as one, Copy(tmp_path / "b", remote) as two:
        one.say("The spare keys hang behind the blue door.")
        one.sync()
        two.sync()
        yield one, two


def rescues(copy: Copy) -> list[str]:
    folder = copy.root / ".git" / "refs" / "rescue"
    return [path.read_text().strip() for path in folder.iterdir()] if folder.is_dir() else []


def pushed_by_hand(copy: Copy, tmp_path: Path, made: str) -> None:
    """A person clones the copy, runs what `made` says there, and pushes."""
    place = tmp_path / "by-hand"
    git(tmp_path, "clone", "-q", copy.remote, str(place))
    for line in made.split("; "):
        words = line.split(" ")
        if words[0] == "write":
            (place / words[1]).parent.mkdir(parents=True, exist_ok=True)
            (place / words[1]).write_text(" ".join(words[2:]))
        elif words[0] == "link":
            (place / words[1]).symlink_to(words[2])
        else:
            git(place, *words)
    git(place, "commit", "-q", "-m", "By hand")
    git(place, "push", "-q", "origin", "HEAD")


def mktree(remote: Path, lines: str) -> str:
    """A folder as git keeps it, whatever its names."""
    command = ["git", "-C", str(remote), "mktree"]
    done = subprocess.run(command, input=lines + "\n", capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_history_of_another_memory_is_kept_aside_and_replaces_nothing(
    pair: tuple[Copy, Copy], tmp_path: Path
) -> None:
    one, _ = pair
    with Copy(tmp_path / "c", one.remote) as other:
        other.say("Another memory.")
        before, disk = other.head, other.on_disk()
        (problem,) = other.refused()
        assert problem.code is Code.COMMIT_REJECTED
        assert "another memory" in problem.message
        assert "refs/rescue/" in problem.message
        assert rescues(other) == [one.head]
        assert (other.head, other.on_disk()) == (before, disk)
        other.sound()
        assert git(Path(one.remote), "rev-parse", "main") == one.head


def test_an_empty_repository_that_is_of_another_memory_takes_no_other(tmp_path: Path) -> None:
    remote = str(bare(tmp_path / "remote.git"))
    with Copy(tmp_path / "a", remote) as one, Copy(tmp_path / "b", remote) as two:
        one.say("One memory.")
        two.say("Another one.")
        one.sync()
        git(Path(remote), "update-ref", "-d", "refs/heads/main")
        (problem,) = two.refused()
        assert one.service.memory().workspace in problem.message


def test_a_rewritten_history_is_kept_aside_and_replaces_nothing(
    pair: tuple[Copy, Copy], tmp_path: Path
) -> None:
    one, two = pair
    one.say("Tea is at six.")
    one.sync()
    two.sync()
    git(Path(one.remote), "update-ref", "refs/heads/main", f"{one.head}~1")
    before, disk = two.head, two.on_disk()
    (problem,) = two.refused()
    assert "rewritten" in problem.message
    assert before[:10] in problem.message
    assert len(rescues(two)) == 1
    assert (two.head, two.on_disk()) == (before, disk)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("link topics/link.md ../../etc; add -A", "symbolic link"),
        ("write topics/run.md x; add -A; update-index --chmod=+x topics/run.md", "executable"),
        ("update-index --add --cacheinfo 160000,{head},vendor", "submodule"),
        ("write .scriptorium/write.lock x; add -A -f", "folder of the program"),
        ("write topics/Keys.md x; add -A", "only in case"),
        ("write topics/a:b.md x; add -A", "colon"),
    ],
)
def test_what_no_memory_takes_in_is_named_and_refused(
    pair: tuple[Copy, Copy], tmp_path: Path, made: str, said: str
) -> None:
    one, two = pair
    pushed_by_hand(one, tmp_path, made.format(head=one.head))
    before, disk = two.head, two.on_disk()
    problems = two.refused()
    assert any(said in problem.message for problem in problems), problems
    assert (two.head, two.on_disk()) == (before, disk)
    assert not (two.root / ".scriptorium" / "incoming").exists()


def test_a_folder_named_git_in_a_tree_is_refused(pair: tuple[Copy, Copy], tmp_path: Path) -> None:
    one, two = pair
    remote = Path(one.remote)
    place = tmp_path / "evil"
    place.write_text("[core]\n")
    blob = git(remote, "hash-object", "-w", str(place))
    inner = mktree(remote, f"100644 blob {blob}\tconfig")
    top = git(remote, "ls-tree", one.head)
    outer = mktree(remote, f"{top}\n040000 tree {inner}\t.GIT")
    made = git(remote, "commit-tree", "-p", one.head, "-m", "x", outer)
    git(remote, "update-ref", "refs/heads/main", made)
    problems = two.refused()
    assert any(".GIT" in problem.path for problem in problems)


def test_a_name_that_no_file_system_takes_is_refused(pair: tuple[Copy, Copy], tmp_path: Path) -> None:
    one, two = pair
    remote = Path(one.remote)
    place = tmp_path / "words"
    place.write_text("words\n")
    blob = git(remote, "hash-object", "-w", str(place))
    made = mktree(remote, f"{git(remote, 'ls-tree', one.head)}\n100644 blob {blob}\t{'n' * 300}")
    commit = git(remote, "commit-tree", "-p", one.head, "-m", "x", made)
    git(remote, "update-ref", "refs/heads/main", commit)
    before = two.head
    assert [problem.message for problem in two.refused()] == ["what comes is refused: it is too long"]
    assert two.head == before


def test_evidence_that_another_hand_changed_is_not_taken_in(pair: tuple[Copy, Copy], tmp_path: Path) -> None:
    one, two = pair
    place = tmp_path / "by-hand"
    git(tmp_path, "clone", "-q", one.remote, str(place))
    (archive,) = (place / "sources").rglob("*.md")
    archive.write_text(archive.read_text().replace("blue", "pink"))
    git(place, "commit", "-q", "-a", "-m", "Nobody looks")
    git(place, "push", "-q", "origin", "HEAD")
    before = two.head
    problems = two.refused()
    assert Code.SOURCES_CHANGED in [problem.code for problem in problems]
    assert two.head == before
    assert len(rescues(two)) == 1
    two.say("Tea is at six.", "tea")
    assert Code.SOURCES_CHANGED in two.codes()
    assert "blue" in str(two.messages())


def test_a_record_that_a_commit_by_hand_lost_is_not_taken_away(
    pair: tuple[Copy, Copy], tmp_path: Path
) -> None:
    one, two = pair
    pushed_by_hand(one, tmp_path, "rm -q topics/keys.md")
    assert Code.BLOCK_LOST in two.codes()
    two.say("Tea is at six.", "tea")
    two.sync()
    assert two.texts() == {"The spare keys hang behind the blue door.", "Tea is at six."}
    two.sound()


def test_what_was_erased_does_not_come_back(pair: tuple[Copy, Copy]) -> None:
    one, _ = pair
    (block,) = one.order()
    one.say("Tea is at six.", "tea")
    one.sync()
    done = one.service.forget([block], erase=True, unlink=True)
    assert isinstance(done, Forgotten)
    before = one.head
    (problem,) = one.refused()
    assert problem.code is Code.FORGOTTEN
    assert "still holds text that was erased here" in problem.message
    assert f"`scriptorium sync {one.remote} --replace`" in problem.remedy
    assert one.head == before
    assert not rescues(one)
    one.service.close()
    packs = git(one.root, "cat-file", "--batch-all-objects", "--batch-check").splitlines()
    blobs = [line.split()[0] for line in packs if " blob " in line]
    assert not any("blue door" in git(one.root, "cat-file", "blob", name) for name in blobs)


def test_a_message_of_the_oldest_archives_that_was_erased_does_not_come_back_either(
    pair: tuple[Copy, Copy],
) -> None:
    one, two = pair
    one.given("sources/D1.md", DIALOGUE)
    one.sync()
    two.sync()
    assert "D1:2" in two.messages()
    assert isinstance(one.service.forget(["D1:2"], erase=True, unlink=True), Forgotten)
    assert [problem.code for problem in one.refused()] == [Code.FORGOTTEN]
    git(one.root, "push", "-q", "--force", one.remote, "HEAD")
    (problem,) = two.refused()
    assert "forget --erase D1:2" in problem.remedy
    assert not any(b"4711" in data for data in one.files().values())


def test_a_history_that_holds_what_was_erased_here_is_replaced_by_a_word(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    (block,) = one.order()
    one.say("Tea is at six.", "tea")
    one.sync()
    old = git(Path(one.remote), "rev-parse", "main")
    one.service.forget([block], erase=True, unlink=True)
    assert one.sync(replace=True, dry_run=True).did == "replaced"
    assert git(Path(one.remote), "rev-parse", "main") == old
    done = one.sync(replace=True)
    assert (done.did, done.pushed, one.sync().did) == ("replaced", True, "nothing")
    assert git(Path(one.remote), "rev-parse", "main") == one.head
    assert "blue door" not in git(Path(one.remote), "log", "-p", "main")
    (problem,) = two.refused(replace=True)
    assert "has erased what is still here" in problem.message
    two.service.forget([block], erase=True, unlink=True)
    two.sync()
    one.sync()
    assert one.head == two.head
    one.sound()


def test_a_history_is_not_replaced_where_commits_would_be_lost(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    (block,) = one.order()
    two.say("Tea is at six.", "tea")
    two.sync()
    there = two.head
    one.service.forget([block], erase=True, unlink=True)
    (problem,) = one.refused(replace=True)
    assert problem.code is Code.FORGOTTEN
    assert ("would be lost" in problem.message, there[:10] in problem.message) == (True, True)
    assert git(Path(one.remote), "rev-parse", "main") == there
    # What it says is enough: the computer that made them replaces the history, and the two meet again.
    assert f"forget --erase {block}" in problem.remedy
    two.service.forget([block], erase=True, unlink=True)
    assert two.sync(replace=True).did == "replaced"
    one.sync()
    two.sync()
    assert one.head == two.head
    assert one.texts() == {"Tea is at six."}
    one.sound()


def test_a_history_without_what_was_erased_is_united_and_not_replaced(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    two.say("Tea is at six.", "tea")
    two.sync()
    one.say("Coffee is at nine.", "coffee")
    assert one.sync(replace=True).did == "united"
    assert "Tea is at six." in one.texts()


def test_whoever_still_holds_what_was_erased_there_is_told_to_erase_it_too(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    (block,) = one.order()
    one.service.forget([block], erase=True, unlink=True)
    git(one.root, "push", "-q", "--force", one.remote, "HEAD")
    two.say("Tea is at six.", "tea")
    (problem,) = two.refused()
    assert problem.code is Code.FORGOTTEN
    assert "forget --erase" in problem.remedy
    assert block in problem.remedy
    assert "The spare keys hang behind the blue door." in two.texts()
    # What it says is enough: afterwards the two are copies of one memory again.
    two.service.forget([block], erase=True, unlink=True)
    two.sync()
    one.sync()
    assert one.head == two.head
    assert one.texts() == {"Tea is at six."}
    one.sound()
    two.sound()


OPEN = (
    *("http://example.org/m.git", "git://example.org/m.git", "ftp://example.org/m", "ext::sh -c id"),
    *("-oProxyCommand=id", "ssh://-oX/m", ""),
)


@pytest.mark.parametrize("address", OPEN)
def test_an_address_that_everyone_reads_along_is_refused(pair: tuple[Copy, Copy], address: str) -> None:
    one, _ = pair
    one.service.settings = type(one.service.settings)()
    assert one.codes(remote=address) == [Code.INVALID_ARGUMENT]


def test_credentials_of_an_address_are_told_to_nobody(pair: tuple[Copy, Copy]) -> None:
    one, _ = pair
    for problem in one.refused(remote="https://me:hunter2@127.0.0.1:9/memory.git"):
        assert "hunter2" not in f"{problem.message} {problem.path} {problem.remedy}"
    everything = b"".join(path.read_bytes() for path in one.home.rglob("*") if path.is_file())
    assert b"hunter2" not in everything


def test_a_memory_in_which_somebody_works_is_no_copy_to_meet(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    (problem,) = one.refused(remote=str(two.root))
    assert "bare" in problem.remedy


def test_nobody_but_the_owner_syncs(pair: tuple[Copy, Copy]) -> None:
    from scriptorium_core.policy.actor import Actor

    one, _ = pair
    one.service.actor = Actor("writer")
    assert one.codes() == [Code.NOT_PERMITTED]
