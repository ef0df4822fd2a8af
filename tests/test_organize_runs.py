"""Runs of organizing: ended and gone on with, failing, by the keeper at night, and by the command."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_example import run, run_json
from organizers import KEYS, asking, made, nothing, only, outcomes
from scriptorium.clock import Moment
from scriptorium.organizer import organize
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium.workspace import Memory
from scriptorium.writer import Answer, Task, Unable
from scriptorium_core.names import TopicPath
from scriptorium_core.problem import Code
from scriptorium_core.writing.outcome import Failed, NothingToKeep, fail
from small_homes import NOW, create, opened, request, told, unsound
from small_memory import sure


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with opened(tmp_path / "memory") as found:
        yield found


# --- Runs ----------------------------------------------------------------------------------------


def test_a_run_that_was_ended_goes_on_where_it_was(memory: Memory) -> None:
    paths = [f"topics/t{number}.md" for number in range(4)]
    for path in paths:
        made(memory, "The key hangs by the door.", topic=path, says=path)
    going = organize(asking(memory, nothing, goal=1))
    assert [next(going).topics, next(going).topics] == [(paths[0],), (paths[1],)]
    del going
    assert [portion.topics for portion in organize(asking(memory, nothing, goal=1))] == [
        (paths[2],),
        (paths[3],),
    ]
    assert len(outcomes(organize(asking(memory, nothing, goal=1)))) == 4


def test_a_failure_of_the_model_ends_the_run_and_the_next_one_tries_the_rest(memory: Memory) -> None:
    for path in ("topics/a.md", "topics/b.md"):
        made(memory, "The key hangs by the door.", topic=path, says=path)

    def down(task: Task) -> Answer:
        return (
            Unable(fail(Code.MODEL_TRANSPORT, "no network"))
            if "topics/b.md" in task.portion
            else nothing(task)
        )

    assert [type(each) for each in outcomes(organize(asking(memory, down, goal=1)))] == [
        NothingToKeep,
        Failed,
    ]
    assert [portion.topics for portion in organize(asking(memory, nothing, goal=1))] == [("topics/b.md",)]


def test_topics_are_named_by_their_path_and_one_that_is_not_there_is_said(memory: Memory) -> None:
    made(memory, "The key hangs by the door.")
    (portion,) = organize(asking(memory, nothing), [TopicPath("topics/KEYS.md")])
    assert portion.topics == (KEYS,)
    outcome = only(organize(asking(memory, nothing), [TopicPath("topics/nope.md")]))
    assert isinstance(outcome, Failed)
    assert outcome.code is Code.COMMIT_REJECTED
    assert outcome.problems[0].code is Code.MEMORY_NOT_FOUND


# --- By itself, and by hand ----------------------------------------------------------------------


def test_the_keeper_organizes_at_night_after_something_was_written_and_never_before(tmp_path: Path) -> None:
    told(tmp_path)
    present = [NOW]
    with Service(tmp_path, settings=Settings(), moment=lambda: present[0]) as home:
        home.memory(make=True)
        assert home.keep_once().organized == ()
        home.write(force=True)
        due = home.status().outlook.organize_at
        assert due
        assert home.keep_once().organized == ()
        present[0] = NOW._replace(seconds=NOW.seconds + 2 * 86_400)
        done = home.keep_once().organized
        assert [type(portion.outcome) for portion in done] == [NothingToKeep]
        ahead = home.status().outlook
        assert (ahead.organize_at, ahead.organized_at[:10]) == ("", "2023-11-16")
        assert home.keep_once().organized == ()


def test_a_month_later_nothing_is_organized_where_nothing_was_written(tmp_path: Path) -> None:
    """bc-063: a fresh memory is left alone, however long the keeper runs."""
    later = Moment(NOW.seconds + 31 * 86_400, NOW.offset)
    with Service(tmp_path, settings=Settings(), moment=lambda: later) as home:
        home.change(request(create("The key hangs by the door."), create("The key hangs by the door")))
        before = home.memory().revision
        assert home.keep_once().organized == ()
        assert home.memory().revision == before


def test_the_command_shows_the_diff_organizes_and_can_be_taken_back(tmp_path: Path) -> None:
    with Service(tmp_path, settings=Settings()) as home:
        for says in ("One.", "Two."):
            home.change(request(create("The key hangs by the door."), says=says))
        before = home.memory().history.base(home.memory().revision).get(KEYS)
    shown = run("--home", tmp_path, "organize", "keys", "--dry-run")
    assert shown.code == 0
    assert f"--- a/{KEYS}" in shown.out
    done = run_json("--home", tmp_path, "organize")
    (portion,) = done["portions"]
    assert (done["ok"], portion["topics"], portion["outcome"]["summary"]) == (
        True,
        [KEYS],
        "Fold 1 record into others",
    )
    said = run("--home", tmp_path, "organize")
    assert "topics/keys.md: in order (nothing is said twice" in said.out
    with Service(tmp_path, settings=Settings()) as home:
        sure(home.undo(portion["outcome"]["commit"]))
        assert home.memory().history.base(home.memory().revision).get(KEYS) == before
    assert list(unsound(tmp_path)) == []
    missing = run("--home", tmp_path, "organize", "nope")
    assert missing.code != 0
    assert "there is no topic topics/nope.md" in missing.err
