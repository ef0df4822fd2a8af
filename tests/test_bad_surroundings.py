"""What stands around the commits and is damaged, closed or in the way: named once, and all else goes on."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from scriptorium.layout import git_program
from scriptorium.service import Service
from scriptorium.service.forgetting import Forgotten
from scriptorium.service.model import Status, Verified
from scriptorium.service.trust import Remembered
from scriptorium.workspace import Committed
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Rejected
from small_homes import create, git, listed, request, service, told

needs_git = pytest.mark.skipif(git_program() is None, reason="git is not installed")
KEYS, MORE = "topics/keys.md", "topics/more.md"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a written conversation and records in two topics."""
    told(tmp_path)
    listed(tmp_path)
    with service(tmp_path) as asked:
        asked.change(request(create("One."), create("Two.", MORE)))
        assert asked.verify().holds
    return tmp_path


def problems(proof: Verified) -> list[Problem]:
    return [found.problem for found in proof.findings if found.level == "problem"]


def about(found: list[Problem] | tuple[Problem, ...], path: str) -> Problem:
    """The one problem of a place."""
    (problem,) = [each for each in found if each.path.endswith(path)]
    return problem


def one_more(asked: Service) -> Committed:
    done = asked.change(request(create("Three."), says="Three."))
    assert isinstance(done, Committed)
    return done


# --- The repository ------------------------------------------------------------------------------


@needs_git
@pytest.mark.parametrize("damage", [lambda data: data[:-40], lambda data: b"rubbish", lambda data: b""])
def test_a_damaged_index_of_git_is_named_and_made_anew_by_the_doctor(home: Path, damage: object) -> None:
    index = home / "memory/.git/index"
    index.write_bytes(damage(index.read_bytes()))  # type: ignore[operator]
    with service(home) as asked:
        proof = asked.verify()
        problem = about(problems(proof), ".git/index")
        assert problem.code is Code.INDEX_STALE
        assert "doctor --repair" in problem.remedy
        assert problems(proof) == [problem]
        assert proof.counted.records
        assert [each.what for each in asked.doctor(repair=True).mended] == ["git's index"]
        assert asked.verify().holds
    assert git(home / "memory", "status", "--porcelain") == ""


@needs_git
@pytest.mark.parametrize("damage", [lambda data: data[:-40], lambda data: b"rubbish", lambda data: b""])
def test_a_change_makes_a_damaged_index_of_git_anew(home: Path, damage: object) -> None:
    index = home / "memory/.git/index"
    index.write_bytes(damage(index.read_bytes()))  # type: ignore[operator]
    with service(home) as asked:
        assert one_more(asked).problems == ()
        assert asked.verify().holds
    assert git(home / "memory", "status", "--porcelain") == ""


def test_status_and_verify_say_that_a_detached_head_lets_nothing_be_written(home: Path) -> None:
    with service(home) as asked:
        revision = asked.memory().revision
        (home / "memory/.git/HEAD").write_text(f"{revision}\n")
        for found in (asked.status().broken, problems(asked.verify())):
            problem = about(found, ".git/HEAD")
            assert "nothing can be written" in problem.message
            assert "git switch" in problem.remedy


@needs_git
def test_a_repository_that_is_begun_anew_by_hand_leaves_the_runtime_folder_out(home: Path) -> None:
    root = home / "memory"
    shutil.rmtree(root / ".git")
    git(root, "init", "-q")
    git(root, "add", "-A")
    named = git(root, "ls-files").split()
    assert KEYS in named
    assert not [name for name in named if name.startswith(".scriptorium")]


# --- The conversations ---------------------------------------------------------------------------


