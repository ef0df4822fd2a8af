"""The answers of the service as models of the OpenAPI description, from their classes themselves.

A model has the keys that `plain` gives, with the types that their values have in JSON. Nothing is checked
against it when a request is answered; the tests do.
"""

import ast
import inspect
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, create_model

from scriptorium_core.when import When

from ..plain import KINDS, MORE, names_of

__all__ = ["ErrorAnswer", "answer_model", "list_model", "responses"]


class Fault(BaseModel):
    """One thing that is wrong: a closed code, a place, and what the caller can do."""

    code: str
    message: str
    path: str
    line: int
    remedy: str


class Error(BaseModel):
    """The first problem, and all of them."""

    code: str
    message: str
    path: str
    problems: list[Fault]


class ErrorAnswer(BaseModel):
    """Why a request was not answered, or a change not made: nothing was changed."""

    ok: Literal[False]
    error: Error


_EVERYWHERE = (400, 401, 403, 421, 503)
_PHRASES: Mapping[int | str, str] = types.MappingProxyType(
    {
        400: "The request is not of the right form, or the change breaks a law of the memory",
        401: "No token, or nobody's",
        403: "Another page asks, or the actor may not do this",
        404: "There is no such thing in this memory, or no memory yet",
        409: "Somebody else was faster, or is writing",
        410: "It was forgotten",
        412: "It has changed since the revision in If-Match",
        413: "The body is too large",
        415: "The body is no JSON",
        421: "The Host header names another host",
        428: "If-Match is missing",
        503: "Memory is switched off, or the disk does not let us, or there are too many requests",
        "default": "Anything else that is wrong, in the same form",
    }
)


def responses(model: type[BaseModel], *errors: int, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """The answers of a route: its own, the errors that every route has, and `errors`."""
    told: list[int | str] = [*sorted({*_EVERYWHERE, *errors}), "default"]
    wrong = {each: {"model": ErrorAnswer, "description": _PHRASES[each]} for each in told}
    return {status: {"model": model, "description": _summary(model)}, **wrong}


@cache
def answer_model(kind: type, *names: str) -> type[BaseModel]:
    """The model of an answer: `ok` and the keys of a result; with `names` no other keys of it."""
    whole = _model(kind)
    if not names:
        return create_model(f"{whole.__name__}Answer", __base__=whole, __doc__=whole.__doc__, **_ok())
    picked: Any = {name: (whole.model_fields[name].annotation, ...) for name in names}
    return create_model(f"{whole.__name__}Answer", __doc__=whole.__doc__, **_ok(), **picked)


@cache
def list_model(name: str, kind: type) -> type[BaseModel]:
    """The model of an answer that is a list under a name."""
    keys: Any = {**_ok(), name: (_spelt(tuple[kind, ...]), ...)}  # type: ignore[valid-type]
    return create_model(f"{name.title()}Answer", __doc__=f"The {name}.", **keys)


def _ok() -> dict[str, Any]:
    return {"ok": (Literal[True], ...)}


@cache
def _model(kind: type) -> type[BaseModel]:
    """The model of a class of values, with what its JSON says beside its fields."""
    hints = get_type_hints(kind, _names(kind))
    keys = {name: (_spelt(hints[name]), ...) for name in names_of(kind)}
    made: Any = {**dict(_more(kind)), **keys}
    return create_model(kind.__name__, __module__=kind.__module__, __doc__=kind.__doc__, **made)


def _more(kind: type) -> Iterator[tuple[str, Any]]:
    if named := KINDS.get(kind.__name__):
        yield "kind", (Literal[named], ...)
    for name in MORE:
        found = getattr(kind, name, None)
        if isinstance(found, property) and found.fget is not None:
            yield name, (_spelt(get_type_hints(found.fget, _names(kind))["return"]), ...)


def _spelt(hint: Any) -> Any:
    """The type that a value has in JSON."""
    origin, inside = get_origin(hint), get_args(hint)
    if isinstance(hint, NewType):
        return _spelt(hint.__supertype__)
    if isinstance(hint, type) and issubclass(hint, When | PurePath):
        return str
    if isinstance(hint, type) and names_of(hint):
        return _model(hint)
    if origin in (Union, types.UnionType):
        return Union[tuple(map(_spelt, inside))]  # noqa: UP007 - of types that are known only here
    if origin in (tuple, frozenset, list, Sequence):
        each: Any = Union[tuple(_spelt(each) for each in inside if each is not Ellipsis)]  # noqa: UP007
        return list[each]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[str, _spelt(inside[1])]  # type: ignore[misc]
    return hint


@cache
def _names(kind: type) -> dict[str, Any]:
    """What the annotations of a class may name, also what its module imports for its types alone."""
    module = sys.modules[kind.__module__]
    return {**dict(_for_types_alone(module)), **vars(module)}


def _for_types_alone(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    for block in ast.parse(inspect.getsource(module)).body:
        if not isinstance(block, ast.If) or ast.unparse(block.test) != "TYPE_CHECKING":
            continue
        for each in block.body:
            if isinstance(each, ast.ImportFrom):
                found = import_module("." * each.level + (each.module or ""), module.__package__)
                yield from ((name.asname or name.name, getattr(found, name.name)) for name in each.names)


def _summary(model: type[BaseModel]) -> str:
    return (model.__doc__ or "The answer").strip().splitlines()[0]
