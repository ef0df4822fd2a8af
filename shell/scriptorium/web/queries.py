"""What stands in the query of an address and is no parameter of the route: refused, as keys of a body are."""

from collections.abc import Iterator

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from scriptorium_core.problem import Code, Problem

__all__ = ["strangers"]


def strangers(request: Request) -> tuple[Problem, ...]:
    """A problem for each parameter that the route does not take, in the order of the address."""
    route = request.scope.get("route")
    if not isinstance(route, APIRoute):
        return ()
    known = tuple(_taken(route.dependant))
    remedy = f"this route takes: {', '.join(known) or 'no parameters'}"
    return tuple(
        Problem(Code.INVALID_ARGUMENT, f"there is no parameter {name[:80]!r}", _place(name), remedy=remedy)
        for name in request.query_params
        if name not in known
    )


def _taken(dependant: Dependant) -> Iterator[str]:
    yield from (each.alias for each in dependant.query_params)
    for inner in dependant.dependencies:
        yield from _taken(inner)


def _place(name: str) -> str:
    return f"query.{name[:80]}"
