"""The page for people at `/memory`: its door, its files, and how it says what is wrong."""

from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from .access import token_of
from .answers import Failure
from .pages import addresses, changing, finding, reading, reviewing, shipped
from .pages.frame import Frame
from .pages.sessions import Sessions, Used, cookie_name
from .pages.templates import html
from .pages.visit import HEADERS, Visit, moved, page_of, problems_of
from .statuses import Fault

__all__ = ["ADDRESS", "is_page", "refusal", "router"]

ADDRESS = addresses.ROOT
_KEPT = 30 * 24 * 60 * 60
"""How long a browser keeps its cookie, if the server runs so long: the address opens only once."""

_AGAIN = (
    Problem(
        Code.INVALID_ARGUMENT,
        "This address was opened before, and opens once.",
        "token",
        remedy="In a page that is open, Settings gives another address. Without one, end `scriptorium serve`"
        " and start it again: it prints a new address.",
    ),
)

router = APIRouter()
for _part in (reading.router, finding.router, reviewing.router, changing.router):
    router.include_router(_part)


@router.get(ADDRESS, include_in_schema=False)
async def door(request: Request, token: str = "") -> Response:
    """Come in with the token of the address, once; it leaves the address at once. Then, the topics."""
    sessions: Sessions = request.app.state.sessions
    cookie = cookie_name(request.url.port)
    session = None
    try:
        if token:
            session = await sessions.opened(token)
        elif bearer := token_of(request.headers.get("authorization")):
            session = await sessions.begin(bearer)
    except Used:
        # The address that somebody kept leads to the page as long as their browser is in.
        if await sessions.of(request.cookies.get(cookie, "")) is None:
            raise Failure(
                Fault.UNAUTHORIZED, "this address was opened before, and opens once", "token", _AGAIN
            ) from None
    else:
        if session is None and (token or cookie not in request.cookies):
            raise Failure(Fault.UNAUTHORIZED, "open the address that `scriptorium serve` printed", "token")
    answer = moved(f"{ADDRESS}/topics")
    if session is not None:
        answer.set_cookie(cookie, session.name, max_age=_KEPT, path=ADDRESS, httponly=True, samesite="strict")
    return answer


@router.post(f"{ADDRESS}/address", include_in_schema=False)
async def address(request: Request, visit: Visit) -> Response:
    """Another address that opens the page once, for another browser of the same person."""
    await visit.form()
    ticket = request.app.state.sessions.ticket(visit.session)
    made = f"{request.url.scheme}://{request.headers['host']}{ADDRESS}?token={ticket}"
    return page_of(html("address.html", {**_alone("Another address"), "address": made}))


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


@router.get(f"{ADDRESS}/assets/{{version}}/{{name}}", include_in_schema=False)
async def asset(version: str, name: str) -> Response:
    """The stylesheet, the scripts and the icon: they hold nothing of anybody."""
    if name not in shipped.KINDS or version != shipped.version():
        raise Failure(Fault.NO_SUCH_ROUTE, "there is no such file", name)
    headers = {**HEADERS, "Cache-Control": "private, max-age=31536000, immutable"}
    return Response(shipped.data_of(name), headers=headers, media_type=shipped.KINDS[name])


def is_page(request: Request) -> bool:
    """Whether a person asks, who reads pages and no JSON."""
    return request.url.path == ADDRESS or request.url.path.startswith(f"{ADDRESS}/")


def refusal(request: Request, error: Refused | Failure) -> Response:
    """The page that says what is wrong, and what to do about it, with the way back."""
    status, problems = problems_of(error)
    values = {**_alone("Not possible"), "problems": problems, "back": _came_from(request)}
    return page_of(html("refused.html", values), status)


def _came_from(request: Request) -> str:
    """The page of ours that somebody has come from, where it is another one."""
    given = urlsplit(request.headers.get("referer", ""))
    is_ours = given.netloc == request.headers.get("host") and given.path.startswith(f"{ADDRESS}/")
    query = f"?{given.query}" if given.query else ""
    return f"{given.path}{query}" if is_ours and given.path != request.url.path else ""


def _alone(title: str) -> dict[str, object]:
    """What a page needs that has nothing around it."""
    return {"frame": Frame(title), "part": True}
