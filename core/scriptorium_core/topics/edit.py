"""Small edits of a topic's text: a paragraph put in, replaced or taken out, and nothing else moved.

Texts are given without the byte order mark of the file, which stays where it is.
"""

from collections.abc import Mapping, Sequence

from ..markdown.footnotes import Footnote, footnote_label, parse_footnote, render_footnote
from ..markdown.paragraphs import parse_paragraph
from ..markdown.spans import BOM, SpanKind, missing_fence
from ..names import TopicPath
from .model import Record, Topic
from .parse import parse_topic

__all__ = [
    "block_text",
    "definitions_of",
    "insert_at",
    "legacy_unit",
    "lifted_text",
    "remove_record",
    "replace_record",
    "replace_spans",
    "reread",
    "shared_notes",
    "tidy",
]


def reread(path: TopicPath, pieces: Sequence[str], mark: str = "") -> Topic:
    """The topic that the pieces of text make, after the byte order mark that the file begins with."""
    text = "".join(pieces)
    # A text that begins with the character itself would lose it to the file: the file gets a mark of its own.
    mark = BOM if text.startswith(BOM) else mark
    return parse_topic(path, (mark + text).encode())[0]


def replace_spans(topic: Topic, texts: Mapping[int, str]) -> Topic:
    """The topic with the text of some spans replaced, by index; the empty text removes a span.

    Where a removed span stood between two blank ones, one of them goes too; where it kept two
    paragraphs apart, a blank line does.
    """
    if not texts:
        return topic
    pieces: list[str] = []
    last, after_removal = SpanKind.BLANK, False
    for index, (span, old) in enumerate(zip(topic.spans, topic.texts, strict=True)):
        text = texts.get(index, old)
        if not text:
            after_removal = True
            continue
        if after_removal and span.kind is SpanKind.BLANK and last is SpanKind.BLANK:
            continue
        if after_removal and span.kind is last is SpanKind.PARAGRAPH:
            pieces.append(topic.eol)
        after_removal = False
        last = span.kind
        pieces.append(text)
    while after_removal and len(pieces) > 1 and not pieces[-1].strip():
        pieces.pop()
    return reread(topic.path, pieces, topic.mark)


def remove_record(topic: Topic, record: Record) -> Topic:
    """The topic without a record and without the definitions that only it cited."""
    texts = {record.span: _without_unit(topic, record)}
    return replace_spans(topic, {**texts, **dict.fromkeys(_own_definitions(topic, record), "")})


def replace_record(topic: Topic, record: Record, paragraph: str, notes: Sequence[Footnote]) -> Topic:
    """The topic with a record's paragraph and definitions replaced; the new ones stand right below it."""
    eol = topic.eol
    kept = {note.id: note for note in notes}
    texts: dict[int, str] = {}
    for index in _own_definitions(topic, record):
        old = parse_footnote(topic.texts[index])
        note = kept.get(old.id) if isinstance(old, Footnote) else None
        if note != old:
            texts[index] = render_footnote(note) + eol if note else ""
    new = [note for note in notes if note.id not in topic.definitions]
    texts[record.span] = block_text(paragraph, new, eol)
    return replace_spans(topic, texts)


def block_text(paragraph: str, notes: Sequence[Footnote], eol: str = "\n") -> str:
    """A paragraph and its definitions as they stand in a file, with line ends."""
    lines = [paragraph.strip()] + ([""] if notes else []) + [render_footnote(note) for note in notes]
    return eol.join([*lines, ""])


def insert_at(topic: Topic, index: int, text: str) -> Topic:
    """The topic with a block of text put before the span at `index`, blank lines around it."""
    eol = topic.eol
    before, after = list(topic.texts[:index]), list(topic.texts[index:])
    if before:
        before[-1] = _ended(before[-1], eol)
        # What follows a fence that nobody closed would be swallowed by it.
        if mark := missing_fence(topic.spans[index - 1]):
            before[-1] += mark + eol
        if before[-1].strip():
            before.append(eol)
    if after and after[0].strip():
        text += eol
    return reread(topic.path, [*before, text, *after], topic.mark)


def tidy(topic: Topic) -> Topic:
    """The topic without the headings that have no record below them."""
    idle = dict.fromkeys(_idle_headings(topic), "")
    return replace_spans(topic, idle) if idle else topic


def definitions_of(topic: Topic, record: Record) -> tuple[Footnote, ...]:
    """The definitions of a record in the order of its citations, each once."""
    ids = dict.fromkeys(group.id for group in record.evidence)
    return tuple(topic.definitions[name].note for name in ids)


def legacy_unit(topic: Topic, record: Record) -> tuple[int, int]:
    """Where a unit stands in the text of its legacy paragraph: its prose and its citations."""
    claims = parse_paragraph(topic.texts[record.span]).claims
    unit = next(claim for claim in claims if claim.cites == record.ids)
    return unit.start, unit.end


def lifted_text(topic: Topic, record: Record) -> str:
    """The text that goes with a record that leaves: its paragraph, or its unit of a legacy one.

    The last unit to leave takes the remark after it along, which would be prose without evidence.
    """
    text = topic.texts[record.span]
    if not record.legacy or len(parse_paragraph(text).claims) == 1:
        return text
    start, end = legacy_unit(topic, record)
    return text[start:end]


def _idle_headings(topic: Topic) -> list[int]:
    """The headings that no record follows before the next heading that replaces them."""
    inhabited = {record.span for record in topic.records}
    open_at: list[int] = []
    idle: list[int] = []
    for index, span in enumerate(topic.spans):
        if span.kind is SpanKind.HEADING:
            depth = len(span.headings)
            idle += open_at[depth - 1 :]
            open_at = [*open_at[: depth - 1], index]
        if index in inhabited:
            open_at = [-1] * len(open_at)
    return [index for index in idle + open_at if index >= 0]


def shared_notes(topic: Topic, record: Record) -> frozenset[str]:
    """The labels of the definitions that another record of the topic cites as well."""
    others = (other for other in topic.records if (other.span, other.ids) != (record.span, record.ids))
    theirs = {group.id for other in others for group in other.evidence}
    return frozenset(group.id for group in record.evidence if group.id in theirs)


def _own_definitions(topic: Topic, record: Record) -> list[int]:
    """The spans of the definitions that no other record of the topic cites, repeated ones too."""
    mine = {group.id for group in record.evidence} - shared_notes(topic, record)
    return [
        index
        for index, text in enumerate(topic.texts)
        if topic.spans[index].kind is SpanKind.DEFINITION and footnote_label(text) in mine
    ]


def _without_unit(topic: Topic, record: Record) -> str:
    """What stays of a paragraph when a record leaves it: nothing, or the other units of a legacy one."""
    text, gone = topic.texts[record.span], lifted_text(topic, record)
    if gone == text:
        return ""
    start, end = legacy_unit(topic, record)
    return (text[:start] + text[end:]).lstrip()


def _ended(text: str, eol: str) -> str:
    return text if text.endswith(("\n", "\r")) else text + eol
