"""Finding and following: search, a record with its evidence and history, a message, commits, traces."""

from typing import Annotated, Literal

from fastapi import APIRouter
from fastapi import Query as Given
from starlette.responses import Response

from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Kind, Query
from scriptorium_core.transaction import Rejected

from ...refused import Refused
from ...service import Service
from ...service.correcting import key_of
from ...service.shown import RecordShown, SourceShown
from . import addresses
from .frame import Frame, Section
from .talks import talks
from .visit import Values, Visit, moved

__all__ = ["router"]

Short = Annotated[str, Given(max_length=1_000)]
_HITS = 20
_TRACES = 50

router = APIRouter(prefix=addresses.ROOT, include_in_schema=False)


@router.get("/search")
async def search(visit: Visit, q: Short = "", kind: Literal["record", "turn", "both"] = "record") -> Response:
    """What a text finds, why, and with which citations."""
    kinds = tuple(Kind) if kind == "both" else (Kind(kind),)

    def found(service: Service) -> Values:
        answer = service.search(Query(q.strip(), kinds, _HITS)) if q.strip() else None
        return {"found": answer, "kind": kind}

    return await visit.page("search.html", found, frame=Frame(f"Search: {q}" if q else "Search", question=q))


@router.get("/records/{id}")
async def record(visit: Visit, id: str) -> Response:
    """A record with its evidence: each cited message in its conversation."""

    def found(service: Service) -> Values:
        # The key first: if the record changes in between, what is decided is refused, and not misunderstood.
        key = key_of(service, _block(id))
        why = service.why(_block(id))
        return {"why": why, "talks": talks(why.conversations), "key": key}

    return await visit.page("record.html", found, frame=_frame(id))


@router.get("/records/{id}/history")
async def history(visit: Visit, id: str) -> Response:
    """The versions of a record, which commit made each, and what it changed."""

    def found(service: Service) -> Values:
        return {"blame": service.blame(_block(id)), "present": _present(service, id)}

    return await visit.page("history.html", found, frame=_frame(id))


@router.get("/records/{id}/forget")
async def forget(visit: Visit, id: str) -> Response:
    """What would be forgotten with a record, before it is."""
    return await visit.page("forget.html", lambda service: _would_forget(service, id), frame=_frame(id))


@router.get("/records/{id}/place")
async def place(visit: Visit, id: str) -> Response:
    """Go to the record where it stands now."""

    def found(service: Service) -> str:
        shown = service.show(_block(id))
        if not isinstance(shown, RecordShown):
            return ""
        return addresses.topic(shown.record.topic_path, shown.record.id)

    return moved(await visit.services.call(visit.session.actor, found) or addresses.record(id))


@router.get("/message")
async def message(visit: Visit, name: Short) -> Response:
    """A message among its neighbours, with the records that cite it."""

    def found(service: Service) -> Values:
        why = service.why(name, 4)
        if isinstance(why.shown, SourceShown):
            return {"why": why, "talks": talks(why.conversations)}
        remedy = "open it from a record that cites it"
        raise Refused(Problem(Code.MEMORY_NOT_FOUND, f"{name} is no message", name, remedy=remedy))

    return await visit.page("message.html", found, frame=Frame("Message"))


@router.get("/commits/{name}")
async def commit(visit: Visit, name: str) -> Response:
    """What a commit did to records."""
    return await visit.page(
        "commit.html", lambda service: {"diff": service.diff(new=name), "commit": name}, frame=Frame("Change")
    )


@router.get("/log")
async def log(visit: Visit, topic: Short = "") -> Response:
    """The newest commits."""
    return await visit.page(
        "log.html", lambda service: {"log": service.log(50, topic=topic), "of": topic}, frame=Frame("Changes")
    )


@router.get("/traces")
async def traces(visit: Visit) -> Response:
    """What was delivered to whom, and why."""
    return await visit.page(
        "traces.html", lambda service: {"traces": service.traces(_TRACES)}, frame=Frame("Deliveries")
    )


@router.get("/settings")
async def settings(visit: Visit) -> Response:
    """Where this memory is, as what it is served, and what its settings say."""

    def found(service: Service) -> Values:
        return {"home": service.home, "memory": service.root, "settings": service.settings}

    return await visit.page("settings.html", found, frame=Frame("Settings"))


def _block(name: str) -> str:
    return f"^{name.removeprefix('^')}"


def _frame(name: str) -> Frame:
    return Frame(f"Record {name}", Section.TOPICS)


def _present(service: Service, name: str) -> RecordShown | None:
    try:
        found = service.show(_block(name))
    except Refused:
        return None
    return found if isinstance(found, RecordShown) else None


def _would_forget(service: Service, name: str) -> Values:
    found = service.forget([_block(name)], dry_run=True)
    if isinstance(found, Rejected):
        linked = service.forget([_block(name)], dry_run=True, unlink=True)
        if isinstance(linked, Rejected):
            raise Refused(*found.problems)
        return {"forgotten": linked, "problems": found.problems, "block": name}
    return {"forgotten": found, "problems": (), "block": name}
