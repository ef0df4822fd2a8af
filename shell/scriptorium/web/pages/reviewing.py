"""What a person should look at and decide, and what each topic is about, within the sections there are."""

from collections.abc import Iterator
from itertools import groupby, islice
from types import MappingProxyType
from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Given
from starlette.responses import Response

from scriptorium_core.knowledge.reviewing import Kind

from ...service import Service
from . import addresses
from .frame import Frame, Section
from .lists import Folder, inside
from .visit import Values, Visit

__all__ = ["router"]

_ITEMS = 50
_LINES = 50
_KINDS = MappingProxyType(
    {
        Kind.DISPUTED: "Disputed",
        Kind.CONTRADICTORY: "At odds with each other",
        Kind.COLLIDING: "Two answers to one question",
        Kind.NEAR_DUPLICATE: "Nearly the same",
        Kind.PENDING: "Waiting for a decision",
        Kind.STALE: "Not checked for long",
    }
)
_OF_ONE = MappingProxyType({"v": "Validate", "d": "Dispute", "a": "Approve"})
_OF_TWO = MappingProxyType(
    {"1": "Keep the first", "2": "Keep the second", "b": "Keep both", "d": "Dispute both"}
)

Short = Annotated[str, Given(max_length=1_000)]
Start = Annotated[int, Given(ge=0, le=10_000_000)]

router = APIRouter(prefix=addresses.ROOT, include_in_schema=False)


@router.get("/review")
async def review(visit: Visit) -> Response:
    """What is disputed, at odds, waiting or stale, with what can be decided about it."""
    frame = Frame("To look at", Section.RECENT)
    return await visit.page("review.html", _looked, frame=frame)


@router.post("/review")
async def decide(visit: Visit) -> Response:
    """Do what was decided about an item, as it was seen."""
    form = await visit.form()
    item, key = form.get("item", ""), form.get("key", "")
    return await visit.change(lambda service: service.decide(item, key), f"{addresses.ROOT}/review")


@router.get("/digest")
async def digest(visit: Visit, folder: Short = "", start: Start = 0) -> Response:
    """A line of each topic of a folder, so many at a time."""

    def found(service: Service) -> Values:
        paths = list(islice(_paths(inside(visit.lists.topics(service), folder)), start, start + _LINES + 1))
        lines = [line for path in paths[:_LINES] for line in service.digest(path) if line.path == path]
        return {"lines": lines, "folder": folder, "following": start + _LINES if paths[_LINES:] else 0}

    return await visit.page("digest.html", found, frame=Frame("What is known", Section.TOPICS, folder))


def _looked(service: Service) -> Values:
    found = service.review(_ITEMS)
    groups = [(kind, list(items)) for kind, items in groupby(found.items, lambda item: item.kind)]
    return {"review": found, "groups": groups, "kinds": _KINDS, "says": _says}


def _says(kind: Kind, key: str) -> str:
    """What a key decides, in words; what is stale is not thrown away: it does not hold any more."""
    if key == "x":
        return "Retract" if kind is Kind.STALE else "Discard"
    alone = kind in (Kind.DISPUTED, Kind.PENDING, Kind.STALE)
    return (_OF_ONE if alone else _OF_TWO)[key]


def _paths(folder: Folder) -> Iterator[str]:
    for each in folder.folders.values():
        yield from _paths(each)
    yield from (topic.path for topic in folder.topics)
