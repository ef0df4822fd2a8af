"""What a program gives to the library: of the kind that a signature names, or a coded problem for each fault.

The other doors have a schema for what they are given. Here the annotations of a method are the schema, so
that it is written down once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, wraps
from inspect import Parameter, isfunction, signature, unwrap
from pathlib import PurePath
from types import MappingProxyType, NoneType, SimpleNamespace, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from scriptorium_core.problem import Code, Problem

from .refused import Refused

__all__ = ["checked"]

C = TypeVar("C", bound=type)

_WORDS: Mapping[object, str] = MappingProxyType(
    {
        str: "a text",
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        bytes: "bytes",
        NoneType: "nothing",
        Sequence: "a list",
        Mapping: "an object",
        Callable: "a function",
    }
)
_LOWEST = MappingProxyType({"limit": 1, "budget": 1, "tokens": 1, "around": 0, "least": 0})
_HIGHEST = MappingProxyType({"least": 1})


def checked(*but: str) -> Callable[[C], C]:
    """Let the public methods of a class look at what they are given, inherited ones too, all but some."""

    def marked(owner: C) -> C:
        members = {
            name: found for above in reversed(owner.__mro__[:-1]) for name, found in vars(above).items()
        }
        for name, found in members.items():
            if not name.startswith("_") and name not in but:
                setattr(owner, name, _looking(owner.__name__, found))
        return owner

    return marked


def _looking(owner: str, member: Any) -> Any:
    if isinstance(member, classmethod | staticmethod):
        return type(member)(_looking(owner, member.__func__))
    if not isfunction(member):
        return member
    place = f"{owner}.{member.__name__}"

    @wraps(member)
    def looked_at(*given: Any, **named: Any) -> Any:
        if faults := tuple(_faults(member, given, named)):
            remedy = f"see help({place})"
            raise Refused(*(Problem(Code.INVALID_ARGUMENT, *fault, remedy=remedy) for fault in faults))
        return member(*given, **named)

    return looked_at


def _faults(
    method: Callable[..., Any], given: tuple[Any, ...], named: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """What is wrong, and its place; a call that lacks something or has too much fails by itself."""
    try:
        bound = signature(method).bind(*given, **named)
    except TypeError:
        return
    hints = _hints(method)
    for name, value in bound.arguments.items():
        kind = signature(method).parameters[name].kind
        if name not in hints or kind is Parameter.VAR_KEYWORD:
            continue
        hint = Sequence[hints[name]] if kind is Parameter.VAR_POSITIONAL else hints[name]  # type: ignore[valid-type]
        yield from _wrong(name, value, hint) or _beyond(name, value)


@cache
def _hints(method: Callable[..., Any]) -> Mapping[str, Any]:
    """The kinds of the parameters; what a method returns may be imported for its types alone."""
    taken = {name: hint for name, hint in method.__annotations__.items() if name != "return"}
    return get_type_hints(SimpleNamespace(__annotations__=taken), unwrap(method).__globals__)


def _wrong(place: str, value: object, hint: Any) -> list[tuple[str, str]]:
    """Why a value is not of a kind; of a list each part that is not."""
    if hint is Any:
        return []
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        found = [_wrong(place, value, each) for each in inside]
        # A list with a wrong part is told by that part, whatever else might have stood in its place.
        deeper = [faults for faults in found if faults and faults[0][1] != place]
        return [] if [] in found else deeper[0] if deeper else [(_must(hint, value), place)]
    if origin is Sequence and isinstance(value, Sequence) and not isinstance(value, str | bytes):
        parts = cast("Sequence[object]", value)
        faults = [_wrong(f"{place}[{number}]", part, inside[0]) for number, part in enumerate(parts)]
        return [fault for each in faults for fault in each]
    return [] if _fits(value, origin or hint) else [(_must(hint, value), place)]


def _fits(value: object, kind: Any) -> bool:
    if kind is Sequence:
        return False  # a list was looked at before
    if kind is Callable:
        return callable(value)
    if kind in (int, float):
        return isinstance(value, int if kind is int else int | float) and not isinstance(value, bool)
    return isinstance(value, kind)


def _beyond(name: str, value: object) -> list[tuple[str, str]]:
    """Whether a number is one that it may be."""
    if not isinstance(value, int | float) or name not in _LOWEST:
        return []
    low, high = _LOWEST[name], _HIGHEST.get(name)
    if low <= value and (high is None or value <= high):
        return []
    return [
        (f"it must be {f'{low} or more' if high is None else f'from {low} to {high}'}, not {value}", name)
    ]


def _must(hint: Any, value: object) -> str:
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    names = " or ".join(dict.fromkeys(_named(get_origin(kind) or kind) for kind in kinds))
    return f"it must be {names}, not {_named(type(value))}"


def _named(kind: Any) -> str:
    if isinstance(kind, type) and issubclass(kind, PurePath):
        return "a path"
    if kind in (list, tuple, dict):
        return "an object" if kind is dict else "a list"
    if isinstance(kind, type) and issubclass(kind, Enum):
        return f"one of {kind.__name__}"
    return _WORDS.get(kind) or str(getattr(kind, "__name__", kind))
