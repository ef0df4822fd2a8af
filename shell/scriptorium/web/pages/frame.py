"""What stands around every page: who it is, the sections, and the items of the section that is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from scriptorium_core.names import CORE_TOPIC

from ...service import Service
from ...service.model import Day, TopicLine
from . import addresses
from .words import day_of, named

__all__ = ["PAGE_OF_ROWS", "Frame", "Row", "Section", "framed", "level", "years"]

PAGE_OF_ROWS = 200
"""Rows of a folder that are sent at once; the next ones follow when somebody comes near."""


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

    `rest` is the address of what is in it where that is not sent along, or of the rows that follow.
    """

    name: str
    address: str
    count: int | None = None
    key: str = ""
    is_open: bool = False
    selected: bool = False
    rest: str = ""
    rows: tuple[Row, ...] = field(default=())
    broken: bool = False


def framed(service: Service, frame: Frame) -> Mapping[str, Any]:
    """The rows of the section that is open, and who it is."""
    rows: tuple[Row, ...] = ()
    if frame.section is Section.TOPICS:
        rows = level(_topics(service), "", frame.selected)
    elif frame.section is Section.TIMELINE:
        rows = years(service.timeline().days, frame.selected)
    memory = service.memory()
    return {
        "rows": rows,
        "sections": tuple(Section),
        "identity": service.root.name,
        "actor": service.actor.name,
        "revision": memory.revision or "",
    }


def level(topics: Sequence[TopicLine], folder: str, selected: str, start: int = 0) -> tuple[Row, ...]:
    """The rows of a folder (`a/`) from one on, folders first; open are those in which the selected one is."""
    inside = [each for each in topics if _bare(each).startswith(folder)]
    folders: dict[str, list[TopicLine]] = {}
    for each in inside:
        head, slash, _ = _bare(each)[len(folder) :].partition("/")
        if slash:
            folders.setdefault(f"{folder}{head}/", []).append(each)
    rows: list[Callable[[], Row]] = [
        *(_lazy(_folder, name, below, selected) for name, below in folders.items()),
        *(_lazy(_topic, each, selected) for each in inside if "/" not in _bare(each)[len(folder) :]),
    ]
    end = start + PAGE_OF_ROWS
    if not start and selected:  # as far as the one that is open
        places = (n for n, each in enumerate(inside) if _bare(each) == selected)
        end = max(end, next(places, 0) + 20)
    shown = tuple(make() for make in rows[start:end])
    more = (Row("More", addresses.rows(folder, end), rest=addresses.rows(folder, end)),)
    return (*shown, *more) if end < len(rows) else shown


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


def _lazy(make: Callable[..., Row], *given: Any) -> Callable[[], Row]:
    return lambda: make(*given)


def _folder(name: str, below: list[TopicLine], selected: str) -> Row:
    is_open = selected.startswith(name)
    rows = level(below, name, selected) if is_open else ()
    rest = "" if is_open else addresses.rows(name)
    return Row(named(name), addresses.folder(name), len(below), name, is_open, rest=rest, rows=rows)


def _topic(topic: TopicLine, selected: str) -> Row:
    path = _bare(topic)
    chosen, broken = path == selected, bool(topic.problems)
    return Row(named(path), addresses.topic(topic.path), topic.records, selected=chosen, broken=broken)


def _bare(topic: TopicLine) -> str:
    return topic.path.removeprefix("topics/")


def _topics(service: Service) -> list[TopicLine]:
    return [each for each in service.topics() if each.path != CORE_TOPIC]
