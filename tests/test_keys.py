"""Keys: where they stand, that nobody else may read them, and that they change without losing what is old."""

import json
import os
from pathlib import Path

import pytest

from scriptorium import keys
from scriptorium.refused import Refused
from scriptorium_core.problem import Code
from scriptorium_core.sealing.canonical import b64u
from sealed_homes import contents, objects_of, refusal, sealed_pair
from small_homes import service

pytestmark = pytest.mark.sealed


def test_the_first_key_is_drawn_once_beside_the_memory(tmp_path: Path) -> None:
    first = keys.master(tmp_path / "home")
    assert first.version == "key-1"
    assert keys.master(tmp_path / "home") == first
    file = tmp_path / "home" / "keys.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert keys.master(tmp_path / "other") != first
    assert b64u(first.secret) not in repr(first)


def test_a_file_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    keys.master(tmp_path)
    (tmp_path / "keys.json").chmod(0o644)
    assert "open to others" in refusal(keys.master, tmp_path).message


def test_a_key_never_stands_in_a_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with service(tmp_path / "home") as opened:
        opened.init()
    for place in ("home/memory/keys.json", "home/memory/topics/deep/keys.json"):
        monkeypatch.setenv("SCRIPTORIUM_KEY_FILE", str(tmp_path / place))
        assert refusal(keys.master, tmp_path / "home").code is Code.NOT_PERMITTED
        assert refusal(keys.master, tmp_path / "other").code is Code.NOT_PERMITTED
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "home" / "memory")
    monkeypatch.setenv("SCRIPTORIUM_KEY_FILE", str(link / "keys.json"))
    assert refusal(keys.master, tmp_path / "other").code is Code.NOT_PERMITTED


def test_another_file_or_a_variable_may_hold_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIPTORIUM_KEY_FILE", str(tmp_path / "safe" / "k.json"))
    made = keys.master(tmp_path / "home")
    assert not (tmp_path / "home").exists()
    monkeypatch.setenv("SCRIPTORIUM_KEY", f"key-7:{b64u(bytes(32))} key-2:{b64u(made.secret)}")
    assert [key.version for key in keys.available(tmp_path / "home")] == ["key-2", "key-7"]
    assert keys.master(tmp_path / "home").secret == bytes(32)
    assert refusal(keys.rotate, tmp_path / "home").code is Code.KEY_UNAVAILABLE
    for wrong in ("key-1", "key-1:AAAA", "x:y", f"key-1:{b64u(bytes(32))} key-1:{b64u(bytes(32))}"):
        monkeypatch.setenv("SCRIPTORIUM_KEY", wrong)
        assert refusal(keys.available, tmp_path).code is Code.KEY_UNAVAILABLE


@pytest.mark.parametrize(
    "text", ["", "[]", '{"keys": [{}]}', '{"keys": [{"version": "1", "secret_b64u": ""}]}']
)
def test_a_file_that_holds_no_keys_is_refused_and_not_replaced(tmp_path: Path, text: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(text)
    file.chmod(0o600)
    for call in (keys.master, keys.rotate):
        assert refusal(call, tmp_path).code is Code.KEY_UNAVAILABLE
    assert file.read_text() == text


def test_keys_are_exported_and_imported_beside_others(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    first, second = keys.master(one), keys.rotate(one)
    text = keys.export(one, "some words")
    assert refusal(keys.restore, two, text, "other words", "k.txt").code is Code.KEY_UNAVAILABLE
    assert not (two / "keys.json").exists()
    assert keys.restore(two, text, "some words", "k.txt").versions == ("key-1", "key-2")
    assert keys.available(two) == (first, second)
    keys.restore(two, text, "some words", "k.txt")
    keys.master(tmp_path / "three")
    with pytest.raises(Refused, match="another key-1"):
        keys.restore(tmp_path / "three", text, "some words", "k.txt")
    assert refusal(keys.export, tmp_path / "none", "words").code is Code.KEY_UNAVAILABLE


def test_after_a_rotation_the_new_key_seals_and_the_old_one_opens(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    keys.rotate(home)
    with service(home) as opened:
        opened.remember("Coffee is at nine.", topic="coffee")
        done = opened.seal(str(library))
        assert (done.key_version, opened.prove(str(library)).holds) == ("key-2", True)
        versions = {_version(path) for path in objects_of(library)}
        assert versions == {"key-1", "key-2"}
        again = opened.seal(str(library), again=True, prune=True)
        assert again.removed > 0
        assert {_version(path) for path in objects_of(library)} == {"key-2"}
        _only(home, "key-2")
        assert opened.prove(str(library)).holds
        opened.unseal(str(library), tmp_path / "new")
    assert contents(tmp_path / "new") == contents(home)


def test_a_lost_older_key_is_named(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    keys.rotate(home)
    with service(home) as opened:
        opened.remember("Coffee is at nine.", topic="coffee")
        opened.seal(str(library))
        _only(home, "key-2")
        faults = opened.prove(str(library)).faults
    assert faults
    assert all("sealed with key-1" in fault.message for fault in faults)


def test_unsealing_takes_the_keys_of_the_new_home_too(tmp_path: Path) -> None:
    home, library = sealed_pair(tmp_path)
    new = tmp_path / "new"
    text = keys.export(home, "words")
    keys.restore(new, text, "words", "k.txt")
    with service(new) as opened:
        opened.unseal(str(library), new)
    assert contents(new) == contents(home)


def _version(path: Path) -> str:
    return str(json.loads(path.read_bytes())["protected"]["crypto"]["key_version"])


def _only(home: Path, version: str) -> None:
    file = home / "keys.json"
    whole = json.loads(file.read_text())
    whole["keys"] = [each for each in whole["keys"] if each["version"] == version]
    file.write_text(json.dumps(whole))
    os.chmod(file, 0o600)
