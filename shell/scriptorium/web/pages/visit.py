"""One request of a person: who asks, the services that answer, and the page that is made of it."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from functools import partial
from http.cookies import SimpleCookie
from types import MappingProxyType
from typing import Annotated, Any
from urllib.parse import parse_qsl

from attrs import frozen
from fastapi import Depends, Request
from starlette.responses import RedirectResponse, Response

from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Rejected

from ...refused import Refused
from ...service import Service
from ...service.opening import see_it_is_on
from ...serving import Services
from ..access import token_of
from ..answers import Failure
from ..bodies import form_of
from ..statuses import Fault, status_of
from .frame import Frame, framed
from .lists import Lists
from .sessions import Session, Sessions, cookie_name
from .templates import html

__all__ = ["HEADERS", "Form", "Visit", "Visiting", "moved", "page_of", "problems_of"]

HEADERS = MappingProxyType(
    {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
            " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        # With none at all a browser would not say that a form comes from a page of ours.
        "Referrer-Policy": "same-origin",
        "Vary": "X-Part",
    }
)

Form = Mapping[str, str]
Values = Mapping[str, Any]
Work = Callable[[Service], Values]


@frozen
class Visiting:
    """Who asks what; every page is made on a worker thread, to its last byte."""

    request: Request
    services: Services
    session: Session

    @property
    def lists(self) -> Lists:
        """What stands beside the pages of this server."""
        lists: Lists = self.request.app.state.lists
        return lists

    @property
    def part(self) -> bool:
        """Whether the script asks for the inner part alone, to put it into a page that is open."""
        return "x-part" in self.request.headers

    async def page(self, template: str, work: Work, *, frame: Frame, status: int = 200) -> Response:
        """The page of what `work` answers; `status` unless the answer holds another one."""
        made = partial(_made, template=template, work=work, frame=frame, visit=self, status=status)
        found: tuple[int, bytes] = await self.services.call(self.session.actor, made)
        return page_of(found[1], found[0])

    async def form(self) -> Form:
        """The fields of a form that a page of ours has sent. Raises Failure for any other."""
        data = await form_of(self.request)
        fields = dict(parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=64))
        word = self.session.word
        if not word or not hmac.compare_digest(fields.get("word", "").encode(), word.encode()):
            message = "this form was not sent by a page of this server: open the page again"
            raise Failure(Fault.ORIGIN_NOT_ALLOWED, message, "word")
        return fields

    async def change(self, work: Callable[[Service], Any], to: str) -> Response:
        """Carry out a change, then go to `to`. Raises Refused with all that is in the way."""

        def done(service: Service) -> Any:
            see_it_is_on(service)
            result = work(service)
            if isinstance(result, Rejected):
                raise Refused(*result.problems)
            return result

        await self.services.call(self.session.actor, done)
        return moved(to)


def page_of(data: bytes, status: int = 200) -> Response:
    """A page of these bytes, with what a browser may do with it."""
    return Response(data, status, HEADERS, "text/html")


def moved(to: str) -> Response:
    """Go on at another address, by reading it."""
    return RedirectResponse(to, 303, HEADERS)


def _made(
    service: Service, template: str, work: Work, frame: Frame, visit: Visiting, status: int
) -> tuple[int, bytes]:
    see_it_is_on(service)
    values = work(service)
    shared = {"word": visit.session.word, "part": visit.part}
    around = {} if visit.part else framed(service, frame, visit.lists)
    code = int(values.get("status", status))
    return code, html(template, {"frame": frame, **around, **shared, **values})


async def _visit(request: Request) -> Visiting:
    """The visit of a request. Raises Failure for whoever is nobody."""
    sessions: Sessions = request.app.state.sessions
    jar = SimpleCookie(request.headers.get("cookie", ""))
    cookie = jar.get(cookie_name(request.url.port))
    session = await sessions.of(cookie.value) if cookie is not None else None
    if session is None and request.method in ("GET", "HEAD"):
        # A program that reads pages has a token instead of a cookie, and no form.
        actor = await request.app.state.access.actor(token_of(request.headers.get("authorization")))
        session = Session(actor, "", "") if actor is not None else None
    if session is None:
        raise Failure(Fault.UNAUTHORIZED, "open the address that `scriptorium serve` printed", "token")
    return Visiting(request, request.app.state.services, session)


def problems_of(error: Refused | Failure) -> tuple[int, tuple[Problem, ...]]:
    """The status of what was refused, and what is wrong."""
    if isinstance(error, Refused):
        return status_of(error.problems[0].code), error.problems
    told = error.problems or (Problem(Code.INVALID_ARGUMENT, error.message, error.path),)
    return status_of(error.fault), tuple(told)


Visit = Annotated[Visiting, Depends(_visit)]
