"""The route that answers a question."""

from fastapi import APIRouter
from starlette.responses import Response

from ...service import Service
from ...service.asked import Answered
from ..asking import Asked, Body
from ..described import answer_model, responses
from ..requests import Question, read, requested

__all__ = ["router"]

router = APIRouter()


@router.post(
    "/ask",
    responses=responses(answer_model(Answered), 404, 409, 413, 415),
    openapi_extra=requested(Question),
)
async def ask(asked: Asked) -> Response:
    """What memory has for a question: a decision with reasons, the answer if any, and the cited records."""
    return await asked.change(_ask)


def _ask(service: Service, body: Body) -> Answered:
    given = read(Question, body)
    return service.ask(
        given.question,
        given.budget,
        scope=given.scope,
        current_required=given.current_required,
        least=given.least,
        keep=given.keep,
        model=given.model,
    )
