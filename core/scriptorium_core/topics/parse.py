"""Reading a topic: every paragraph a record, everything else named as a problem."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from attrs import frozen

from ..markdown.footnotes import Footnote, footnote_label, label_fault, parse_footnote
from ..markdown.links import links_in
from ..markdown.paragraphs import LEGACY_PREFIX, Paragraph, parse_paragraph, swallowed_id
from ..markdown.spans import BOM, Span, SpanKind, lines_of, spans
from ..names import BlockId, EvidenceId, TopicPath
from ..problem import Code, Problem
from .model import Definition, Evidence, Record, Topic, cited

__all__ = ["block_links", "parse_topic"]


# A transaction reads the same topics and paragraphs several times: as they were, as edited, and as read
# back. What a text says follows from the text alone, so it is remembered by it.
_REMEMBERED = 8192


@frozen
class _Reading:
    """What a paragraph says wherever it stands: its units with their ids and links, and what is wrong."""

    paragraph: Paragraph
    units: tuple[tuple[Paragraph, tuple[BlockId, ...], str, tuple[BlockId, ...]], ...]
    fault: str
    cites: tuple[str, ...]
    lines: int


@lru_cache(16)
def parse_topic(path: TopicPath, data: bytes) -> tuple[Topic, tuple[Problem, ...]]:
    """Read a topic; with problems it is broken, and the topic holds what could be read all the same."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        fault = Problem(
            Code.INVALID_TOPIC_FORMAT, "the file is not UTF-8", path, line, "save it as UTF-8 text"
        )
        return Topic(path, (), (), {}), (fault,)
    parts = spans(text)
    definitions, faults = _definitions(path, parts)
    records: list[Record] = []
    for index, span in enumerate(parts):
        if span.kind is SpanKind.PARAGRAPH:
            found, wrong = _records(path, index, span, definitions)
            records += found
            faults += wrong
    faults += _repeated_ids(records)
    faults += _idle_sections(path, parts, records)
    problems = tuple(sorted(faults, key=lambda problem: problem.line))
    return Topic(path, parts, tuple(records), definitions), problems


def block_links(content: str) -> tuple[BlockId, ...]:
    """The block ids that a text links to, in order, each once."""
    return tuple(dict.fromkeys(BlockId(link.block) for link in links_in(content) if link.block))


def _definitions(path: str, parts: tuple[Span, ...]) -> tuple[dict[str, Definition], list[Problem]]:
    found: dict[str, Definition] = {}
    faults: list[Problem] = []
    for index, span in enumerate(parts):
        if span.kind is not SpanKind.DEFINITION:
            continue
        note = _read_note(_bare(span))
        fault = note if isinstance(note, str) else _note_fault(note, found)
        if fault:
            label = footnote_label(_bare(span))
            faults.append(_format(path, span.line, f"the definition [^{label}] is refused: {fault}"))
        if isinstance(note, Footnote) and not fault:
            found.setdefault(note.id, Definition(note, index))
    return found, faults


_read_note = lru_cache(_REMEMBERED)(parse_footnote)


def _bare(span: Span) -> str:
    """The text of a span without the byte order mark of its file."""
    return span.text.removeprefix(BOM) if span.line == 1 else span.text


def _note_fault(note: Footnote, found: Mapping[str, Definition]) -> str:
    if note.id in found and found[note.id].note != note:
        return "it is defined a second time, differently"
    for source in note.sources:
        bare = source.is_handle and not source.label
        if not bare and (fault := label_fault(source.label)):
            return f"the label {source.label!r} {fault}"
    return ""


