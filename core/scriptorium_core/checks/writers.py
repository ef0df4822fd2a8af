"""The laws that bind writers and organizers beside those for everyone: what contradicts and what repeats.

A pass may cite certain sources alone (`Case.citable`); a person or a program of theirs is not so bound, and
may put right whatever they like. An organizing pass is shown records (`Case.shown`) and hears nothing new.
"""

import re
from collections.abc import Iterator

from ..markdown.links import without_paths
from ..names import BlockId, TopicPath, path_key, spelling
from ..problem import Code, Problem
from ..sameness import akin
from ..sources.frame import Origin
from ..terms import same_text
from ..topics.records import Evidence, Record
from ..when import When
from .case import Case, substance

__all__ = [
    "closed_by_its_own_kind",
    "deletions_answered",
    "no_second_spelling",
    "organizing_adds_nothing",
    "repetition_adds_nothing",
]

UNTIL = "Until"
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")


def closed_by_its_own_kind(case: Case) -> Iterator[Problem]:
    """What a writer closes is followed by a newer value of the same, never by something else."""
    if case.citable is None:
        return
    before = _before(case)
    for record in _after(case):
        old = next((before[block] for block in record.ids if block in before), None)
        if old is None or _closed(record) <= _closed(old) or akin(record.content, old.content, old.headings):
            continue
        message = f"^{record.id} ({_words(old)}) would be closed by something else ({_words(record)})"
        remedy = "supersede it with a newer value of the same, and make a new record of what is new"
        yield _problem(Code.INVALID_ARGUMENT, record, message, remedy)


def deletions_answered(case: Case) -> Iterator[Problem]:
    """Where a writer takes a record out, something that it wrote speaks of the same: nothing ends empty."""
    if case.citable is None or case.shown is not None:
        return
    left = {block for record in _after(case) for block in record.ids}
    written = tuple(_changed(case))
    gone = {old.id: old for block, old in _before(case).items() if block in case.deleted - left}
    for old in gone.values():
        if old.id not in left and not any(akin(new.content, old.content, old.headings) for new in written):
            message = f"the record ^{old.id} ({_words(old)}) would go, and nothing is said in its place"
            remedy = "update it with supersede: true to what is so now, or leave it"
            yield _problem(Code.BLOCK_LOST, old, message, remedy)


def no_second_spelling(case: Case) -> Iterator[Problem]:
    """A writer's new topic is no other spelling of one: `coffee-brewing` is `Coffee Brewing`."""
    if case.citable is None:
        return
    first: dict[str, TopicPath] = {}
    for path in case.after:
        if path in case.before:
            continue
        known = case.facts.spellings.get(spelling(path), ())
        others = (other for other in known if other in case.after or not case.touches(other))
        other = next(others, first.setdefault(spelling(path), path))
        # Names that differ only in case are refused for everyone.
        if path_key(other) != path_key(path):
            message = f"it is another spelling of {other}"
            yield Problem(Code.INVALID_TOPIC_FORMAT, message, path, remedy=f"write to {other}")


def repetition_adds_nothing(case: Case) -> Iterator[Problem]:
    """That others than people say a thing again is no new evidence for it."""
    if case.citable is None or case.shown is not None:
        return
    before = _before(case)
    for record in _after(case):
        old = next((before[block] for block in record.ids if block in before), None)
        if old is None or same_text(old.content) != same_text(record.content):
            continue
        held = {source.place for source in old.sources}
        new = [source for source in record.sources if source.place not in held]
        if new and not any(_is_human(case, source.place) for source in new):
            message = f"no person says again what ^{record.id} says ({_words(record)})"
            remedy = "leave the record as it is; only what people say is further evidence"
            yield _problem(Code.NOT_PERMITTED, record, message, remedy)


