"""The page for people at `/memory`: its door, its files, and how it says what is wrong."""

from functools import cache
from importlib.resources import files
from types import MappingProxyType

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from ..refused import Refused
from .access import token_of
from .answers import Failure
from .pages import addresses, changing, finding, reading
from .pages.frame import Frame
from .pages.sessions import Sessions, cookie_name
from .pages.templates import html
from .pages.visit import HEADERS, Visit, moved, page_of, problems_of
from .statuses import Fault

__all__ = ["ADDRESS", "is_page", "refusal", "router"]

ADDRESS = addresses.ROOT
_KINDS = MappingProxyType({"icon.svg": "image/svg+xml", "page.css": "text/css", "page.js": "text/javascript"})

router = APIRouter()
for _part in (reading.router, finding.router, changing.router):
    router.include_router(_part)


@router.get(ADDRESS, include_in_schema=False)
async def door(request: Request, token: str = "") -> Response:
    """Come in with the token of the address, which leaves the address at once; then, the topics."""
    sessions: Sessions = request.app.state.sessions
    given = token or token_of(request.headers.get("authorization"))
    cookie = cookie_name(request.url.port)
    if given or cookie not in request.cookies:
        session = await sessions.begin(given) if given else None
        if session is None:
            raise Failure(Fault.UNAUTHORIZED, "open the address that `scriptorium serve` printed", "token")
        answer = moved(f"{ADDRESS}/topics")
        answer.set_cookie(cookie, session.name, path=ADDRESS, httponly=True, samesite="strict")
        return answer
    return moved(f"{ADDRESS}/topics")


@router.post(f"{ADDRESS}/leave", include_in_schema=False)
async def leave(request: Request, visit: Visit) -> Response:
    """End the session."""
    await visit.form()
    request.app.state.sessions.end(visit.session)
    answer = page_of(html("left.html", _alone("You have left")))
    answer.delete_cookie(cookie_name(request.url.port), path=ADDRESS, httponly=True, samesite="strict")
    return answer


@router.get(f"{ADDRESS}/revision", include_in_schema=False)
async def revision(visit: Visit) -> Response:
    """The commit that the memory is at, for a page that waits for the next one."""
    found = await visit.services.call(visit.session.actor, lambda service: service.memory().revision)
    return JSONResponse({"revision": found or ""}, headers=HEADERS)


@router.get(f"{ADDRESS}/assets/{{name}}", include_in_schema=False)
async def asset(name: str) -> Response:
    """The stylesheet, the script and the icon: they hold nothing of anybody."""
    if name not in _KINDS:
        raise Failure(Fault.NO_SUCH_ROUTE, "there is no such file", name)
    return Response(_asset(name), headers=HEADERS, media_type=_KINDS[name])


def is_page(request: Request) -> bool:
    """Whether a person asks, who reads pages and no JSON."""
    return request.url.path == ADDRESS or request.url.path.startswith(f"{ADDRESS}/")


def refusal(error: Refused | Failure) -> Response:
    """The page that says what is wrong, and what to do about it."""
    status, problems = problems_of(error)
    return page_of(html("refused.html", {**_alone("Not possible"), "problems": problems}), status)


def _alone(title: str) -> dict[str, object]:
    """What a page needs that has nothing around it."""
    return {"frame": Frame(title), "part": True}


@cache
def _asset(name: str) -> bytes:
    return (files("scriptorium.web.pages") / "assets" / name).read_bytes()
