"""The four sections: topics, timeline, recent, core."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Query as Given
from starlette.responses import Response

from scriptorium_core.names import CORE_TOPIC, TopicPath, topic_path
from scriptorium_core.problem import Code, Problem

from ...refused import Refused
from ...service import Service
from ...service.model import Day
from ...service.model import Row as Dated
from ...service.resident import Resident, resident
from ...service.shown import TopicShown
from . import addresses
from .frame import PAGE_OF_ROWS, Frame, Section, level, rows_of
from .lists import inside
from .visit import Values, Visit, moved
from .words import day_of, named

__all__ = ["core_values", "named_topic", "router", "topic_frame", "topic_values"]

_ROWS = 200
Short = Annotated[str, Given(max_length=1_000)]
Start = Annotated[int, Given(ge=0, le=10_000_000)]

router = APIRouter(prefix=addresses.ROOT, include_in_schema=False)


@router.get("/topics")
async def topics(visit: Visit, folder: Short = "") -> Response:
    """The list of topics, with a folder open."""
    frame = Frame("Topics", Section.TOPICS, folder, list=True)
    return await visit.page(
        "topics.html", lambda service: {"empty": not visit.lists.topics(service).count}, frame=frame
    )


@router.get("/rows")
async def rows(visit: Visit, folder: Short = "", start: Start | None = None) -> Response:
    """Rows of a folder alone, for the list of a page that is open: all, or a piece of them."""

    def found(service: Service) -> Values:
        below = inside(visit.lists.topics(service), folder)
        if start is None:
            return {"inner": level(below, folder, "")}
        return {"inner": rows_of(below, folder, "", start, start + PAGE_OF_ROWS)}

    return await visit.page("rows.html", found, frame=Frame("Topics", Section.TOPICS, folder, list=True))


@router.get("/topics/{path:path}")
async def topic(visit: Visit, path: str, view: Short = "") -> Response:
    """A topic, read or edited."""
    name = named_topic(path)
    if name == CORE_TOPIC:
        return moved(f"{addresses.ROOT}/core?view=source")
    template = "edit.html" if view == "edit" else "topic.html"
    return await visit.page(
        template, lambda service: topic_values(service, name, view == "edit"), frame=topic_frame(name)
    )


@router.get("/timeline")
async def timeline(visit: Visit) -> Response:
    """All dates."""
    frame = Frame("Timeline", Section.TIMELINE, list=True)
    return await visit.page(
        "timeline.html", lambda service: {"empty": not visit.lists.days(service)}, frame=frame
    )


@router.get("/timeline/{date}")
async def date(visit: Visit, date: str, start: Start = 0) -> Response:
    """What is dated at and below a date."""
    frame = Frame(day_of(date), Section.TIMELINE, date)
    return await visit.page(
        "date.html", lambda service: _dated(service, visit.lists.days(service), date, start), frame=frame
    )


@router.get("/recent")
async def recent(visit: Visit) -> Response:
    """The newest records."""
    frame = Frame("Recent", Section.RECENT)
    return await visit.page("recent.html", lambda service: {"recent": service.recent()}, frame=frame)


@router.get("/core")
async def core(visit: Visit, view: Short = "") -> Response:
    """What a prompt is given, or the source of it."""
    template = "edit.html" if view == "source" else "core.html"
    frame = Frame("Core", Section.CORE, CORE_TOPIC)
    return await visit.page(template, core_values, frame=frame)


def named_topic(path: str) -> TopicPath:
    """The topic of an address; `.md` may be left out."""
    found = topic_path(f"topics/{path.removesuffix('.md')}.md")
    if isinstance(found, Problem):
        raise Refused(found)
    return found


def topic_frame(path: TopicPath) -> Frame:
    """Where the page of a topic stands."""
    if path == CORE_TOPIC:
        return Frame("Core", Section.CORE, CORE_TOPIC)
    return Frame(named(path), Section.TOPICS, path.removeprefix("topics/"))


def topic_values(service: Service, path: TopicPath, editing: bool = False) -> Values:
    """A topic as its page shows it; with `editing` one that is not there yet is an empty draft."""
    try:
        found = service.show(path)
    except Refused as refused:
        if not editing or refused.problems[0].code is not Code.MEMORY_NOT_FOUND:
            raise
        revision = service.memory(make=True).revision
        title = named(path)
        return _draft(path, f"# {title[:1].upper()}{title[1:]}\n\n", revision, "")
    if not isinstance(found, TopicShown):
        message, remedy = f"{path} is no topic", "choose one of the list"
        raise Refused(Problem(Code.MEMORY_NOT_FOUND, message, path, remedy=remedy))
    newest = next(iter(service.log(1, topic=found.path)), None)
    changed = newest.at if newest is not None else ""
    faults = {"problems": found.problems} if editing else {}
    return {**_draft(path, found.text, found.revision, changed), **faults, "topic": found}


def core_values(service: Service) -> Values:
    """The core, its source and what is injected of it."""
    found: Resident = resident(service)
    return {**_draft(CORE_TOPIC, found.content, found.revision, found.mtime), "core": found}


def _draft(path: TopicPath, text: str, revision: str | None, changed: str) -> dict[str, Any]:
    return {
        "path": path,
        "text": text,
        "base": revision or "",
        "changed": changed,
        "outcome": "",
        "problems": (),
        "vanished": (),
        "met": None,
    }


def _dated(service: Service, days: Sequence[Day], date: str, start: int) -> Values:
    """The rows of a date by day, as many days as fill a page; `start` is the place of its first one."""
    below = [each.date for each in days if each.date == date or each.date.startswith(f"{date}-")]
    if not below:
        return {"asked": service.timeline(date).asked, "days": (), "following": 0}
    shown: list[tuple[str, list[Dated]]] = []
    count = 0
    for day in below[start:]:
        if count >= _ROWS:
            break
        # Of a year or a month what is known no closer; their days come by themselves.
        rows = [row for row in service.timeline(day).rows if row.date == day]
        shown.append((day, rows))
        count += len(rows)
    following = start + len(shown)
    return {"asked": date, "days": shown, "following": following if following < len(below) else 0}