def _records(
    path: TopicPath, index: int, span: Span, definitions: Mapping[str, Definition]
) -> tuple[list[Record], list[Problem]]:
    reading = _read(_bare(span))
    missing = [cite for cite in reading.cites if cite not in definitions]
    faults = [
        _format(path, span.line, f"{_first_words(span.text)}: {words}")
        for words in ([reading.fault] if reading.fault else [])
        + [f"[^{cite}] has no definition" for cite in missing]
    ]
    lines = (span.line, span.line + reading.lines - 1)
    records = [
        Record(
            ids=ids,
            content=content,
            evidence=tuple(_evidence(path, unit, content, definitions)),
            links=links,
            path=path,
            headings=span.headings,
            lines=lines,
            span=index,
            legacy=reading.paragraph.legacy,
        )
        for unit, ids, content, links in reading.units
    ]
    return records, faults


@lru_cache(_REMEMBERED)
def _read(text: str) -> _Reading:
    """What a paragraph says, a pure function of its text."""
    paragraph = parse_paragraph(text)
    units: list[tuple[Paragraph, tuple[str, ...]]] = []
    if paragraph.claims:
        units = _legacy_units(paragraph) if paragraph.legacy else [(paragraph, paragraph.ids)]
    return _Reading(
        paragraph,
        tuple(
            (unit, tuple(map(BlockId, ids)), content := unit.content, block_links(content))
            for unit, ids in units
        ),
        _paragraph_fault(paragraph, text),
        tuple(dict.fromkeys(paragraph.cites)),
        max(len(lines_of(text)), 1),
    )


def _paragraph_fault(paragraph: Paragraph, text: str) -> str:
    if not paragraph.claims:
        return "prose without a citation (each paragraph cites its evidence: text[^e1], with a line [^e1]: …)"
    if block := swallowed_id(text):
        return f"two records in one paragraph (put a blank line after ^{block})"
    if not paragraph.content:
        return "a citation without prose before it"
    if paragraph.legacy:
        return ""
    if paragraph.rest:
        return f"text after the last citation ({paragraph.rest[:40]!r}); only ^ids may stand there"
    if len(set(paragraph.ids)) < len(paragraph.ids):
        return "a block id stands twice"
    if not paragraph.ids and any(cite.startswith(LEGACY_PREFIX) for cite in paragraph.cites):
        return "legacy mem_ citations and new ones in one paragraph without an id"
    return ""


def _legacy_units(paragraph: Paragraph) -> list[tuple[Paragraph, tuple[str, ...]]]:
    """Each run of `mem_*` citations ends a unit; the citations are its ids."""
    return [(Paragraph((claim,), (), ""), claim.cites) for claim in paragraph.claims]


def _evidence(
    path: str, unit: Paragraph, content: str, definitions: Mapping[str, Definition]
) -> Iterator[Evidence]:
    for claim in unit.claims:
        for cite in claim.cites:
            if cite in definitions:
                note = definitions[cite].note
                sources = tuple(cited(path, source) for source in note.sources)
                yield Evidence(
                    EvidenceId(cite), claim.prose.strip() or content, note.when, sources, note.fields
                )


def _repeated_ids(records: list[Record]) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for record in records:
        for block in record.ids:
            if block in seen:
                yield _format(
                    record.path,
                    record.lines[0],
                    f"the block id ^{block} stands in line {seen[block]} already",
                )
            seen.setdefault(block, record.lines[0])


def _idle_sections(path: str, parts: tuple[Span, ...], records: list[Record]) -> Iterator[Problem]:
    """Fences, comments and anchors may stand only in a section that has a record."""
    inhabited = {record.headings[:depth] for record in records for depth in range(len(record.headings) + 1)}
    for span in parts:
        if span.kind in (SpanKind.FENCE, SpanKind.HTML) and span.headings not in inhabited:
            section = " > ".join(span.headings) or "the top of the file"
            yield _format(
                path,
                span.line,
                f"{_first_words(span.text)}: a {span.kind} in a section without a record ({section})",
            )


def _first_words(text: str) -> str:
    words = " ".join(text.split())
    return repr(words if len(words) <= 48 else words[:47] + "…")


def _format(path: str, line: int, message: str) -> Problem:
    return Problem(Code.INVALID_TOPIC_FORMAT, message, path, line, f"mend line {line} of {path}")
