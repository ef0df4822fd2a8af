"""Routes for whole topics and for the core: read, written and deleted at the revision that was read."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi import Query as Given
from starlette.responses import Response

from scriptorium_core.names import CORE_TOPIC, TopicPath, topic_path
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Rejected

from ...refused import Refused
from ...service import Service
from ...service.model import TopicLine
from ...service.once import is_repeated
from ...service.resident import Resident, resident
from ...service.shown import TopicShown
from ...workspace import Committed
from ..asking import Asked, Body
from ..conditions import BASE, Outdated, Seen, seen_by
from ..described import answer_model, list_model, responses
from ..requests import Topic, read, requested

__all__ = ["router"]

_CORE = (
    "content",
    "size",
    "mtime",
    "rendered_content",
    "rendered_tokens",
    "injection_enabled",
    "injected_content",
    "injected_tokens",
    "budget_tokens",
)
_CHANGED = (404, 409, 410, 412, 413, 415, 428)

router = APIRouter()


def _may_make(request: Request) -> Seen:
    return seen_by(request, may_make=True)


def _must_be(request: Request) -> Seen:
    return seen_by(request, may_make=False)


@router.get("/topics", responses=responses(list_model("topics", TopicLine), 404))
async def topics(asked: Asked, prefix: Annotated[str, Given(max_length=1_000)] = "") -> Response:
    """The topics, or those below a folder, without the core."""
    return await asked.answer(lambda service: _listed(service, prefix), "topics")


@router.get("/topics/{path:path}", responses=responses(answer_model(TopicShown), 404))
async def topic(asked: Asked, path: str) -> Response:
    """A topic: its text and its records; its `ETag` is the revision."""
    return await asked.answer(lambda service: _shown(service, _named(path)), tagged=True)


@router.put(
    "/topics/{path:path}",
    responses={
        **responses(answer_model(Committed), *_CHANGED),
        201: {"model": answer_model(Committed), "description": "A new topic"},
    },
    openapi_extra=requested(Topic),
)
async def put_topic(asked: Asked, path: str, seen: Annotated[Seen, Depends(_may_make)]) -> Response:
    """Write a whole topic, if it is as it was in the revision of `If-Match`.

    `If-None-Match: *` makes a new one. `deleted` names the records that are left out on purpose.
    """
    status = 201 if seen.revision is None else 200
    return await asked.change(
        lambda service, body: _put(service, _named(path), seen, body), status=status, tagged=True
    )


@router.delete("/topics/{path:path}", responses=responses(answer_model(Committed), *_CHANGED))
async def delete_topic(asked: Asked, path: str, seen: Annotated[Seen, Depends(_must_be)]) -> Response:
    """Delete a topic with the records in it, if it is as it was in the revision of `If-Match`."""
    return await asked.remove(lambda service: _delete(service, _named(path), seen))


@router.get("/core", responses=responses(answer_model(Resident, *_CORE), 404))
async def core(asked: Asked) -> Response:
    """The core: its source, what the budget holds of it, and what is injected, all of one commit."""
    return await asked.answer(resident, bare=_CORE, tagged=True)


@router.put(
    "/core",
    responses={
        **responses(answer_model(Resident, *_CORE), *_CHANGED),
        201: {"model": answer_model(Resident, *_CORE), "description": "A new core"},
    },
    openapi_extra=requested(Topic),
)
async def put_core(asked: Asked, seen: Annotated[Seen, Depends(_may_make)]) -> Response:
    """Write the source of the core, if it is as it was in the revision of `If-Match`.

    `If-None-Match: *` makes a new one.
    """
    status = 201 if seen.revision is None else 200
    return await asked.change(
        lambda service, body: _put_core(service, seen, body), bare=_CORE, status=status, tagged=True
    )


def _named(path: str) -> TopicPath:
    """The topic of an address below `/topics/`; `.md` may be left out."""
    found = topic_path(f"topics/{path.removesuffix('.md')}.md")
    if isinstance(found, Problem):
        raise Refused(found)
    return found


def _listed(service: Service, prefix: str) -> tuple[TopicLine, ...]:
    return tuple(each for each in service.topics(prefix) if each.path != CORE_TOPIC)


def _shown(service: Service, path: TopicPath) -> TopicShown:
    found = service.show(path)
    if isinstance(found, TopicShown):
        return found
    raise Refused(Problem(Code.MEMORY_NOT_FOUND, f"{path} is no topic", path, remedy="list the topics"))


def _put(service: Service, path: TopicPath, seen: Seen, body: Body) -> Committed:
    base = _before(service, path) if seen.revision is None else seen.revision
    given = read(Topic, body).model_dump(exclude_unset=True)
    change = {"path": path, "action": "write", "content": given.pop("content")}
    return _changed(service, {**given, "changes": [change], BASE: base})


def _put_core(service: Service, seen: Seen, body: Body) -> Resident:
    _put(service, CORE_TOPIC, seen, body)
    return resident(service)


def _delete(service: Service, path: TopicPath, seen: Seen) -> Committed:
    """What is deleted is what was read: if that has changed since, the condition does not hold."""
    deleted = [] if is_repeated(service) else [record.id for record in _shown(service, path).records]
    change = {"path": path, "action": "delete"}
    return _changed(service, {"changes": [change], "deleted": deleted, BASE: seen.revision or ""})


def _before(service: Service, path: TopicPath) -> str:
    """A revision at which there is no such topic. Raises Outdated where there is one."""
    revision = service.memory(make=True).revision
    if is_repeated(service):
        return revision or ""
    try:
        service.show(path)
    except Refused as refused:
        if refused.problems[0].code is Code.MEMORY_NOT_FOUND:
            return revision or ""
        raise
    remedy = "read it, and give its ETag in If-Match"
    raise Outdated(Problem(Code.CONCURRENT_UPDATE, f"{path} is there already", path, remedy=remedy))


def _changed(service: Service, request: Mapping[str, Any]) -> Committed:
    result = service.change(request)
    if not isinstance(result, Rejected):
        return result
    problems = tuple(each._replace(path=each.path.removeprefix("changes[0].")) for each in result.problems)
    raise (Outdated if any(each.path == BASE for each in problems) else Refused)(*problems)
