"""A vault: named secrets, each sealed by itself, and a sealed index of them.

{"entries": {"ent_…": {"iv_b64u": …, "sealed_b64u": …}},        a secret each, padded
 "format": "scriptorium-vault-1",
 "index": {"iv_b64u": …, "sealed_b64u": …},                      names, types, dates, a SHA-256 of each entry
 "key": {"proof_b64u": …, "version": "key-1"},                   which key, and a proof that it is the one
 "vault_id": "vlt_…"}

key of a part = HKDF-SHA256(master key, salt = SHA-256("SCRIPTORIUM-VAULT-1|" + vault id),
                info = "SCRIPTORIUM-VAULT-1|" + part + "|" + key version, 32 bytes)

A part is `index`, `proof` (of the key) or the id of an entry. Each is sealed with AES-256-GCM under a fresh
IV of 12 bytes; also authenticated are the format, the vault, the key and the part, of an entry its name and
type, of the index which entries there are. Open to anybody are sizes and numbers alone.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import cast

from attrs import field, frozen
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ..problem import Code, Problem
from .canonical import Json, b64u, canonical, decoded, has_exactly, unb64u
from .names import Key, is_version
from .secretname import Kept, is_entry, is_vault, kept_of, told_of

__all__ = ["FORMAT", "Entry", "Part", "Vault", "opened", "revealed", "sealed_entry", "version_of", "written"]

FORMAT = "scriptorium-vault-1"
_SALT = "SCRIPTORIUM-VAULT-1|"
_INDEX, _PROOF = "index", "proof"
_MEMBERS = ("entries", "format", "index", "key", "vault_id")
_PART = ("iv_b64u", "sealed_b64u")
_IV, _TAG, _BLOCK = 12, 16, 64  # bytes


@frozen
class Part:
    """Something sealed: its IV and the ciphertext with its tag."""

    iv: bytes
    sealed: bytes = field(repr=False)

    def members(self) -> Mapping[str, Json]:
        """The members that it is written as."""
        return {"iv_b64u": b64u(self.iv), "sealed_b64u": b64u(self.sealed)}


@frozen
class Entry:
    """A secret as it is kept: what may be told of it, its id, and its value under seal."""

    kept: Kept
    id: str
    part: Part


@frozen
class Vault:
    """An open vault: every name is proved, and no secret is open."""

    id: str
    version: str
    entries: tuple[Entry, ...] = ()

    def find(self, name: str) -> Entry | None:
        """The entry of a name."""
        return next((entry for entry in self.entries if entry.kept.name == name), None)


def version_of(data: bytes, place: str) -> str | Problem:
    """Which key a vault needs; nothing of it is proved yet."""
    shape = _shape(data, place)
    return shape if isinstance(shape, Problem) else str(shape["key"]["version"])


def opened(data: bytes, key: Key, place: str) -> Vault | Problem:
    """The vault that `data` is, proved whole but for the secrets, which `revealed` proves one by one."""
    shape = _shape(data, place)
    if isinstance(shape, Problem):
        return shape
    identity, version = shape["vault_id"], shape["key"]["version"]
    if version != key.version or unb64u(shape["key"]["proof_b64u"]) != _derived(key, identity, _PROOF):
        return _foreign(place, version)
    parts = {name: _part(value) for name, value in shape["entries"].items()}
    index = _part(shape["index"])
    if index is None or None in parts.values():
        return _altered(place, "a part of it has another form")
    plain = _unsealed(key, identity, _INDEX, index, {"entries": sorted(parts)})
    if plain is None:
        return _altered(place, "its index is not the one that was written")
    entries = _entries(decoded(plain), parts)
    if entries is None:
        return _altered(place, "its entries are not those that its index names")
    return Vault(identity, version, entries)


def revealed(vault: Vault, entry: Entry, key: Key, place: str) -> bytes | Problem:
    """The value of a secret, proved."""
    plain = _unsealed(key, vault.id, entry.id, entry.part, _named(entry.kept))
    value = None if plain is None else _unpadded(plain)
    return (
        _altered(place, f"the secret {entry.kept.name} is not the one that was put")
        if value is None
        else value
    )


def sealed_entry(vault: Vault, kept: Kept, value: bytes, key: Key, identity: str, iv: bytes) -> Entry:
    """A secret under seal, as entry `identity`; neither id nor IV is ever used twice."""
    part = _sealed(key, vault.id, identity, iv, _padded(value), _named(kept))
    return Entry(kept, identity, part)


def written(vault: Vault, key: Key, iv: bytes) -> bytes:
    """The bytes of a vault; all its entries are sealed with `key`, and the IV is of its index."""
    rows = [
        {**told_of(entry.kept), "entry": entry.id, "sha256": _digest(entry.part)} for entry in vault.entries
    ]
    names = {"entries": sorted(entry.id for entry in vault.entries)}
    index = _sealed(key, vault.id, _INDEX, iv, canonical({"secrets": rows}), names)
    proof = b64u(_derived(key, vault.id, _PROOF))
    whole = {
        "entries": {entry.id: entry.part.members() for entry in vault.entries},
        "format": FORMAT,
        "index": index.members(),
        "key": {"proof_b64u": proof, "version": key.version},
        "vault_id": vault.id,
    }
    return canonical(whole)


def _shape(data: bytes, place: str) -> Mapping[str, Json] | Problem:
    """The members of a vault, their forms checked as far as they name its key."""
    value = decoded(data)
    if not has_exactly(value, _MEMBERS) or value["format"] != FORMAT:
        return _altered(place, "it is no vault of this format, or is spelled in another way")
    key, entries = value["key"], value["entries"]
    if not is_vault(value["vault_id"]) or not has_exactly(key, ("proof_b64u", "version")):
        return _altered(place, "what it says of itself is not what a vault says")
    if not is_version(key["version"]) or not _is_table(entries):
        return _altered(place, "what it says of its key or its entries is not what a vault says")
    return value


def _is_table(value: Json) -> bool:
    return isinstance(value, dict) and all(map(is_entry, cast("dict[str, Json]", value)))


def _part(value: Json) -> Part | None:
    if not has_exactly(value, _PART):
        return None
    iv, sealed = unb64u(value["iv_b64u"]), unb64u(value["sealed_b64u"])
    if iv is None or sealed is None or len(iv) != _IV or len(sealed) < _TAG:
        return None
    return Part(iv, sealed)


def _entries(index: Json, parts: Mapping[str, Part | None]) -> tuple[Entry, ...] | None:
    """The entries that an index names; None unless they are exactly those that are here."""
    if not has_exactly(index, ("secrets",)):
        return None
    rows: Sequence[Json] = index["secrets"]
    found = tuple(_entry(row, parts) for row in rows)
    entries = tuple(entry for entry in found if entry is not None)
    if len(entries) != len(found) or sorted(entry.id for entry in entries) != sorted(parts):
        return None
    return entries


def _entry(row: Json, parts: Mapping[str, Part | None]) -> Entry | None:
    kept, part = kept_of(row), parts.get(row["entry"])
    if kept is None or part is None or _digest(part) != row["sha256"]:
        return None
    return Entry(kept, row["entry"], part)


def _digest(part: Part) -> str:
    return sha256(part.iv + part.sealed).hexdigest()


def _named(kept: Kept) -> Mapping[str, Json]:
    return MappingProxyType({"name": kept.name, "type": kept.type})


def _derived(key: Key, vault: str, part: str) -> bytes:
    salt, info = sha256((_SALT + vault).encode()).digest(), f"{_SALT}{part}|{key.version}".encode()
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=info).derive(key.secret)


def _sealed(key: Key, vault: str, part: str, iv: bytes, plain: bytes, more: Mapping[str, Json]) -> Part:
    known = _known(key, vault, part, more)
    return Part(iv, AESGCM(_derived(key, vault, part)).encrypt(iv, plain, known))


def _unsealed(key: Key, vault: str, name: str, part: Part, more: Mapping[str, Json]) -> bytes | None:
    try:
        return AESGCM(_derived(key, vault, name)).decrypt(
            part.iv, part.sealed, _known(key, vault, name, more)
        )
    except InvalidTag:
        return None


def _known(key: Key, vault: str, part: str, more: Mapping[str, Json]) -> bytes:
    return canonical({"format": FORMAT, "key": key.version, "part": part, "vault_id": vault, **more})


def _padded(value: bytes) -> bytes:
    """A value with a one and zeros behind it, so that its size tells little."""
    whole = value + b"\x80"
    return whole + bytes(-len(whole) % _BLOCK)


def _unpadded(plain: bytes) -> bytes | None:
    value, mark, _ = plain.rpartition(b"\x80")
    return value if mark else None


def _foreign(place: str, version: str) -> Problem:
    message = f"{version} of this home is not the key that it was sealed with: it is another home's vault"
    remedy = "import its key (`scriptorium key import FILE`), or move the vault away and put the secrets anew"
    return Problem(Code.KEY_UNAVAILABLE, message, place, remedy=remedy)


def _altered(place: str, why: str) -> Problem:
    remedy = "put back the file from a copy, or move it away and put the secrets anew"
    return Problem(Code.SEAL_BROKEN, why, place, remedy=remedy)
