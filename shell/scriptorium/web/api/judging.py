"""Routes for one record and a person's word on it, for what waits for them, and for what there is at all."""

from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Given
from starlette.responses import Response

from scriptorium_core.knowledge.digest import Digest
from scriptorium_core.transaction import Rejected

from ...conversations.unwritten import Summary
from ...service import Service
from ...service.correcting import Corrected
from ...service.reviewing import Decided, Review
from ..asking import Asked, Body
from ..described import answer_model, list_model, responses
from ..judged import Correct, Decide, Judge, Retract
from ..requests import read, requested

__all__ = ["router"]

_ERRORS = (404, 409, 410, 413, 415)
_CORRECTED = responses(answer_model(Corrected), *_ERRORS)

router = APIRouter()


@router.post("/correct", responses=_CORRECTED, openapi_extra=requested(Correct))
async def correct(asked: Asked) -> Response:
    """Put words in the place of what a record says; if it is unclear which one, name the candidates."""
    return await asked.change(_correct)


@router.post("/append", responses=_CORRECTED, openapi_extra=requested(Correct))
async def append(asked: Asked) -> Response:
    """Add words to what a record says; if it is unclear which one, name the candidates."""
    return await asked.change(_append)


@router.post("/retract", responses=_CORRECTED, openapi_extra=requested(Retract))
async def retract(asked: Asked) -> Response:
    """Say that a record does not hold; if it is unclear which one, name the candidates."""
    return await asked.change(lambda service, body: service.retract(read(Retract, body).target))


@router.post("/judge", responses=_CORRECTED, openapi_extra=requested(Judge))
async def judge(asked: Asked) -> Response:
    """Validate, dispute, approve or discard a record whose text was seen: 409 if it has changed since."""
    return await asked.change(_judge)


@router.get("/review", responses=responses(answer_model(Review), 404))
async def review(asked: Asked, limit: Annotated[int, Given(ge=1, le=200)] = 50) -> Response:
    """What is disputed, contradictory, nearly the same, pending or stale, with the keys that decide it."""
    return await asked.answer(lambda service: service.review(limit))


@router.post("/review", responses=responses(answer_model(Decided), *_ERRORS), openapi_extra=requested(Decide))
async def decide(asked: Asked) -> Response:
    """Do what a key decides about an item of the review."""
    return await asked.change(_decide)


@router.get("/digest", responses=responses(list_model("topics", Digest), 404))
async def digest(asked: Asked, prefix: Annotated[str, Given(max_length=1_000)] = "") -> Response:
    """What each topic is about, in at most 220 characters; nothing to cite."""
    return await asked.answer(lambda service: service.digest(prefix), "topics")


@router.get("/sessions", responses=responses(list_model("sessions", Summary), 404))
async def sessions(asked: Asked) -> Response:
    """The conversations: title, messages, times, and the records that cite each."""
    return await asked.answer(lambda service: service.sessions(), "sessions")


def _correct(service: Service, body: Body) -> Corrected | Rejected:
    given = read(Correct, body)
    return service.correct(given.target, given.text)


def _append(service: Service, body: Body) -> Corrected | Rejected:
    given = read(Correct, body)
    return service.append(given.target, given.text)


def _judge(service: Service, body: Body) -> Corrected | Rejected:
    given = read(Judge, body)
    deeds = {
        "validate": service.validate,
        "dispute": service.dispute,
        "approve": service.approve,
        "discard": service.discard,
    }
    return deeds[given.verdict](given.id, given.seen)


def _decide(service: Service, body: Body) -> Decided | Rejected:
    given = read(Decide, body)
    return service.decide(given.item, given.key)
