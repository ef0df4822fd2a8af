"""From the JSON of a request to operations, with every fault and its place in the request.

Unknown keys are refused. The older spellings `create`, `update`, `delete` and `source_refs` are read.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast
from unicodedata import category

from attrs import evolve

from ..markdown.footnotes import label_fault
from ..names import BlockId, TopicPath, topic_path
from ..problem import Code, Problem
from ..when import UNDATED, When, parse_when
from .content import unfit
from .files import decode_deleted, decode_files
from .model import (
    Change,
    CreateRecord,
    DeleteRecord,
    Destination,
    MoveRecords,
    Position,
    Request,
    SourceUse,
    UpdateRecord,
)
from .newsource import decode_source
from .reading import MOST, Faults, Fields, each, fields_of, id_of, items_of, optional_text, repeats

__all__ = ["decode_request"]

_WHOLE = "request"

_OLDER: Mapping[str, str] = MappingProxyType(
    {
        "create": "create_record",
        "update": "update_record",
        "delete": "delete_record",
        "move": "move_records",
    }
)
_FORMS = ("memory_changes", "changes", "patch")
_REQUEST_KEYS = (*_FORMS, "deleted", "sources", "base_revision", "commit_message")


def decode_request(raw: object) -> tuple[Request, tuple[Problem, ...]]:
    """Read a request; what is faulty is left out of the result and named in the problems."""
    faults = Faults()
    fields = fields_of(raw, "", _REQUEST_KEYS, faults)
    _one_form(fields, faults)
    files = decode_files(fields, faults)
    items = items_of(fields.get("memory_changes", []), "memory_changes", faults, MOST)
    new = items_of(fields.get("sources", []), "sources", faults, MOST)
    sources = each(new, "sources", lambda item, place: decode_source(item, place, faults))
    repeats(new, "sources", "label", faults)
    changes: list[Change] = each(items, "memory_changes", lambda item, place: _change(item, place, faults))
    if not items and "memory_changes" in fields and not faults.found:
        message = "there is no operation in it"
        faults.add("memory_changes", message, remedy="give at least one, or send nothing")
    request = Request(
        tuple(changes),
        tuple(sources),
        optional_text(fields, "base_revision", faults),
        optional_text(fields, "commit_message", faults) or "",
        files,
        decode_deleted(fields, faults),
    )
    # What is wrong with the request as a whole has a place too.
    return request, tuple(fault._replace(path=fault.path or _WHOLE) for fault in faults.found)


def _one_form(fields: Fields, faults: Faults) -> None:
    """Exactly one of the forms that a request may have."""
    given = [form for form in _FORMS if form in fields]
    if not given:
        remedy = "give one of memory_changes (operations), changes (whole topics) and patch (a unified diff)"
        faults.add("", "the request changes nothing", remedy=remedy)
    for form in given[1:]:
        faults.add(form, f"{given[0]} and {form} exclude each other", remedy="send two requests")


def _change(raw: object, place: str, faults: Faults) -> Change | None:
    if not isinstance(raw, Mapping):
        faults.add(place, "an operation must be an object", remedy='write {"op": "create_record", …}')
        return None
    fields = cast(Fields, raw)
    name = fields.get("op")
    op = _OLDER.get(name, name) if isinstance(name, str) else name
    match op:
        case "create_record":
            return _create(fields, place, faults, older=name != op)
        case "update_record":
            return _update(fields, place, faults)
        case "delete_record":
            return _delete(fields, place, faults)
        case "move_records":
            return _move(fields, place, faults)
        case _:
            faults.add(
                f"{place}.op",
                f"{name!r} is not an operation" if "op" in fields else "the operation is missing",
                remedy="use create_record, update_record, delete_record or move_records",
            )
            return None


def _create(raw: Fields, place: str, faults: Faults, older: bool) -> Change | None:
    spread = (
        ("topic_path", "headings", "position", "anchor_memory_id")
        if older and "destination" not in raw
        else ()
    )
    keys = ("op", "content", "time", "sources", "source_refs", *(spread or ("destination",)))
    before = len(faults.found)
    fields = fields_of(raw, place, keys, faults)
    inner: Fields = {"headings": (), "position": "end"} | {
        key: fields[key] for key in spread if key in fields
    }
    destination = _destination(
        inner if spread else fields.get("destination"), place if spread else f"{place}.destination", faults
    )
    content, time, sources = _body(fields, place, faults)
    if destination is None or len(faults.found) > before:
        return None
    return CreateRecord(content, time, sources, destination, place)


def _update(raw: Fields, place: str, faults: Faults) -> Change | None:
    before = len(faults.found)
    keys = ("op", "memory_id", "content", "time", "sources", "source_refs", "supersede", "add")
    fields = fields_of(raw, place, keys, faults)
    memory_id = id_of(fields, "memory_id", place, faults)
    content, time, sources = _body(fields, place, faults)
    supersede, add = fields.get("supersede", False), fields.get("add", False)
    for key, value, how in (("supersede", supersede, ", closed"), ("add", add, " as it is")):
        if not isinstance(value, bool):
            remedy = f"true keeps the earlier evidence{how}; leave it out otherwise"
            faults.add(f"{place}.{key}", "must be true or false", remedy=remedy)
    if supersede is True and add is True:
        remedy = "supersede for a newer value, add where the same is said again"
        faults.add(f"{place}.add", "add and supersede exclude each other", remedy=remedy)
    if len(faults.found) > before:
        return None
    return UpdateRecord(memory_id, content, time, sources, supersede is True, place, add is True)


def _delete(raw: Fields, place: str, faults: Faults) -> Change | None:
    before = len(faults.found)
    fields = fields_of(raw, place, ("op", "memory_id"), faults)
    memory_id = id_of(fields, "memory_id", place, faults)
    return DeleteRecord(memory_id, place) if len(faults.found) == before else None


def _move(raw: Fields, place: str, faults: Faults) -> Change | None:
    before = len(faults.found)
    fields = fields_of(raw, place, ("op", "memory_ids", "destination"), faults)
    raw_ids = items_of(fields.get("memory_ids"), f"{place}.memory_ids", faults)
    ids = [
        BlockId(item.strip().removeprefix("^")) for item in raw_ids if isinstance(item, str) and item.strip()
    ]
    if not raw_ids or len(ids) != len(raw_ids):
        message = "must name at least one record, each by its id"
        faults.add(f"{place}.memory_ids", message, remedy="give a list of ids as search shows them")
    repeats(raw_ids, f"{place}.memory_ids", "", faults)
    destination = _destination(fields.get("destination"), f"{place}.destination", faults)
    if destination and destination.anchor in ids:
        remedy = "name a record that stays, or use the position start or end"
        message = "the anchor is one of the moved records"
        faults.add(f"{place}.destination.anchor_memory_id", message, remedy=remedy)
    if destination is None or len(faults.found) > before:
        return None
    return MoveRecords(tuple(ids), destination, place)


def _body(fields: Fields, place: str, faults: Faults) -> tuple[str, When | None, tuple[SourceUse, ...]]:
    content = fields.get("content")
    if not isinstance(content, str):
        message = "the content is missing or not a text"
        faults.add(f"{place}.content", message, remedy="give one paragraph of text")
    elif fault := unfit(content):
        faults.add(f"{place}.content", f"the content {fault.words}", remedy=fault.remedy)
    text = content.strip() if isinstance(content, str) else ""
    return text, _time(fields, place, faults), _sources(fields, place, faults)


def _time(fields: Fields, place: str, faults: Faults) -> When | None:
    time = fields.get("time", "")
    if time is None or time == UNDATED:
        return None
    when = parse_when(time) if isinstance(time, str) else None
    if when is None:
        message = f"{time!r} is not a date" if "time" in fields else "the time is missing"
        faults.add(f"{place}.time", message, remedy="use YYYY, YYYY-MM, YYYY-MM-DD, undated or null")
    return when


def _sources(fields: Fields, place: str, faults: Faults) -> tuple[SourceUse, ...]:
    if "sources" in fields and "source_refs" in fields:
        message = "sources and source_refs exclude each other"
        faults.add(place, message, remedy="give sources alone: each with source and label")
        return ()
    key = "source_refs" if "source_refs" in fields else "sources"
    operation, place = place, f"{place}.{key}"
    items = items_of(fields.get(key), place, faults)
    read = _older_use if key == "source_refs" else _source_use
    uses = each(items, place, lambda item, where: read(item, where, faults))
    if not items:
        remedy = (
            "name an archived message by its source id, or bring what was said in the request's `sources`"
        )
        faults.add(place, "a record must cite at least one source", remedy=remedy)
    repeats(items, place, "source", faults)
    return tuple(evolve(use, place=use.place.removeprefix(f"{operation}.")) for use in uses)


def _older_use(raw: object, place: str, faults: Faults) -> SourceUse | None:
    if not isinstance(raw, str) or not raw.strip():
        faults.add(place, "must be a source id", remedy="write provider/thread/message")
        return None
    return SourceUse(raw, raw, place)


def _source_use(raw: object, place: str, faults: Faults) -> SourceUse | None:
    before = len(faults.found)
    fields = fields_of(raw, place, ("source", "label"), faults)
    source, label = fields.get("source"), fields.get("label")
    if not isinstance(source, str) or not source.strip():
        message = "must be a source id or the label of a new source"
        faults.add(f"{place}.source", message, remedy="write provider/thread/message, or new-source-…")
    if not isinstance(label, str) or not label.strip():
        message = "the label is missing or blank"
        faults.add(f"{place}.label", message, remedy="give a few words for the link, who said it, say")
    elif fault := label_fault(label):
        faults.add(
            f"{place}.label",
            f"the label {label!r} {fault}",
            Code.INVALID_TOPIC_FORMAT,
            "use plain words on one line",
        )
    if len(faults.found) > before:
        return None
    return SourceUse(str(source), str(label).strip(), f"{place}.source")


def _destination(raw: object, place: str, faults: Faults) -> Destination | None:
    before = len(faults.found)
    fields = fields_of(raw, place, ("topic_path", "headings", "position", "anchor_memory_id"), faults)
    path = topic_path(raw_path) if isinstance(raw_path := fields.get("topic_path"), str) else None
    if path is None:
        message = "the topic path is missing or not a text"
        faults.add(f"{place}.topic_path", message, remedy="write topics/<name>.md")
    elif isinstance(path, Problem):
        faults.add(f"{place}.topic_path", path.message, path.code, path.remedy)
    headings = _headings(fields.get("headings"), f"{place}.headings", faults)
    position = fields.get("position")
    if position not in tuple(Position):
        message = "must be start, end, before or after"
        faults.add(f"{place}.position", message, remedy="use end where the order does not matter")
    anchor = fields.get("anchor_memory_id")
    beside = position in (Position.BEFORE, Position.AFTER)
    if beside and not (isinstance(anchor, str) and anchor):
        remedy = "name the record beside which it goes, or use the position start or end"
        faults.add(f"{place}.anchor_memory_id", f"{position} needs the id of a record", remedy=remedy)
    if not beside and anchor is not None:
        message = "only before and after take an anchor"
        faults.add(f"{place}.anchor_memory_id", message, remedy="leave it out, or use before or after")
    if len(faults.found) > before:
        return None
    return Destination(
        cast(TopicPath, path), headings, Position(str(position)), BlockId(str(anchor)) if beside else None
    )


def _headings(raw: object, place: str, faults: Faults) -> tuple[str, ...]:
    items = items_of(raw, place, faults)
    if len(items) > 6:
        faults.add(place, "headings are at most six deep", remedy="leave the lowest ones out")
    for index, item in enumerate(items):
        if not isinstance(item, str) or not item.strip() or any(map(_is_control, item.strip())):
            message = "a heading must be one line of text"
            faults.add(f"{place}[{index}]", message, remedy="write its words alone, without # and line end")
    return tuple(str(item).strip() for item in items)


def _is_control(char: str) -> bool:
    return char != "\t" and category(char) in ("Cc", "Cs")
