"""A topic without some records and citations, and nothing else of it touched.

A claim whose citations all go loses its words too: the next citation would otherwise carry them.
"""

from collections.abc import Collection, Iterator, Mapping

from attrs import evolve, frozen

from ..markdown.footnotes import Footnote, footnote_label, parse_footnote, render_footnote
from ..markdown.links import links_in
from ..markdown.paragraphs import Claim, parse_paragraph
from ..markdown.spans import SpanKind, line_ending
from ..names import BlockId
from ..topics.edit import remove_record, replace_spans, tidy
from ..topics.model import Record, Topic, place_of
from .model import Targets

__all__ = ["Lessened", "lessened", "unlinked"]


@frozen
class Lessened:
    """A topic (None: nothing of it is left), the words that went, and the ids that went unnamed."""

    topic: Topic | None
    texts: tuple[str, ...]
    along: frozenset[BlockId]


def lessened(topic: Topic, targets: Targets) -> Lessened:
    """The topic without the targets; links to them, and to what goes with them, become plain text."""
    texts: list[str] = []
    before, untouched = frozenset(topic.ids), topic
    while (going := _going(topic, targets)) is not None:
        texts += _words(going)
        topic = remove_record(topic, going)
    topic, lost = _uncited(topic, targets)
    texts += lost
    # In the older form of a record the citations are its ids: one may lose some of them and stay.
    gone = before.difference(topic.ids)
    topic = _unlinked(topic, targets.nowhere | gone)
    topic = tidy(topic) if topic is not untouched else topic
    return Lessened(topic if topic.records or not texts else None, tuple(texts), gone - targets.ids)


def unlinked(text: str, ids: Collection[str]) -> str:
    """The text with each link to one of `ids` reduced to its label."""
    pieces: list[str] = []
    done = 0
    for link in links_in(text):
        if link.block in ids and link.block:
            label = link.start - len("](") - len(link.label)
            pieces += [text[done : label - len("[")], link.label]
            done = link.end + len(")")
    return "".join([*pieces, text[done:]])


def _going(topic: Topic, targets: Targets) -> Record | None:
    """The first record that goes: it is named, or nothing that it cites stays."""
    dead = frozenset(_dead(topic, targets))
    for record in topic.records:
        cites = {group.id for group in record.evidence}
        if not targets.ids.isdisjoint(record.ids) or (cites and cites <= dead):
            return record
    return None


def _uncited(topic: Topic, targets: Targets) -> tuple[Topic, list[str]]:
    """The topic without the sources that go and the claims that rest on nothing else, and their words."""
    texts: list[str] = []
    dead, changes = frozenset(_dead(topic, targets)), dict[int, str]()
    for index, (span, text) in enumerate(zip(topic.spans, topic.texts, strict=True)):
        if span.kind is SpanKind.DEFINITION:
            changes[index] = _definition(topic, text, targets)
        elif span.kind is SpanKind.PARAGRAPH:
            changes[index], lost = _claims(text, dead)
            texts += lost
    return _changed(topic, changes), texts


def _unlinked(topic: Topic, ids: Collection[str]) -> Topic:
    """The topic with each link to one of `ids` reduced to its label."""
    if not ids:
        return topic
    spans = enumerate(zip(topic.spans, topic.texts, strict=True))
    paragraphs = ((index, text) for index, (span, text) in spans if span.kind is SpanKind.PARAGRAPH)
    return _changed(topic, {index: unlinked(text, ids) for index, text in paragraphs})


def _changed(topic: Topic, texts: Mapping[int, str]) -> Topic:
    return replace_spans(topic, {at: text for at, text in texts.items() if text != topic.texts[at]})


def _words(record: Record) -> Iterator[str]:
    yield record.content
    yield unlinked(record.content, record.links)
    yield from (group.quote for group in record.evidence)


def _dead(topic: Topic, targets: Targets) -> Iterator[str]:
    """The labels of the definitions that are left without a source."""
    for label, definition in topic.definitions.items():
        if not _kept(topic, definition.note, targets).sources:
            yield label


def _kept(topic: Topic, note: Footnote, targets: Targets) -> Footnote:
    sources = tuple(
        source
        for source in note.sources
        if place_of(topic.path, source) not in targets.places and source.target not in targets.sources
    )
    return evolve(note, sources=sources)


def _definition(topic: Topic, text: str, targets: Targets) -> str:
    """The line of a definition with the sources that stay; empty if none does."""
    note = parse_footnote(text.rstrip("\r\n"))
    if not isinstance(note, Footnote):
        return "" if footnote_label(text) and targets.names(text.encode()) else text
    kept = _kept(topic, note, targets)
    if kept == note:
        return text
    return render_footnote(kept) + line_ending(text, "") if kept.sources else ""


def _claims(text: str, dead: frozenset[str]) -> tuple[str, list[str]]:
    """A paragraph without its dead citations, and the words that went with them."""
    claims = parse_paragraph(text).claims
    if not any(cite in dead for claim in claims for cite in claim.cites):
        return text, []
    kept = "".join(_claim(text, claim, dead) for claim in claims)
    lost = [claim.prose.strip() for claim in claims if dead.issuperset(claim.cites)]
    return kept.lstrip() + text[claims[-1].end :], lost


def _claim(text: str, claim: Claim, dead: frozenset[str]) -> str:
    left = [cite for cite in claim.cites if cite not in dead]
    if len(left) == len(claim.cites):
        return text[claim.start : claim.end]
    return claim.prose + "".join(f"[^{cite}]" for cite in left) if left else ""
