"""The envelope of a sealed object: the test vector, and all that is refused."""

import json
from typing import Any

import pytest
import rfc8785

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing import envelope
from scriptorium_core.sealing.canonical import b64u, unb64u
from scriptorium_core.sealing.envelope import Protected, derived_key, opened, read, sealed
from scriptorium_core.sealing.names import Key, KeyVersion, LibraryId, ObjectId, hash_of, path_of

pytestmark = pytest.mark.sealed

MASTER = Key(KeyVersion("key-1"), bytes(range(32)))
OTHER = Key(KeyVersion("key-1"), bytes(range(1, 33)))
VECTOR = Protected(
    LibraryId("lib_11111111-2222-4333-8444-555555555555"),
    ObjectId("obj_aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"),
    KeyVersion("key-1"),
    "memory",
    bytes(12),
)
HASH, FILE = sealed(MASTER, VECTOR, b"The gate is green.")


def spelled(value: dict[str, Any], whole: bool = True) -> bytes:
    """The bytes of an envelope with a storage hash that fits, unless it is to be kept."""
    from hashlib import sha256

    if whole:
        value.pop("storage_hash", None)
        value["storage_hash"] = sha256(rfc8785.dumps(value)).hexdigest()
    return rfc8785.dumps(value)


def test_the_derived_key_is_that_of_the_test_vector() -> None:
    found = derived_key(MASTER.secret, VECTOR).hex()
    assert (found[:8], found[-6:], len(found)) == ("10a09014", "3cdbad", 64)


def test_an_envelope_is_canonical_json_with_exactly_these_members() -> None:
    value = json.loads(FILE)
    assert rfc8785.dumps(value) == FILE
    assert value.keys() == {"protected", "ciphertext_b64u", "tag_b64u", "storage_hash"}
    assert value["protected"].keys() == {"format", "container", "library_id", "object_id", "crypto"}
    crypto = {"cipher", "kdf", "key_version", "key_context", "iv_b64u"}
    assert value["protected"]["crypto"].keys() == crypto
    assert spelled(value) == FILE
    assert value["storage_hash"] == HASH
    assert "=" not in value["ciphertext_b64u"] + value["tag_b64u"]


def test_what_was_sealed_is_opened_with_its_key_and_no_other() -> None:
    found = read(FILE, "x")
    assert isinstance(found, envelope.Envelope)
    assert opened(found, MASTER, "x") == b"The gate is green."
    wrong = opened(found, OTHER, "x")
    assert isinstance(wrong, Problem)
    assert wrong.code is Code.KEY_UNAVAILABLE


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("more",), 1),
        (("protected", "more"), 1),
        (("protected", "crypto", "more"), 1),
        (("protected", "format"), "mcma-2.0"),
        (("protected", "container"), "manifest"),
        (("protected", "container"), []),
        (("protected", "library_id"), "lib_1"),
        (("protected", "object_id"), None),
        (("protected", "crypto", "cipher"), "AES-128-GCM"),
        (("protected", "crypto", "kdf"), "none"),
        (("protected", "crypto", "key_version"), "key-0"),
        (("protected", "crypto", "key_context"), "vault"),
        (("protected", "crypto", "key_context"), []),
        (("protected", "crypto", "iv_b64u"), "AAAA"),
        (("ciphertext_b64u",), "A"),
        (("ciphertext_b64u",), "AA=="),
        (("tag_b64u",), "AAAA"),
        (("tag_b64u",), 7),
    ],
)
def test_a_member_that_is_not_known_or_has_another_form_is_refused(place: Any, value: Any) -> None:
    whole: Any = json.loads(FILE)
    inner = whole
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    found = read(spelled(whole), "x")
    assert isinstance(found, Problem)
    assert (found.code, found.path) == (Code.SEAL_BROKEN, "x")


@pytest.mark.parametrize("name", ["protected", "ciphertext_b64u", "tag_b64u", "storage_hash"])
def test_a_missing_member_is_refused(name: str) -> None:
    whole = json.loads(FILE)
    del whole[name]
    assert isinstance(read(rfc8785.dumps(whole), "x"), Problem)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"[" * 100_000,
        FILE + b"\n",
        b" " + FILE,
        FILE.replace(b":", b": ", 1),
        b"\xff",
    ],
    ids=["empty", "null", "list", "half", "deep", "newline", "space", "inner space", "bytes"],
)
def test_another_spelling_or_no_json_is_refused(data: bytes) -> None:
    assert isinstance(read(data, "x"), Problem)


def test_a_member_that_comes_twice_is_refused() -> None:
    twice = FILE.replace(b'{"ciphertext_b64u"', b'{"tag_b64u":"AAAAAAAAAAAAAAAAAAAAAA","ciphertext_b64u"', 1)
    assert isinstance(read(twice, "x"), Problem)


def test_who_changes_what_is_said_openly_and_mends_the_hash_does_not_open_it() -> None:
    whole = json.loads(FILE)
    whole["protected"]["object_id"] = "obj_aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeef"
    found = read(spelled(whole), "x")
    assert isinstance(found, envelope.Envelope)
    assert isinstance(opened(found, MASTER, "x"), Problem)


def test_base64url_has_one_spelling() -> None:
    assert unb64u(b64u(b"\xff\xfe")) == b"\xff\xfe"
    assert [unb64u(text) for text in ("AB", "A", "AA==", "+/AA", "AÄ", None)] == [None] * 6


def test_an_object_lies_where_its_hash_says() -> None:
    assert path_of(HASH) == f"objects/{HASH[:2]}/{HASH[2:4]}/{HASH}.mcma"
    assert hash_of(path_of(HASH)) == HASH
    assert hash_of(path_of(HASH).replace(f"objects/{HASH[:2]}", "objects/zz")) is None
    assert hash_of(f"objects/00/11/{HASH}.mcma") is None
