"""Bad input through the command line: a clear error with code, place and remedy, and nothing changed."""

from pathlib import Path
from typing import Any

import pytest

from cli_example import INES, change, create, fresh_home, refused, run

FOOD = "topics/food.md"
INES_FILE = "topics/people/ines.md"
UNCITED = "A fact that nobody said.\n"
NOWHERE = "Ines has a dog, see [it](x.md#^deadbeef).[^e-698188f46e] ^newdog\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


# --- Requests of the wrong shape ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "code", "place"),
    [
        ("no JSON {", "INVALID_ARGUMENT", "request.json"),
        ("", "INVALID_ARGUMENT", "request.json"),
        ("[" * 100_000, "INVALID_ARGUMENT", "request.json"),
        ([], "INVALID_ARGUMENT", ""),
        ({"memory_changes": []}, "INVALID_ARGUMENT", "memory_changes"),
        ({"memory_changes": [{"op": "explode"}]}, "INVALID_ARGUMENT", "memory_changes[0].op"),
        ({**create(FOOD), "extra": 1}, "INVALID_ARGUMENT", "extra"),
        (create(FOOD, time="2026-13-41"), "INVALID_ARGUMENT", "memory_changes[0].time"),
        (create(FOOD, sources=[]), "INVALID_ARGUMENT", "memory_changes[0].sources"),
        (create(FOOD, "two\n\nparagraphs"), "INVALID_ARGUMENT", "memory_changes[0].content"),
        (create(FOOD, "# a heading"), "INVALID_ARGUMENT", "memory_changes[0].content"),
        (create(FOOD, "- [x] cited already[^e1]"), "INVALID_ARGUMENT", "memory_changes[0].content"),
        (create(FOOD, "See [it](x.md#^deadbeef)."), "LINK_DANGLING", FOOD),
        (
            create(FOOD, sources=[{"source": "native/porto/m99", "label": "Mara"}]),
            "MISSING_SOURCE",
            "memory_changes[0].sources[0].source",
        ),
        ({**create(FOOD), "base_revision": "0" * 40}, "INVALID_ARGUMENT", "base_revision"),
        (
            {"memory_changes": [{"op": "delete_record", "memory_id": "nope"}]},
            "MEMORY_NOT_FOUND",
            "memory_changes[0].memory_id",
        ),
        ({"memory_changes": [{"op": "delete_record", "memory_id": INES}]}, "LINK_DANGLING", "topics/trips"),
    ],
    ids=lambda value: None if isinstance(value, str) else "",
)
def test_a_request_that_cannot_be_carried_out(home: Path, request_: Any, code: str, place: str) -> None:
    refused(home, code, place, lambda: change(home, request_))


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../escape.md", "PATH_OUTSIDE_WORKSPACE"),
        ("topics/../../escape.md", "PATH_OUTSIDE_WORKSPACE"),
        ("/etc/absolute.md", "PATH_OUTSIDE_WORKSPACE"),
        (".git/hooks/x", "READ_ONLY_PATH"),
        ("topics/.git/hooks/x.md", "INVALID_TOPIC_FORMAT"),
        ("sources/native/_v2/porto.md", "READ_ONLY_PATH"),
        ("core.md", "READ_ONLY_PATH"),
        ("topics/a\\b.md", "INVALID_TOPIC_FORMAT"),
        ("topics/con.md", "INVALID_TOPIC_FORMAT"),
        ("topics/nul\0.md", "INVALID_TOPIC_FORMAT"),
        ("topics/no-suffix", "INVALID_TOPIC_FORMAT"),
        ("topics/People/Ines.md", "INVALID_TOPIC_FORMAT"),
        ("", "INVALID_ARGUMENT"),
    ],
)
def test_a_path_that_no_topic_may_have(home: Path, path: str, code: str) -> None:
    place = "memory_changes[0].destination.topic_path"
    ran = refused(home, code, place, lambda: change(home, create(path)))
    assert "→ " in ran.err


