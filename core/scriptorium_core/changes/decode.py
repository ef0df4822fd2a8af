"""From the JSON of a request to operations, with every fault and its place in the request.

Unknown keys are refused. The older spellings `create`, `update`, `delete` and `source_refs` are read.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import cast
from unicodedata import category

from attrs import evolve

from ..markdown.footnotes import label_fault
from ..markdown.paragraphs import ends_with_id, parse_paragraph
from ..markdown.spans import SpanKind, spans
from ..names import BlockId, TopicPath, topic_path
from ..problem import Code, Problem
from ..when import UNDATED, When, parse_when
from .files import decode_deleted, decode_files
from .model import (
    Change,
    CreateRecord,
    DeleteRecord,
    Destination,
    MoveRecords,
    NewSource,
    Position,
    Request,
    SourceUse,
    UpdateRecord,
)
from .reading import MOST, Faults, Fields, each, fields_of, id_of, is_text, items_of, optional_text, repeats

__all__ = ["content_fault", "decode_request"]

_ROLES = ("user", "assistant", "system", "tool")
_OLDER: Mapping[str, str] = MappingProxyType(
    {
        "create": "create_record",
        "update": "update_record",
        "delete": "delete_record",
        "move": "move_records",
    }
)
# What `day_of` and the header of an archived record can hold.
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.,+Z -]+)?")
_LABEL = "new-source-"
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
    sources = each(new, "sources", lambda item, place: _new_source(item, place, faults))
    repeats(new, "sources", "label", faults)
    changes: list[Change] = each(items, "memory_changes", lambda item, place: _change(item, place, faults))
    if not items and "memory_changes" in fields and not faults.found:
        faults.add("memory_changes", "there is no operation in it")
    request = Request(
        tuple(changes),
        tuple(sources),
        optional_text(fields, "base_revision", faults),
        optional_text(fields, "commit_message", faults) or "",
        files,
        decode_deleted(fields, faults),
    )
    return request, tuple(faults.found)


def _one_form(fields: Fields, faults: Faults) -> None:
    """Exactly one of the forms that a request may have."""
    given = [form for form in _FORMS if form in fields]
    if not given:
        remedy = "give one of memory_changes (operations), changes (whole topics) and patch (a unified diff)"
        faults.add("", "the request changes nothing", remedy=remedy)
    for form in given[1:]:
        faults.add(form, f"{given[0]} and {form} exclude each other", remedy="send two requests")


def content_fault(content: str) -> str:
    """Why a text cannot be the content of a record, in words; empty if it can."""
    if not content.strip():
        return "is blank"
    parts = [span for span in spans(content.strip()) if span.kind is not SpanKind.BLANK]
    if len(parts) != 1 or any(span.kind is not SpanKind.PARAGRAPH for span in parts):
        return "must be one paragraph: no blank line, heading, fence, HTML line or definition"
    if parse_paragraph(content).claims:
        return "holds a citation; citations are written from `sources`"
    if ends_with_id(content):
        return "ends in a block id; ids are allocated by the runtime"
    if not is_text(content):
        return "holds half of a surrogate pair"
    cited = parse_paragraph(f"{content.strip()}[^e1] ^id")
    if (cited.cites, cited.ids, cited.content) != (("e1",), ("id",), content.strip()):
        return "cannot be followed by a citation; it ends in an open bracket"
    return ""


def _change(raw: object, place: str, faults: Faults) -> Change | None:
    if not isinstance(raw, Mapping):
        faults.add(place, "an operation must be an object")
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
    fields = fields_of(
        raw, place, ("op", "memory_id", "content", "time", "sources", "source_refs", "supersede"), faults
    )
    memory_id = id_of(fields, "memory_id", place, faults)
    content, time, sources = _body(fields, place, faults)
    supersede = fields.get("supersede", False)
    if not isinstance(supersede, bool):
        faults.add(f"{place}.supersede", "must be true or false")
    if len(faults.found) > before:
        return None
    return UpdateRecord(memory_id, content, time, sources, supersede is True, place)


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
        faults.add(f"{place}.memory_ids", "must name at least one record, each by its id")
    repeats(raw_ids, f"{place}.memory_ids", "", faults)
    destination = _destination(fields.get("destination"), f"{place}.destination", faults)
    if destination and destination.anchor in ids:
        faults.add(f"{place}.destination.anchor_memory_id", "the anchor is one of the moved records")
    if destination is None or len(faults.found) > before:
        return None
    return MoveRecords(tuple(ids), destination, place)


def _body(fields: Fields, place: str, faults: Faults) -> tuple[str, When | None, tuple[SourceUse, ...]]:
    content = fields.get("content")
    if not isinstance(content, str):
        faults.add(f"{place}.content", "the content is missing or not a text")
    elif fault := content_fault(content):
        faults.add(f"{place}.content", f"the content {fault}")
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
        faults.add(place, "sources and source_refs exclude each other")
        return ()
    key = "source_refs" if "source_refs" in fields else "sources"
    operation, place = place, f"{place}.{key}"
    items = items_of(fields.get(key), place, faults)
    read = _older_use if key == "source_refs" else _source_use
    uses = each(items, place, lambda item, where: read(item, where, faults))
    if not items:
        faults.add(place, "a record must cite at least one source")
    repeats(items, place, "source", faults)
    return tuple(evolve(use, place=use.place.removeprefix(f"{operation}.")) for use in uses)


def _older_use(raw: object, place: str, faults: Faults) -> SourceUse | None:
    if not isinstance(raw, str) or not raw.strip():
        faults.add(place, "must be a source id")
        return None
    return SourceUse(raw, raw, place)


def _source_use(raw: object, place: str, faults: Faults) -> SourceUse | None:
    before = len(faults.found)
    fields = fields_of(raw, place, ("source", "label"), faults)
    source, label = fields.get("source"), fields.get("label")
    if not isinstance(source, str) or not source.strip():
        faults.add(f"{place}.source", "must be a source id or the label of a new source")
    if not isinstance(label, str) or not label.strip():
        faults.add(f"{place}.label", "the label is missing or blank")
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
        faults.add(f"{place}.topic_path", "the topic path is missing or not a text")
    elif isinstance(path, Problem):
        faults.add(f"{place}.topic_path", path.message, path.code, path.remedy)
    headings = _headings(fields.get("headings"), f"{place}.headings", faults)
    position = fields.get("position")
    if position not in tuple(Position):
        faults.add(f"{place}.position", "must be start, end, before or after")
    anchor = fields.get("anchor_memory_id")
    beside = position in (Position.BEFORE, Position.AFTER)
    if beside and not (isinstance(anchor, str) and anchor):
        faults.add(f"{place}.anchor_memory_id", f"{position} needs the id of a record")
    if not beside and anchor is not None:
        faults.add(f"{place}.anchor_memory_id", "only before and after take an anchor")
    if len(faults.found) > before:
        return None
    return Destination(
        cast(TopicPath, path), headings, Position(str(position)), BlockId(str(anchor)) if beside else None
    )


def _headings(raw: object, place: str, faults: Faults) -> tuple[str, ...]:
    items = items_of(raw, place, faults)
    if len(items) > 6:
        faults.add(place, "headings are at most six deep")
    for index, item in enumerate(items):
        if not isinstance(item, str) or not item.strip() or any(map(_is_control, item.strip())):
            faults.add(f"{place}[{index}]", "a heading must be one line of text")
    return tuple(str(item).strip() for item in items)


def _is_control(char: str) -> bool:
    return char != "\t" and category(char) in ("Cc", "Cs")


def _new_source(raw: object, place: str, faults: Faults) -> NewSource | None:
    before = len(faults.found)
    fields = fields_of(raw, place, ("label", "role", "content", "observed_at"), faults)
    label, role, content, at = (fields.get(key) for key in ("label", "role", "content", "observed_at"))
    if not isinstance(label, str) or not _is_label(label):
        faults.add(f"{place}.label", "must be new-source- and lower-case letters, digits or -")
    if role not in _ROLES:
        faults.add(f"{place}.role", f"must be one of {', '.join(_ROLES)}")
    if not is_text(content) or not content.strip():
        faults.add(f"{place}.content", "the content is missing, blank or no text")
    if at is not None and not (isinstance(at, str) and _is_instant(at)):
        faults.add(f"{place}.observed_at", f"{at!r} is not an ISO 8601 date or time")
    if len(faults.found) > before:
        return None
    return NewSource(str(label), str(role), str(content), str(at or ""))


def _is_label(label: str) -> bool:
    rest = label.removeprefix(_LABEL)
    return (
        label.startswith(_LABEL)
        and bool(rest)
        and all(c in "abcdefghijklmnopqrstuvwxyz0123456789-" for c in rest)
    )


def _is_instant(text: str) -> bool:
    if _INSTANT.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
