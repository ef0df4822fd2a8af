"""Readers of the two older archive forms, which are read and cited, trusted, and never written.

    sources/<provider>/<thread>.md          sources/D<n>.md

    # thread                                # D1

    <a id="source-8072b4976c07c722"></a>    <a id="d1-2"></a>
    <!-- source-id:chat/thread/m1 -->       [2025-11-03] Tom: Hello! [D1:2]
    [2025-10-01] user: the text

A record runs to the next anchor; the empty lines at its end belong to nothing. As these forms count no
lines, an anchor begins a record only if it names an id of this very file that has not stood before; any
other line is text. In the first form `user: [Ada (7391)] text` was said by Ada (7391).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from urllib.parse import unquote

from attrs import evolve

from ..names import SourceId, anchor, percent
from .archived import TORN, Archive, Archived, is_erased, split_record, text_of

__all__ = ["is_legacy", "read_legacy"]

_DIALOGUE_PATH = re.compile(r"sources/(D[0-9]+)\.md")
_THREAD_PATH = re.compile(r"sources/([^/]+)/([^/]+)\.md")
_DIALOGUE_ANCHOR = re.compile(r'<a id="d([0-9]+)-([0-9]+)"></a>')
_SOURCE_LINE = re.compile(r"<!-- source-id:([^<>]+) -->")
_PREFIXED = re.compile(r"\[([^\]\r\n]+)\]\s*")


_Start = tuple[int, SourceId]  # the line index of an anchor, and whose it is


def is_legacy(path: str) -> bool:
    """Whether an older archive belongs at `path`."""
    return bool(_DIALOGUE_PATH.fullmatch(path)) or _thread(path) is not None


def read_legacy(path: str, data: bytes) -> Archive:
    """The records of an older archive, in order; bytes that are not UTF-8 end it. Never raises."""
    lines = text_of(data).split("\n")
    if dialogue := _DIALOGUE_PATH.fullmatch(path):
        found = [_untagged(frame) for frame in _records(lines, _turns(lines, dialogue[1]), 1)]
    else:
        found = [_renamed(frame) for frame in _records(lines, _messages(lines, _thread(path) or "/"), 2)]
    if not lines[-1].endswith(TORN):
        return Archive(path, tuple(found))
    return Archive(path, tuple(frame for frame in found if TORN not in frame.record), False, len(lines))


def _thread(path: str) -> str | None:
    """`provider/thread/`, with which the ids of a file begin; None if no id leads to the path."""
    if not (match := _THREAD_PATH.fullmatch(path)):
        return None
    provider, thread = unquote(match[1]), unquote(match[2])
    return f"{provider}/{thread}/" if (percent(provider), percent(thread)) == match.groups() else None


def _turns(lines: Sequence[str], dialogue: str) -> Iterator[_Start]:
    for index, line in enumerate(lines):
        if (match := _DIALOGUE_ANCHOR.fullmatch(line)) and f"D{match[1]}" == dialogue:
            yield index, SourceId(f"{dialogue}:{match[2]}")


def _messages(lines: Sequence[str], thread: str) -> Iterator[_Start]:
    for index, (mark, line) in enumerate(pairwise(lines)):
        match = _SOURCE_LINE.fullmatch(line) if mark.startswith("<a ") else None
        if match is None or not match[1].isprintable() or not match[1].removeprefix(thread):
            continue
        if match[1].startswith(thread) and mark == f'<a id="{anchor(match[1])}"></a>':
            yield index, SourceId(match[1])


def _records(lines: Sequence[str], starts: Iterable[_Start], header: int) -> Iterator[Archived]:
    """The records between the starts; `header` is the number of lines from an anchor to its record."""
    first = {source: index for index, source in reversed(list(starts))}
    ordered = sorted((index, source) for source, index in first.items())
    for (index, source), (end, _) in pairwise([*ordered, (len(lines), SourceId(""))]):
        record = "\n".join(lines[index + header : end]).rstrip("\n")
        at, label, text = split_record(record) or ("", "unknown", record)
        yield Archived(source, anchor(source), index + header + 1, label, at, text, record)


def _untagged(frame: Archived) -> Archived:
    return evolve(frame, text=frame.text.removesuffix(f" [{frame.id}]"))


def _renamed(frame: Archived) -> Archived:
    """Before there were speaker lines, the other program put a name in brackets before the text."""
    if is_erased(frame) or not (match := _PREFIXED.match(frame.text)):
        return frame
    return evolve(frame, label=match[1], text=frame.text[match.end() :])