@pytest.mark.parametrize("whole", [True, False])
def test_a_damaged_session_store_is_named_and_the_rest_is_told(home: Path, whole: bool) -> None:
    path = home / "sessions.sqlite3"
    sqlite3.connect(path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = path.read_bytes()
    path.write_bytes(b"rubbish" * 999 if whole else data[:4096] + b"\xff" * (len(data) - 4096))
    with service(home) as asked:
        status, proof = asked.status(), asked.verify()
        assert about(status.broken, "sessions.sqlite3").code is Code.SESSION_NODES_UNAVAILABLE
        assert about(problems(proof), "sessions.sqlite3").remedy
        assert (status.records, status.sessions) == (proof.counted.records, 0)
        assert proof.counted.views


# --- The files -----------------------------------------------------------------------------------


def unreadable(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the files of a name refuse to be opened: the owner of this process may open everything."""
    opened = os.open

    def refuse(path: str | Path, *more: int, **named: int) -> int:
        if Path(path).name == name:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *more, **named)

    monkeypatch.setattr(os, "open", refuse)


def test_a_topic_that_may_not_be_read_is_named_and_the_rest_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.utime(home / "memory" / KEYS)  # so that its status is newer than the last scan
    unreadable("keys.md", monkeypatch)
    with service(home) as asked:
        status, proof = asked.status(), asked.verify()
        for found in (status.unsound, problems(proof)):
            problem = about(found, KEYS)
            assert "may not be read" in problem.message
            assert "chmod" in problem.remedy
        assert status.drafts == ()
        assert proof.counted.views


def test_a_link_in_the_place_of_the_topics_is_one_finding(home: Path) -> None:
    root = home / "memory"
    (root / "topics").rename(home / "elsewhere")
    (root / "topics").symlink_to(home / "elsewhere")
    with service(home) as asked:
        status, proof = asked.status(), asked.verify()
        assert status.drafts == ()
        for found in (status.unsound, problems(proof)):
            (problem,) = found
            assert problem.path == "topics"
            assert "symbolic link" in problem.message


def test_what_is_no_topic_is_no_draft_and_said_to_be_none(home: Path) -> None:
    folder = home / "memory/topics"
    (folder / "plain.txt").write_text("Mine.\n")
    (folder / "con.md").write_text("# Con\n")
    with service(home) as asked:
        status: Status = asked.status()
        assert status.drafts == ()
        assert {each.path for each in status.unsound} == {"topics/plain.txt", "topics/con.md"}
        assert "does not end in .md" in about(status.unsound, "plain.txt").message


def test_adopt_names_its_option_where_a_record_vanished(home: Path) -> None:
    (home / "memory" / MORE).unlink()
    with service(home) as asked:
        for paths in (None, [MORE]):
            done = asked.adopt(paths)
            assert isinstance(done, Rejected)
            (problem,) = done.problems
            assert problem.code is Code.BLOCK_LOST
            assert "scriptorium adopt --delete" in problem.remedy
        assert isinstance(asked.adopt(delete=True), Committed)


def test_what_was_written_into_the_derived_core_is_announced_and_put_aside(home: Path) -> None:
    root = home / "memory"
    with service(home) as asked:
        asked.remember("Be brief.", topic="core")
        (root / "core.md").write_text("Mine.\n")
        problem = about(asked.status().unsound, "core.md")
        assert "puts the text aside" in problem.message
        assert "scriptorium edit core" in problem.remedy
        for number, words in enumerate(("Be kind.", "Be frank.")):
            done = asked.remember(words, topic="core")
            assert isinstance(done, Remembered)
            assert words in (root / "core.md").read_text()
            kept = root / f".scriptorium/aside/core{f'-{number}' if number else ''}.md"
            assert kept.read_text() == ("Mine.\n", "Mine, too.\n")[number]
            (kept_so,) = done.committed.problems
            assert (kept_so.code, kept_so.path) == (Code.VIEW_STALE, kept.relative_to(root).as_posix())
            assert kept_so.path in {each.path for each in asked.status().unsound}
            (root / "core.md").write_text("Mine, too.\n")
        (root / "core.md").unlink()
        assert isinstance(asked.remember("Be on time.", topic="core"), Remembered)
        assert len(asked.status().unsound) == 2


def test_what_is_put_aside_in_an_erasure_loses_the_words(home: Path) -> None:
    root = home / "memory"
    with service(home) as asked:
        saved = asked.remember("The code is 4711 in the shed.", topic="core")
        assert isinstance(saved, Remembered)
        (root / "core.md").write_text("Mine.\n\nThe code is 4711 in the shed.\n")
        (block,) = [each.id for each in saved.records]
        assert isinstance(asked.forget([block], erase=True), Forgotten)
        text = "".join(path.read_text() for path in (root / ".scriptorium/aside").iterdir())
        assert "Mine." in text
        assert "4711" not in text
