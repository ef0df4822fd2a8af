"""The history on the command line: log, blame, diff, at, doctor; and what plain git reads of it."""

import subprocess
from pathlib import Path

import pytest

from cli_example import run, run_json
from scriptorium.cli.at import READING as TAKEN
from scriptorium.layout import git_program
from scriptorium_core.recall import Query
from stories import BLUE, GREEN, HOUSE, Story, delete, forget, story

pytestmark = pytest.mark.usefixtures("told")


@pytest.fixture
def told(tmp_path: Path) -> Story:
    found = story(tmp_path)
    found.service.search(Query("key"))
    return found


@pytest.fixture
def home(told: Story) -> list[object]:
    return ["--home", told.service.home]


def test_blame_shows_each_version_with_its_words(told: Story, home: list[object]) -> None:
    ran = run("blame", f"^{told.record}", *home)
    assert ran.code == 0
    assert ran.out.index("moved") < ran.out.index("changed") < ran.out.index("created")
    assert "by the [-blue-]{+green+} door{+ now+}." in ran.out
    assert "from topics/notes.md > Notes to topics/house.md > Keys" in ran.out
    assert [commit[:10] in ran.out for commit in told.commits] == [False, True, True, True]
    versions = run_json("blame", told.record, *home)["versions"]
    assert [version["step"]["deeds"][0] for version in versions] == ["moved", "changed", "created"]
    assert versions[0]["step"]["after"]["record"]["content"] == GREEN


def test_blame_of_a_forgotten_record_says_that_and_when(told: Story, home: list[object]) -> None:
    forget(told, HOUSE, told.record)
    ran = run("blame", told.record, *home)
    assert ran.out.startswith(f"^{told.record} was forgotten on 2026-04-07 (commit {told.commits[-1][:10]})")
    assert "door" not in ran.out
    assert run_json("blame", told.record, *home)["forgotten"] == "2026-04-07"


def test_blame_of_what_is_not_there_is_refused(home: list[object]) -> None:
    assert run("blame", "nowhere", *home).code == 4
    assert run_json("blame", "native/trip/m1", *home)["error"]["code"] == "INVALID_ARGUMENT"


def test_diff_shows_records_and_the_patch_shows_topics(told: Story, home: list[object]) -> None:
    ran = run("diff", told.commits[1][:8], "HEAD~1", *home)
    assert "[-blue-]{+green+}" in ran.out
    assert f"from {told.commits[1][:10]} to {told.commits[2][:10]}: 1 record in 1 topic" in ran.out
    patch = run("diff", "2026-04-04", "--patch", *home).out
    assert f"+{GREEN}" in patch
    assert f"-{BLUE}" in patch
    assert run("diff", "--topic", "people", "--patch", *home).out.strip() == "no topic differs"
    told.ask(delete(told.record))
    assert "deleted" in run("diff", *home).out
    assert [step["withheld"] for step in run_json("diff", *home)["steps"]] == [False]


def test_what_must_not_be_shown_is_named_in_a_diff(told: Story, home: list[object]) -> None:
    forget(told, HOUSE, told.record)
    ran = run("diff", "HEAD~3", "HEAD~2", *home)
    assert "it holds something that was forgotten since, and is not shown" in ran.out


def test_the_log_takes_filters(told: Story, home: list[object]) -> None:
    lines = run("log", "--record", told.record, *home).out.splitlines()
    assert [line[:10] for line in lines if line[0] != " "] == [each[:10] for each in told.commits[:0:-1]]
    assert [each["commit"] for each in run_json("log", "--topic", "house", *home)["log"]] == [told.commits[3]]
    assert run("log", "--topic", "nowhere", *home).out.strip() == "no commit touched it"


def test_any_reading_command_is_answered_as_of_then(told: Story, home: list[object]) -> None:
    ran = run(*home, "at", "2026-04-04", "search", "key door")
    assert BLUE in ran.out
    assert f"as of {told.commits[1][:10]}, 2026-04-04 12:00" in ran.err
    assert BLUE in run("at", *home, "HEAD~2", "show", told.record).out
    assert "house" not in run("at", told.commits[1][:7], "topics", *home).out
    assert BLUE in run("at", "2026-04-04", "recent", "-n", "1", *home).out
    assert GREEN not in run("at", "2026-04-04", "timeline", "2026", *home).out
    for name in ("core", "log", "diff"):
        assert run("at", "2026-04-04", name, *home).code == 0
    for name in ("why", "blame"):
        assert BLUE in run("at", "2026-04-04", name, told.record, *home).out


