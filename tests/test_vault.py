"""The vault of a home: what it keeps, who may use it, and what is believed of its file."""

import json
import pickle
import stat
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from residue import places_with
from scriptorium import Memory, keys
from scriptorium.refused import Refused
from scriptorium.service.secrets import Secrets
from scriptorium.vault.revealed import Revealed
from scriptorium_core.policy import AGENT, ANONYMOUS, LIBRARIAN, OWNER, PAIRED, READER, Actor
from scriptorium_core.problem import Code
from scriptorium_core.sealing.canonical import b64u, canonical, unb64u
from scriptorium_core.sealing.secretname import Kept
from small_homes import git, service
from vault_homes import NAME, VALUE, a_vault, secrets

pytestmark = pytest.mark.vault


def used(vault: Secrets, name: str = NAME) -> bytes:
    """The secret, as a function is given it."""
    got: list[bytes] = []
    vault.use(name, lambda secret: got.append(secret.data()))
    return got[0]


def refused(call: Callable[[], object]) -> tuple[Code, str]:
    """The code and the place of a refusal, which never shows the secret."""
    with pytest.raises(Refused) as raised:
        call()
    assert VALUE not in "".join(traceback.format_exception(raised.value))
    (problem,) = raised.value.problems
    assert problem.remedy
    return problem.code, problem.path


def test_a_secret_is_put_listed_used_and_deleted(tmp_path: Path) -> None:
    vault = a_vault(tmp_path)
    (kept,) = vault.listed()
    assert (kept.name, kept.type, kept.made) == (NAME, "text", kept.changed)
    assert used(vault) == VALUE.encode()
    assert vault.delete(NAME) == kept
    assert vault.listed() == ()
    assert refused(lambda: used(vault)) == (Code.MEMORY_NOT_FOUND, "name")
    assert refused(lambda: vault.delete(NAME)) == (Code.MEMORY_NOT_FOUND, "name")


def test_another_value_of_a_name_replaces_the_one_that_was(tmp_path: Path) -> None:
    vault = a_vault(tmp_path)
    vault.put("other", b"ghp_ab123cDEfGhiz1UabC1cDfGhIj4KlM1NO1P1\n")
    vault.put(NAME, b"-- one\r\n-- two\n")
    assert used(vault) == b"-- one\r\n-- two\n"
    assert used(vault, "other") == b"ghp_ab123cDEfGhiz1UabC1cDfGhIj4KlM1NO1P1"
    assert [(each.name, each.type) for each in vault.listed()] == [(NAME, "text"), ("other", "github-token")]


@pytest.mark.parametrize("name", ["", "Mail", "../mail", "a/b", "-a", "a" * 65, "a\n", VALUE])
def test_what_is_no_name_is_refused_and_not_repeated(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused) as raised:
        secrets(tmp_path).put(name, b"secret")
    assert raised.value.problems[0].path == "name"
    assert VALUE not in str(raised.value)
    assert not (tmp_path / "vault.json").exists()


@pytest.mark.parametrize("value", [b"", b"\n", b"abc\r\n", b"x" * (64 * 1024 + 1)])
def test_a_value_has_a_size(tmp_path: Path, value: bytes) -> None:
    assert refused(lambda: secrets(tmp_path).put(NAME, value)) == (Code.INVALID_ARGUMENT, "secret")


