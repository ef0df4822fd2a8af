"""The doctor looks for secrets everywhere about a home, and what it says takes them away."""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest

from cli_example import run, run_json
from residue import places_with
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium_core.problem import Code, Problem
from secret_examples import PEM, STRIPE, TOKEN, a_home
from trips import a_talk, at_noon
from vault_homes import VALUE, a_vault

pytestmark = pytest.mark.vault


def opened(home: Path) -> Service:
    return Service(home, settings=Settings(), moment=at_noon)


def found(home: Path, *also: Path, repair: bool = False) -> list[Problem]:
    """The secrets that the doctor names, none of which it shows."""
    with opened(home) as made:
        diagnosis = made.doctor(repair, secrets=True, also=also)
    for secret in (TOKEN, STRIPE, VALUE):
        assert secret not in repr(diagnosis)
    problems = [each.problem for each in diagnosis.proof.findings]
    named = [each for each in problems if each.code is Code.SECRET_FOUND]
    assert all(each.remedy for each in named)
    return named


def places(problems: Iterable[Problem]) -> set[str]:
    return {each.path for each in problems}


def test_a_home_in_which_there_is_none_is_clean(tmp_path: Path) -> None:
    with a_home(tmp_path, "I prefer tea to coffee.") as made:
        made.context("What about tea?")
    a_vault(tmp_path / "home")
    assert found(tmp_path / "home") == []


def test_what_is_archived_in_clear_is_named_at_every_place_and_the_remedies_take_it_away(
    tmp_path: Path,
) -> None:
    careless = Settings(redact=False)
    with a_home(tmp_path, f"I prefer {TOKEN}, always.", "I like tea.", settings=careless) as made:
        made.index()
        made.context(f"What about {STRIPE}?")
    home = tmp_path / "home"
    named = found(home)
    assert places(named) >= {
        "sources/native/_v2/trip.md",
        "index.sqlite3: records",
        "fulltext",
        "sessions.sqlite3: native/trip/m0",
        ".scriptorium/traces.jsonl",
        str(tmp_path / "trip.jsonl"),
    }
    names = {each.remedy.split("'")[1] for each in named if each.path.startswith(("sources/", "topics/"))}
    done = run("--home", home, "forget", *sorted(names), "--erase", "--unlink", "--yes")
    assert done.code == 0, done.out + done.err
    left = found(home, repair=True)
    assert places(left) == {str(tmp_path / "trip.jsonl")}
    assert places_with(home, TOKEN, STRIPE) == []


def test_an_archive_that_was_redacted_leaves_the_secret_in_the_session_store_until_it_is_repaired(
    tmp_path: Path,
) -> None:
    talk = a_talk(
        tmp_path,
        {"id": "m1", "role": "user", "text": f"I prefer {TOKEN}.", "at": "2026-03-01T10:00:00Z"},
        {"id": "m2", "role": "tool", "text": f"export KEY={STRIPE}", "at": "2026-03-01T10:00:01Z"},
        {"id": "m3", "role": "user", "text": f"I prefer {VALUE}.", "at": "2026-03-01T10:00:02Z"},
    )
    home = tmp_path / "home"
    a_vault(home)
    with opened(home) as made:
        made.import_paths([talk])
        made.write(force=True)
        before = made.sessions()
    talk.unlink()
    store = [each for each in found(home) if each.path.startswith("sessions.sqlite3: native")]
    assert len(store) == 3
    assert any("a secret of the vault stands here" in each.message for each in store)
    assert all("--repair" in each.remedy for each in store)
    assert any("`forget 'native/trip/m1' --erase`" in each.remedy for each in store)
    assert found(home, repair=True) == []
    assert places_with(home, TOKEN, STRIPE, VALUE) == []
    with opened(home) as made:
        assert [each.session.id for each in made.sessions()] == [each.session.id for each in before]
        assert made.write(force=True) is not None
        assert made.verify().holds
        talk = a_talk(tmp_path, {"id": "m1", "role": "user", "text": f"I prefer {TOKEN}."})
        made.import_paths([talk])
    assert places_with(home, TOKEN) == []


def test_drafts_and_a_persons_own_files_are_looked_at_with_their_lines(tmp_path: Path) -> None:
    with a_home(tmp_path, "I prefer trains to planes, always.") as made:
        topic, own = made.root / "topics" / "people" / "owner.md", made.root / "notes.txt"
        topic.write_text(topic.read_text("utf-8").replace("planes", TOKEN))
        own.write_text(f"one\n\n{PEM}\n")
        line = topic.read_text("utf-8").split(TOKEN)[0].count("\n") + 1
    named = found(tmp_path / "home")
    assert [(each.path, each.line) for each in named] == [("notes.txt", 3), ("topics/people/owner.md", line)]


def test_files_beside_the_memory_and_tapes_that_are_named_are_looked_at(tmp_path: Path) -> None:
    with a_home(tmp_path, "I prefer trains to planes, always.") as made:
        home = made.home
    tapes = tmp_path / "tapes"
    tapes.mkdir()
    (tapes / "one.json").write_text(json.dumps({"says": [f"use {TOKEN}"]}, indent=1))
    (home / "keeper.log").write_text(f"a\nb {STRIPE}\n")
    database = sqlite3.connect(home / "other.sqlite3")
    database.execute("CREATE TABLE t (a TEXT)")
    database.execute("INSERT INTO t VALUES (?)", (f"use {TOKEN}",))
    database.commit()
    database.close()
    assert {(each.path, each.line) for each in found(home, tapes)} == {
        (str(tapes / "one.json"), 3),
        ("keeper.log", 2),
        ("other.sqlite3: t", 0),
    }


def test_a_file_that_begins_like_a_database_and_is_none_is_looked_at_as_it_is(tmp_path: Path) -> None:
    with a_home(tmp_path, "I prefer tea to coffee."):
        pass
    odd = tmp_path / "home" / "odd.sqlite3"
    odd.write_bytes(b"SQLite format 3\0" + f"\nthe key is {TOKEN}\n".encode())
    assert places(found(tmp_path / "home")) == {"odd.sqlite3"}


def test_a_vault_that_cannot_be_opened_is_named_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    with a_home(tmp_path, "I prefer trains to planes, always.") as made:
        home = made.home
    a_vault(home)
    (home / "keys.json").rename(tmp_path / "keys.json")
    (home / "keeper.log").write_text(f"{STRIPE}\n")
    with opened(home) as made:
        codes = [each.problem.code for each in made.doctor(secrets=True).proof.findings]
    assert [code for code in codes if code is not Code.INDEX_STALE] == [
        Code.KEY_UNAVAILABLE,
        Code.SECRET_FOUND,
    ]


def test_the_command_ends_with_one_where_there_is_one_and_shows_none(tmp_path: Path) -> None:
    with a_home(tmp_path, "I prefer trains to planes, always.") as made:
        home = made.home
    assert run("--home", home, "doctor", "--secrets").code == 0
    tape = tmp_path / "tape.jsonl"
    tape.write_text(f"{TOKEN}\n")
    done = run("--home", home, "doctor", "--secrets", "--also", tape)
    assert done.code == 1
    assert f"{tape}:1: a github-token stands here in clear" in done.out
    assert TOKEN not in done.out + done.err
    answer = run_json("--home", home, "doctor", "--secrets", "--also", tape)
    assert answer["error"]["code"] == "SECRET_FOUND"
