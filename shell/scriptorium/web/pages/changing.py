"""What a person changes on the page: a topic by its text, a record by what is done to it."""

from enum import StrEnum

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from scriptorium_core.names import CORE_TOPIC, TopicPath
from scriptorium_core.problem import Code

from ...service import Service
from ...service.saving import Met, Unsaved, merged_texts, save
from ..statuses import status_of
from . import addresses
from .reading import core_values, named_topic, topic_frame, topic_values
from .visit import HEADERS, Form, Values, Visit

__all__ = ["router"]


class Judgement(StrEnum):
    """What is thought of a record."""

    VALIDATE = "validate"
    DISPUTE = "dispute"
    APPROVE = "approve"
    DISCARD = "discard"


router = APIRouter(prefix=addresses.ROOT, include_in_schema=False)


@router.post("/topics/{path:path}")
async def save_topic(visit: Visit, path: str) -> Response:
    """Save the text of a topic; what is in the way comes back with the draft."""
    form, name = await visit.form(), named_topic(path)
    return await visit.page("edit.html", lambda service: _saved(service, name, form), frame=topic_frame(name))


@router.post("/core")
async def save_core(visit: Visit) -> Response:
    """Save the source of the core."""
    form = await visit.form()
    frame = topic_frame(CORE_TOPIC)
    return await visit.page("edit.html", lambda service: _saved(service, CORE_TOPIC, form), frame=frame)


@router.post("/merge")
async def merge(visit: Visit) -> Response:
    """What was typed while a save went on, taken together with the text as it was saved."""
    form = await visit.form()
    path = named_topic(form.get("path", "").removeprefix("topics/"))
    texts = tuple(form.get(name, "").replace("\r\n", "\n") for name in ("sent", "mine", "saved"))
    found = await visit.services.call(visit.session.actor, lambda _: merged_texts(path, *texts))
    return JSONResponse({"text": found if isinstance(found, str) else None}, headers=HEADERS)


@router.post("/records/{id}/forget")
async def forget(visit: Visit, id: str) -> Response:
    """Forget a record: it does not come back."""
    form = await visit.form()
    unlink, reason = form.get("unlink") == "1", form.get("reason", "")
    return await visit.change(
        lambda service: service.forget([f"^{id}"], unlink=unlink, reason=reason), f"{addresses.ROOT}/topics"
    )


@router.post("/records/{id}/restore")
async def restore(visit: Visit, id: str) -> Response:
    """Bring a record back as it was at a commit."""
    form = await visit.form()
    since = form.get("since", "")
    return await visit.change(lambda service: service.restore([f"^{id}"], since), addresses.record(id))


@router.post("/records/{id}/{verdict}")
async def judge(visit: Visit, id: str, verdict: Judgement) -> Response:
    """Say of a record what is thought of the text that was seen."""
    form = await visit.form()
    seen = form.get("seen", "")

    def judged(service: Service) -> object:
        match verdict:
            case Judgement.VALIDATE:
                return service.validate(id, seen)
            case Judgement.DISPUTE:
                return service.dispute(id, seen)
            case Judgement.APPROVE:
                return service.approve(id, seen)
            case Judgement.DISCARD:
                return service.discard(id, seen)

    return await visit.change(judged, addresses.record(id))


@router.post("/commits/{name}/undo")
async def undo(visit: Visit, name: str) -> Response:
    """Take back what a commit did, as a new commit."""
    await visit.form()
    return await visit.change(lambda service: service.undo(name), f"{addresses.ROOT}/log")


def _saved(service: Service, path: TopicPath, form: Form) -> Values:
    """The editor after a save: the text as it was committed, or the draft with what is in its way."""
    text = form.get("text", "").replace("\r\n", "\n")
    result = save(service, path, text, form.get("base", ""), form.get("delete") == "1")
    now = dict(core_values(service) if path == CORE_TOPIC else topic_values(service, path, editing=True))
    if isinstance(result, Unsaved):
        base, status = form.get("base", ""), status_of(result.problems[0].code)
        draft = {"text": text, "base": base, "problems": result.problems, "vanished": result.vanished}
        return {**now, **draft, "outcome": "rejected", "status": status}
    if isinstance(result, Met):
        both = text if result.merged is None else result.merged
        met = {"text": both, "base": result.revision or "", "met": result, "mine": text, "problems": ()}
        return {**now, **met, "outcome": "conflict", "status": status_of(Code.CONCURRENT_UPDATE)}
    return {**now, "outcome": "unchanged" if result.unchanged else "saved"}
