"""Tokens and the policy on the command line."""

import json
from pathlib import Path

import pytest

from cli_example import DINNER, PORTO, fresh_home, in_a_process, run, run_json
from scriptorium.credentials import actor_of
from scriptorium_core.policy import AGENT

__all__: list[str] = []

_HIDING = """[[rules]]
actors = ["agent"]
allow = ["read"]

[[rules]]
actors = ["agent"]
deny = ["read"]
paths = ["topics/trips"]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


def test_a_token_is_shown_once_and_listed_by_its_label(home: Path) -> None:
    made = run_json("token", "create", "--actor", "agent", "--label", "laptop", "--home", home)
    assert actor_of(home, made["token"]) == AGENT
    listed = run("token", "list", "--home", home).out
    assert "agent" in listed
    assert "laptop" in listed
    assert made["token"] not in listed
    assert made["token"] not in json.dumps(run_json("token", "list", "--home", home))
    assert "0 tokens left" in run("token", "revoke", "laptop", "--home", home).out
    assert actor_of(home, made["token"]) is None
    assert run("token", "list", "--home", home).out == "there is no token\n"


def test_a_token_of_an_actor_that_nobody_knows_is_made_with_a_word(home: Path) -> None:
    assert "allows bob nothing yet" in run("token", "create", "--actor", "bob", "--home", home).out
    assert run("token", "create", "--actor", "Bob B", "--home", home).code != 0
    assert run("token", "revoke", "nobody", "--home", home).code == 4


def test_the_policy_that_is_shown_can_be_set(home: Path, tmp_path: Path) -> None:
    shown = run("policy", "show", "--home", home).out
    file = tmp_path / "policy.toml"
    file.write_text(shown)
    assert "it holds" in run("policy", "set", file, "--home", home).out
    assert "holds already" in run("policy", "set", file, "--home", home).out
    assert (home / "memory" / "policy.toml").read_text() == shown
    assert run("policy", "show", "--home", home).out == shown
    assert run("verify", "--home", home).code == 0


def test_the_reason_is_said(home: Path) -> None:
    asked = ("policy", "check", "agent", "read", PORTO, "--home", home)
    assert run(*asked).out.startswith("yes: the default policy")
    done = in_a_process("policy", "set", "-", "--home", home, input=_HIDING)
    assert done.code == 0, done.err
    assert run(*asked).out == f"no: rule 2 (policy.toml:5) denies agent to read {PORTO}\n"
    assert run_json(*asked)["allowed"] is False
    assert run("policy", "check", "agent", "eat", PORTO, "--home", home).code != 0
    assert DINNER in run("show", PORTO, "--home", home).out


def test_a_policy_that_would_lock_the_owner_out_is_refused(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text('[[rules]]\nactors = ["owner"]\ndeny = ["read"]\n')
    ran = run("policy", "set", file, "--home", home)
    assert ran.code != 0
    assert "lock the owner out" in ran.err
    assert not (home / "memory" / "policy.toml").exists()


@pytest.mark.parametrize("text", ["", "\n \n", "# rules come later\n", "\ufeff"])
def test_an_empty_policy_is_refused(home: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(text, encoding="utf-8")
    ran = run("policy", "set", file, "--home", home)
    assert (ran.code != 0, "it is empty" in ran.err) == (True, True)
    assert not (home / "memory" / "policy.toml").exists()
    assert run_json("policy", "check", "agent", "read", PORTO, "--home", home)["allowed"] is True


@pytest.mark.parametrize("rule", ["", '[[rules]]\nactors = ["agent"]\ndeny = ["read"]\n'])
def test_that_a_policy_leaves_the_owner_alone_is_said_when_it_is_set(
    home: Path, tmp_path: Path, rule: str
) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(f"version = 1\n{rule}")
    for _ in range(2):
        ran = run("policy", "set", file, "--home", home)
        assert (ran.code, "nobody but the owner may do anything" in ran.out) == (0, True)
    file.write_text(_HIDING)
    assert "nobody but the owner" not in run("policy", "set", file, "--home", home).out


def test_a_policy_edited_by_hand_holds_when_it_is_set(home: Path) -> None:
    (home / "memory" / "policy.toml").write_text(_HIDING)
    assert "does not hold yet" in run("status", "--home", home).out
    assert "it holds" in run("policy", "set", "--home", home).out
    assert "does not hold yet" not in run("status", "--home", home).out
