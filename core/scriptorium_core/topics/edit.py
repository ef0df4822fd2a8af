"""Small edits of a topic's text: a paragraph put in, replaced or taken out, and nothing else moved."""

from collections.abc import Sequence

from ..markdown.footnotes import Footnote, render_footnote
from ..markdown.links import resolve
from ..markdown.spans import BOM, Span, SpanKind
from ..names import TopicPath
from .model import Definition, Record, Topic
from .parse import parse_topic

__all__ = [
    "block_text",
    "definitions_of",
    "file_of",
    "insert_at",
    "legacy_unit",
    "remove_record",
    "replace_record",
    "replace_spans",
    "reread",
    "section_end",
    "section_start",
    "tidy",
    "with_headings",
]


def reread(path: TopicPath, pieces: Sequence[str]) -> Topic:
    """The topic that the pieces of text make."""
    return parse_topic(path, "".join(pieces).encode())[0]


def replace_spans(topic: Topic, texts: dict[int, str]) -> Topic:
    """The topic with the text of some spans replaced, by index; the empty text removes a span.

    Where a removed span stood between two blank ones, one of them goes too.
    """
    if not texts:
        return topic
    pieces: list[str] = []
    after_removal = False
    for index, span in enumerate(topic.spans):
        text = texts.get(index, span.text)
        if not text:
            after_removal = True
            continue
        if after_removal and span.kind is SpanKind.BLANK and (not pieces or not pieces[-1].strip()):
            continue
        after_removal = after_removal and not text.strip()
        pieces.append(text)
    if after_removal:
        while len(pieces) > 1 and not pieces[-1].strip():
            pieces.pop()
    return reread(topic.path, pieces)


def remove_record(topic: Topic, record: Record) -> Topic:
    """The topic without a record and without the definitions that only it cited."""
    texts = {record.span: _without_unit(topic, record)}
    return replace_spans(topic, {**texts, **dict.fromkeys(_own_definitions(topic, record), "")})


def replace_record(topic: Topic, record: Record, paragraph: str, notes: Sequence[Footnote]) -> Topic:
    """The topic with a record's paragraph and definitions replaced; the new ones stand right below it."""
    eol = topic.eol
    kept = {note.id for note in notes}
    gone = [index for index in _own_definitions(topic, record) if _label(topic, index) not in kept]
    in_place = {definition.span: note for note in notes if (definition := topic.definitions.get(note.id))}
    texts = dict.fromkeys(gone, "")
    texts |= {index: render_footnote(note) + eol for index, note in in_place.items()}
    new = [note for note in notes if note.id not in topic.definitions]
    texts[record.span] = block_text(paragraph, new, eol)
    return replace_spans(topic, texts)


def block_text(paragraph: str, notes: Sequence[Footnote], eol: str = "\n") -> str:
    """A paragraph and its definitions as they stand in a file, with line ends."""
    lines = [paragraph.strip()] + ([""] if notes else []) + [render_footnote(note) for note in notes]
    return eol.join([*lines, ""])


def insert_at(topic: Topic, index: int, text: str) -> Topic:
    """The topic with a block of text put before the span at `index`, blank lines around it."""
    pieces = [span.text for span in topic.spans]
    eol = topic.eol
    if index == 0 and pieces and pieces[0].startswith(BOM):
        pieces[0], text = pieces[0].removeprefix(BOM), BOM + text
    before, after = pieces[:index], pieces[index:]
    if before and before[-1].strip():
        before[-1] = _ended(before[-1], eol)
        before.append(eol)
    if after and after[0].strip():
        text += eol
    return reread(topic.path, [*before, text, *after])


def section_start(topic: Topic, headings: tuple[str, ...]) -> int:
    """The index of the first span below the last heading of the chain, blank lines passed; -1 without one."""
    if not headings:
        return 0
    for index, span in enumerate(topic.spans):
        if span.kind is SpanKind.HEADING and span.headings == headings:
            return _past_blanks(topic.spans, index + 1)
    return -1


def section_end(topic: Topic, headings: tuple[str, ...]) -> int:
    """The index after the last span that stands directly in the section; -1 without such a section."""
    last = 0 if not headings else -1
    for index, span in enumerate(topic.spans):
        if span.headings == headings and span.kind is not SpanKind.BLANK:
            last = index + 1
    return last


def with_headings(topic: Topic, headings: tuple[str, ...]) -> Topic:
    """The topic with the chain of headings made where it was missing, below what there is of it."""
    if section_end(topic, headings) >= 0:
        return topic
    eol = topic.eol
    depth = next(d for d in range(len(headings) - 1, -1, -1) if _subtree_end(topic, headings[:d]) >= 0)
    index = _subtree_end(topic, headings[:depth])
    lines = [f"{'#' * (level + 1)} {headings[level]}" for level in range(depth, len(headings))]
    return insert_at(topic, index, (eol + eol).join(lines) + eol)


def tidy(topic: Topic) -> Topic:
    """The topic without the headings that have no record below them."""
    inhabited = {
        record.headings[:depth] for record in topic.records for depth in range(len(record.headings) + 1)
    }
    idle = [
        index
        for index, span in enumerate(topic.spans)
        if span.kind is SpanKind.HEADING and span.headings not in inhabited
    ]
    return replace_spans(topic, dict.fromkeys(idle, "")) if idle else topic


def definitions_of(topic: Topic, record: Record) -> tuple[Footnote, ...]:
    """The definitions of a record in the order of its citations, each once."""
    ids = dict.fromkeys(group.id for group in record.evidence)
    return tuple(topic.definitions[name].note for name in ids)


def file_of(path: str, target: str) -> str | None:
    """The file that a link target in the file `path` means; the target's file name is taken literally."""
    return resolve(path, target.partition("#")[0])


def _own_definitions(topic: Topic, record: Record) -> list[int]:
    """The spans of the definitions that no other record of the topic cites."""
    others = {
        group.id
        for other in topic.records
        if other.ids != record.ids or other.span != record.span
        for group in other.evidence
    }
    mine = dict.fromkeys(group.id for group in record.evidence if group.id not in others)
    return [topic.definitions[name].span for name in mine]


def _label(topic: Topic, index: int) -> str:
    found: dict[int, Definition] = {d.span: d for d in topic.definitions.values()}
    return found[index].note.id


def _without_unit(topic: Topic, record: Record) -> str:
    """What stays of a paragraph when a record leaves it: nothing, or the other units of a legacy one."""
    if not record.legacy:
        return ""
    text = topic.spans[record.span].text
    unit = legacy_unit(text, record)
    rest = text.replace(unit, "", 1)
    return rest if rest.strip() else ""


def legacy_unit(text: str, record: Record) -> str:
    """The part of a legacy paragraph that is the unit `record`: its prose and its citations."""
    cites = "".join(f"[^{block}]" for block in record.ids)
    end = text.index(cites) + len(cites)
    start = text.rindex(record.content, 0, end) if record.content else end - len(cites)
    return text[start:end]


def _past_blanks(parts: tuple[Span, ...], index: int) -> int:
    while index < len(parts) and parts[index].kind is SpanKind.BLANK:
        index += 1
    return index


def _subtree_end(topic: Topic, headings: tuple[str, ...]) -> int:
    """The index after the last span in the section or below it; the end of the file for no headings."""
    if not headings:
        return len(topic.spans)
    depth = len(headings)
    found = -1
    for index, span in enumerate(topic.spans):
        if span.headings[:depth] == headings and span.kind is not SpanKind.BLANK:
            found = index + 1
    return found


def _ended(text: str, eol: str) -> str:
    return text if text.endswith(("\n", "\r")) else text + eol
