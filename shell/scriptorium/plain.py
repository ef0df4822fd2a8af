"""Results as plain data for JSON: values by their fields, outcomes with their name."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from scriptorium_core.problem import Problem
from scriptorium_core.when import When, render_when

__all__ = ["KINDS", "MORE", "error", "names_of", "plain", "written"]

# Outcomes and results are known by their names, and fields by what attrs notes on a class, so that whoever
# prints the answer of a search loads neither.
_OUTCOMES = frozenset(("Wrote", "NothingToKeep", "NothingDue", "Failed"))
# What a reader of JSON would otherwise have to work out: properties of the results, not fields.
KINDS = MappingProxyType({"RecordShown": "record", "TopicShown": "topic", "SourceShown": "message"})
MORE = ("outcome", "is_abandoned", "is_cut", "holds", "memory_committed", "git_committed", "health")


def plain(value: object) -> Any:
    """The value as JSON can hold it."""
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return str(value)
        case PurePath():
            return str(value)
        case When():
            return render_when(value)
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case tuple() if names_of(type(value)):
            return dict(_pairs(value))
        case tuple() | list() | frozenset():
            return [plain(item) for item in value]
        case _ if names_of(type(value)):
            return dict(_pairs(value))
        case _:
            raise TypeError(f"{type(value).__name__} has no form in JSON")


def names_of(kind: type) -> tuple[str, ...]:
    """The fields of an attrs class or a named tuple; none of any other class."""
    if noted := getattr(kind, "__attrs_attrs__", ()):
        return tuple(field.name for field in noted)
    return tuple(getattr(kind, "_fields", ())) if issubclass(kind, tuple) else ()


def error(problems: Sequence[Problem]) -> Mapping[str, Any]:
    """The error of an answer: the first problem, and all of them."""
    first = problems[0]
    return {
        "code": str(first.code),
        "message": first.message,
        "path": first.path,
        "problems": plain(tuple(problems)),
    }


def written(answer: Mapping[str, Any], encoding: str) -> str:
    """The answer as a JSON text that a stream of this encoding can hold."""
    text = json.dumps(answer, ensure_ascii=False, indent=2)
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return json.dumps(answer, indent=2)
    return text


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    if type(value).__name__ in _OUTCOMES:
        yield "outcome", type(value).__name__
    if kind := KINDS.get(type(value).__name__):
        yield "kind", kind
    for name in MORE:
        if isinstance(getattr(type(value), name, None), property):
            yield name, getattr(value, name)
    for name in names_of(type(value)):
        yield name, plain(getattr(value, name))
