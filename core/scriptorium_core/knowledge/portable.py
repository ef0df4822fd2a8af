"""A record as other programs read it: plain data, with what it rests on in the words that were said.

    {"id": …, "aliases": […], "content": …, "topic": …, "headings": […], "dates": […], "links": […],
     "branch": …, "scopes": […], "standing": {…}, "assessed": "2026-05-01", "assessment": {…},
     "evidence": [{"quote": …, "date": …, "fields": [[name, value]], "sources": [{…}]}]}

A source is `{"label", "source", "speaker", "at", "text"}`: how the record names it, the id of the message,
and what was said; of a message that may not be read only the first two are there, the others are null.
"""

from collections.abc import Mapping
from datetime import date

from ..facts.model import Facts
from ..facts.scopes import scopes_of
from ..recall.grounds import branch_of, ground, grounds, trust_of
from ..sources.kinds import Trust
from ..topics.records import Cited, Evidence, Record
from ..when import When, render_when
from .assess import assess
from .gate import standing_in

__all__ = ["is_portable", "portable"]


def is_portable(facts: Facts, record: Record) -> bool:
    """Whether a record may leave: all that it rests on is there, trusted, and not forgotten."""
    return trust_of(facts, record, grounds(facts, record)) is Trust.TRUSTED


def portable(facts: Facts, record: Record, now: date) -> Mapping[str, object]:
    """The record as plain data, assessed on the day `now`."""
    standing = standing_in(facts, record)
    found = assess(standing, now)
    said = (each.source for each in grounds(facts, record))
    return {
        "id": record.id,
        "aliases": [*record.aliases],
        "content": record.content,
        "topic": record.path,
        "headings": [*record.headings],
        "dates": [*map(render_when, record.whens)],
        "links": [link for link in record.links if link in facts.records],
        "branch": branch_of(facts, record),
        "scopes": [*scopes_of(source for source in said if source is not None)],
        "standing": {
            "state": standing.state,
            "confidence": standing.confidence,
            "fresh": standing.fresh,
            "days": standing.days,
            "reuse": standing.reuse,
            "checked": _when(standing.checked),
            "evident": _when(standing.evident),
        },
        "assessed": now.isoformat(),
        "assessment": {"decision": found.decision, "reasons": [*found.reasons], "stale": found.stale},
        "evidence": [_group(facts, group) for group in record.evidence],
    }


def _group(facts: Facts, group: Evidence) -> Mapping[str, object]:
    return {
        "quote": group.quote,
        "date": _when(group.when),
        "fields": [[name, value] for name, value in group.fields],
        "sources": [_source(facts, cited) for cited in group.sources],
    }


def _source(facts: Facts, cited: Cited) -> Mapping[str, object]:
    source = ground(facts, cited).source
    told = source if source is not None and not source.withheld else None
    return {
        "label": cited.label,
        "source": source.id if source is not None else None,
        "speaker": told.label if told is not None else None,
        "at": told.at if told is not None else None,
        "text": told.text if told is not None else None,
    }


def _when(when: When | None) -> str | None:
    return None if when is None else render_when(when)
