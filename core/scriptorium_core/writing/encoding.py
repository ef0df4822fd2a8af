"""From operations back to the JSON of a request: `decode_request` reads the same operations from it."""

from collections.abc import Mapping
from typing import assert_never

from ..changes.model import Change, CreateRecord, DeleteRecord, Destination, MoveRecords, UpdateRecord
from ..when import render_when

__all__ = ["encode_change"]


def encode_change(change: Change) -> Mapping[str, object]:
    """One operation as it stands in `memory_changes`; its place follows from where it stands."""
    match change:
        case CreateRecord():
            return {"op": "create_record", **_body(change), "destination": _destination(change.destination)}
        case UpdateRecord():
            kept = {"supersede": True} if change.supersede else {"add": True} if change.add else {}
            return {"op": "update_record", "memory_id": change.memory_id, **_body(change), **kept}
        case DeleteRecord():
            return {"op": "delete_record", "memory_id": change.memory_id}
        case MoveRecords():
            ids = list(change.memory_ids)
            return {"op": "move_records", "memory_ids": ids, "destination": _destination(change.destination)}
    assert_never(change)


def _body(change: CreateRecord | UpdateRecord) -> Mapping[str, object]:
    sources = [{"source": use.source, "label": use.label} for use in change.sources]
    return {"content": change.content, "time": render_when(change.time), "sources": sources}


def _destination(destination: Destination) -> Mapping[str, object]:
    anchor = {"anchor_memory_id": destination.anchor} if destination.anchor is not None else {}
    return {
        "topic_path": destination.topic_path,
        "headings": list(destination.headings),
        "position": destination.position.value,
        **anchor,
    }
