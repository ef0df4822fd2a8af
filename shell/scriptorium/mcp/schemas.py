"""JSON Schemas, written short: what tools take and what they answer."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

__all__ = [
    "KEY",
    "Schema",
    "answer",
    "array",
    "flag",
    "fraction",
    "keyed",
    "number",
    "obj",
    "one_of",
    "taking",
    "text",
]

KEY = "idempotency_key"
"""The argument by which a request is carried out once."""

Schema = Mapping[str, Any]
"""A JSON Schema (2020-12)."""

# Every tool has it, and every agent reads every tool: no more is said than what is always there.
_ERROR: Schema = MappingProxyType({"type": "object", "required": ["code", "message", "path", "problems"]})


def text(about: str = "", *, most: int | None = None, **more: Any) -> dict[str, Any]:
    """A text of at most so many characters."""
    limit = {"maxLength": most} if most is not None else {}
    return {"type": "string", **({"description": about} if about else {}), **limit, **more}


def number(
    about: str = "", *, least: int | None = None, most: int | None = None, **more: Any
) -> dict[str, Any]:
    """A whole number between two."""
    limits = {"minimum": least, "maximum": most}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    return {"type": "integer", **({"description": about} if about else {}), **given, **more}


def fraction(about: str = "", **more: Any) -> dict[str, Any]:
    """A number from 0 to 1."""
    return {"type": "number", "minimum": 0, "maximum": 1, "description": about, **more}


def flag(about: str = "", **more: Any) -> dict[str, Any]:
    """True or false."""
    return {"type": "boolean", **({"description": about} if about else {}), **more}


def one_of(about: str, *words: str) -> dict[str, Any]:
    """One of these words; the first is the default."""
    return {"type": "string", "enum": [*words], "default": words[0], "description": about}


def array(items: Schema | None = None, about: str = "", **more: Any) -> dict[str, Any]:
    """A list."""
    inside = {"items": dict(items)} if items is not None else {}
    return {"type": "array", **({"description": about} if about else {}), **inside, **more}


def obj(needed: str = "", /, **fields: Schema) -> dict[str, Any]:
    """An object with these fields, of which those named in `needed` (blanks between) are always there."""
    required = {"required": needed.split()} if needed else {}
    properties = {name: dict(field) for name, field in fields.items()}
    return {"type": "object", **({"properties": properties} if properties else {}), **required}


def taking(needed: str = "", /, **fields: Schema) -> dict[str, Any]:
    """What a tool takes: these fields and no others."""
    return {**obj(needed, **fields), "additionalProperties": False}


def keyed(schema: Schema) -> dict[str, Any]:
    """What a tool takes that changes memory: also a key by which the request is carried out once."""
    about = "A random key of this request: sent again with it, it is not carried out again."
    properties = {**schema["properties"], KEY: text(about, most=255)}
    return {**schema, "properties": properties}


def answer(needed: str = "", /, **fields: Schema) -> dict[str, Any]:
    """What a tool answers: its fields, or an error with all problems; `cut` names what was shortened."""
    shared = {"ok": flag(), "error": _ERROR, "note": text(), "cut": array(text())}
    whole = obj("ok", **fields, **shared)
    return {**whole, "anyOf": [{"required": ["error"]}, {"required": needed.split()}]} if needed else whole
