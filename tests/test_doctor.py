"""The doctor says what could be better, mends what follows from the commits, and touches nothing else."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from scriptorium import files, layout
from scriptorium.history import packs
from scriptorium.service.doctor import Diagnosis
from scriptorium_core.problem import Code
from scriptorium_core.recall import Query
from stories import BLUE, HOUSE, Story, story
from trips import create

RECENT, TIMELINE = "recent_events.jsonl", "timeline/2026/04/05.md"
ARCHIVE = "sources/native/_v2/trip.md"


@pytest.fixture
def told(tmp_path: Path) -> Story:
    found = story(tmp_path)
    found.service.search(Query("key"))
    return found


def _about(found: Diagnosis) -> list[str]:
    return [advice.about for advice in found.advice]


def _mended(found: Diagnosis) -> list[str]:
    return [each.what for each in found.mended]


def _truth(told: Story) -> Mapping[str, object]:
    """HEAD, and the bytes of all topics and archives in the working tree."""
    root = told.service.root
    held = {path: path.read_bytes() for top in ("topics", "sources") for path in (root / top).rglob("*.*")}
    return {"HEAD": told.service.memory().revision, **{str(path): data for path, data in held.items()}}


def _git(told: Story, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=told.service.root, check=True, capture_output=True, text=True)
    return done.stdout


def test_of_a_memory_in_order_nothing_is_said(told: Story) -> None:
    found = told.service.doctor()
    assert found.holds
    assert found.advice == ()
    assert found.mended == ()
    assert found.sizes["history"] > 0
    assert found.sizes["full text index"] > 0
    assert told.service.doctor(repair=True).mended == ()


def test_without_repair_nothing_is_changed(told: Story) -> None:
    (told.service.root / RECENT).write_bytes(b"rubbish")
    found = told.service.doctor()
    assert not found.holds
    assert found.mended == ()
    assert (told.service.root / RECENT).read_bytes() == b"rubbish"


def test_views_are_put_back(told: Story) -> None:
    root, before = told.service.root, _truth(told)
    wanted = {path: (root / path).read_bytes() for path in (RECENT, TIMELINE)}
    (root / RECENT).write_bytes(b"rubbish")
    (root / TIMELINE).unlink()
    found = told.service.doctor(repair=True)
    assert _mended(found) == ["files"]
    assert set(found.mended[0].paths) == {RECENT, TIMELINE}
    assert found.holds
    assert {path: (root / path).read_bytes() for path in wanted} == wanted
    assert _truth(told) == before


def test_topics_and_drafts_are_never_touched(told: Story) -> None:
    root = told.service.root
    (root / HOUSE).write_text((root / HOUSE).read_text() + "\nHalf a thought", "utf-8")
    (root / "topics/people/owner.md").unlink()
    (root / "topics/new.md").write_text("# New\n\nNot adopted.\n", "utf-8")
    (root / "topics/new.md").chmod(0o644)
    (root / RECENT).unlink()
    (root / ".git/index").unlink()
    before = _truth(told)
    found = told.service.doctor(repair=True)
    assert "files" in _mended(found)
    assert _truth(told) == before
    assert (root / "topics/new.md").stat().st_mode & 0o777 == 0o644
    drafts = [
        each.problem.path for each in found.proof.findings if each.problem.code is Code.DRAFT_IN_THE_WAY
    ]
    assert sorted(drafts) == [HOUSE, "topics/new.md", "topics/people/owner.md"]


def test_an_archive_that_misses_something_is_put_back(told: Story) -> None:
    path = told.service.root / ARCHIVE
    whole = path.read_bytes()
    for less in (whole[:-20], b"", None):
        path.unlink() if less is None else path.write_bytes(less)
        found = told.service.doctor(repair=True)
        assert _mended(found) == ["files"]
        assert path.read_bytes() == whole


def test_an_archive_that_holds_something_else_is_left_and_named(told: Story) -> None:
    path = told.service.root / ARCHIVE
    other = path.read_bytes() + b"what another program added\n"
    path.write_bytes(other)
    found = told.service.doctor(repair=True)
    assert path.read_bytes() == other
    assert found.mended == ()
    assert [each.problem.code for each in found.proof.findings if each.level == "problem"] == [
        Code.SOURCES_CHANGED
    ]


def test_an_index_of_facts_that_says_something_else_is_built_anew(told: Story) -> None:
    memory = told.service.memory()
    memory.index.queries.database.execute("DELETE FROM records WHERE n = 1")
    assert not told.service.doctor().holds
    found = told.service.doctor(repair=True)
    assert "index of facts" in _mended(found)
    assert found.holds


def test_an_index_of_facts_with_damaged_pages_is_built_anew(told: Story) -> None:
    told.service.memory().index.queries.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    place = told.service.memory().layout.facts
    told.service.close()
    data = bytearray(place.read_bytes())
    for start in range(8 * 4096, len(data), 4096):
        data[start : start + 512] = b"\xff" * 512
    place.write_bytes(data)
    found = told.service.doctor(repair=True)
    assert found.mended
    assert found.holds
    assert told.service.recent().rows


def test_a_damaged_full_text_index_is_built_anew(told: Story) -> None:
    folder = told.service.memory().layout.fulltext
    (store,) = folder.glob("*.store")
    whole = store.read_bytes()
    for damaged in (b"\xff" + whole[1:], whole[:-4] + b"\0\0\0\0"):
        with store.open("r+b") as file:  # in place: the engine has mapped it
            file.write(damaged)
        found = told.service.doctor(repair=True)
        assert _mended(found) == ["full text index"]
        assert found.holds
        assert told.service.search(Query("key")).hits
        (store,) = folder.glob("*.store")


@pytest.mark.skipif(layout.git_program() is None, reason="the git program is not installed")
def test_git_s_index_is_made_that_of_head(told: Story) -> None:
    _git(told, "rm", "-q", "--cached", HOUSE)
    found = told.service.doctor(repair=True)
    assert _mended(found) == ["git's index"]
    assert _git(told, "status", "--porcelain") == ""


@pytest.mark.skipif(layout.git_program() is None, reason="the git program is not installed")
def test_what_cannot_be_mended_is_said(told: Story) -> None:
    _git(told, "rm", "-q", "--cached", HOUSE)
    (told.service.root / ".git/index.lock").touch()
    found = told.service.doctor(repair=True)
    (problem,) = found.failed
    assert problem.path == ".git/index"
    assert not found.holds


def test_views_that_a_commit_holds_wrongly_are_derived_in_a_commit_of_their_own(told: Story) -> None:
    memory = told.service.memory()
    trailers = "Spoil a view\n\nKind: edit\n"
    spoilt = memory.history.write(memory.revision, {TIMELINE: b"# wrong\n"}, trailers, memory.moment())
    assert memory.history.move(memory.revision, spoilt)
    memory.history.project()
    found = told.service.doctor(repair=True)
    assert "views" in _mended(found)
    assert found.holds
    (newest, *_) = told.service.log()
    assert newest.kind == "repair"
    assert b"wrong" not in (told.service.root / TIMELINE).read_bytes()


def test_half_written_files_are_named_and_removed(told: Story) -> None:
    root = told.service.root
    left = [root / "topics" / f"{files.TEMPORARY}ab.tmp", root / f"{files.TEMPORARY}cd.tmp"]
    fresh = root / "sources" / f"{files.TEMPORARY}ef.tmp"
    for path in (*left, fresh):
        path.write_bytes(b"half")
        path.chmod(0o600)
    for path in left:
        os.utime(path, (0, 0))
    told.service.close()
    found = told.service.doctor()
    (advice,) = found.advice
    assert (advice.about, advice.mended) == ("leftovers", True)
    assert advice.message.startswith("2 ")
    assert "leftovers" in _mended(told.service.doctor(repair=True))
    assert not any(path.exists() for path in (*left, fresh))


def test_what_is_open_to_others_is_closed(told: Story) -> None:
    root = told.service.root
    root.chmod(0o755)
    (root / HOUSE).chmod(0o644)
    (root / "notes.txt").touch(0o644)
    assert _about(told.service.doctor()) == ["modes"]
    found = told.service.doctor(repair=True)
    assert _mended(found) == ["modes"]
    assert found.advice == ()
    assert root.stat().st_mode & 0o777 == 0o700
    assert (root / HOUSE).stat().st_mode & 0o777 == 0o600
    assert (root / "notes.txt").stat().st_mode & 0o777 == 0o644


def test_many_packs_are_merged(told: Story) -> None:
    for number in range(4):
        told.ask(create(f"Note {number}.", f"topics/n{number}.md"))
    place = told.service.memory().layout
    objects = place.git / "objects" / "pack"
    for path in sorted(objects.glob("*.pack"))[:1]:
        for number in range(40):
            name = f"pack-{number:040x}"
            for ending in (".pack", ".idx"):
                (objects / f"{name}{ending}").write_bytes(path.with_suffix(ending).read_bytes())
    assert "many packs" in _about(told.service.doctor())
    before = packs.count(place)
    found = told.service.doctor(repair=True)
    assert "packs" in _mended(found)
    assert packs.count(place) < before
    assert found.holds


def test_a_lock_of_git_that_nobody_holds_any_more_is_named_and_left(told: Story) -> None:
    lock = told.service.root / ".git/index.lock"
    lock.touch()
    assert told.service.doctor().advice == ()
    os.utime(lock, (0, 0))
    (advice,) = told.service.doctor(repair=True).advice
    assert (advice.about, advice.path, advice.mended) == ("stale lock", ".git/index.lock", False)
    assert lock.exists()


def test_a_missing_git_program_is_said(told: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scriptorium.service.doctor.git_program", lambda: None)
    (advice,) = told.service.doctor().advice
    assert advice.about == "no git"


def test_a_topic_that_grew_large_is_named(told: Story) -> None:
    told.ask(create(f"{BLUE} {'word ' * 14_000}end."))
    (advice,) = told.service.doctor().advice
    assert (advice.about, advice.path, advice.mended) == ("large topic", "topics/notes.md", False)
