"""Small pieces of what people read, the same in every command."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .safe import clip, one_line, safe, wrapped

if TYPE_CHECKING:
    from scriptorium_core.writing.outcome import Outcome

    from ..service.model import RecordLine, Turn

__all__ = ["day_and_time", "mark", "outcome_line", "record_lines", "table", "turn_lines"]


def mark(good: bool) -> str:
    """A sign for good or bad."""
    return "·" if good else "✗"


def day_and_time(at: str) -> str:
    """An ISO 8601 time to the minute."""
    return one_line(at[:16].replace("T", " ")) or "undated"


def turn_lines(turn: "Turn", indent: str = "    ") -> str:
    """A turn as it was said: who, when, and the words."""
    where = [] if turn.branch != "abandoned" else ["abandoned branch"]
    notes = where + ([] if turn.trusted else ["pending"])
    head = f"{one_line(turn.speaker)}, {day_and_time(turn.at)}" + (f"  [{', '.join(notes)}]" if notes else "")
    tail = " …" if turn.is_cut else ""
    return f"{indent}{head}  ({safe(turn.source)})\n{wrapped(f'“{turn.text}{tail}”', indent + '  ')}"


def record_lines(line: "RecordLine", indent: str = "  ") -> str:
    """A record in a list: its words, and under them id, dates and topic."""
    dates = f"  {', '.join(line.dates)}" if line.dates else ""
    return f"{wrapped(line.content, indent)}\n{indent}^{line.id}{dates}  {safe(line.topic_path)}:{line.line}"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def outcome_line(outcome: "Outcome") -> str:
    """How a batch ended, in one line."""
    from scriptorium_core.writing.outcome import Failed, NothingDue, NothingToKeep, Wrote

    match outcome:
        case Wrote():
            changed = f", {len(outcome.updated)} updated" if outcome.updated else ""
            records = f"wrote {len(outcome.created)} records{changed} in {_topics(outcome.topics)}"
            return f"{records}; {outcome.frames} messages archived ({outcome.commit[:10]})"
        case NothingToKeep():
            reason = clip(outcome.reason, 80)
            return f"{reason}; {outcome.frames} messages archived ({outcome.commit[:10]})"
        case NothingDue(waiting=0):
            return "nothing is unwritten"
        case NothingDue():
            return f"{outcome.waiting:,} tokens wait, less than a batch (--force writes them)"
        case Failed():
            again = "try again" if outcome.retryable else "not retryable"
            return f"failed: {outcome.code} {one_line(outcome.message)} ({again})"


def _topics(paths: Sequence[str]) -> str:
    return safe(paths[0]) if len(paths) == 1 else f"{len(paths)} topics"
