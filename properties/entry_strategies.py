"""Strategies for sessions of Pi and OpenClaw, and for transcripts."""

import json
from typing import Any

from hypothesis import strategies as st

from strategies import awkward_texts

__all__ = ["Row", "fork_of", "lines_of", "pi_sessions", "sound_sessions", "spoken_turns"]

Row = dict[str, Any]

_PARENT, _CHILD = "0b9e41c2-7d1f-4a30-9c55-1e2f3a4b5c6d", "5f10aa77-0c1d-4e2f-8a9b-0c1d2e3f4a5b"
_ROLES = ("user", "assistant", "toolResult", "bashExecution", "custom", "branchSummary", "wizard")
_KINDS = ("message", "message", "message", "label", "compaction", "branch_summary", "model_change", "weather")


def lines_of(rows: list[Row]) -> list[bytes]:
    """The rows as lines of a log."""
    return [json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" for row in rows]


@st.composite
def pi_sessions(draw: st.DrawFn) -> list[Row]:
    """A session with any parents: earlier entries, labels, none, and ones that were never written."""
    return draw(_session(st.just("deadbeef") | st.none()))


@st.composite
def sound_sessions(draw: st.DrawFn) -> list[Row]:
    """A session in which every parent is there."""
    return draw(_session(st.none()))


@st.composite
def fork_of(draw: st.DrawFn, rows: list[Row]) -> list[Row]:
    """A fork of a session at one of its entries: the path to it without labels, and what came then.

    Older versions leave what hung below a label there, newer ones hang it below the entry before.
    """
    entries = {row["id"]: row for row in rows[1:]}
    is_chained = draw(st.booleans())
    here = draw(st.sampled_from([*entries]))
    path: list[Row] = []
    while here is not None:
        path.insert(0, entries[here])
        here = entries[here]["parentId"]
    kept = [row for row in path if row["type"] != "label"]
    above = [None, *(row["id"] for row in kept)]
    if is_chained:
        kept = [{**row, "parentId": parent} for row, parent in zip(kept, above, strict=False)]
    label = {"type": "label", "id": "1abe0001", "parentId": above[-1], "timestamp": _at(61, 0)}
    said = _message("c0000001", draw(st.sampled_from([above[-1], "1abe0001"])), "user", "new", _at(61, 1))
    header = {"type": "session", "version": 3, "id": _CHILD, "timestamp": _at(61, 0), "cwd": "/w"}
    return [{**header, "parentSession": f"/gone/2026_{_PARENT}.jsonl"}, *kept, label, said]


@st.composite
def spoken_turns(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Turns of a transcript: who speaks, and words that begin and end with one and look like no speaker."""
    text = st.lists(
        st.sampled_from(("yes", "- [x] done", "  deep", "", "http://a.b/c", "# Head")), max_size=3
    )
    names = ["You", *draw(st.lists(st.sampled_from(("You", "Claude")), max_size=4)), "Claude"]
    return [(name, "\n".join(["word", *draw(text), "end"])) for name in names]


@st.composite
def _session(draw: st.DrawFn, strange: st.SearchStrategy[str | None]) -> list[Row]:
    rows: list[Row] = [{"type": "session", "version": 3, "id": _PARENT, "timestamp": _at(0, 0), "cwd": "/w"}]
    names: list[str] = []
    for number in range(draw(st.integers(1, 8))):
        name = f"{number:08x}"
        before = st.sampled_from(names[-3:]) if names else strange
        parent = draw(st.just(names[-1] if names else None) | before | strange)
        kind = draw(st.sampled_from(_KINDS)) if names else "message"
        at = _at(1, number)
        if kind == "message":
            text = draw(st.sampled_from(("ok", "")) | awkward_texts())
            rows.append(_message(name, parent, draw(st.sampled_from(_ROLES)), text, at))
        else:
            rows.append({"type": kind, "id": name, "parentId": parent, "timestamp": at, "summary": "x"})
        names.append(name)
    return rows


def _message(name: str, parent: str | None, role: str, text: str, at: str) -> Row:
    message = {"role": role, "content": [{"type": "text", "text": text}], "timestamp": 1}
    return {"type": "message", "id": name, "parentId": parent, "timestamp": at, "message": message}


def _at(minute: int, second: int) -> str:
    return f"2026-04-01T{12 + minute // 60}:{minute % 60:02}:{second:02}.000Z"
