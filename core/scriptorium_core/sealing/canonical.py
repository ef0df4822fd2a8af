"""Canonical JSON (RFC 8785) and base64url without padding: one spelling for each value."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

import rfc8785

__all__ = ["Json", "b64u", "canonical", "decoded", "has_exactly", "unb64u"]

Json = Any
"""What a JSON text says: it is not trusted before its shape was looked at."""

_B64U = re.compile(r"[A-Za-z0-9_-]*")


def canonical(value: Mapping[str, Json]) -> bytes:
    """The one spelling of an object. Raises ValueError for what JSON cannot say."""
    return rfc8785.dumps({**value})


def decoded(data: bytes) -> Json | None:
    """The object that `data` is the one spelling of; None for any other bytes."""
    try:
        value: Json = json.loads(data)
        return value if _is_object(value) and canonical(value) == data else None
    except (ValueError, RecursionError):
        return None


def has_exactly(value: Json, names: Iterable[str]) -> TypeGuard[Mapping[str, Json]]:
    """Whether a value is an object with these members and no other."""
    return isinstance(value, dict) and value.keys() == frozenset(names)


def _is_object(value: Json) -> TypeGuard[Mapping[str, Json]]:
    return isinstance(value, dict)


def b64u(data: bytes) -> str:
    """Bytes as base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def unb64u(text: Json) -> bytes | None:
    """The bytes of a base64url text without padding; None for any other value or spelling."""
    if not isinstance(text, str) or len(text) % 4 == 1 or not _B64U.fullmatch(text):
        return None
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    # The last character may hold bits that mean nothing: they are zero, or it is another spelling.
    return data if b64u(data[len(data) // 3 * 3 :]) == text[len(text) // 4 * 4 :] else None
