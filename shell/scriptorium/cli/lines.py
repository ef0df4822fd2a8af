"""Small pieces of what people read, the same in every command."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .safe import clip, columns, one_line, safe, wrapped

if TYPE_CHECKING:
    from scriptorium_core.sources.redact import Secret
    from scriptorium_core.writing.outcome import NothingToKeep, Outcome, Wrote

    from ..service.model import RecordLine, Turn

__all__ = [
    "counted",
    "day_and_time",
    "few",
    "mark",
    "outcome_line",
    "prose",
    "record_lines",
    "redacted",
    "table",
    "turn_lines",
]

_REASON = 160


def mark(good: bool) -> str:
    """A sign for good or bad."""
    return "·" if good else "✗"


def counted(number: int, one: str, more: str = "") -> str:
    """`1 record`, `2 records`."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def few(words: Iterable[str], most: int = 6) -> str:
    """The first of some words, and how many more there are."""
    all_words = tuple(words)
    more = len(all_words) - most
    return " ".join(all_words[:most]) + (f" … and {more:,} more" if more > 0 else "")


def day_and_time(at: str) -> str:
    """An ISO 8601 time to the minute."""
    return one_line(at[:16].replace("T", " ")) or "undated"


def prose(text: str, indent: str = "") -> str:
    """Words of memory as one reads them: each link by its label, on lines that fit."""
    from scriptorium_core.recall.documents import without_targets

    return wrapped(without_targets(text), indent)


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
    return f"{prose(line.content, indent)}\n{indent}^{line.id}{dates}  {safe(line.topic_path)}:{line.line}"


def redacted(found: "Mapping[Secret, int]") -> Iterator[str]:
    """That secrets were left out, and of which kinds; nothing where there were none."""
    if found:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in found.items())
        yield f"{counted(sum(found.values()), 'secret')} left out ({kinds})"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(_padded, row, widths)).rstrip() for row in rows)


def outcome_line(outcome: "Outcome") -> str:
    """How a batch ended, in one line."""
    from scriptorium_core.writing.outcome import Failed, NothingDue, NothingToKeep, Wrote

    match outcome:
        case Wrote():
            done = (("wrote", outcome.created), ("updated", outcome.updated), ("deleted", outcome.deleted))
            records = ", ".join(f"{word} {counted(len(ids), 'record')}" for word, ids in done if ids)
            told = f"{records or 'wrote nothing'} in {_topics(outcome.topics)}"
            return f"{told}{_archived(outcome)} ({outcome.commit[:10]})"
        case NothingToKeep():
            commit = f" ({outcome.commit[:10]})" if outcome.commit else ""
            return f"{clip(outcome.reason, _REASON)}{_archived(outcome)}{commit}"
        case NothingDue(agent=True):
            return "it waits for an agent to take and write it (`scriptorium pending`)"
        case NothingDue(holder=str(holder), until=until) if holder:
            name, end = one_line(holder), day_and_time(until)
            return f"the agent {name} has taken a batch of it, until {end} (`--take-over`)"
        case NothingDue(waiting=0):
            return "nothing is unwritten"
        case NothingDue():
            return f"{outcome.waiting:,} tokens wait, less than a batch (--force writes them)"
        case Failed():
            from scriptorium_core.writing.explaining import explain

            again = "trying again may help" if outcome.retryable else "trying again does not help"
            return f"failed: {outcome.code} ({again}): {explain(outcome.code).words}"


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - columns(cell))


def _archived(outcome: "Wrote | NothingToKeep") -> str:
    archived = (f"{counted(outcome.frames, 'message')} archived",) if outcome.frames else ()
    told = ", ".join((*archived, *redacted(outcome.redacted)))
    return f"; {told}" if told else ""


def _topics(paths: Sequence[str]) -> str:
    return safe(paths[0]) if len(paths) == 1 else f"{len(paths)} topics"
