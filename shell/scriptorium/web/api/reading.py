"""Routes that read: status, search, context, where a record comes from, records, lists and history."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter
from fastapi import Query as Given
from starlette.responses import Response

from scriptorium_core.knowledge.trace import Trace
from scriptorium_core.problem import Code, Problem, within
from scriptorium_core.recall import Kind, Query
from scriptorium_core.sources import Trust
from scriptorium_core.topics.standing import LEAST, State
from scriptorium_core.when import When, Window, parse_when

from ...refused import Refused
from ...service import Service
from ...service.contexts import Given as Context
from ...service.found import Found
from ...service.model import LogEntry, Recent, Status, Timeline, Why
from ...service.refs import Ref, refs
from ...service.shown import RecordShown
from ...service.versioned import Blame, Differed, StandingHistory
from ..asking import Asked
from ..described import answer_model, list_model, responses

__all__ = ["router"]

Text = Annotated[str, Given(max_length=20_000)]
Short = Annotated[str, Given(max_length=1_000)]
Limit = Annotated[int, Given(ge=1, le=200)]
Sure = Annotated[float, Given(ge=0, le=1)]
Below = Annotated[
    str, Given(max_length=1_000, description="A topic, and those below it: whole steps of a path.")
]
Resting = Annotated[
    str,
    Given(max_length=1_000, description="What rests on a message, or on those below: whole steps of an id."),
]
Standing = Annotated[
    tuple[State, ...],
    Given(max_length=len(State), description="Only records that stand in one of these states; repeatable."),
]
Many = Annotated[int, Given(ge=1, le=1_000)]
_RECENT_LIMIT = "X-Memory-Recent-Limit"

router = APIRouter()


@router.get("/status", responses=responses(answer_model(Status), 404))
async def status(asked: Asked) -> Response:
    """How memory and conversations stand."""
    return await asked.answer(lambda service: service.status())


@router.get("/refs", responses=responses(list_model("refs", Ref), 404))
async def references(asked: Asked, q: Short = "", limit: Limit = 20) -> Response:
    """Topics by a part of their name, then records by their words (or by `^id`), for completing a name."""
    return await asked.answer(lambda service: refs(service, q, limit), "refs")


@router.get("/search", responses=responses(answer_model(Found), 404))
async def search(
    asked: Asked,
    q: Text,
    limit: Limit = 10,
    kind: Literal["record", "turn", "both"] = "record",
    topic: Below = "",
    source: Resting = "",
    speaker: Short = "",
    scope: Short = "",
    trust: Literal["trusted", "pending", "all"] = "trusted",
    since: Short = "",
    until: Short = "",
    valid_at: Short = "",
    standing: Standing = (),
    current_required: bool = False,
    least: Sure = LEAST,
) -> Response:
    """Records (or turns, or both) that a text finds, best first, each with the turns that it cites."""
    kinds = tuple(Kind) if kind == "both" else (Kind(kind),)
    window = Window(_date(since, "query.since"), _date(until, "query.until"))
    trusts = tuple(Trust) if trust == "all" else (Trust(trust),)
    filters = (topic, source, speaker, scope or None, window, trusts)
    then = _date(valid_at, "query.valid_at")
    query = Query(q, kinds, limit, *filters, current_required, least, then, standing)
    return await asked.answer(lambda service: service.search(query))


@router.get("/context", responses=responses(answer_model(Context), 404))
async def context(
    asked: Asked,
    q: Text,
    budget: Annotated[int | None, Given(ge=1, le=100_000)] = None,
    session: Short = "",
    scope: Short = "",
    current_required: bool = False,
    least: Sure = LEAST,
) -> Response:
    """What goes along with a question, within a budget of tokens. It is traced."""
    wish = {"session": session, "scope": scope}
    return await asked.answer(
        lambda service: service.context(q, budget, **wish, current_required=current_required, least=least)
    )


@router.get("/why/{id:path}", responses=responses(answer_model(Why), 404, 410))
async def why(asked: Asked, id: str, around: Annotated[int, Given(ge=0, le=50)] = 2) -> Response:
    """Where a record (its id) or a message (its source id) comes from, with the conversation around it."""
    return await asked.answer(lambda service: service.why(id, around))


@router.get("/traces", responses=responses(list_model("traces", Trace), 404))
async def traces(asked: Asked, limit: Many = 50) -> Response:
    """What was delivered to whom, and why, the newest first."""
    return await asked.answer(lambda service: service.traces(limit), "traces")


@router.get("/history", responses=responses(list_model("history", LogEntry), 404))
async def history(asked: Asked, limit: Many = 20, topic: Short = "", record: Short = "") -> Response:
    """The newest commits, newest first; those that touched a topic, a folder or a record."""
    return await asked.answer(lambda service: service.log(limit, topic=topic, record=record), "history")


@router.get("/diff", responses=responses(answer_model(Differed), 404))
async def diff(asked: Asked, old: Short = "", new: Short = "", topic: Short = "") -> Response:
    """What became of each record between two revisions; by default through the newest commit."""
    return await asked.answer(lambda service: _diff(service, old, new, topic))


@router.get("/records/{id}", responses=responses(answer_model(RecordShown), 404, 410))
async def record(asked: Asked, id: str) -> Response:
    """A record with its evidence, links and alternatives."""
    return await asked.answer(lambda service: _record(service, id))


@router.get("/records/{id}/history", responses=responses(answer_model(Blame), 404))
async def versions(asked: Asked, id: str) -> Response:
    """All versions of a record, newest first: which commit made each, and from which conversation."""
    return await asked.answer(lambda service: service.blame(id))


@router.get("/records/{id}/standing", responses=responses(answer_model(StandingHistory), 404))
async def standing(asked: Asked, id: str) -> Response:
    """What became of the standing of a record, newest first: which commit made what of it."""
    return await asked.answer(lambda service: service.standing_history(id))


@router.get("/timeline", responses=responses(answer_model(Timeline), 404))
async def timeline(asked: Asked) -> Response:
    """All dates, with the number of their records."""
    return await asked.answer(lambda service: service.timeline())


@router.get("/timeline/{date}", responses=responses(answer_model(Timeline), 404))
async def day(asked: Asked, date: str) -> Response:
    """What is dated at or below a day, a month or a year."""
    return await asked.answer(lambda service: service.timeline(date))


@router.get("/recent", responses=responses(answer_model(Recent), 404))
async def recent(asked: Asked, limit: Annotated[int | None, Given(ge=1, le=1_000)] = None) -> Response:
    """The newest records, newest first; how many at most, the header `X-Memory-Recent-Limit` says too."""
    return await asked.answer(lambda service: service.recent(limit), told={_RECENT_LIMIT: "limit"})


def _record(service: Service, name: str) -> RecordShown:
    found = service.show(f"^{name.removeprefix('^')}")
    if isinstance(found, RecordShown):
        return found
    message, remedy = f"{name} is no record", "read a topic or a message where it is"
    raise Refused(Problem(Code.MEMORY_NOT_FOUND, message, name, remedy=remedy))


def _diff(service: Service, old: str, new: str, topic: str) -> Differed:
    try:
        return service.diff(old, new, topic=topic)
    except Refused as refused:
        raise Refused(*_of_query(refused.problems, "old", "new")) from refused


def _of_query(problems: Sequence[Problem], *names: str) -> tuple[Problem, ...]:
    """The problems, those of a parameter with its place in the address."""
    return tuple(within(each, "query") if each.path in names else each for each in problems)


def _date(text: str, place: str) -> When | None:
    when = parse_when(text) if text else None
    if text and when is None:
        remedy = "use YYYY, YYYY-MM or YYYY-MM-DD"
        raise Refused(Problem(Code.INVALID_ARGUMENT, f"{text!r} is not a date", place, remedy=remedy))
    return when
