"""A topic as a value: its spans, and the records and definitions that stand in them."""

from collections.abc import Mapping
from functools import cached_property, lru_cache

from attrs import field, frozen

from ..markdown.footnotes import Footnote, Source
from ..markdown.links import resolve
from ..markdown.spans import BOM, Span, line_ending
from ..names import BlockId, EvidenceId, TopicPath
from ..when import When

__all__ = ["Cited", "Definition", "Evidence", "Record", "Topic", "cited", "place_of"]


@frozen
class Cited:
    """A source as a record cites it.

    `place` is the archive and the anchor from the root of the directory
    (`sources/chat/_v2/s1.md#source-…`), the same for every topic; empty for a plain handle.
    """

    label: str
    target: str
    place: str


@frozen
class Evidence:
    """One evidence group of a record: the text that it carries and the definition behind it."""

    id: EvidenceId
    quote: str
    when: When | None
    sources: tuple[Cited, ...]
    fields: tuple[tuple[str, str], ...] = ()


@frozen
class Record:
    """One paragraph of a topic (or one unit of a legacy paragraph).

    `ids` are its block ids as written, the last is its identity, the others are aliases; they are
    empty only in an edit that has not been normalized. `links` are the block ids that it links to.
    `span` is the index of its paragraph in the topic, `lines` the first and last line from 1.
    """

    ids: tuple[BlockId, ...]
    content: str
    evidence: tuple[Evidence, ...]
    links: tuple[BlockId, ...]
    path: TopicPath
    headings: tuple[str, ...]
    lines: tuple[int, int] = field(eq=False, default=(0, 0))
    span: int = field(eq=False, default=-1)
    legacy: bool = False

    @property
    def id(self) -> BlockId:
        """The identity: the last block id."""
        return self.ids[-1] if self.ids else BlockId("")

    @property
    def aliases(self) -> tuple[BlockId, ...]:
        """The other block ids of a merged paragraph; they stay valid link targets."""
        return self.ids[:-1]

    @property
    def whens(self) -> tuple[When, ...]:
        """The dates of its definitions, in order, without repetition."""
        return tuple(dict.fromkeys(group.when for group in self.evidence if group.when is not None))

    @property
    def when(self) -> When | None:
        """The date of the first dated definition."""
        return next(iter(self.whens), None)

    @property
    def sources(self) -> tuple[Cited, ...]:
        """All cited sources in order; one that is cited twice stands once."""
        return tuple(
            {source.place or source.target: source for g in self.evidence for source in g.sources}.values()
        )


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
