"""What a tool is to this door: its words, its schemas, its hints, and the function over the service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from ..clock import date_of, zone_named
from .capping import MOST
from .schemas import KEY, Schema

if TYPE_CHECKING:
    from ..service import Service

__all__ = ["ADDS", "CHANGES", "READS", "Call", "Hints", "Tool"]


@frozen
class Call:
    """One call: the service of whoever asks, what they gave, and where progress goes (done, total)."""

    service: Service
    given: Mapping[str, Any]
    progress: Callable[[int, int], None]

    @property
    def today(self) -> date:
        """The day of the memory's clock."""
        return date_of(self.service.moment(), zone_named(self.service.settings.timezone))

    def text(self, name: str, default: str = "") -> str:
        """What was given as a text."""
        return str(self.given.get(name, default))

    def number(self, name: str, default: int) -> int:
        """What was given as a number."""
        return int(self.given.get(name, default))


@frozen
class Hints:
    """Whether a tool only reads, may take away, and does the same however often it is called."""

    reads: bool = False
    destroys: bool = False
    repeats: bool = True


READS = Hints(reads=True)
ADDS = Hints()
CHANGES = Hints(destroys=True)


@frozen
class Tool:
    """A tool; `run` answers with the fields of its output schema, without `ok`.

    Of a tool with `alone` the field of that name is all that an agent is given, as it stands: it has a
    wrapper and a budget of its own, and equals its trace. The others go along as details that no model is
    shown, and there is no output schema: what is structured is read in place of the text, or beside it.

    `checked` says that `takes` is checked here, before the service is asked: what the core decodes, it
    checks itself and says more about it. `ours` are fields of the answer that are this program's own words;
    all others are data. `most` is the size of the answer as JSON, in characters.
    """

    name: str
    title: str
    about: str
    takes: Schema
    gives: Schema | None
    hints: Hints
    run: Callable[[Call], dict[str, Any]]
    checked: bool = True
    ours: tuple[str, ...] = field(default=())
    alone: str = ""
    most: int = MOST

    @property
    def keyed(self) -> bool:
        """Whether it takes a key, by which a request is carried out once."""
        return KEY in self.takes.get("properties", ())
