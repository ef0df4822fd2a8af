"""Tokens are bound to actors, kept as hashes, and shown once."""

import stat
from pathlib import Path

import pytest

from scriptorium.credentials import FILE, actor_of, create, listed, revoke
from scriptorium.refused import Refused
from scriptorium_core.policy import AGENT, READER, Actor

__all__: list[str] = []


def test_a_token_names_the_actor_that_it_was_made_for(tmp_path: Path) -> None:
    one, two = create(tmp_path, AGENT, "laptop"), create(tmp_path, READER, "phone")
    assert (actor_of(tmp_path, one), actor_of(tmp_path, two)) == (AGENT, READER)
    assert [(each.actor, each.label) for each in listed(tmp_path)] == [
        ("agent", "laptop"),
        ("reader", "phone"),
    ]


def test_what_is_no_token_names_nobody(tmp_path: Path) -> None:
    assert actor_of(tmp_path, "") is None
    token = create(tmp_path, AGENT)
    for wrong in ("", token[:-1], token + "0", token.upper(), "é\ud800", listed(tmp_path)[0].hash):
        assert actor_of(tmp_path, wrong) is None


def test_the_file_holds_no_token_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    token = create(tmp_path / "home", AGENT, "laptop")
    path = tmp_path / "home" / FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert token.rpartition("_")[2] not in path.read_text()


def test_two_tokens_are_never_alike(tmp_path: Path) -> None:
    assert (
        len({create(tmp_path, AGENT) for _ in range(8)}) == len({each.id for each in listed(tmp_path)}) == 8
    )


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_file_that_is_open_to_others_is_not_used(tmp_path: Path, mode: int) -> None:
    token = create(tmp_path, AGENT)
    (tmp_path / FILE).chmod(mode)
    for asked in (
        lambda: actor_of(tmp_path, token),
        lambda: create(tmp_path, AGENT),
        lambda: listed(tmp_path),
    ):
        with pytest.raises(Refused) as refused:
            asked()
        assert refused.value.problems[0].code == "NOT_PERMITTED"
        assert "chmod 600" in refused.value.problems[0].remedy


def test_a_token_that_was_revoked_names_nobody(tmp_path: Path) -> None:
    one, two = create(tmp_path, AGENT, "laptop"), create(tmp_path, READER, "phone")
    revoke(tmp_path, "laptop")
    revoke(tmp_path, listed(tmp_path)[0].id)
    assert (actor_of(tmp_path, one), actor_of(tmp_path, two)) == (None, None)
    assert listed(tmp_path) == ()


def test_a_token_that_is_not_meant_clearly_is_not_revoked(tmp_path: Path) -> None:
    for _ in range(2):
        create(tmp_path, AGENT, "laptop")
    create(tmp_path, AGENT)
    for name in ("laptop", "", "nobody"):
        with pytest.raises(Refused):
            revoke(tmp_path, name)
    assert len(listed(tmp_path)) == 3


@pytest.mark.parametrize("name", ["", "Owner", "a b", "../x", "x" * 65, "-a", "a\n"])
def test_a_token_is_made_for_a_name_only_that_an_actor_may_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused):
        create(tmp_path, Actor(name))
    assert listed(tmp_path) == ()


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"tokens": [1]}', '{"tokens": [{"id": "a"}]}', "\xff"])
def test_credentials_that_cannot_be_read_are_said_to_be_so(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, "latin-1")
    (tmp_path / FILE).chmod(0o600)
    with pytest.raises(Refused) as refused:
        actor_of(tmp_path, "any")
    assert refused.value.problems[0].path == FILE
