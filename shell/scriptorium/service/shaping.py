"""Facts of a snapshot as the values that the service answers with."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from scriptorium_core.names import split_source_id
from scriptorium_core.recall.alternatives import alternatives
from scriptorium_core.recall.grounds import ground
from scriptorium_core.topics.notes import live_branches
from scriptorium_core.when import is_assumed, render_when

from .cited import Alternative, Citation, Turn

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts, SourceFact
    from scriptorium_core.topics.records import Cited, Evidence, Record

    from ..clock import Moment
    from .shown import Group, RecordLine

__all__ = [
    "BRIEF",
    "alternatives_of",
    "branches_of",
    "citation_of",
    "citations_of",
    "group_of",
    "line_of",
    "lines_of",
    "moment_text",
    "turn_of",
]

BRIEF = 1_000
"""Characters of a message that goes along with something else."""

_ZERO = datetime(1970, 1, 1)


def turn_of(source: SourceFact, limit: int | None = BRIEF) -> Turn:
    """An archived message, its text cut at `limit` characters."""
    context = source.context
    return Turn(
        source=source.id,
        place=source.place,
        speaker=source.label,
        at=source.at,
        text=source.text if limit is None else source.text[:limit],
        length=len(source.text),
        trusted=source.trusted,
        branch=context.branch if context is not None else "unknown",
        origin=context.origin if context is not None else "",
        session=f"{split_source_id(source.id)[0]}/{context.session}" if context is not None else "",
        node=context.node if context is not None else "",
        scope=context.scope if context is not None else None,
        assumed=is_assumed(source.at),
    )


def citation_of(facts: Facts, cited: Cited, limit: int | None = BRIEF) -> Citation:
    """A citation with the message behind it."""
    source = ground(facts, cited).source
    return Citation(cited.label, cited.target, turn_of(source, limit) if source is not None else None)


def citations_of(facts: Facts, record: Record) -> tuple[Citation, ...]:
    """All that a record cites, each once."""
    return tuple(citation_of(facts, cited) for cited in record.sources)


def alternatives_of(facts: Facts, record: Record) -> tuple[Alternative, ...]:
    """What stands on other live branches of a conversation and is of the same."""
    return tuple(
        Alternative(each.id, each.content, tuple(map(render_when, each.whens)), branches_of(each))
        for each in alternatives(facts, record)
    )


def branches_of(record: Record) -> tuple[str, ...]:
    """The live branches that all of a record stands on, where there are several."""
    return tuple(sorted(live_branches(record)))


def group_of(facts: Facts, group: Evidence) -> Group:
    """An evidence group with its messages in full."""
    from .shown import Group

    citations = tuple(citation_of(facts, cited, None) for cited in group.sources)
    return Group(group.id, group.quote, render_when(group.when), citations, group.fields)


def line_of(record: Record) -> RecordLine:
    """A record in a list."""
    from .shown import RecordLine

    dates = tuple(map(render_when, record.whens))
    return RecordLine(record.id, record.content, record.path, record.lines[0], record.headings, dates)


def lines_of(facts: Facts, blocks: Iterable[str]) -> tuple[RecordLine, ...]:
    """The records of these ids that there are, each once."""
    known = (facts.records.get(block) for block in blocks)
    records = {found.record.id: found.record for found in known if found is not None}
    return tuple(map(line_of, records.values()))


def moment_text(point: Moment) -> str:
    """A point in time in its own zone, ISO 8601; the number of seconds where no calendar reaches."""
    try:
        zone = timezone(timedelta(minutes=point.offset))
        local = _ZERO + timedelta(seconds=point.seconds, minutes=point.offset)
        return local.replace(tzinfo=zone).isoformat()
    except (OverflowError, ValueError):
        return str(point.seconds)
