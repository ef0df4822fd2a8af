"""Proving a memory: a sound one has no findings, and every kind of damage is found, placed and answered."""

import os
import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest

from scriptorium.history import proof
from scriptorium.index.encode import sum_of
from scriptorium.service import Service
from scriptorium.service.model import Finding, TopicShown, Verified
from scriptorium.settings import Settings
from scriptorium_core.problem import Code
from scriptorium_core.recall import Query
from trips import WORKSPACES, ask, at_noon, create, unpacked, written

OWNER, ARCHIVE = "topics/people/owner.md", "sources/native/_v2/trip.md"


def _sound(folder: Path) -> Service:
    """A memory with links, a resident block and a full text index."""
    service = written(folder)
    (first, *_) = service.recent().rows
    ask(
        service,
        create(f"See [this](people/owner.md#^{first.record.id}) before booking."),
        create("Always answer in British English.", "topics/core.md"),
    )
    service.search(Query("trains"))
    return service


def _commit(service: Service, files: Mapping[str, bytes | None], kind: str = "Kind: edit\n") -> None:
    """A commit past all checks, its files put into place."""
    memory = service.memory()
    commit = memory.history.write(memory.revision, files, f"Past the checks\n\n{kind}", at_noon())
    assert memory.history.move(memory.revision, commit)
    for path, data in files.items():
        target = service.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink() if data is None else target.write_bytes(data)
    memory.history.recover(lambda path: True)


def _problems(verified: Verified) -> set[tuple[Code, str]]:
    return {
        (found.problem.code, found.problem.path) for found in verified.findings if found.level == "problem"
    }


def _informations(verified: Verified) -> list[Finding]:
    return [found for found in verified.findings if found.level == "information"]


def _has_remedies(verified: Verified) -> bool:
    return all(found.problem.message and found.problem.remedy for found in verified.findings)


