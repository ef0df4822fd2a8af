"""A hook that is asked for an answer to a program: one JSON object, whatever there is to say."""

import json
from pathlib import Path
from typing import Any

from cli_example import fresh_home, in_a_process
from scriptorium.service import Service


def answered(home: Path, event: str, *words: str, **call: object) -> dict[str, Any]:
    """The answer to a call, whose exit code is 0 whatever it says."""
    ran = in_a_process("--home", home, "hook", event, *words, "--json", input=json.dumps(call))
    assert (ran.code, ran.err) == (0, "")
    assert isinstance(ran.json, dict)
    return ran.json


def test_the_text_for_a_conversation_stands_in_the_object_as_it_is_traced(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    found = answered(home, "prompt", session_id="s", prompt="Can Ines eat shellfish?")
    assert found["ok"] is True
    assert "Ines is allergic to shellfish" in found["text"]
    with Service(home) as made:
        assert found["text"] == made.traces(1)[0].text
    formed = answered(home, "session-start", "--agent", "claude-code", session_id="s")
    assert json.loads(formed["text"])["hookSpecificOutput"]["hookEventName"] == "SessionStart"


def test_where_there_is_nothing_to_add_the_object_says_so(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    assert answered(home, "prompt", session_id="s", prompt="zeppelins") == {"ok": True, "text": ""}
    assert answered(home, "prompt") == {"ok": True, "text": ""}


def test_what_went_wrong_stands_in_the_object_with_its_code(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    other = answered(home, "prompt", "--agent", "nobody", session_id="s", prompt="Can Ines eat shellfish?")
    assert (other["ok"], other["text"], other["error"]["code"]) == (False, "", "PROGRAM_FAULT")
    (home / "settings.toml").write_text("context_tokens = true\n")
    found = answered(home, "prompt", session_id="s", prompt="Can Ines eat shellfish?")
    assert (found["ok"], found["text"], found["error"]["code"]) == (False, "", "INVALID_ARGUMENT")
    assert found["error"]["problems"][0]["remedy"]
    (home / "settings.toml").write_text("")
    unread = answered(home, "turn", session_id="s", messages=[{"role": "stranger"}])
    assert (unread["ok"], unread["text"], unread["error"]["code"]) == (False, "", "INVALID_ARGUMENT")
