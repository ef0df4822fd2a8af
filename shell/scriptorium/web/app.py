"""The application: routes of the API, the page, what stands before them, and how errors are said."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute

from scriptorium_core import __version__

from ..refused import Refused
from ..serving import Services
from . import page
from .access import LOOPBACK, Access
from .answers import Failure, failed, said
from .api import asking, changing, judging, reading, topics
from .conditions import Outdated
from .guard import Guard, noted
from .pages.lists import Lists
from .pages.sessions import Sessions
from .queries import strangers
from .requests import faults
from .statuses import Fault

__all__ = ["API", "application"]

API = "/api/memory"
_ROUTERS = (
    (API, reading.router),
    (API, topics.router),
    (API, changing.router),
    (API, judging.router),
    (API, asking.router),
    ("", page.router),
)
_AT_ONCE = 128
_PATIENCE = 60.0
_ABOUT = """Long-term memory with citations. What is read names the revision (a commit) that it is of.

Errors are `{ok: false, error: {code, message, path, problems}}`: all problems at once, each with what to do.
"""


def application(
    services: Services, access: Access, hosts: frozenset[str] = LOOPBACK, most: int = _AT_ONCE
) -> Guard:
    """The ASGI application over the services of a home, which it closes at its end.

    `hosts` are the names by which it may be called, `most` the requests that it works on at once.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(services.close, _PATIENCE)

    app = FastAPI(
        title="Scriptorium",
        version=__version__,
        description=_ABOUT,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.services, app.state.access = services, access
    app.state.sessions, app.state.lists = Sessions(access), Lists()
    app.router.routes.extend(_routes())
    _say_errors(app)
    return Guard(app, access, hosts, most)


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """All routes, which know nothing of a home: to make them takes longer than to answer most requests."""
    described = [Depends(HTTPBearer(auto_error=False))]  # the guard has looked at the token before
    whole = APIRouter()
    for prefix, router in _ROUTERS:
        whole.include_router(router, prefix=prefix, dependencies=described if prefix else None)
    return tuple(whole.routes)


def _say_errors(app: FastAPI) -> None:
    """Each kind of error in the one form."""

    @app.exception_handler(Failure)
    async def failure(request: Request, error: Failure) -> Response:
        return page.refusal(request, error) if page.is_page(request) else said(error)

    @app.exception_handler(Outdated)
    async def outdated(_: Request, error: Outdated) -> Response:
        return failed(error.problems, 412)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return page.refusal(request, error) if page.is_page(request) else failed(error.problems)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        found = faults(error.errors())
        if page.is_page(request):
            return page.refusal(request, Refused(*found))
        return failed((*found, *strangers(request)))

    @app.exception_handler(Exception)
    async def program_fault(request: Request, error: Exception) -> Response:
        fault = noted(error)
        return page.refusal(request, fault) if page.is_page(request) else said(fault)

    @app.exception_handler(HTTPException)
    async def no_route(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            allowed = ", ".join(_methods(request.scope["path"]))
            message = f"{request.method} is not possible here, only {allowed}"
            return said(
                Failure(Fault.METHOD_NOT_ALLOWED, message, request.url.path, headers={"Allow": allowed})
            )
        absent = Failure(Fault.NO_SUCH_ROUTE, "there is no such route", request.url.path)
        return page.refusal(request, absent) if page.is_page(request) else said(absent)


def _methods(path: str) -> list[str]:
    """The methods of all routes of an address."""
    found = {
        method
        for prefix, router in _ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute) and path.startswith(prefix)
        if route.path_regex.match(path.removeprefix(prefix))
        for method in route.methods or ()
    }
    return sorted(found | ({"HEAD"} if "GET" in found else set()))
