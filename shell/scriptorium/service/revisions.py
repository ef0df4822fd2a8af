"""Naming a revision: HEAD, a commit by the beginning of its id, one so many before these, or a day."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from scriptorium_core.knowledge.asof import AsOf, as_of, had_happened
from scriptorium_core.problem import Code, Problem

from ..history.walking import walked
from ..index.commits import commits_named
from ..refused import Refused
from .shaping import moment_text

if TYPE_CHECKING:
    from ..history import Entry
    from ..workspace import Memory

__all__ = ["parent_of", "revision"]

_BACK = re.compile(r"(?P<from>HEAD|@|[0-9a-fA-F]{4,40})(?:(?P<one>\^)|~(?P<back>[0-9]{1,9}))")
_HEAD = ("HEAD", "@")
_ID = re.compile(r"[0-9a-f]{4,40}")


def revision(memory: Memory, name: str, place: str = "revision") -> Entry:
    """The commit that `name` means: `HEAD`, at least four digits of an id, a day or a time.

    `HEAD~2` and `4f1c2a~1` are so many commits before.
    A day, month or year means the newest commit at or before its end, in the zone of the commit. Raises
    Refused where there is none; `place` is where a request names it.
    """
    asked = name.strip()
    head = memory.revision
    if head is None:
        raise Refused(_none(place, "nothing is committed yet", "write or change something first"))
    if asked in _HEAD:
        return memory.history.entry(head)
    if match := _BACK.fullmatch(asked):
        start = head if match["from"] in _HEAD else _by_id(memory, match["from"].lower(), place).commit
        return _back(memory, asked, start, int(match["back"] or bool(match["one"])), place)
    if (point := as_of(asked)) is not None:
        return _by_time(memory, point, place)
    return _by_id(memory, asked.lower(), place)


def parent_of(entry: Entry) -> str | None:
    """The commit before, None for the first."""
    return entry.parents[0] if entry.parents else None


def _back(memory: Memory, asked: str, start: str, steps: int, place: str) -> Entry:
    found = next(islice(memory.history.log(start), steps, None), None)
    if found is None:
        raise Refused(_none(place, f"the history does not go back as far as {asked}", "see `log`"))
    return found


def _by_time(memory: Memory, point: AsOf, place: str) -> Entry:
    first: Entry | None = None
    for entry in memory.history.log(memory.revision):
        if had_happened(point, entry.when.seconds, entry.when.offset):
            return entry
        first = entry
    began = f"it begins with {first.commit[:10]} on {moment_text(first.when)[:10]}" if first else ""
    raise Refused(_none(place, f"nothing of this memory was committed by then; {began}", "name a later day"))


def _by_id(memory: Memory, asked: str, place: str) -> Entry:
    if not _ID.fullmatch(asked):
        remedy = "give HEAD, four or more digits of a commit's id, or a date such as 2026-05-01"
        raise Refused(Problem(Code.INVALID_ARGUMENT, f"{asked!r} names no revision", place, remedy=remedy))
    with memory.reading():
        found = commits_named(memory.index.queries, asked)
    if not found and len(asked) < 40:
        # A commit that came from another copy: the index has the line of first parents alone.
        entries = walked(memory.history, memory.revision)
        found = tuple(islice((e.commit for e in entries if e.commit.startswith(asked)), 2))
    if len(found) > 1:
        few = " and ".join(found)
        message = f"{asked} may be any of several commits, such as {few}"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, place, remedy="give more digits"))
    try:
        return memory.history.entry(found[0] if found else asked)
    except (KeyError, AssertionError) as error:
        raise Refused(_none(place, f"there is no commit {asked} in this memory", "see `log`")) from error


def _none(place: str, message: str, remedy: str) -> Problem:
    return Problem(Code.MEMORY_NOT_FOUND, message, place, remedy=remedy)
