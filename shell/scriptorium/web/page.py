"""Where the page for people will be: `/memory`, which until then says to the owner where the routes are."""

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from .access import token_of
from .answers import Failure
from .statuses import Fault

__all__ = ["ADDRESS", "router"]

ADDRESS = "/memory"
_WORDS = """This memory is served to programs below /api/memory.

Its description is /api/memory/openapi.json. Give the token in the header Authorization: Bearer TOKEN.
"""

router = APIRouter()


@router.get(ADDRESS, include_in_schema=False)
async def page(request: Request, token: str = "") -> Response:
    """A few words for whoever opens the address that `serve` has printed."""
    given = token or token_of(request.headers.get("authorization"))
    if await request.app.state.access.actor(given) is None:
        raise Failure(Fault.UNAUTHORIZED, "open the address that `scriptorium serve` printed", "token")
    return PlainTextResponse(_WORDS)
