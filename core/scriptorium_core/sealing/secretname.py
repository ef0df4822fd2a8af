"""What may be told of a secret in a vault: its name, its type and two dates; never more."""

import re
from collections.abc import Mapping
from typing import Any, TypeGuard

from attrs import asdict, frozen

from ..problem import Code, Problem
from ..sources.redact import Secret
from .canonical import has_exactly

__all__ = [
    "PLAIN",
    "Kept",
    "checked_name",
    "checked_value",
    "entry_named",
    "is_entry",
    "is_vault",
    "kept_of",
    "told_of",
    "vault_named",
]

PLAIN = "text"
_TYPES = frozenset({*map(str, Secret), PLAIN})
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_VAULT = re.compile(r"vlt_[0-9a-f]{32}")
_ENTRY = re.compile(r"ent_[0-9a-f]{32}")
_LEAST, _MOST = 4, 64 * 1024  # bytes of a value


@frozen
class Kept:
    """A secret as it is listed: `type` is a kind that the detector knows, or `text`; dates are ISO 8601."""

    name: str
    type: str
    made: str
    changed: str


def checked_name(name: str) -> str | Problem:
    """The name, or what is wrong with it; it is not repeated, as it may be a secret by mistake."""
    if _NAME.fullmatch(name):
        return name
    remedy = "take small letters, digits, `-` and `_`, at most 64, and begin with a letter: mail-password"
    return Problem(Code.INVALID_ARGUMENT, "this is no name for a secret", "name", remedy=remedy)


def checked_value(value: bytes) -> bytes | Problem:
    """The value as it is kept: a single line loses its line end, more lines are kept byte for byte."""
    line = value.removesuffix(b"\n").removesuffix(b"\r")
    kept = value if b"\n" in line else line
    if _LEAST <= len(kept) <= _MOST:
        return kept
    message = f"the secret is empty, shorter than {_LEAST} bytes, or longer than {_MOST:,}"
    remedy = "a shorter one could not be told from ordinary text; of a longer one keep the key that opens it"
    return Problem(Code.INVALID_ARGUMENT, message, "secret", remedy=remedy)


def is_vault(value: Any) -> TypeGuard[str]:
    """Whether a value is the id of a vault."""
    return isinstance(value, str) and _VAULT.fullmatch(value) is not None


def is_entry(value: Any) -> TypeGuard[str]:
    """Whether a value is the id of an entry."""
    return isinstance(value, str) and _ENTRY.fullmatch(value) is not None


def vault_named(digits: str) -> str:
    """The id of a vault from 32 hex digits that were drawn."""
    return f"vlt_{digits}"


def entry_named(digits: str) -> str:
    """The id of an entry from 32 hex digits that were drawn."""
    return f"ent_{digits}"


def told_of(kept: Kept) -> Mapping[str, str]:
    """What is listed, as the members of an object."""
    return asdict(kept)


def kept_of(row: Any) -> Kept | None:
    """What a row of an index tells of its secret; None for a row that is none."""
    names = ("name", "type", "made", "changed", "entry", "sha256")
    if not has_exactly(row, names) or not all(isinstance(row[name], str) for name in names):
        return None
    if not _NAME.fullmatch(row["name"]) or row["type"] not in _TYPES:
        return None
    return Kept(row["name"], row["type"], row["made"], row["changed"])
