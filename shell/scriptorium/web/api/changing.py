"""Routes that change memory: structured changes, words to remember, consent, forgetting, going back."""

from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Given
from starlette.responses import Response

from scriptorium_core.transaction import Rejected

from ...service import Service
from ...service.forgetting import Forgotten
from ...service.trust import Held, Remembered
from ...workspace import Committed
from ..asking import Asked, Body
from ..described import answer_model, responses
from ..requests import Changes, Forget, Promote, Remember, Restore, Undo, read, requested

__all__ = ["router"]

_ERRORS = (404, 409, 410, 413, 415)

router = APIRouter()


@router.post(
    "/changes", responses=responses(answer_model(Committed), *_ERRORS), openapi_extra=requested(Changes)
)
async def changes(asked: Asked) -> Response:
    """Carry out changes as one commit, or none of them: operations, whole topics, or a unified diff."""
    return await asked.change(lambda service, body: service.change(body))


@router.post(
    "/remember", responses=responses(answer_model(Remembered), *_ERRORS), openapi_extra=requested(Remember)
)
async def remember(asked: Asked) -> Response:
    """Save words as they are; the same words again change nothing."""
    return await asked.change(_remember)


@router.get("/held", responses=responses(answer_model(Held), 404))
async def held(asked: Asked, limit: Annotated[int, Given(ge=1, le=1_000)] = 20) -> Response:
    """The messages of unknown speakers that wait for consent, oldest first."""
    return await asked.answer(lambda service: service.held(limit))


@router.post(
    "/promote", responses=responses(answer_model(Committed), *_ERRORS), openapi_extra=requested(Promote)
)
async def promote(asked: Asked) -> Response:
    """Let held messages in; twice is as once."""
    return await asked.change(lambda service, body: service.promote(read(Promote, body).names))


@router.post(
    "/forget", responses=responses(answer_model(Forgotten), *_ERRORS), openapi_extra=requested(Forget)
)
async def forget(asked: Asked) -> Response:
    """Forget records and messages: they never come back. Erasing them from every commit is not done here."""
    return await asked.change(_forget)


@router.post(
    "/restore", responses=responses(answer_model(Committed), *_ERRORS), openapi_extra=requested(Restore)
)
async def restore(asked: Asked) -> Response:
    """Bring back records, or one topic, as of a revision or a date, as a new commit."""
    return await asked.change(_restore)


@router.post("/undo", responses=responses(answer_model(Committed), *_ERRORS), openapi_extra=requested(Undo))
async def undo(asked: Asked) -> Response:
    """Take back what a commit did to topics, as a new commit; later changes stay or are conflicts."""
    return await asked.change(lambda service, body: service.undo(read(Undo, body).commit))


def _remember(service: Service, body: Body) -> Remembered | Rejected:
    given = read(Remember, body)
    return service.remember(given.text, topic=given.topic, asks=given.asks, organize=given.organize)


def _forget(service: Service, body: Body) -> Forgotten | Rejected:
    given = read(Forget, body)
    return service.forget(given.names, unlink=given.unlink, reason=given.reason, dry_run=given.dry_run)


def _restore(service: Service, body: Body) -> Committed | Rejected:
    given = read(Restore, body)
    return service.restore(given.names, given.since, delete=given.delete)
