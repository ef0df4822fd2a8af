"""The envelope of a sealed object, `mcma-1.0`: what it is made of, and what must hold before it is believed.

object key  = HKDF-SHA256(master key, salt = SHA-256("MCMA1|" + library id),
              info = "MCMA1|" + key context + "|" + object id + "|" + key version, 32 bytes)
ciphertext  = AES-256-GCM(object key, IV of 12 bytes, payload, additional data = canonical `protected`)
file        = canonical JSON of {protected, ciphertext_b64u, tag_b64u, storage_hash}
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType

from attrs import frozen
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ..problem import Code, Problem
from .canonical import Json, b64u, canonical, has_exactly, unb64u
from .names import (
    Key,
    KeyVersion,
    LibraryId,
    ObjectId,
    StorageHash,
    is_hash,
    is_library,
    is_object,
    is_version,
)

__all__ = ["FORMAT", "INDEX", "OBJECT", "Envelope", "Protected", "derived_key", "opened", "read", "sealed"]

FORMAT = "mcma-1.0"
_CIPHER, _KDF = "AES-256-GCM", "HKDF-SHA256"
_IV, _TAG = 12, 16  # bytes

OBJECT, INDEX = "memory", "manifest"  # the contexts of keys
_CONTAINERS = MappingProxyType({OBJECT: "object", INDEX: "manifest"})
_MEMBERS = ("protected", "ciphertext_b64u", "tag_b64u", "storage_hash")
_PROTECTED = ("format", "container", "library_id", "object_id", "crypto")
_CRYPTO = ("cipher", "kdf", "key_version", "key_context", "iv_b64u")


@frozen
class Protected:
    """What an envelope says openly: whose object it is, and the key; the tag proves it with the payload."""

    library: LibraryId
    object: ObjectId
    version: KeyVersion
    context: str
    iv: bytes

    def members(self) -> Mapping[str, Json]:
        """The members of `protected`."""
        crypto = {
            "cipher": _CIPHER,
            "kdf": _KDF,
            "key_version": self.version,
            "key_context": self.context,
            "iv_b64u": b64u(self.iv),
        }
        return {
            "format": FORMAT,
            "container": _CONTAINERS[self.context],
            "library_id": self.library,
            "object_id": self.object,
            "crypto": crypto,
        }


@frozen
class Envelope:
    """A whole envelope; `hash` is its storage hash, under which it lies."""

    protected: Protected
    ciphertext: bytes
    tag: bytes
    hash: StorageHash


def derived_key(master: bytes, protected: Protected) -> bytes:
    """The key of one object: 32 bytes."""
    salt = sha256(f"MCMA1|{protected.library}".encode()).digest()
    info = f"MCMA1|{protected.context}|{protected.object}|{protected.version}".encode()
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=info).derive(master)


def sealed(key: Key, protected: Protected, payload: bytes) -> tuple[StorageHash, bytes]:
    """A payload as an envelope: its storage hash and the bytes of its file. The IV is never used twice."""
    secret = derived_key(key.secret, protected)
    both = AESGCM(secret).encrypt(protected.iv, payload, canonical(protected.members()))
    return _spelled(protected, b64u(both[:-_TAG]), b64u(both[-_TAG:]))


def read(data: bytes, place: str) -> Envelope | Problem:
    """The envelope that `data` is, its shape and its storage hash checked; nothing of it is proved yet.

    `place` is where it lies, for the problem. Any bytes but the one spelling are refused.
    """
    value = _loaded(data)
    if not has_exactly(value, _MEMBERS):
        return _broken(place, "it is no envelope, or has members that are not known")
    protected = _protected(value["protected"])
    if protected is None:
        return _broken(place, f"what it says of itself is not what {FORMAT} has")
    ciphertext, tag, found = (
        unb64u(value["ciphertext_b64u"]),
        unb64u(value["tag_b64u"]),
        value["storage_hash"],
    )
    if ciphertext is None or tag is None or len(tag) != _TAG or not is_hash(found):
        return _broken(place, "its ciphertext, tag or hash has another form")
    expected, spelled = _spelled(protected, value["ciphertext_b64u"], value["tag_b64u"])
    if expected != found or spelled != data:
        return _broken(place, "its bytes are not those that were written: the storage hash is another")
    return Envelope(protected, ciphertext, tag, expected)


def opened(envelope: Envelope, key: Key, place: str) -> bytes | Problem:
    """The payload of an envelope, proved by its tag."""
    protected = envelope.protected
    secret = derived_key(key.secret, protected)
    known = canonical(protected.members())
    try:
        return AESGCM(secret).decrypt(protected.iv, envelope.ciphertext + envelope.tag, known)
    except InvalidTag:
        message = f"{key.version} does not open it: the key is another one, or the object was altered"
        remedy = "if no object opens, import the right key (`scriptorium key import`); else take another copy"
        return Problem(Code.KEY_UNAVAILABLE, message, place, remedy=remedy)


def _loaded(data: bytes) -> Json:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _protected(value: Json) -> Protected | None:
    if not has_exactly(value, _PROTECTED) or not has_exactly(value["crypto"], _CRYPTO):
        return None
    crypto, iv = value["crypto"], unb64u(value["crypto"]["iv_b64u"])
    library, identity, version = value["library_id"], value["object_id"], crypto["key_version"]
    known = value["format"] == FORMAT and (crypto["cipher"], crypto["kdf"]) == (_CIPHER, _KDF)
    if not known or iv is None or len(iv) != _IV:
        return None
    if not is_library(library) or not is_object(identity) or not is_version(version):
        return None
    context = crypto["key_context"]
    if context not in tuple(_CONTAINERS) or value["container"] != _CONTAINERS[context]:
        return None
    return Protected(library, identity, version, context, iv)


def _spelled(protected: Protected, ciphertext: str, tag: str) -> tuple[StorageHash, bytes]:
    """The storage hash, and the canonical bytes of the whole.

    The members stand in their order, spelled out: nothing looks for escapes in a long ciphertext.
    """
    head = b'{"ciphertext_b64u":"%s","protected":%s' % (ciphertext.encode(), canonical(protected.members()))
    tail = b',"tag_b64u":"%s"}' % tag.encode()
    digest = sha256(head)
    digest.update(tail)
    found = digest.hexdigest()
    return StorageHash(found), b'%s,"storage_hash":"%s"%s' % (head, found.encode(), tail)


def _broken(place: str, why: str) -> Problem:
    remedy = "take this object from another copy of the library, or seal to an empty place"
    return Problem(Code.SEAL_BROKEN, why, place, remedy=remedy)
