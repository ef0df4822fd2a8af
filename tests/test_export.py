"""Memory as plain files: what goes along, in which form, of when, and for whom."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from cli_example import DINNER, INES, fresh_home, run, run_json
from hidden_homes import HIDDEN, OPEN, as_, ids, with_hidden
from scriptorium import Memory
from scriptorium.service import Service
from scriptorium.workspace import Committed
from scriptorium_core.changes import Caller
from scriptorium_core.policy import AGENT, READER
from small_homes import NOW, committed, create, on_disk, request, service

__all__: list[str] = []


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Service]:
    with service(tmp_path / "small") as made:
        yield made


def add(memory: Service, content: str, topic: str = "topics/keys.md", says: str = "I said so.") -> str:
    done = memory.change(request(create(content, topic), says=says))
    assert isinstance(done, Committed), done
    return done.report.created[0]


def held_message(memory: Service, words: str) -> None:
    """A message of somebody unknown, and a record that cites it."""
    who = Caller.unknown("tg/9", "Zed")
    done = memory.change(request(create(words, "topics/door.md"), says=words), who)
    assert isinstance(done, Committed), done


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def unzipped(path: Path) -> Mapping[str, bytes]:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


# --- The three forms -----------------------------------------------------------------------------


def test_a_folder_holds_topics_sources_and_views_as_they_are_and_nothing_else(home: Path) -> None:
    ran = run("--home", home, "export", home / "notes")
    assert (ran.code, ran.err) == (0, "")
    assert "3 topics, 2 files of sources, 9 views of " in ran.out
    with Service(home) as service:
        assert on_disk(home / "notes") == committed(service.memory())
    assert {path.name for path in (home / "notes").iterdir()} == {
        "topics", "sources", "timeline", "relations", "core.md", "recent_events.jsonl"
    }  # fmt: skip


def test_a_zip_holds_the_same_in_order_and_has_the_same_bytes_whenever_it_is_made(home: Path) -> None:
    for name in ("a.zip", "B.ZIP"):
        assert run("--home", home, "export", home / name).code == 0
    run("--home", home, "export", home / "notes")
    assert (home / "a.zip").read_bytes() == (home / "B.ZIP").read_bytes()
    found = unzipped(home / "a.zip")
    assert found == on_disk(home / "notes")
    assert list(found) == sorted(found)


def test_lines_hold_each_record_with_the_turns_that_it_cites(home: Path) -> None:
    ran = run_json("--home", home, "export", home / "notes.jsonl", "--clock", "2026-05-01T12:00:00Z")
    assert (ran["form"], ran["records"], ran["pending"]) == ("jsonl", 10, 0)
    found = {each["id"]: each for each in lines(home / "notes.jsonl")}
    dinner = found[DINNER]
    assert (dinner["topic"], dinner["headings"], dinner["dates"]) == (
        "topics/trips/porto.md", ["Porto, May 2026", "Plan"], ["2026-03-21"]
    )  # fmt: skip
    (group,) = dinner["evidence"]
    assert {each["source"] for each in group["sources"]} == {"native/porto/m12", "native/porto/m6"}
    said = next(each for each in group["sources"] if each["source"] == "native/porto/m12")
    assert (said["speaker"], said["at"]) == ("Mara", "2026-03-21T09:30:00+00:00")
    assert "Casa Oliva" in said["text"]
    assert dinner["standing"]["state"] == "supported"
    assert (dinner["assessed"], dinner["assessment"]["decision"]) == ("2026-05-01", "reuse")
    assert [each["id"] for each in found.values()] == [each["id"] for each in lines(home / "notes.jsonl")]


def test_a_part_is_some_topics_with_the_archives_that_they_cite(memory: Service, tmp_path: Path) -> None:
    add(memory, "The key is blue.")
    add(memory, "The lamp is green.", "topics/house/lamp.md", "The lamp is green.")
    done = memory.export(tmp_path / "house", topic="house")
    assert (done.topics, done.views) == (1, 0)
    assert "topics/keys.md" not in on_disk(tmp_path / "house")
    whole = committed(memory.memory())
    assert {path: whole[path] for path in on_disk(tmp_path / "house")} == on_disk(tmp_path / "house")
    assert any(path.startswith("sources/") for path in on_disk(tmp_path / "house"))
    memory.export(tmp_path / "house.jsonl", topic="topics/house/")
    assert [each["content"] for each in lines(tmp_path / "house.jsonl")] == ["The lamp is green."]


def test_the_library_exports_too(home: Path) -> None:
    with Memory.open(home / "memory") as memory:
        done = memory.export(home / "notes.zip")
        assert (done.path, done.form, done.revision) == (home / "notes.zip", "zip", memory.revision)


# --- What stays here -----------------------------------------------------------------------------


def test_what_waits_for_consent_is_in_no_line_and_is_counted(memory: Service, tmp_path: Path) -> None:
    add(memory, "The key is blue.")
    held_message(memory, "The door code is 4711.")
    done = memory.export(tmp_path / "notes.jsonl")
    assert (done.records, done.pending) == (1, 1)
    assert "4711" not in (tmp_path / "notes.jsonl").read_text()
    shown = run("--home", memory.home, "export", tmp_path / "again.jsonl").out
    assert "1 record left out: what they rest on waits for consent" in shown
    # A file says itself who is trusted: opened as a memory, it waits there too.
    memory.export(tmp_path / "notes")
    with Memory.open(tmp_path / "notes") as copy:
        assert copy.status().untrusted == 1


def test_what_was_forgotten_is_in_no_form_even_while_it_is_archived(memory: Service, tmp_path: Path) -> None:
    add(memory, "The key is blue.")
    gone = add(memory, "The safe opens with 1234.", says="The safe opens with 1234.")
    memory.forget([gone])
    assert any(b"1234" in (data or b"") for data in committed(memory.memory()).values())
    done = memory.export(tmp_path / "notes")
    assert (done.forgotten, done.views > 0) == (1, True)
    memory.export(tmp_path / "notes.jsonl")
    everything = b"".join([*on_disk(tmp_path / "notes").values(), (tmp_path / "notes.jsonl").read_bytes()])
    assert b"1234" not in everything
    with Memory.open(tmp_path / "notes") as copy:
        assert copy.verify().holds
    assert "1 message left out" in run("--home", memory.home, "export", tmp_path / "more").out


def test_as_of_then_it_is_the_memory_of_then_without_what_was_forgotten_since(
    memory: Service, tmp_path: Path
) -> None:
    gone = add(memory, "The safe opens with 1234.", says="The safe opens with 1234.")
    add(memory, "The key is blue.")
    add(memory, "The lamp is green.")
    for then, records, views in (("HEAD~1", 2, True), ("HEAD", 3, True)):
        assert memory.export(tmp_path / f"{then}.jsonl", at=then).records == records
        assert (memory.export(tmp_path / then, at=then).views > 0) is views
    memory.forget([gone])
    done = memory.export(tmp_path / "later", at="HEAD~2")
    assert done.views == 0
    assert b"1234" not in b"".join(on_disk(tmp_path / "later").values())
    assert b"The key is blue." in on_disk(tmp_path / "later")["topics/keys.md"]


def test_what_somebody_may_not_read_they_do_not_export(tmp_path: Path) -> None:
    with with_hidden(tmp_path) as made:
        seen, hidden = ids(made)
        agent = as_(made, AGENT)
        agent.export(tmp_path / "notes")
        found = on_disk(tmp_path / "notes")
        assert [path for path in found if path.startswith("topics/")] == [OPEN]
        assert all(path.startswith(("topics/", "sources/")) for path in found)
        assert hidden.encode() not in b"".join(found.values())
        agent.export(tmp_path / "notes.jsonl")
        assert [each["id"] for each in lines(tmp_path / "notes.jsonl")] == [seen]
        with pytest.raises(Exception, match="no topic begins with"):
            agent.export(tmp_path / "private", topic=HIDDEN)
        reader = as_(made, READER)
        reader.export(tmp_path / "reader.jsonl")
        told = {each["id"]: each for each in lines(tmp_path / "reader.jsonl")}
        (source,) = told[seen]["evidence"][0]["sources"]
        assert source["source"]
        assert (source["speaker"], source["at"], source["text"]) == (None, None, None)
        assert "Mira likes tea" not in (tmp_path / "reader.jsonl").read_text()


# --- And back ------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["notes", "notes.zip"])
def test_opened_as_a_memory_it_has_the_same_records_and_holds(home: Path, form: str) -> None:
    with Memory.open(home / "memory", moment=lambda: NOW) as memory:
        memory.export(home / form)
        mine = {row.record: row.sources for row in memory.recent(100).rows}
    place = home / form
    if form.endswith(".zip"):
        with ZipFile(place) as archive:
            archive.extractall(home / "unpacked")
        place = home / "unpacked"
    with Memory.open(place, moment=lambda: NOW) as copy:
        assert {row.record: row.sources for row in copy.recent(100).rows} == mine
        assert copy.verify().holds
        assert copy.relations(INES).records[0].of_backlinks == 1
