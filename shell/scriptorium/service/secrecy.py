"""Secrets in clear in a memory: in a file as it is now, and in everything that its history keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

from scriptorium_core.facts import Rows, file_facts
from scriptorium_core.knowledge.secrecy import (
    Look,
    bare,
    bare_in,
    fault,
    fault_of_message,
    fault_of_past,
    passages,
)
from scriptorium_core.problem import Problem
from scriptorium_core.sources.redact import untouched

from ..history.versions import Told, Version, past
from ..redaction import spans

if TYPE_CHECKING:
    from ..workspace import Memory

__all__ = ["in_file", "in_history", "level"]

Progress = Callable[[int, int], None]


def level(memory: Memory) -> Literal["problem", "information"]:
    """How grave a secret in clear is: where the settings let them in, it is no fault of the memory."""
    return "information" if memory.redact is untouched else "problem"


def in_file(path: str, data: bytes, rows: Rows, look: Look = spans) -> Iterator[Problem]:
    """The secrets in a topic or an archive."""
    for found in bare_in(rows, data, look):
        yield fault(path, found)


def in_history(memory: Memory, progress: Progress | None, look: Look = spans) -> Iterator[Problem]:
    """The secrets in any version of a file but the present one, and in what the commits say.

    A passage that stays from version to version is looked at once.
    """
    seen = set(_present(memory))
    for number, count, versions in past(memory.layout):
        if progress is not None:
            progress(number, count)
        for version in versions:
            match version:
                case Told(commit, message):
                    yield from (fault_of_message(span.kind, commit) for span in look(message))
                case Version():
                    yield from _older(version, seen, look)


def _older(version: Version, seen: set[tuple[str, str]], look: Look) -> Iterator[Problem]:
    rows = file_facts(version.path, version.data)
    for passage in passages(rows, version.data) if rows is not None else ():
        if (version.path, passage.text) not in seen:
            seen.add((version.path, passage.text))
            for found in bare(passage, look):
                yield fault_of_past(version.path, found, version.commit)


def _present(memory: Memory) -> Iterator[tuple[str, str]]:
    """The passages that stand in the memory now: the proof looks at them."""
    base = memory.history.base(memory.revision)
    for path in base.under(""):
        data = base.get(path) if path.startswith(("sources/", "topics/")) else None
        rows = file_facts(path, data) if data is not None else None
        if rows is not None and data is not None:
            yield from ((path, passage.text) for passage in passages(rows, data))
