"""Reading a topic: every paragraph a record, everything else named as a problem."""

from collections.abc import Iterator, Mapping

from ..markdown.footnotes import Footnote, footnote_label, label_fault, parse_footnote
from ..markdown.links import links_in
from ..markdown.paragraphs import LEGACY_PREFIX, Paragraph, parse_paragraph, swallowed_id
from ..markdown.spans import BOM, Span, SpanKind, lines_of, spans
from ..names import BlockId, EvidenceId, TopicPath
from ..problem import Code, Problem
from .model import Definition, Evidence, Record, Topic, cited

__all__ = ["block_links", "parse_topic"]


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
        note = parse_footnote(_bare(span))
        fault = note if isinstance(note, str) else _note_fault(note, found)
        if fault:
            label = footnote_label(_bare(span))
            faults.append(_format(path, span.line, f"the definition [^{label}] is refused: {fault}"))
        if isinstance(note, Footnote) and not fault:
            found.setdefault(note.id, Definition(note, index))
    return found, faults


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
    paragraph = parse_paragraph(_bare(span))
    fault = _paragraph_fault(paragraph, span.text)
    missing = [cite for cite in dict.fromkeys(paragraph.cites) if cite not in definitions]
    faults = [
        _format(path, span.line, f"{_first_words(span.text)}: {words}")
        for words in ([fault] if fault else []) + [f"[^{cite}] has no definition" for cite in missing]
    ]
    if not paragraph.claims:
        return [], faults
    units = _legacy_units(paragraph) if paragraph.legacy else [(paragraph, tuple(paragraph.ids))]
    records = [_record(path, index, span, unit, ids, definitions, paragraph.legacy) for unit, ids in units]
    return records, faults


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


def _record(
    path: TopicPath,
    index: int,
    span: Span,
    paragraph: Paragraph,
    ids: tuple[str, ...],
    definitions: Mapping[str, Definition],
    legacy: bool,
) -> Record:
    content = paragraph.content
    last = span.line + max(len(lines_of(span.text)) - 1, 0)
    return Record(
        ids=tuple(BlockId(block) for block in ids),
        content=content,
        evidence=tuple(_evidence(path, paragraph, definitions)),
        links=block_links(content),
        path=path,
        headings=span.headings,
        lines=(span.line, last),
        span=index,
        legacy=legacy,
    )


def _evidence(path: str, paragraph: Paragraph, definitions: Mapping[str, Definition]) -> Iterator[Evidence]:
    for claim in paragraph.claims:
        for cite in claim.cites:
            if cite in definitions:
                note = definitions[cite].note
                sources = tuple(cited(path, source) for source in note.sources)
                quote = claim.prose.strip() or paragraph.content
                yield Evidence(EvidenceId(cite), quote, note.when, sources, note.fields)


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
