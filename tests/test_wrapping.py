"""Keys under a passphrase: what opens, what does not, and the older derivation."""

import json
from typing import Any

import pytest

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing.names import Key, KeyVersion
from scriptorium_core.sealing.wrapping import PBKDF2, Kdf, unwrapped, wrapped

pytestmark = pytest.mark.sealed

KEYS = (Key(KeyVersion("key-1"), bytes(range(32))), Key(KeyVersion("key-2"), bytes(32)))
QUICK = Kdf(bytes(16), iterations=1, lanes=1, memory_kib=19 * 1024)
TEXT = wrapped(KEYS, "grün ist das Tor", QUICK, bytes(12))


def test_keys_come_back_under_the_same_words_however_they_are_composed() -> None:
    assert unwrapped(TEXT, "gru\u0308n ist das Tor", "x") == KEYS
    assert KEYS[0].secret not in TEXT


def test_the_default_is_argon2id_with_the_memory_of_the_standard() -> None:
    text = wrapped(KEYS, "words", Kdf(bytes(16)), bytes(12))
    assert json.loads(text)["kdf"] == {
        "iterations": 3,
        "lanes": 4,
        "memory_kib": 65536,
        "name": "argon2id",
        "salt_b64u": "AAAAAAAAAAAAAAAAAAAAAA",
    }
    assert unwrapped(text, "words", "x") == KEYS


def test_pbkdf2_with_six_hundred_thousand_rounds_is_read_and_with_fewer_not() -> None:
    old = Kdf(bytes(16), PBKDF2, 600_000)
    assert unwrapped(wrapped(KEYS, "words", old, bytes(12)), "words", "x") == KEYS
    weak = Kdf(bytes(16), PBKDF2, 599_999)
    found = unwrapped(wrapped(KEYS, "words", weak, bytes(12)), "words", "x")
    assert isinstance(found, Problem)
    assert "too weak" in found.message


def test_other_words_and_an_altered_file_are_named() -> None:
    wrong = unwrapped(TEXT, "another", "keys.txt")
    assert isinstance(wrong, Problem)
    assert (wrong.code, wrong.path) == (Code.KEY_UNAVAILABLE, "keys.txt")
    value = json.loads(TEXT)
    value["iv_b64u"] = "AAAAAAAAAAAAAAAB"
    assert isinstance(unwrapped(json.dumps(value).encode(), "grün ist das Tor", "x"), Problem)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memory_kib", 1024),
        ("memory_kib", 2**31),
        ("iterations", 0),
        ("iterations", True),
        ("lanes", 1000),
        ("salt_b64u", "AAAA"),
        ("name", "scrypt"),
        ("more", 1),
    ],
)
def test_a_derivation_that_is_not_known_or_out_of_bounds_is_refused(name: str, value: Any) -> None:
    whole = json.loads(TEXT)
    whole["kdf"][name] = value
    found = unwrapped(json.dumps(whole).encode(), "grün ist das Tor", "x")
    assert isinstance(found, Problem)
    assert found.code is Code.INVALID_ARGUMENT


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b'{"format": "x"}'])
def test_what_is_no_file_of_keys_is_refused(data: bytes) -> None:
    assert isinstance(unwrapped(data, "words", "x"), Problem)


@pytest.mark.parametrize(
    "rows",
    [{}, [1], [{"version": "1", "secret_b64u": "AA"}], [{"version": "key-1", "secret_b64u": "AA"}], []],
)
def test_what_opens_and_holds_no_keys_is_refused(rows: Any) -> None:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    from scriptorium_core.sealing import wrapping
    from scriptorium_core.sealing.canonical import b64u, canonical

    head = wrapping._head(QUICK, bytes(12))
    key = wrapping._derived("words", QUICK)
    both = AESGCM(key).encrypt(bytes(12), canonical({"keys": rows}), canonical(head))
    data = canonical({**head, "ciphertext_b64u": b64u(both)})
    found = unwrapped(data, "words", "x")
    assert isinstance(found, Problem)
    assert "no keys" in found.message
