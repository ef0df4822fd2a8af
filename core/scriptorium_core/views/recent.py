"""The newest records, one JSON object a line, oldest first: `recent_events.jsonl`.

    {"memory_id": "ac80126f", "when": "2026-03-01", "whens": ["2026-03-01"], "content": "…",
    "refs": ["chat/s1/m1"], "source_refs": ["chat/s1/m1"], "topic_path": "topics/core.md",
    "headings": ["Core"], "created_order": 0}

(all on one line). `refs` and `source_refs` are the cited source ids; where a citation leads to no archived
message, the place or handle that it names stands instead.
"""

import json

from ..facts.model import Known
from ..topics.records import Record
from ..when import render_when
from .change import Change

__all__ = ["RECENT_VIEW", "recent_changes", "recent_view"]

RECENT_VIEW = "recent_events.jsonl"


def recent_view(change: Change, limit: int) -> bytes | None:
    """The last `limit` records by creation order after the change, None if there is none."""
    rows = [_row(change, known) for known in reversed(change.newest(limit))]
    return "".join(f"{row}\n" for row in rows).encode() or None


def recent_changes(change: Change) -> bool:
    """Whether the change may alter the newest records."""
    return bool(change.touched or change.newly_citing())


def _row(change: Change, known: Known) -> str:
    record = known.record
    refs = _refs(change, record)
    row = {
        "memory_id": record.id,
        "when": render_when(record.when) if record.when else None,
        "whens": [render_when(when) for when in record.whens],
        "content": record.content,
        "refs": refs,
        "source_refs": refs,
        "topic_path": record.path,
        "headings": list(record.headings),
        "created_order": known.order,
    }
    return json.dumps(row, ensure_ascii=False)


def _refs(change: Change, record: Record) -> list[str]:
    named = (change.source_id(cited) or cited.place or cited.target for cited in record.sources)
    return list(dict.fromkeys(named))
