"""Keys under a passphrase: a text that may lie anywhere, and opens only for who knows the words.

{"ciphertext_b64u": "…", "format": "scriptorium-keys-1", "iv_b64u": "…", "kdf": {…}}
kdf  {"iterations": 3, "lanes": 4, "memory_kib": 65536, "name": "argon2id", "salt_b64u": "…"}
 or  {"iterations": 600000, "name": "pbkdf2-hmac-sha256", "salt_b64u": "…"}

AES-256-GCM; the additional data is the canonical JSON of everything but the ciphertext.
"""

import json
import unicodedata
from collections.abc import Mapping
from typing import TypeGuard

from attrs import frozen
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

from ..problem import Code, Problem
from .canonical import Json, b64u, canonical, has_exactly, unb64u
from .names import Key, is_version

__all__ = ["ARGON2ID", "LEAST", "PBKDF2", "Kdf", "unwrapped", "wrapped"]

FORMAT = "scriptorium-keys-1"
ARGON2ID, PBKDF2 = "argon2id", "pbkdf2-hmac-sha256"
LEAST = 600_000  # rounds of PBKDF2
_MOST = 10_000_000
_SECRET = 32
# Bounds of what a file may ask of this computer, and of what is still hard to guess.
_ITERATIONS, _LANES, _MEMORY = range(1, 17), range(1, 17), range(19 * 1024, 2 * 1024 * 1024 + 1)


@frozen
class Kdf:
    """How a passphrase becomes a key; `memory_kib` and `lanes` are of argon2id. Defaults of RFC 9106."""

    salt: bytes
    name: str = ARGON2ID
    iterations: int = 3
    lanes: int = 4
    memory_kib: int = 64 * 1024

    def members(self) -> Mapping[str, Json]:
        """The members of `kdf`."""
        plain = {"iterations": self.iterations, "name": self.name, "salt_b64u": b64u(self.salt)}
        if self.name == PBKDF2:
            return plain
        return {**plain, "lanes": self.lanes, "memory_kib": self.memory_kib}


def wrapped(keys: tuple[Key, ...], passphrase: str, kdf: Kdf, iv: bytes) -> bytes:
    """Keys under a passphrase, as the text of a file. Salt and IV are drawn anew each time."""
    head = _head(kdf, iv)
    plain = canonical({"keys": [{"secret_b64u": b64u(k.secret), "version": k.version} for k in keys]})
    both = AESGCM(_derived(passphrase, kdf)).encrypt(iv, plain, canonical(head))
    return canonical({**head, "ciphertext_b64u": b64u(both)}) + b"\n"


def unwrapped(data: bytes, passphrase: str, place: str) -> tuple[Key, ...] | Problem:
    """The keys in such a text, or why there are none: another form, or other words."""
    try:
        value: Json = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not has_exactly(value, ("ciphertext_b64u", "format", "iv_b64u", "kdf")) or value["format"] != FORMAT:
        return _unknown(place, "this is no file of keys, or has members that are not known")
    kdf, iv, both = _kdf(value["kdf"]), unb64u(value["iv_b64u"]), unb64u(value["ciphertext_b64u"])
    if kdf is None or iv is None or len(iv) != 12 or both is None:
        return _unknown(place, "its derivation is not known, too weak, or asks for too much")
    try:
        plain = AESGCM(_derived(passphrase, kdf)).decrypt(iv, both, canonical(_head(kdf, iv)))
    except InvalidTag:
        message = "the passphrase is another one, or the file was altered"
        remedy = "try the words again, letter by letter; without them nobody can open it"
        return Problem(Code.KEY_UNAVAILABLE, message, place, remedy=remedy)
    return _keys(plain) or _unknown(place, "it opens, but holds no keys")


def _head(kdf: Kdf, iv: bytes) -> Mapping[str, Json]:
    return {"format": FORMAT, "iv_b64u": b64u(iv), "kdf": {**kdf.members()}}


def _derived(passphrase: str, kdf: Kdf) -> bytes:
    words = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
    if kdf.name == PBKDF2:
        return PBKDF2HMAC(SHA256(), length=32, salt=kdf.salt, iterations=kdf.iterations).derive(words)
    hard = Argon2id(
        salt=kdf.salt, length=32, iterations=kdf.iterations, lanes=kdf.lanes, memory_cost=kdf.memory_kib
    )
    return hard.derive(words)


def _kdf(value: Json) -> Kdf | None:
    plain = ("iterations", "name", "salt_b64u")
    if has_exactly(value, plain) and value["name"] == PBKDF2:
        found = Kdf(unb64u(value["salt_b64u"]) or b"", PBKDF2, value["iterations"])
        known = _within(found.iterations, range(LEAST, _MOST + 1))
    elif has_exactly(value, (*plain, "lanes", "memory_kib")) and value["name"] == ARGON2ID:
        salt = unb64u(value["salt_b64u"]) or b""
        found = Kdf(salt, ARGON2ID, value["iterations"], value["lanes"], value["memory_kib"])
        known = _within(found.iterations, _ITERATIONS) and _within(found.lanes, _LANES)
        known = known and _within(found.memory_kib, _MEMORY)
    else:
        return None
    return found if known and 16 <= len(found.salt) <= 64 else None


def _within(value: Json, bounds: range) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in bounds


def _keys(plain: bytes) -> tuple[Key, ...]:
    value: Json = json.loads(plain)
    if not has_exactly(value, ("keys",)) or not _is_list(value["keys"]):
        return ()
    found = list[Key]()
    for each in value["keys"]:
        secret = unb64u(each["secret_b64u"]) if has_exactly(each, ("secret_b64u", "version")) else None
        if secret is None or len(secret) != _SECRET or not is_version(each["version"]):
            return ()
        found.append(Key(each["version"], secret))
    return tuple(found)


def _is_list(value: Json) -> TypeGuard[list[Json]]:
    return isinstance(value, list)


def _unknown(place: str, why: str) -> Problem:
    remedy = "give a file that `scriptorium key export` has written"
    return Problem(Code.INVALID_ARGUMENT, why, place, remedy=remedy)
