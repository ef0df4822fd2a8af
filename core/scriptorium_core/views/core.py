"""The resident block: as much of `topics/core.md` as a number of tokens holds, as the root's `core.md`.

    # Core

    Always answer in British English.[^e-6de0580b6c] ^ac80126f

    [^e-6de0580b6c]: Time: `2026-03-01`; Sources: [rule](sources/chat/_v2/s1.md#source-da39bbac67e800a0)

    <!-- core: 1 of 3 records -->

Each record has the headings above it (each heading once, where it is first needed) and its own
definitions (each once). What stands on abandoned branches alone is not current and left out, and so is
what is disputed, retracted or never to be given as it is. The closing line counts all records of
`topics/core.md`, also those that are left out. It always stands: where no record fits, the block is this
line alone, whatever the limit.
"""

from collections.abc import Callable, Iterator

from attrs import evolve, frozen

from ..budget import Count
from ..markdown.footnotes import Footnote, render_footnote
from ..markdown.paragraphs import parse_paragraph
from ..markdown.spans import SpanKind, lines_of
from ..names import BlockId
from ..topics.model import Cited, Record, Topic, place_of
from ..topics.notes import stands_aside
from ..topics.standing import refuses
from .rebase import rebased

__all__ = ["CORE_VIEW", "CoreView", "core_view"]

CORE_VIEW = "core.md"


@frozen
class CoreView:
    """The block, what it costs, and the ids (aliases too) that it shows and leaves out.

    `omitted` did not fit, `withheld` cite a source that is pending or missing, `aside` are not current,
    because all that they rest on was said on abandoned branches, not to be given as they are, or not meant
    for the reader.
    """

    text: str
    tokens: int
    shown: tuple[BlockId, ...]
    omitted: tuple[BlockId, ...]
    withheld: tuple[BlockId, ...]
    aside: tuple[BlockId, ...] = ()


@frozen
class _Piece:
    """A record as it is shown; headings are named by their span, definitions by their label."""

    record: Record
    headings: tuple[tuple[int, str], ...]
    paragraph: str
    definitions: tuple[tuple[str, str], ...]
    mark: str = ""


def _for_all(record: Record) -> bool:
    return True


def _unmarked(record: Record) -> str:
    return ""


def core_view(
    topic: Topic,
    trusts: Callable[[Cited], bool],
    count: Count,
    limit: int,
    meant: Callable[[Record], bool] = _for_all,
    mark: Callable[[Record], str] = _unmarked,
) -> CoreView:
    """Render `topics/core.md` in file order within `limit` tokens, skipping what does not fit.

    The whole text is counted, headings, definitions and closing line too, so `tokens` is at most
    `limit` whenever a record is shown. `trusts` says whether a source leads to a trusted message,
    `meant` whether a record is for the reader, and `mark` what is said below it, on one line.
    """
    total = len(topic.records)
    kept: tuple[_Piece, ...] = ()
    omitted: list[BlockId] = []
    withheld: list[BlockId] = []
    aside: list[BlockId] = []
    text = _render(kept, total)
    tokens = count(text)
    for piece in _pieces(topic):
        if not _is_trusted(piece.record, trusts):
            withheld += piece.record.ids
            continue
        if stands_aside(piece.record) or refuses(piece.record) or not meant(piece.record):
            aside += piece.record.ids
            continue
        marked = evolve(piece, mark=mark(piece.record))
        longer = _render((*kept, marked), total)
        price = count(longer)
        if price <= limit:
            kept, text, tokens = (*kept, marked), longer, price
        else:
            omitted += piece.record.ids
    shown = tuple(block for piece in kept for block in piece.record.ids)
    return CoreView(text, tokens, shown, tuple(omitted), tuple(withheld), tuple(aside))


def _is_trusted(record: Record, trusts: Callable[[Cited], bool]) -> bool:
    """Whether every source leads to a trusted message; a record that cites nothing is not trusted."""
    return bool(record.sources) and all(trusts(cited) for cited in record.sources)


def _pieces(topic: Topic) -> Iterator[_Piece]:
    headings = _headings(topic)
    for record in topic.records:
        text = topic.spans[record.span].text.lstrip("\ufeff")
        cites = tuple(record.ids) if record.legacy else parse_paragraph(text).cites
        if record.legacy:
            # A unit of a longer paragraph: shown by itself, since another unit of it may be pending.
            text = record.content + "".join(f"[^{cite}]" for cite in cites)
        definitions = tuple(
            (cite, _definition(topic, topic.definitions[cite].note))
            for cite in dict.fromkeys(cites)
            if cite in topic.definitions
        )
        yield _Piece(record, headings[record.span], _lines(topic, text), definitions)


def _headings(topic: Topic) -> dict[int, tuple[tuple[int, str], ...]]:
    """For the index of each span the headings above it, as `markdown.spans.heading_path` stacks them."""
    above: dict[int, tuple[tuple[int, str], ...]] = {}
    stack: tuple[tuple[int, str], ...] = ()
    for index, span in enumerate(topic.spans):
        if span.kind is SpanKind.HEADING:
            stack = (*stack[: span.level - 1], (index, _lines(topic, span.text.lstrip("\ufeff"))))
        above[index] = stack
    return above


def _lines(topic: Topic, text: str) -> str:
    """The lines of a span as the view writes them: ended by LF, links from the root."""
    return rebased("\n".join(line.rstrip("\r\n") for line in lines_of(text)), topic.path, CORE_VIEW)


def _definition(topic: Topic, note: Footnote) -> str:
    sources = tuple(
        evolve(source, target=place_of(topic.path, source) or source.target) for source in note.sources
    )
    return render_footnote(evolve(note, sources=sources))


def _render(pieces: tuple[_Piece, ...], total: int) -> str:
    blocks: list[str] = []
    seen: set[int | str] = set()
    for piece in pieces:
        blocks += [heading for index, heading in piece.headings if index not in seen]
        fresh = [line for cite, line in piece.definitions if cite not in seen]
        blocks += [piece.paragraph, *(["\n".join(fresh)] if fresh else [])]
        blocks += [f"<!-- {piece.mark} -->"] if piece.mark else []
        seen.update(index for index, _ in piece.headings)
        seen.update(cite for cite, _ in piece.definitions)
    return "\n\n".join([*blocks, f"<!-- core: {len(pieces)} of {total} records -->"]) + "\n"
