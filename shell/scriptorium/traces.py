"""The log of what was delivered, beside the index and never committed: the newest lines of it."""

from pathlib import Path
from typing import TYPE_CHECKING

from scriptorium_core.knowledge.trace import Trace, decode_trace, encode_trace, newest, without_erased
from scriptorium_core.problem import Code, Problem

from . import files
from .layout import Layout
from .lock import held
from .refused import Refused

if TYPE_CHECKING:
    from scriptorium_core.forgetting import Targets, Words
    from scriptorium_core.sources.redact import Redact

__all__ = ["erase_traces", "keep_trace", "kept_traces", "redact_traces"]

_PATIENCE = 0.5


def keep_trace(layout: Layout, trace: Trace, most: int) -> None:
    """Add a line; of all lines the newest `most` stay.

    Raises OSError or Refused where the disk says no, and while something is erased. A crash leaves the lines
    of before or of after. Nothing is synced: no delivery waits for the disk.
    """
    with held(_lock(layout), _PATIENCE):
        if layout.erasing.exists():
            raise Refused(_erasing())
        known = newest(files.read(layout.traces, layout.root) or b"", most)
        fresh = newest(known + encode_trace(trace), most)
        files.install(files.write_temporary(layout.runtime, fresh), layout.traces)


def kept_traces(layout: Layout, most: int) -> tuple[Trace, ...]:
    """The newest traces, newest first; lines that cannot be read are left out."""
    lines = newest(files.read(layout.traces, layout.root) or b"", most).splitlines()
    return tuple(trace for line in reversed(lines) if (trace := decode_trace(line)) is not None)


def erase_traces(layout: Layout, targets: "Targets", words: "Words") -> None:
    """Take out the lines that name or hold something of what is erased."""
    with held(_lock(layout), _PATIENCE):
        known = files.read(layout.traces, layout.root) or b""
        if (left := without_erased(known, targets, words)) != known:
            files.write_durable(layout.traces, left, root=layout.root)


def redact_traces(layout: Layout, redact: "Redact") -> int:
    """Put placeholders in the places of secrets; how many deliveries were changed.

    A line that cannot be read, and holds one, goes.
    """
    with held(_lock(layout), _PATIENCE):
        known = (files.read(layout.traces, layout.root) or b"").splitlines(keepends=True)
        fresh = [_redacted(line, redact) for line in known]
        changed = sum(new != old for new, old in zip(fresh, known, strict=True))
        if changed:
            files.write_durable(layout.traces, b"".join(fresh), root=layout.root)
    return changed


def _redacted(line: bytes, redact: "Redact") -> bytes:
    if not redact(line.decode("utf-8", "replace")).found:
        return line
    trace = decode_trace(line)
    if trace is None:
        return b""
    clean = trace._replace(text=redact(trace.text).text, question=redact(trace.question).text)
    return encode_trace(clean)


def _lock(layout: Layout) -> Path:
    return layout.runtime / "traces.lock"


def _erasing() -> Problem:
    message = "something is being erased, and what was read before may hold it"
    remedy = "ask again when the erasure is done; `scriptorium doctor --repair` finishes one that was stopped"
    return Problem(Code.CONCURRENT_UPDATE, message, "traces.jsonl", remedy=remedy)