def organizing_adds_nothing(case: Case) -> Iterator[Problem]:
    """Organizing hears nothing new: no source that nothing cites, no date and no number out of nowhere."""
    if case.shown is None:
        return
    for place, source in case.archived.items():
        message = f"organizing archives nothing, and {source.id} would be"
        remedy = "cite what the topics cite already"
        yield Problem(Code.NOT_PERMITTED, message, place.partition("#")[0], remedy=remedy)
    old = tuple({record.id: record for record in _before(case).values()}.values())
    cited = {source.place for record in old for source in record.sources}
    for record in _changed(case):
        places = {source.place for source in record.sources}
        if stranger := sorted(places - cited - case.facts.citing.keys()):
            message = f"organizing would cite what no record has cited ({stranger[0]})"
            yield _problem(Code.NOT_PERMITTED, record, message, "cite what the topics cite already")
            continue
        yield from _invented(case, record, _grounds(case, old, places))


def _invented(case: Case, record: Record, grounds: list[Record]) -> Iterator[Problem]:
    """The dates and numbers of a record that nothing gives which it rests on."""
    for group in record.evidence:
        if group.when is not None and group.when not in _dates(grounds, group):
            message = f"^{record.id} would be dated {group.when}, which nothing that it cites is"
            yield _problem(Code.NOT_PERMITTED, record, message, "keep the dates of the evidence")
    sources = (case.source(source.place) for source in record.sources)
    texts = [source.text for source in sources if source is not None]
    texts += [text for known in grounds for text in (known.content, *known.headings)]
    known = {number for text in texts for number in _numbers(text)}
    # A link follows the topic that it leads to, whose name may hold the month in which it was cut.
    said = _numbers(without_paths(record.content))
    if invented := [number for number in said if number not in known]:
        message = f"{invented[0]!r} in ^{record.id} ({_words(record)}) stands in nothing that it rests on"
        yield _problem(Code.NOT_PERMITTED, record, message, "keep to what the records and sources say")


def _grounds(case: Case, old: tuple[Record, ...], places: set[str]) -> list[Record]:
    """The records that rest on any of these messages: of the touched topics and of all others."""
    citing = {block for place in places for block in case.facts.citing.get(place, ())}
    others = (
        found.record for block in sorted(citing) if (found := case.facts.records.get(block)) is not None
    )
    touched = (each for each in old if not places.isdisjoint(s.place for s in each.sources))
    return [*touched, *others]


def _dates(grounds: list[Record], group: Evidence) -> frozenset[When]:
    places = {source.place for source in group.sources}
    groups = (each for known in grounds for each in known.evidence if each.when is not None)
    return frozenset(
        each.when
        for each in groups
        if each.when is not None and not places.isdisjoint(s.place for s in each.sources)
    )


def _numbers(text: str) -> list[str]:
    return _NUMBER.findall(text)


def _before(case: Case) -> dict[BlockId, Record]:
    return {
        block: record for topic in case.before.values() for record in topic.records for block in record.ids
    }


def _after(case: Case) -> Iterator[Record]:
    return (record for topic in case.after.values() for record in topic.records)


def _changed(case: Case) -> Iterator[Record]:
    """The records that are new, or say or rest on something else than they did."""
    before = _before(case)
    for record in _after(case):
        olds = [before[block] for block in record.ids if block in before]
        if not any(substance(old) == substance(record) for old in olds):
            yield record


def _closed(record: Record) -> int:
    return sum(name == UNTIL for group in record.evidence for name, _ in group.fields)


def _is_human(case: Case, place: str) -> bool:
    """Whether a person said it; of older archives, whoever is not called the assistant."""
    source = case.source(place)
    if source is None or source.context is None:
        return source is None or source.label != "assistant"
    return source.context.origin is Origin.HUMAN


def _words(record: Record) -> str:
    return " ".join(record.content.split())[:48]


def _problem(code: Code, record: Record, message: str, remedy: str) -> Problem:
    return Problem(code, message, record.path, record.lines[0], remedy)
