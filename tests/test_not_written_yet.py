"""What is imported and not written yet is looked up by its name: memory does not hold it, and says why."""

import json
from functools import partial
from pathlib import Path

import pytest

from cli_example import ROOT, run, run_json
from hidden_homes import as_, refused
from scriptorium.service import Service
from scriptorium_core.policy import AGENT

TALK = [
    {"session": "a b", "id": "1", "role": "user", "text": "I prefer trains to planes."},
    {"session": "a b", "id": "2", "role": "tool", "text": "{}"},
]


def words(text: str) -> str:
    """A text of which it does not matter where its lines end."""
    return " ".join(text.split())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Service(tmp_path) as made:
        made.import_paths([ROOT / "examples" / "demo.jsonl"])
    return tmp_path


@pytest.mark.parametrize("command", ["show", "why"])
def test_a_message_that_waits_names_the_command_that_writes_it(home: Path, command: str) -> None:
    ran = run("--home", home, command, "native/porto/m5")
    assert ran.code == 4
    assert "imported and not written yet" in ran.err
    assert " write native/porto --force`" in words(ran.err)
    assert run("--home", home, "write", "native/porto", "--force").code == 0
    assert "allergic to shellfish" in run("--home", home, command, "native/porto/m5").out


def test_a_conversation_is_told_from_what_nobody_knows(home: Path) -> None:
    asked = run_json("--home", home, "show", "native/porto")["error"]
    assert (asked["code"], asked["message"].split(";")[0]) == ("MEMORY_NOT_FOUND", "this is a conversation")
    assert "write native/porto" in asked["problems"][0]["remedy"]
    run("--home", home, "write", "--force")
    asked = run_json("--home", home, "show", "native/porto")["error"]
    assert asked["problems"][0]["remedy"].startswith("name a message of it")
    for name in ("native/porto/zz", "native/nope/m5", "native/nope", "porto"):
        assert "there is no record, topic or message" in run("--home", home, "show", name).err


def test_a_name_that_a_shell_would_take_apart_is_quoted_and_a_tool_says_nothing(tmp_path: Path) -> None:
    log = tmp_path / "talk.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in TALK))
    run("--home", tmp_path, "import", log)
    assert " write 'native/a b' --force`" in words(run("--home", tmp_path, "show", "native/a b/1").err)
    assert "nothing that was said" in words(run("--home", tmp_path, "show", "native/a b/2").err)


def test_what_never_enters_or_is_not_the_askers_is_as_if_it_were_not_there(home: Path) -> None:
    with Service(home) as made:
        made.init()
        as_(made, AGENT)
        for asked in (made.show, made.why):
            (found,) = refused(partial(asked, "native/porto/m5"))
            assert "there is no record, topic or message" in found
    run("--home", home, "import", "--exclude", "porto", ROOT / "examples" / "demo.jsonl")
    assert "there is no record" in run("--home", home, "show", "native/porto/m5").err
