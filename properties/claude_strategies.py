"""Logs of Claude Code as they grow: answers in lines, retries, rewinds, sub-agents, compactions, a fork."""

from typing import Any

from hypothesis import strategies as st

from claude_records import answer, boundary, call, error, person, progress, record, result, summary

__all__ = ["claude_logs", "damaged"]

_WORDS = (
    "ok",
    "Deploy it.",
    "Prices are in cents.",
    "名前を変えて",
    "",
    "<command-name>/model</command-name>",
)
_BESIDE: tuple[dict[str, Any], ...] = (
    {"type": "ai-title", "aiTitle": "By a model", "sessionId": "S1"},
    {"type": "custom-title", "customTitle": "By a person", "sessionId": "S1"},
    {"type": "summary", "summary": "In short", "leafUuid": "n0"},
    {"type": "file-history-snapshot", "messageId": "n0", "snapshot": {}},
    {"type": "hologram", "sessionId": "S1"},
)


@st.composite
def claude_logs(draw: st.DrawFn) -> list[dict[str, Any]]:
    """The records of one file in its order; shrinks to one message."""
    rows: list[dict[str, Any]] = [person("n0", None, draw(st.sampled_from(_WORDS)))]
    for step in draw(st.lists(st.integers(0, 13), max_size=14)):
        rows += _step(draw, step, rows, f"n{len(rows)}")
    if draw(st.booleans()):
        rows = _forked(rows)
    return [
        row | {"timestamp": _time(draw, index)} if "uuid" in row else row for index, row in enumerate(rows)
    ]


@st.composite
def damaged(draw: st.DrawFn, lines: list[bytes]) -> list[bytes]:
    """Lines cut, doubled, moved and spoilt; each whole line stays one."""
    made = list(lines)
    for what in draw(st.lists(st.integers(0, 3), max_size=4)):
        place = draw(st.integers(0, len(made) - 1))
        other = draw(st.integers(0, len(made) - 1))
        match what:
            case 0:
                made[place] = made[place][: draw(st.integers(0, len(made[place]) - 1))] + b"\n"
            case 1:
                made.insert(other, made[place])
            case 2:
                made[place], made[other] = made[other], made[place]
            case _:
                made.insert(place, draw(st.binary(max_size=8)) + b"\n")
    return made


def _step(draw: st.DrawFn, step: int, rows: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """What happens next, mostly below the last record, at times below an earlier one or a missing one."""
    named = [row["uuid"] for row in rows if "uuid" in row and not row.get("isSidechain")]
    above = draw(st.sampled_from([named[-1]] * 4 + named[-4:] + ["gone"]))
    words = draw(st.sampled_from(_WORDS))
    more = {"message_id": f"msg_{name}"}
    match step:
        case 0 | 1:
            return [person(name, above, words)]
        case 2 | 3:
            return [answer(name, above, words, **more), call(f"{name}b", name, **more)]
        case 4:
            return [result(name, above, words)]
        case 5:
            return [error(name, above), error(f"{name}b", above)]
        case 6 | 12:
            again = draw(st.sampled_from(rows))  # sent again, or answered again, below the same parent
            return [again | {"uuid": name}] if "uuid" in again else []
        case 7:
            return [progress(name, above), progress(f"{name}b", name)]
        case 8:
            return [boundary(name, above), summary(f"{name}b", name)]
        case 9 | 10:
            begun = person(name, None, words, isSidechain=True, **({"agentId": "a1"} if step == 9 else {}))
            return [begun, answer(f"{name}b", name, words, isSidechain=True, **_same(begun))]
        case 11:
            return [record("hologram", name, above)]
        case _:
            return [draw(st.sampled_from(_BESIDE))]


def _same(row: dict[str, Any]) -> dict[str, Any]:
    return {"agentId": row["agentId"]} if "agentId" in row else {}


def _forked(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same as a fork of another session, with one message of its own."""
    copies = [
        row | {"forkedFrom": {"sessionId": "S0", "messageUuid": row["uuid"]}} if "uuid" in row else row
        for row in rows
    ]
    return [*copies, person("own", rows[0]["uuid"], "Elsewhere.")]


def _time(draw: st.DrawFn, index: int) -> str:
    """Times mostly grow; some are equal, earlier, or missing."""
    odd = st.sampled_from(["2026-05-02T09:00:00.000Z", "2026-05-02T08:00:00.000Z", "", "soon"])
    grows = st.just(f"2026-05-02T09:{index % 60:02}:01.000Z")
    return draw(st.one_of(grows, grows, grows, grows, odd))
