"""Examples of what a sealed library and a vault refuse by their form, and of which packs stay."""

import json
from typing import Any

import pytest

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing import vault
from scriptorium_core.sealing.canonical import canonical
from scriptorium_core.sealing.envelope import OBJECT as OBJECT_CONTEXT
from scriptorium_core.sealing.envelope import Protected, sealed
from scriptorium_core.sealing.manifest import Piece, Run, read
from scriptorium_core.sealing.names import Key, KeyVersion, LibraryId, ObjectId, StorageHash
from scriptorium_core.sealing.places import HOME, MEMORY, is_kept, is_reference
from scriptorium_core.sealing.proof import Expected, proved
from scriptorium_core.sealing.runs import kept
from scriptorium_core.sealing.secretname import kept_of

LIBRARY = LibraryId("lib_00000000-0000-4000-8000-000000000000")


def run(name: str, size: int = 1) -> Run:
    piece = Piece(ObjectId("o"), StorageHash("h"), KeyVersion("key-1"), "0", size)
    return Run((), (name,), name * 40, (piece,))


def test_a_key_is_never_shown() -> None:
    assert repr(Key(KeyVersion("key-1"), b"s" * 32)) == "Key('key-1')"


@pytest.mark.parametrize("value", [[], {}, {"library_id": 3}, 7])
def test_a_manifest_of_another_form_is_refused_whole(value: Any) -> None:
    data = canonical(value) if isinstance(value, dict) else json.dumps(value).encode()
    found = read(data, LIBRARY, "manifest")
    assert isinstance(found, Problem)
    assert (found.code, found.path) == (Code.SEAL_BROKEN, "manifest")
    assert found.message.startswith("the manifest has another form")
    assert found.remedy == "take the manifest from another copy of the library, or seal to an empty place"


@pytest.mark.parametrize(
    ("root", "path", "expected"),
    [
        (MEMORY, "topics/a.md", True),
        (MEMORY, ".gitignore", False),
        (MEMORY, "a/.g\u200cit/b", False),
        (MEMORY, "a//b", False),
        (MEMORY, "a/../b", False),
        (MEMORY, "a\\b", False),
        (MEMORY, " .", False),
        (MEMORY, "", False),
        (MEMORY, 3, False),
        (MEMORY, "a" * 5000, False),
        (HOME, "settings.toml", True),
        (HOME, "keys.json", False),
        ("elsewhere", "topics/a.md", False),
    ],
)
def test_a_file_may_stand_in_the_memory_or_be_one_of_two_beside_it(
    root: Any, path: Any, expected: bool
) -> None:
    assert is_kept(root, path) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("refs/heads/main", True),
        ("refs/main", False),
        ("refs/heads/a.lock", False),
        ("refs/heads/a..b", False),
        ("refs/heads/a.", False),
        ("refs/heads/-x", False),
        ("refs/heads/" + "a" * 200, False),
        (3, False),
    ],
)
def test_a_reference_is_one_on_every_disk(name: Any, expected: bool) -> None:
    assert is_reference(name) is expected


def test_packs_stay_as_long_as_their_commits_stand_and_small_ones_become_one() -> None:
    runs = (run("a", 100), run("b", 20), run("c", 5), run("d", 4))
    assert kept(runs, lambda commit: True) == runs
    assert kept(runs, lambda commit: commit != "b") == runs[:1]
    assert kept(runs, lambda commit: True, many=4) == runs[:2]
    assert kept((run("a"), run("b")), lambda commit: True, many=2) == ()
    assert kept((), lambda commit: True) == ()


ROW = {"name": "mail", "type": "password", "made": "t1", "changed": "t2", "entry": "ent_1", "sha256": "0"}


@pytest.mark.parametrize(
    "row",
    [None, [], {**ROW, "more": ""}, {**ROW, "made": 3}, {**ROW, "name": "no name!"}, {**ROW, "type": "x"}],
)
def test_a_row_that_tells_of_no_secret_tells_nothing(row: Any) -> None:
    assert kept_of(row) is None


def test_a_row_tells_of_its_secret_without_the_secret() -> None:
    found = kept_of(ROW)
    assert found is not None
    assert (found.name, found.made, found.changed) == ("mail", "t1", "t2")


# --- An object that lies where another one should -----------------------------------------------------

MASTER = Key(KeyVersion("key-1"), bytes(range(32)))
OBJECT = ObjectId("obj_aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee")
OTHER_LIBRARY = LibraryId("lib_11111111-2222-4333-8444-555555555555")
HASH, FILE = sealed(MASTER, Protected(LIBRARY, OBJECT, MASTER.version, OBJECT_CONTEXT, bytes(12)), b"x")


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (Expected(OTHER_LIBRARY), f"a foreign object: it belongs to {LIBRARY}"),
        (Expected(LIBRARY, "other"), f"swapped: it is sealed as {OBJECT_CONTEXT}"),
        (Expected(LIBRARY, hash=StorageHash("0")), f"swapped: the object {HASH[:12]}… lies in its place"),
        (Expected(None, object=ObjectId("o")), "swapped: it is another object than the manifest names"),
    ],
)
def test_another_object_than_was_named_is_refused(wanted: Expected, why: str) -> None:
    found = proved(FILE, wanted, {MASTER.version: MASTER}, "objects/x")
    assert isinstance(found, Problem)
    assert (found.code, found.path, found.message) == (Code.SEAL_BROKEN, "objects/x", why)
    assert found.remedy == "take this object from another copy of the library, or seal to an empty place"


def test_what_is_sealed_with_a_key_that_is_not_here_says_which() -> None:
    found = proved(FILE, Expected(LIBRARY), {}, "objects/x")
    assert isinstance(found, Problem)
    assert (found.code, found.path) == (Code.KEY_UNAVAILABLE, "objects/x")
    assert found.message == "it is sealed with key-1, and the keys that are here are: none"


# --- A vault that is none -------------------------------------------------------------------------------

VAULT = "vlt_" + "0" * 32
PROOF = {"proof_b64u": "AAAA", "version": "key-1"}
WHOLE = {"entries": {}, "format": vault.FORMAT, "index": {}, "key": PROOF, "vault_id": VAULT}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": "other"}, "it is no vault of this format, or is spelled in another way"),
        ({"more": 1}, "it is no vault of this format, or is spelled in another way"),
        ({"vault_id": "v"}, "what it says of itself is not what a vault says"),
        ({"key": {"version": "key-1"}}, "what it says of itself is not what a vault says"),
        ({"key": {**PROOF, "version": 3}}, "what it says of its key or its entries is not what a vault says"),
        ({"entries": {"no id": {}}}, "what it says of its key or its entries is not what a vault says"),
        ({"entries": []}, "what it says of its key or its entries is not what a vault says"),
    ],
)
def test_a_vault_of_another_form_is_refused(change: dict[str, Any], why: str) -> None:
    data = canonical({**WHOLE, **change})
    for found in (vault.opened(data, MASTER, "vault.json"), vault.version_of(data, "vault.json")):
        assert isinstance(found, Problem)
        assert (found.code, found.path, found.message) == (Code.SEAL_BROKEN, "vault.json", why)
        assert found.remedy == "put back the file from a copy, or move it away and put the secrets anew"