def test_nothing_of_it_stands_in_any_file_of_the_home(tmp_path: Path) -> None:
    used(a_vault(tmp_path))
    assert places_with(tmp_path, VALUE) == []
    assert NAME not in (tmp_path / "vault.json").read_text()
    for name in ("vault.json", "vault-uses.jsonl", "keys.json"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_a_vault_stands_in_no_memory_directory(tmp_path: Path) -> None:
    (tmp_path / ".scriptorium").mkdir()
    assert refused(lambda: a_vault(tmp_path / "deeper")) == (
        Code.NOT_PERMITTED,
        str(tmp_path / "deeper" / "vault.json"),
    )


def test_what_uses_it_answers_nothing_and_keeps_nothing(tmp_path: Path) -> None:
    vault, kept = a_vault(tmp_path), list[Revealed]()

    def use(secret: Revealed) -> str:
        kept.append(secret)
        assert repr(secret) == str(secret) == f"{secret}" == "[secret:vault]"
        with pytest.raises(TypeError):
            pickle.dumps(secret)
        return secret.text()

    assert vault.use(NAME, use) is None  # type: ignore[func-returns-value]
    assert refused(kept[0].data) == (Code.INVALID_ARGUMENT, "secret")


def test_what_fails_with_it_is_told_without_its_words_and_frames(tmp_path: Path) -> None:
    vault = a_vault(tmp_path)

    def fail(secret: Revealed) -> None:
        words = secret.text()
        raise ValueError(f"cannot log in with {words}")

    with pytest.raises(Refused) as raised:
        vault.use(NAME, fail)
    assert "ValueError in fail (test_vault.py:" in str(raised.value)
    assert raised.value.__cause__ is raised.value.__context__ is None
    shown = traceback.TracebackException.from_exception(raised.value, capture_locals=True)
    assert VALUE not in "".join(shown.format())


def test_an_interrupt_stays_one_and_holds_nothing(tmp_path: Path) -> None:
    vault = a_vault(tmp_path)

    def interrupt(secret: Revealed) -> None:
        raise KeyboardInterrupt(secret.text())

    with pytest.raises(KeyboardInterrupt) as raised:
        vault.use(NAME, interrupt)
    shown = traceback.TracebackException.from_exception(raised.value, capture_locals=True)
    assert VALUE not in "".join(shown.format())


def test_every_use_is_traced_before_it_is_made_and_without_the_value(tmp_path: Path) -> None:
    vault, seen = a_vault(tmp_path), list[int]()
    vault.use(NAME, lambda _: seen.append(len(vault.uses())), purpose=f"log in --password 7rx!q {VALUE}")
    assert seen == [1]
    (use,) = vault.uses()
    assert (use.at[:10], use.actor, use.name, use.allowed) == (
        vault.listed()[0].made[:10],
        "owner",
        NAME,
        True,
    )
    assert use.purpose == "log in --password [secret:password] [secret:vault]"
    used(vault)
    assert vault.uses()[0].purpose.endswith("test_vault.used.<locals>.<lambda>")


POLICY = """\
version = 1

[[rules]]
actors = ["agent"]
allow = ["use_secret"]
paths = ["secrets/**"]

[[rules]]
actors = ["agent"]
deny = ["use_secret"]
paths = ["secrets/bank"]
"""


@pytest.mark.parametrize("actor", [AGENT, LIBRARIAN, READER, PAIRED, ANONYMOUS, Actor("stranger")])
def test_by_default_the_owner_alone_has_a_vault(tmp_path: Path, actor: Actor) -> None:
    a_vault(tmp_path)
    other = secrets(tmp_path, actor)
    assert other.listed() == ()
    for call in (lambda: used(other), lambda: other.delete(NAME), lambda: other.put(NAME, b"mine")):
        assert refused(call)[0] is Code.NOT_PERMITTED
    assert used(secrets(tmp_path)) == VALUE.encode()
    assert [(use.actor, use.allowed) for use in secrets(tmp_path).uses()] == [
        ("owner", True),
        (actor.name, False),
    ]
    assert all(use.actor == actor.name for use in other.uses())


def test_a_policy_lets_others_use_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    with service(tmp_path) as made:
        made.remember("I like tea.")
        (made.root / "policy.toml").write_text(POLICY)
        git(made.root, "add", "policy.toml")
        git(made.root, "commit", "-q", "-m", "A policy", "--", "policy.toml")
    a_vault(tmp_path).put("bank", b"0123456789")
    agent = secrets(tmp_path, AGENT)
    assert used(agent) == VALUE.encode()
    assert [each.name for each in agent.listed()] == [NAME]
    for name in ("bank", "nothing-there"):
        answer = refused(lambda name=name: used(agent, name))  # type: ignore[misc]
        assert answer[0] is (Code.NOT_PERMITTED if name == "bank" else Code.MEMORY_NOT_FOUND)
    assert refused(lambda: agent.put("mine", b"0123456789"))[0] is Code.NOT_PERMITTED


def test_a_writer_and_what_it_starts_reach_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault = a_vault(tmp_path)
    monkeypatch.setenv("SCRIPTORIUM_WRITER_RUN", "-")
    for call in (vault.listed, lambda: used(vault), lambda: vault.put(NAME, b"mine"), vault.uses):
        assert refused(call) == (Code.NOT_PERMITTED, "vault")


def test_the_library_has_it_too(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory") as memory:
        memory.vault.put(NAME, VALUE.encode())
        assert used(memory.vault) == VALUE.encode()
        assert VALUE not in repr(memory.vault)
    assert places_with(tmp_path, VALUE) == []


def altered(change: Callable[[Any], object]) -> Callable[[Path], None]:
    def alter(path: Path) -> None:
        whole = json.loads(path.read_text())
        change(whole)
        path.write_bytes(canonical(whole))

    return alter


def flipped(part: Any) -> None:
    data = unb64u(part["sealed_b64u"])
    assert data is not None
    part["sealed_b64u"] = b64u(bytes([data[0] ^ 1]) + data[1:])


def swapped(whole: Any) -> None:
    one, two = sorted(whole["entries"])
    whole["entries"][one], whole["entries"][two] = whole["entries"][two], whole["entries"][one]


TAMPERED: dict[str, Callable[[Path], object]] = {
    "no JSON": lambda path: path.write_bytes(b"{"),
    "empty": lambda path: path.write_bytes(b""),
    "another spelling": lambda path: path.write_text(json.dumps(json.loads(path.read_text()))),
    "another member": altered(lambda whole: whole.update(more=1)),
    "another format": altered(lambda whole: whole.update(format="scriptorium-vault-2")),
    "another id": altered(lambda whole: whole.update(vault_id="vlt_" + "0" * 31)),
    "a bit of the index": altered(lambda whole: flipped(whole["index"])),
    "a bit of an entry": altered(lambda whole: flipped(next(iter(whole["entries"].values())))),
    "an entry less": altered(lambda whole: whole["entries"].popitem()),
    "an entry more": altered(
        lambda whole: whole["entries"].update({"ent_" + "0" * 32: next(iter(whole["entries"].values()))})
    ),
    "two entries swapped": altered(swapped),
    "an IV too short": altered(lambda whole: whole["index"].update(iv_b64u="AAAA")),
}


@pytest.mark.parametrize("alter", TAMPERED.values(), ids=TAMPERED.keys())
def test_an_altered_vault_is_named_and_nothing_of_it_is_believed(
    tmp_path: Path, alter: Callable[[Path], object]
) -> None:
    vault, path = a_vault(tmp_path), tmp_path / "vault.json"
    vault.put("other", b"0123456789")
    alter(path)
    before = path.read_bytes()
    for call in (vault.listed, lambda: used(vault), lambda: vault.put("third", b"0123456789")):
        assert refused(call) == (Code.SEAL_BROKEN, str(path))
    assert path.read_bytes() == before


def test_the_vault_of_another_home_is_named(tmp_path: Path) -> None:
    here, there = a_vault(tmp_path / "here"), a_vault(tmp_path / "there")
    path = tmp_path / "there" / "vault.json"
    path.write_bytes((tmp_path / "here" / "vault.json").read_bytes())
    assert refused(there.listed) == (Code.KEY_UNAVAILABLE, str(path))
    assert used(here) == VALUE.encode()


def test_an_entry_of_another_vault_is_named_even_under_the_same_key(tmp_path: Path) -> None:
    a_vault(tmp_path / "here")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "keys.json").write_bytes((tmp_path / "here" / "keys.json").read_bytes())
    (tmp_path / "there" / "keys.json").chmod(0o600)
    there = a_vault(tmp_path / "there")
    path = tmp_path / "there" / "vault.json"
    mine, other = json.loads(path.read_text()), json.loads((tmp_path / "here" / "vault.json").read_text())
    path.write_bytes(canonical({**mine, "entries": other["entries"], "index": other["index"]}))
    assert refused(there.listed) == (Code.SEAL_BROKEN, str(path))


def test_without_its_key_it_is_closed_and_says_which_one(tmp_path: Path) -> None:
    vault, path = a_vault(tmp_path), tmp_path / "vault.json"
    (tmp_path / "keys.json").rename(tmp_path / "elsewhere.json")
    with pytest.raises(Refused, match="sealed with key-1, which is not here"):
        vault.listed()
    assert refused(lambda: used(vault)) == (Code.KEY_UNAVAILABLE, str(path))


def test_a_rotated_key_seals_all_of_it_anew_with_the_next_change(tmp_path: Path) -> None:
    vault = a_vault(tmp_path)
    keys.rotate(tmp_path)
    assert used(vault) == VALUE.encode()
    vault.put("other", b"0123456789")
    assert json.loads((tmp_path / "vault.json").read_text())["key"]["version"] == "key-2"
    assert [used(vault), used(vault, "other")] == [VALUE.encode(), b"0123456789"]


def test_a_vault_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    vault = a_vault(tmp_path)
    (tmp_path / "vault.json").chmod(0o640)
    assert refused(vault.listed)[0] is Code.NOT_PERMITTED


def test_a_vault_behind_a_link_is_not_used(tmp_path: Path) -> None:
    vault = a_vault(tmp_path)
    (tmp_path / "vault.json").rename(tmp_path / "elsewhere.json")
    (tmp_path / "vault.json").symlink_to(tmp_path / "elsewhere.json")
    assert refused(vault.listed)[0] is Code.PATH_OUTSIDE_WORKSPACE


def test_what_is_listed_is_what_was_kept(tmp_path: Path) -> None:
    vault = secrets(tmp_path)
    kept = [vault.put(name, b"0123456789") for name in ("b", "a", "c")]
    assert vault.listed() == tuple(sorted(kept, key=lambda each: each.name))
    assert all(isinstance(each, Kept) for each in kept)
    assert secrets(tmp_path, OWNER).listed() == vault.listed()
