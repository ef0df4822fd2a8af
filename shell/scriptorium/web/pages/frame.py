"""What stands around every page: who it is, the sections, and the items of the section that is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import islice
from typing import Any, ClassVar

from attrs import field, frozen

from ...service import Service
from ...service.model import Day, TopicLine
from . import addresses
from .lists import Folder, Lists
from .words import day_of, named

__all__ = ["PAGE_OF_ROWS", "Frame", "Piece", "Row", "Rows", "Section", "framed", "level", "rows_of", "years"]

PAGE_OF_ROWS = 200
"""Rows of a folder that are sent at once; others follow when somebody comes near."""


class Section(StrEnum):
    """The four sections."""

    TOPICS = "topics"
    TIMELINE = "timeline"
    RECENT = "recent"
    CORE = "core"


@frozen
class Frame:
    """Where a page stands: its section (None: in none), the item that is selected, and whether it is a list.

    `title` is that of the window; `list` says that no item is open: a narrow window then shows the list.
    `question` is what was searched for.
    """

    title: str
    section: Section | None = None
    selected: str = ""
    list: bool = False
    question: str = ""


@frozen
class Row:
    """A row of the list: a topic, a date, or a folder of them (`key` not empty) with what is in it, if open.

    `rest` is the address of what is in it where that is not sent along.
    """

    name: str
    address: str
    count: int | None = None
    key: str = ""
    is_open: bool = False
    selected: bool = False
    rest: str = ""
    rows: tuple[Rows, ...] = field(default=())
    broken: bool = False
    is_piece: ClassVar[bool] = False


@frozen
class Piece:
    """So many rows of a long folder; those that are not sent along follow from `address`."""

    name: str
    address: str
    count: int
    rows: tuple[Row, ...] = ()
    is_piece: ClassVar[bool] = True


Rows = Row | Piece


def framed(service: Service, frame: Frame, lists: Lists) -> Mapping[str, Any]:
    """The rows of the section that is open, and who it is."""
    rows: Sequence[Rows] = ()
    if frame.section is Section.TOPICS:
        rows = level(lists.topics(service), "", frame.selected)
    elif frame.section is Section.TIMELINE:
        rows = years(lists.days(service), frame.selected)
    memory = service.memory()
    return {
        "rows": rows,
        "sections": tuple(Section),
        "identity": service.root.name,
        "actor": service.actor.name,
        "revision": memory.revision or "",
    }


def level(found: Folder, path: str, selected: str) -> tuple[Rows, ...]:
    """The rows of the folder at `path` (`a/`), folders first; open are those in which the selected one is.

    Of more than can be sent at once only the pieces are there that are seen first: the one that the list
    begins with, and the one in which the selected row is.
    """
    if len(found) <= PAGE_OF_ROWS:
        return rows_of(found, path, selected)
    chosen = _place_of(found, path, selected)
    pieces: list[Piece] = []
    for start in range(0, len(found), PAGE_OF_ROWS):
        end = min(start + PAGE_OF_ROWS, len(found))
        sent = start == 0 or start <= chosen < end
        rows = rows_of(found, path, selected, start, end) if sent else ()
        name = f"Rows {start + 1:,} to {end:,}"
        pieces.append(Piece(name, addresses.rows(path, start), end - start, rows))
    return tuple(pieces)


def rows_of(
    found: Folder, path: str, selected: str, start: int = 0, end: int = PAGE_OF_ROWS
) -> tuple[Row, ...]:
    """Some of the rows of a folder."""
    count = len(found.folders)
    folders = islice(found.folders.items(), start, end)
    topics = found.topics[max(start - count, 0) : max(end - count, 0)]
    made = (_folder(each, f"{path}{name}/", selected) for name, each in folders)
    return (*made, *(_topic(each, selected) for each in topics))


def _place_of(found: Folder, path: str, selected: str) -> int:
    """The place of the row that is selected, or of the folder in which it is; -1 if that is nowhere here."""
    if not selected.startswith(path):
        return -1
    head, slash, _ = selected[len(path) :].partition("/")
    if slash:
        return next((n for n, name in enumerate(found.folders) if name == head), -1)
    places = (n for n, each in enumerate(found.topics) if _bare(each) == selected)
    return next((len(found.folders) + n for n in places), -1)


def years(days: Sequence[Day], selected: str) -> tuple[Row, ...]:
    """Years, months in them, days in those; a date that names no month or day stands at its own place."""
    found: dict[str, list[Day]] = {}
    for each in days:
        found.setdefault(each.date[:4], []).append(each)
    return tuple(_span(year, below, selected) for year, below in reversed(found.items()))


def _span(name: str, days: Sequence[Day], selected: str) -> Row:
    """A year with its months, or a month with its days."""
    inner: list[Row] = [Row(f"All of {day_of(name)}", addresses.date(name), selected=selected == name)]
    months: dict[str, list[Day]] = {}
    for each in days:
        if each.date == name:
            lacking = "no month" if len(name) == 4 else "no day"
            inner.append(Row(f"{day_of(name)}, {lacking}", f"{addresses.date(name)}#d-{name}", each.records))
        elif len(name) == 4:
            months.setdefault(each.date[:7], []).append(each)
        else:
            inner.append(_day(each, selected))
    inner += [_span(month, below, selected) for month, below in reversed(months.items())]
    count = sum(each.records for each in days)
    label = day_of(name) if len(name) == 4 else day_of(name).partition(" ")[0]
    return Row(label, addresses.date(name), count, name, selected.startswith(name), rows=tuple(inner))


def _day(day: Day, selected: str) -> Row:
    return Row(day_of(day.date), addresses.date(day.date), day.records, selected=day.date == selected)


def _folder(found: Folder, path: str, selected: str) -> Row:
    is_open = selected.startswith(path)
    rows = level(found, path, selected) if is_open else ()
    rest = "" if is_open else addresses.rows(path)
    return Row(named(path), addresses.folder(path), found.count, path, is_open, rest=rest, rows=rows)


def _topic(topic: TopicLine, selected: str) -> Row:
    path = _bare(topic)
    chosen, broken = path == selected, bool(topic.problems)
    return Row(named(path), addresses.topic(topic.path), topic.records, selected=chosen, broken=broken)


def _bare(topic: TopicLine) -> str:
    return topic.path.removeprefix("topics/")