def test_a_sound_memory_has_no_findings(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    with _sound(tmp_path) as service:
        verified = service.verify(lambda done, total: steps.append((done, total)))
        assert verified.findings == ()
        assert verified.holds
        counted = verified.counted
        assert (counted.topics, counted.records, counted.sources, counted.links) == (3, 5, 6, 1)
        assert counted.citations == 5
        assert counted.views > 3
        assert counted.files > counted.topics


def test_an_empty_memory_is_sound(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.init()
        assert service.verify().findings == ()


@pytest.mark.parametrize("name", WORKSPACES)
def test_a_directory_of_the_other_program_holds_and_stays_so_when_it_is_written(
    tmp_path: Path, name: str
) -> None:
    with Service(memory=unpacked(name, tmp_path), settings=Settings(), moment=at_noon) as service:
        assert service.memory().notices == ()
        opened = service.verify()
        assert opened.holds, opened.findings
        assert opened.counted.citations > 0
        assert isinstance(service.show("topics/core.md"), TopicShown)
        source = next(iter(service.recent().rows)).sources[0]
        ask(service, create("A lantern hangs in the hall.", source=source))
        assert service.search(Query("lantern")).hits
        after = service.verify()
        assert after.findings == ()
        assert not (service.root / "relations.json").exists()


def test_views_of_a_commit_by_another_hand_are_one_information(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        _commit(service, {"timeline/2026/03/01.md": b"# another form\n", "relations.json": b"{}\n"}, kind="")
        verified = service.verify()
        assert verified.holds
        views = [f for f in _informations(verified) if f.problem.code is Code.VIEW_STALE]
        assert len(views) == 1
        ask(service, create("The next change."))
        service.search(Query("change"))
        assert service.verify().findings == ()


def test_a_changed_archive_file_is_a_problem_and_a_changed_topic_a_draft(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        for path in (ARCHIVE, OWNER, "core.md"):
            target = service.root / path
            target.write_bytes(target.read_bytes().replace(b"e", b"E"))
        verified = service.verify()
        assert _problems(verified) == {(Code.SOURCES_CHANGED, ARCHIVE), (Code.VIEW_STALE, "core.md")}
        (draft,) = _informations(verified)
        assert (draft.problem.code, draft.problem.path) == (Code.DRAFT_IN_THE_WAY, OWNER)
        assert "adopt" in draft.problem.remedy


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_missing_files_links_and_strangers_are_told(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        (service.root / ARCHIVE).unlink()
        context = service.root / ARCHIVE.replace(".md", ".jsonl")
        context.rename(tmp_path / "away")
        context.symlink_to(tmp_path / "away")
        (service.root / "topics" / "new.md").write_text("# New\n")
        (service.root / "sources" / "notes.txt").write_text("mine")
        verified = service.verify()
        assert _problems(verified) == {
            (Code.SOURCES_CHANGED, ARCHIVE),
            (Code.PATH_OUTSIDE_WORKSPACE, ARCHIVE.replace(".md", ".jsonl")),
        }
        assert [found.problem.path for found in _informations(verified)] == [
            "topics/new.md",
            "sources/notes.txt",
        ]


def test_a_citation_and_a_link_that_lead_nowhere_are_named_with_their_lines(tmp_path: Path) -> None:
    topic = (
        b"# Notes\n\nSee [this](people/owner.md#^0000aaaa).[^e-1] ^aa\n\n"
        b"[^e-1]: Time: `2026`; Sources: [gone](../sources/native/_v2/trip.md#source-0000000000000000)\n"
    )
    with _sound(tmp_path) as service:
        _commit(service, {"topics/odd.md": topic})
        found = {
            f.problem.code: f.problem for f in service.verify().findings if f.problem.path == "topics/odd.md"
        }
        assert {code: problem.line for code, problem in found.items()} == {
            Code.MISSING_SOURCE: 3,
            Code.LINK_DANGLING: 3,
        }


def test_an_id_that_was_forgotten_and_stands_again_is_told(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        name = service.recent(1).rows[0].record.id
        _commit(service, {}, kind=f"Kind: forget\nForgotten: {name}\n")
        assert [found.problem.code for found in service.verify().findings if found.level == "problem"] == [
            Code.FORGOTTEN
        ]


def test_ids_names_and_format_are_told_where_they_break(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        data = (service.root / OWNER).read_bytes()
        _commit(
            service,
            {"topics/people/Owner.md": data, "topics/half.md": b"# Half\n\nNot finished.\n"},
        )
        broken = [f.problem for f in service.verify().findings if f.problem.code is Code.INVALID_TOPIC_FORMAT]
        assert {problem.path for problem in broken} == {"topics/half.md", OWNER}
        messages = " ".join(problem.message for problem in broken)
        assert "already" in messages
        assert "case" in messages
        assert any(problem.path == "topics/half.md" and problem.line == 3 for problem in broken)


def test_an_archive_that_breaks_off_is_told_with_its_line(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        data = (service.root / ARCHIVE).read_bytes()
        context = b'{"id": "native/trip/m1"}\n'
        _commit(service, {ARCHIVE: data[:-30], ARCHIVE.replace(".md", ".jsonl"): context})
        problems = [f.problem for f in service.verify().findings if f.problem.code is Code.SOURCES_CHANGED]
        assert {(problem.path, problem.line > 0) for problem in problems} == {
            (ARCHIVE, True),
            (ARCHIVE.replace(".md", ".jsonl"), True),
        }


def test_a_view_that_is_not_what_the_topics_say_is_told(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        _commit(
            service, {"timeline/2026/03/01.md": b"# x\n", "timeline/1999.md": b"# 1999\n", "core.md": None}
        )
        assert _problems(service.verify()) == {
            (Code.VIEW_STALE, "timeline/2026/03/01.md"),
            (Code.VIEW_STALE, "timeline/1999.md"),
            (Code.VIEW_STALE, "core.md"),
        }


@pytest.mark.parametrize(
    ("statement", "lookup"),
    [
        ("DELETE FROM links", "backlinks"),
        ("DELETE FROM cites", "citing"),
        ("DELETE FROM days", "days"),
        ("DELETE FROM evidence", "evidence"),
        ("DELETE FROM ids", "records"),
        ("UPDATE records SET first = first + 1", "records"),
        ("UPDATE records SET ord = 99 - ord", "newest"),
        ("DELETE FROM records WHERE n = (SELECT max(n) FROM records)", "newest"),
        ("UPDATE created SET ord = ord + 100", "next_order"),
        ("UPDATE sources SET trusted = 0", "sources"),
        ("UPDATE sources SET text = 'x' WHERE n = (SELECT max(n) FROM sources)", "sources"),
        ("UPDATE sources SET anchor = 'x'", "places"),
        ("DELETE FROM sources WHERE n = (SELECT max(n) FROM sources)", "sources"),
        ("DELETE FROM contexts", "sources"),
        ("UPDATE files SET data = '[9, 0]' WHERE kind = 'archive'", "archives"),
        ("INSERT INTO forgotten VALUES ('zz', '2026-01-01', 0)", "forgotten"),
        ("UPDATE files SET key = 'topics/other.md' WHERE path LIKE '%owner.md'", "topics"),
        ("UPDATE ids SET id = 'extra' WHERE id = (SELECT max(id) FROM ids)", "records"),
    ],
)
def test_an_index_that_differs_from_the_files_is_told_by_lookup(
    tmp_path: Path, statement: str, lookup: str
) -> None:
    with _sound(tmp_path) as service:
        path = service.memory().layout.facts
        service.close()
        with sqlite3.connect(path) as database:
            assert database.execute(statement).rowcount > 0
            # A row without its sum is damage, which is noticed before anything is compared.
            database.create_function("sum_of", -1, sum_of)
            said = "id, anchor, line, label, at, text, speaker_id, speaker_kind, tier, trusted"
            database.execute(f"UPDATE sources SET sum = sum_of({said})")
            database.execute("UPDATE files SET sum = sum_of(data)")
        database.close()
        verified = service.verify()
        assert f"in {lookup}," in " ".join(found.problem.message for found in verified.findings)
        assert (Code.INDEX_STALE, ".scriptorium/index.sqlite3") in _problems(verified)
        service.close()
        path.unlink()
        assert service.verify().findings == ()


def test_a_damaged_full_text_index_is_told_and_a_late_one_is_information(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        ask(service, create("Not searched yet."))
        (late,) = service.verify().findings
        assert (late.level, late.problem.code) == ("information", Code.INDEX_STALE)
        service.search(Query("trains"))
        folder = service.memory().layout.fulltext
        target = max(folder.glob("*.store"), key=lambda path: path.stat().st_size)
        data = bytearray(target.read_bytes())
        data[len(data) // 3] ^= 0xFF
        target.chmod(0o600)
        target.write_bytes(bytes(data))
        assert _problems(service.verify()) == {(Code.INDEX_STALE, "fulltext")}
        shutil.rmtree(folder)
        (missing,) = service.verify().findings
        assert missing.level == "information"


def test_a_full_text_index_with_too_few_documents_is_told(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        memory = service.memory()
        from scriptorium.fulltext import FullText

        assert memory.revision
        assert FullText.open(memory.layout.fulltext).update(memory.revision, memory.revision, (), (OWNER,))
        assert _problems(service.verify()) == {(Code.INDEX_STALE, "fulltext")}


@pytest.mark.parametrize("program", [True, False], ids=["git", "dulwich"])
def test_an_object_that_is_lost_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: bool
) -> None:
    if program and shutil.which("git") is None:
        pytest.skip("git is not installed")
    with _sound(tmp_path) as service:
        if not program:
            monkeypatch.setattr(proof, "start", lambda *_, **__: None)
        assert service.verify().findings == ()
        for pack in (service.root / ".git" / "objects" / "pack").glob("*.pack"):
            data = bytearray(pack.read_bytes())
            data[len(data) // 2] ^= 0xFF
            pack.chmod(0o600)
            pack.write_bytes(bytes(data))
            break
        service.close()
        verified = service.verify()
        assert _problems(verified) == {(Code.HISTORY_DAMAGED, ".git")}
        assert _has_remedies(verified)


def test_marks_that_do_not_agree_with_the_archive_are_information(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        with sqlite3.connect(service.sessions_path) as database:
            database.execute("UPDATE nodes SET mark = '' WHERE id = 'm1'")
            database.execute(
                "INSERT INTO nodes SELECT 99, session, 'm9', NULL, 1, 'm6', 'm6', talk, ?, role, origin, at,"
                " speaker_id, speaker_name, scope, metadata, text FROM nodes WHERE id = 'm6'",
                (service.memory().workspace,),
            )
        database.close()
        verified = service.verify()
        assert verified.holds
        assert [found.problem.message.split(" of ")[0] for found in verified.findings] == [
            "1 messages",
            "1 messages",
        ]
        assert _has_remedies(verified)


def test_what_was_staged_by_hand_is_information(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    with _sound(tmp_path) as service:
        (service.root / ".git" / "index").unlink()
        verified = service.verify()
        assert verified.holds
        assert [found.problem.path for found in verified.findings] == [".git/index"]


def test_every_finding_says_what_to_do(tmp_path: Path) -> None:
    with _sound(tmp_path) as service:
        (service.root / OWNER).unlink()
        (service.root / ARCHIVE).write_text("gone")
        _commit(
            service,
            {"topics/half.md": b"# Half\n\nNot finished.\n", "core.md": b"x", "relations.json": b"{}"},
        )
        verified = service.verify()
        assert not verified.holds
        assert _has_remedies(verified)
