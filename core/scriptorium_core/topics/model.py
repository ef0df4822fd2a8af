"""A topic as a value: its spans, and the records and definitions that stand in them."""

from collections.abc import Mapping
from functools import cached_property, lru_cache

from attrs import field, frozen

from ..markdown.footnotes import Footnote, Source
from ..markdown.links import resolve
from ..markdown.spans import BOM, Span, line_ending
from ..names import BlockId, TopicPath
from .records import Cited, Evidence, Record

__all__ = ["Cited", "Definition", "Evidence", "Record", "Topic", "cited", "place_of"]


@frozen
class Definition:
    """An evidence definition and the index of its span."""

    note: Footnote
    span: int = field(eq=False)


@frozen
class Topic:
    """A parsed topic; `spans` join to its exact text, the rest is read from them."""

    path: TopicPath
    spans: tuple[Span, ...]
    records: tuple[Record, ...]
    definitions: Mapping[str, Definition]

    @property
    def eol(self) -> str:
        """The line end that the topic uses."""
        return next((ending for span in self.spans if (ending := line_ending(span.text, ""))), "\n")

    @property
    def mark(self) -> str:
        """The byte order mark that the file begins with, empty if it has none."""
        return BOM if self.spans and self.spans[0].text.startswith(BOM) else ""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts of the spans, without the byte order mark of the file."""
        whole = tuple(span.text for span in self.spans)
        return (whole[0].removeprefix(BOM), *whole[1:]) if whole else ()

    @property
    def ids(self) -> tuple[BlockId, ...]:
        """Every block id of the topic, aliases too, in order."""
        return tuple(block for record in self.records for block in record.ids)


def place_of(path: str, source: Source) -> str:
    """The archive and anchor that a source in the file `path` points to; empty for a handle."""
    return "" if source.is_handle else _place(path[: path.rfind("/") + 1], source.target)


@lru_cache(4096)
def _place(folder: str, target: str) -> str:
    """The same, a pure function that a transaction asks again and again."""
    # The archive's name is taken literally: it is percent-encoded on disk already.
    file, _, anchor = target.partition("#")
    resolved = resolve(folder, file)
    return f"{resolved}#{anchor}" if resolved else ""


def cited(path: str, source: Source) -> Cited:
    """A source of a definition in the file `path`, with its place."""
    return Cited(source.label, source.target, place_of(path, source))