def test_a_name_that_differs_in_unicode_form_only(home: Path) -> None:
    assert change(home, create("topics/caf\u00e9.md")).code == 0
    ran = refused(
        home, "INVALID_TOPIC_FORMAT", "topic_path", lambda: change(home, create("topics/cafe\u0301.md"))
    )
    assert "write to topics/caf\u00e9.md" in ran.err


def test_all_faults_of_a_request_are_named_at_once(home: Path) -> None:
    request = {"memory_changes": [create(path)["memory_changes"][0] for path in ("../a.md", "b.md")]}
    ran = refused(home, "PATH_OUTSIDE_WORKSPACE", "[0]", lambda: change(home, request))
    assert "READ_ONLY_PATH  memory_changes[1].destination.topic_path" in ran.err


@pytest.mark.parametrize("what", ["missing.json", "", "rubbish"])
def test_a_request_that_is_no_file_with_json(home: Path, what: str) -> None:
    (home / "rubbish").write_bytes(bytes(range(256)))
    refused(home, "INVALID_ARGUMENT", what, lambda: run("--home", home, "change", home / what))


# --- Edits by hand ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (UNCITED, "INVALID_TOPIC_FORMAT"),
        ("---\ntitle: Ines\n---\n", "INVALID_TOPIC_FORMAT"),
        ("- a bullet\n- another\n", "INVALID_TOPIC_FORMAT"),
        (f"She is forty.[^e-698188f46e] ^{INES}\n", "INVALID_TOPIC_FORMAT"),
        ("Cites what is not defined.[^e-0000000000] ^other\n", "INVALID_TOPIC_FORMAT"),
        (NOWHERE, "LINK_DANGLING"),
    ],
    ids=["uncited", "front matter", "bullets", "duplicate id", "no definition", "dangling"],
)
def test_a_draft_that_does_not_pass_stays_and_is_not_taken_in(home: Path, text: str, code: str) -> None:
    topic = home / "memory" / INES_FILE
    topic.write_text(topic.read_text("utf-8") + "\n" + text, "utf-8")
    ran = refused(home, code, INES_FILE, lambda: run("--home", home, "adopt"))
    assert f"{code}  {INES_FILE}, line 11\n" in ran.err
    assert "→ " in ran.err


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("topics/none.md", "MEMORY_NOT_FOUND"),
        ("core.md", "READ_ONLY_PATH"),
        ("sources/native/_v2/porto.md", "READ_ONLY_PATH"),
        ("topics/people", "INVALID_TOPIC_FORMAT"),
        ("../x.md", "PATH_OUTSIDE_WORKSPACE"),
    ],
)
def test_what_is_no_topic_cannot_be_adopted_and_is_named(home: Path, path: str, code: str) -> None:
    topic = home / "memory" / INES_FILE
    topic.write_text(topic.read_text("utf-8").replace("shellfish", "all shellfish"), "utf-8")
    ran = refused(home, code, path, lambda: run("--home", home, "adopt", INES_FILE, path))
    assert "→ " in ran.err


def test_a_topic_whose_file_is_gone_can_be_named_to_be_adopted(home: Path) -> None:
    (home / "memory" / INES_FILE).unlink()
    refused(home, "BLOCK_LOST", INES_FILE, lambda: run("--home", home, "adopt", INES_FILE))


def test_a_broken_draft_is_in_the_way_of_its_own_topic_only(home: Path) -> None:
    topic = home / "memory" / INES_FILE
    topic.write_text(topic.read_text("utf-8") + "\n" + UNCITED, "utf-8")
    refused(home, "DRAFT_IN_THE_WAY", INES_FILE, lambda: change(home, create(INES_FILE)))
    assert change(home, create(FOOD)).code == 0
    assert topic.read_text("utf-8").endswith(UNCITED)


def test_a_link_in_the_place_of_a_topic_is_never_followed(home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(UNCITED)
    topic = home / "memory" / INES_FILE
    topic.unlink()
    topic.symlink_to(outside)
    ran = run("--home", home, "adopt")
    assert ran.code not in (0, 70), ran.out
    assert INES_FILE in ran.err
    assert UNCITED.strip() not in run("--home", home, "show", INES_FILE).out
    assert outside.read_text() == UNCITED
