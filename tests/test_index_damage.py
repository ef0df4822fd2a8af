"""Rubbish in the middle of the index of facts: questions are answered as before, verify names it."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from cli_example import run, run_json
from scriptorium.service import Service
from scriptorium_core.problem import Code
from scriptorium_core.recall import Kind, Query
from small_homes import create, listed, request, service, told

PAGE = 4096
LONG = " ".join(f"word{number}" for number in range(1500))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose index has pages of every kind, those of long texts among them."""
    told(tmp_path)
    listed(tmp_path)
    with service(tmp_path) as asked:
        for number in range(4):
            changes = [create(f"Note {number} {each}.", f"topics/n{number}.md") for each in range(6)]
            asked.change(request(*changes, says=f"Long words, {number}: {LONG}"))
        asked.search(Query("note"))
    return tmp_path


def answers(asked: Service) -> list[object]:
    """What all kinds of questions find."""
    recent = asked.recent(500)
    known = recent.rows[0].record.id
    return [
        recent,
        asked.topics(),
        asked.core(),
        asked.timeline("2026"),
        [asked.show(row.record.id) for row in recent.rows[::5]],
        [asked.show(row.sources[0]) for row in recent.rows[::5]],
        asked.why(known),
        asked.blame(known),
        asked.log(3, record=known),
        asked.diff("HEAD~1"),
        asked.search(Query("note 3", kinds=(Kind.RECORD, Kind.TURN))),
        asked.status(),
    ]


def pages(whole: bytes, every: int) -> range:
    """The numbers of the first page of a file and of those behind it, `every` pages apart."""
    found = range(0, len(whole) // PAGE, every)
    assert len(found) > 2
    return found


def damaged(home: Path, spoil: Callable[[bytes, int], bytes], every: int = 1) -> Iterator[int]:
    """The index with one page after another spoilt, the others as they were."""
    path = home / "memory/.scriptorium/index.sqlite3"
    whole = path.read_bytes()
    for page in pages(whole, every):
        start = page * PAGE
        path.write_bytes(whole[:start] + spoil(whole[start : start + PAGE], page) + whole[start + PAGE :])
        yield page


def noise(data: bytes, page: int) -> bytes:
    return Random(page).randbytes(len(data))


def words(data: bytes, page: int) -> bytes:
    return (b"rubbish " * 512)[: len(data)]


def text_behind_the_first_bytes(data: bytes, page: int) -> bytes:
    """What SQLite takes for the end of a long text: the number of the next page stays."""
    return data[:4] + (b"rubbish " * 512)[4 : len(data)]


@pytest.mark.parametrize("spoil", [noise, words, text_behind_the_first_bytes])
def test_with_any_page_spoilt_every_question_is_answered_as_before(
    home: Path, spoil: Callable[[bytes, int], bytes]
) -> None:
    with service(home) as asked:
        wanted = answers(asked)
    for page in damaged(home, spoil):
        with service(home) as asked:
            assert answers(asked) == wanted, page
    with service(home) as asked:
        asked.doctor(repair=True)
        assert asked.verify().holds


def test_with_a_page_spoilt_a_change_is_made_once(home: Path) -> None:
    for page in damaged(home, noise, every=6):
        with service(home) as asked:
            assert hasattr(asked.change(request(create(f"On page {page}."), says=f"{page}")), "revision")
            assert [row.record.content for row in asked.recent(1).rows] == [f"On page {page}."]


def test_verify_names_the_damage_and_repairing_ends_it(home: Path) -> None:
    named = 0
    for _ in damaged(home, noise, every=4):
        with service(home) as asked:
            problems = [each.problem for each in asked.verify().findings if each.level == "problem"]
            named += bool(problems)
            assert {problem.code for problem in problems} <= {Code.INDEX_STALE}
            assert all(problem.remedy for problem in problems)
            assert asked.doctor(repair=True).holds
    assert named > 2


def test_the_memory_as_it_was_is_answered_as_before_too(home: Path) -> None:
    with service(home) as asked, asked.at("HEAD~2") as past:
        wanted = [past.recent(), past.topics(), past.timeline("2026")]
        (path,) = (home / "memory/.scriptorium/at").glob("*/facts.sqlite3")
    whole = path.read_bytes()
    for page in pages(whole, 3):
        path.write_bytes(whole[: page * PAGE] + os.urandom(PAGE) + whole[(page + 1) * PAGE :])
        with service(home) as asked, asked.at("HEAD~2") as past:
            assert [past.recent(), past.topics(), past.timeline("2026")] == wanted


def test_on_the_command_line_nothing_is_noticed(home: Path) -> None:
    wanted = run_json("recent", "--home", home)
    for _ in damaged(home, noise, every=13):
        assert run_json("recent", "--home", home) == wanted
        assert "Note 3 1." in run("show", "n3", "--home", home).out


def test_a_file_of_another_program_in_its_place_is_replaced(home: Path) -> None:
    with service(home) as asked:
        wanted = asked.recent(500)
    path = home / "memory/.scriptorium/index.sqlite3"
    for strange in (b"", b"mine", b"%PDF-1.7\n" * 4000, path.read_bytes()[: 3 * PAGE + 100]):
        path.write_bytes(strange)
        with service(home) as asked:
            assert asked.recent(500) == wanted


@pytest.mark.parametrize("words", [["search", "note"], ["index"], ["index", "--rebuild"], ["doctor"]])
def test_a_folder_in_its_place_is_left_there_and_is_to_be_moved_away(home: Path, words: list[str]) -> None:
    path = home / "memory/.scriptorium/index.sqlite3"
    path.unlink()
    (path / "theirs").mkdir(parents=True)
    ran = run(*words, "--json", "--home", home)
    assert ran.code == 2
    assert ran.json["error"]["code"] == Code.INVALID_ARGUMENT
    (problem,) = ran.json["error"]["problems"]
    assert problem["path"] == ".scriptorium/index.sqlite3"
    assert problem["remedy"].startswith("move it away")
    assert (path / "theirs").is_dir()
