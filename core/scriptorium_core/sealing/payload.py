"""The payload of a sealed object: a line of canonical JSON that says what follows, and the content.

{"encoding":"zstd","kind":"piece","sha256":"…","size":4194304}
…
"""

from hashlib import sha256

from attrs import frozen

from ..problem import Code, Problem
from .canonical import canonical, decoded, has_exactly
from .names import is_hash

__all__ = ["ENCODINGS", "KINDS", "Payload", "faults", "read", "written"]

KINDS = ("manifest", "piece")
ENCODINGS = ("none", "zstd")
LARGEST = 64 * 1024 * 1024  # bytes of content, so that a lie about the size costs nothing
_MEMBERS = ("encoding", "kind", "sha256", "size")


@frozen
class Payload:
    """The content as it is stored, and of the content as it was: SHA-256 and size in bytes."""

    kind: str
    encoding: str
    sha256: str
    size: int
    stored: bytes


def written(payload: Payload) -> bytes:
    """The bytes of a payload."""
    head = canonical(
        {
            "encoding": payload.encoding,
            "kind": payload.kind,
            "sha256": payload.sha256,
            "size": payload.size,
        }
    )
    return head + b"\n" + payload.stored


def read(data: bytes, place: str) -> Payload | Problem:
    """The payload that `data` is; its content is proved by `faults` when it was unpacked."""
    head, separator, stored = data.partition(b"\n")
    value = decoded(head)
    if not separator or not has_exactly(value, _MEMBERS):
        return _broken(place, "its payload is not of this format, or has members that are not known")
    size, known = value["size"], value["kind"] in KINDS and value["encoding"] in ENCODINGS
    if not known or not is_hash(value["sha256"]) or not isinstance(size, int) or isinstance(size, bool):
        return _broken(place, "its payload says something of itself that is not known")
    if not 0 <= size <= LARGEST:
        return _broken(place, f"its content would be {size} bytes, which none of ours is")
    return Payload(value["kind"], value["encoding"], value["sha256"], size, stored)


def faults(payload: Payload, content: bytes, place: str) -> Problem | None:
    """What is wrong with the content of a payload, None if it is the one that was sealed."""
    if len(content) == payload.size and sha256(content).hexdigest() == payload.sha256:
        return None
    return _broken(place, "its content is not the one that its payload names")


def _broken(place: str, why: str) -> Problem:
    remedy = "take this object from another copy of the library, or seal to an empty place"
    return Problem(Code.SEAL_BROKEN, why, place, remedy=remedy)
