"""One request, as its route sees it: who asks, and the services that answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

from attrs import frozen
from fastapi import Depends, Request
from starlette.responses import Response

from scriptorium_core.policy import Actor
from scriptorium_core.transaction import Rejected

from ..plain import plain
from ..refused import Refused
from ..service import Service
from ..service.opening import see_it_is_on
from ..serving import Services
from .answers import Failure, json_answer, rendered
from .bodies import body_of, decoded
from .conditions import key_of, tag
from .queries import strangers
from .statuses import Fault

__all__ = ["Asked", "Asking", "Body"]

Work = Callable[[Service], Any]
Body = Mapping[str, Any]


@frozen
class _Done:
    """What a worker made of a request: the bytes of the answer, the revision that it is of, and headers."""

    data: bytes
    revision: str | None
    headers: Mapping[str, str]


@frozen
class Asking:
    """Who asks what; every answer is made on a worker thread, to its last byte."""

    request: Request
    services: Services
    actor: Actor

    async def answer(self, work: Work, name: str = "", **more: Any) -> Response:
        """The answer of a service: its fields, or under `name` if it is no object."""
        return await self._answer(lambda service, _: work(service), None, name, **more)

    async def change(self, work: Callable[[Service, Body], Any], **more: Any) -> Response:
        """The same with the object that the body holds, once if the request has an `Idempotency-Key`."""
        return await self._answer(work, await body_of(self.request), "", key=key_of(self.request), **more)

    async def remove(self, work: Work) -> Response:
        """The same without a body."""
        return await self._answer(lambda service, _: work(service), None, "", key=key_of(self.request))

    async def _answer(
        self,
        work: Callable[[Service, Body], Any],
        body: bytes | None,
        name: str,
        *,
        status: int = 200,
        tagged: bool = False,
        bare: tuple[str, ...] = (),
        told: Mapping[str, str] | None = None,
        key: str = "",
    ) -> Response:
        """`bare` are all the keys of the answer beside `ok`, `told` those that a header says too."""
        if unknown := strangers(self.request):
            raise Refused(*unknown)
        asked = [self.request.method, self.request.url.path, self.request.headers.get("if-match", "")]
        once = partial(_once, work=work, key=key, asked=asked)
        work_through = partial(_done, work=once, body=body, name=name, bare=bare, told=told or {})
        done = await self.services.call(self.actor, work_through)
        tags = {"ETag": tag(done.revision)} if tagged else {}
        return json_answer(done.data, status, {**done.headers, **tags})


def _done(
    service: Service,
    work: Callable[[Service, Body], Any],
    body: bytes | None,
    name: str,
    bare: tuple[str, ...],
    told: Mapping[str, str],
) -> _Done:
    _see_it_is_on(service)
    value = work(service, decoded(body) if body is not None else {})
    if isinstance(value, Rejected):
        raise Refused(*value.problems)
    fields = plain(value)
    named = fields if isinstance(fields, Mapping) else {name: fields}
    whole = {"ok": True, **({key: named[key] for key in bare} if bare else named)}
    headers = {header: str(named[key]) for header, key in told.items()}
    return _Done(rendered(whole), getattr(value, "revision", None), headers)


def _once(
    service: Service, body: Body, *, work: Callable[[Service, Body], Any], key: str, asked: list[str]
) -> Any:
    with service.once(key, [*asked, dict(body)]):
        return work(service, body)


def _see_it_is_on(service: Service) -> None:
    try:
        see_it_is_on(service)
    except Refused as refused:
        first, *_ = refused.problems
        raise Failure(Fault.MEMORY_DISABLED, first.message, first.path, refused.problems) from refused


def _asking(request: Request) -> Asking:
    return Asking(request, request.app.state.services, request.state.actor)


Asked = Annotated[Asking, Depends(_asking)]