def test_what_reads_for_an_agent_is_answered_as_of_then_too(told: Story, home: list[object]) -> None:
    then = (*home, "at", "2026-04-04")
    assert BLUE in run(*then, "grep", "blue door").out
    assert run(*then, "grep", GREEN).out.strip() == "nothing found"
    assert BLUE in run(*then, "context", "Where is the spare key by the blue door?").out
    assert BLUE in run(*then, "ask", "What do you know about the spare key?").out
    assert BLUE in run(*then, "digest", "notes").out
    explained = run(*then, "search", "blue door", "--explain").out
    assert (BLUE in explained, "looked at" in explained) == (True, True)
    first, second = run_json("traces", *home)["traces"]
    assert (first["door"], second["door"]) == ("ask", "context")
    assert first["revision"] == second["revision"] == told.commits[1]
    assert run("at", "HEAD", "grep", GREEN, *home).out == run("grep", GREEN, *home).out


def test_every_command_that_reads_is_taken_or_named_as_of_no_commit(home: list[object]) -> None:
    section = run("--help").out.split("\nReading:\n")[1].split("\n\n")[0]
    text = run("at", "--help").out
    reading = [line.split()[0] for line in section.splitlines()]
    assert len(reading) > 10
    for name in reading:
        assert (name in TAKEN) != (f"`{name}`" in text), name
        assert name in text
    assert all(name in text for name in TAKEN)


def test_an_answer_as_of_then_says_of_when_it_is(told: Story, home: list[object]) -> None:
    answer = run_json("at", "2026-04-04", "show", told.record, *home)
    assert answer["record"]["content"] == BLUE
    assert answer["at"]["revision"] == told.commits[1]
    assert answer["at"]["left_out"] == []
    forget(told, HOUSE, told.record)
    refused = run_json("at", "2026-04-04", "show", told.record, *home)
    assert refused["error"]["code"] == "FORGOTTEN"
    (left_out,) = run_json("at", "2026-04-04", "topics", *home)["at"]["left_out"]
    assert left_out == "1 record or message of that time was forgotten since and is not shown"
    assert "forgotten since" in run("at", "2026-04-04", "topics", *home).err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["2026-04-02", "topics"], 4),
        (["never", "topics"], 2),
        (["HEAD", "write"], 2),
        (["HEAD"], 2),
        (["HEAD", "show"], 2),
        (["HEAD", "topics", "--nothing"], 2),
        (["HEAD", "search", "key", "--semantic"], 2),
        (["HEAD", "context", "key", "--session", "native/trip"], 2),
        (["HEAD", "ask", "key", "--keep"], 3),
    ],
)
def test_what_cannot_be_read_as_of_then_is_said(home: list[object], words: list[str], code: int) -> None:
    assert run(*home, "at", *words).code == code
    assert run_json(*home, "at", *words)["error"]["message"]


def test_doctor_says_that_all_is_well_and_what_it_mended(told: Story, home: list[object]) -> None:
    ran = run("doctor", *home)
    assert (ran.code, "nothing is broken" in ran.out) == (0, True)
    (told.service.root / "recent_events.jsonl").write_bytes(b"rubbish")
    assert run("doctor", *home).code == 1
    ran = run("doctor", "--repair", *home)
    assert ran.code == 0
    assert "mended  files: 1 put back as they are committed (recent_events.jsonl)" in ran.out
    answer = run_json("doctor", *home)
    assert (answer["holds"], answer["mended"], answer["failed"]) == (True, [], [])


@pytest.mark.skipif(git_program() is None, reason="the git program is not installed")
def test_plain_git_reads_the_trailers(told: Story) -> None:
    def values(key: str) -> list[str]:
        form = f"--format=%(trailers:key={key},valueonly,separator=%x2C)"
        done = subprocess.run(
            ["git", "log", form], cwd=told.service.root, check=True, capture_output=True, text=True
        )
        return done.stdout.splitlines()

    forget(told, HOUSE, told.record, "native/trip/m5")
    assert values("Kind") == ["forget", "edit", "edit", "edit", "write"]
    assert values("Created")[3] == told.record
    assert values("Moved")[1] == told.record
    assert values("Forgotten")[0] == f"{told.record} native/trip/m5"
    assert values("Session")[4] == "native/trip"
    assert values("Writer")[4] == "extractive"
    assert values("Batch")[4]
