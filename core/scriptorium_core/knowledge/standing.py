"""How far a record may be relied on: what its evidence says, else a default by where it comes from.

| where it comes from | state | confidence |
|---|---|---|
| the owner's own words, saved on purpose | as saving writes it: verified | 0.95 |
| a conversation in which a person spoke | supported | 0.75 |
| what a model, a program or a tool said, and nobody else | unverified | 0.5 |
| nothing that is archived | unverified | 0.5 |

All are stable and reused unless stale. The age counts from the last positive check, without one from the
newest evidence that still holds, and where that has no date from the message behind it.
"""

from collections.abc import Iterable
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from ..facts.model import SourceFact
from ..sources.kinds import Origin
from ..topics.records import Evidence, Record
from ..topics.standing import (
    CONFIDENCE,
    Freshness,
    Noted,
    Reuse,
    State,
    current_evidence,
    noted_at,
    read_noted,
)
from ..when import When, day_of, last_day

__all__ = ["AGES", "Standing", "days_since", "is_stale", "standing_of"]

AGES = MappingProxyType({Freshness.STABLE: 365, Freshness.DYNAMIC: 30, Freshness.VOLATILE: 1})
"""For how many days what is of a class is fresh, unless it says otherwise; what is immutable is for ever."""


class Standing(NamedTuple):
    """A state, a confidence (0 to 1), and for how many days of its class it is fresh.

    `days` is None where it never grows stale. `checked` is the last positive check, `evident` the day of
    the evidence; they are None where there is none, or nobody knows.
    """

    state: State
    confidence: float
    fresh: Freshness = Freshness.STABLE
    days: int | None = 365
    reuse: Reuse = Reuse.UNLESS_STALE
    checked: When | None = None
    evident: When | None = None

    @property
    def since(self) -> When | None:
        """From when on its age counts."""
        return self.checked or self.evident


def standing_of(record: Record, sources: Iterable[SourceFact] = ()) -> Standing:
    """The standing of a record; `sources` are the archived messages behind its evidence that still holds."""
    said = tuple(sources)
    place = noted_at(record)
    noted = read_noted(place.fields)[0] if place is not None else Noted()
    state = noted.state or (State.SUPPORTED if any(map(_by_a_person, said)) else State.UNVERIFIED)
    fresh = noted.fresh or Freshness.STABLE
    return Standing(
        state,
        CONFIDENCE[state] if noted.confidence is None else noted.confidence,
        fresh,
        None if fresh is Freshness.IMMUTABLE else AGES[fresh] if noted.days is None else noted.days,
        noted.reuse or Reuse.UNLESS_STALE,
        noted.checked,
        _evident(current_evidence(record), said),
    )


def days_since(when: When | None, today: date) -> int:
    """Days since the last day that a date can mean, 0 where it is not past or nobody knows."""
    if when is None or not when.year:
        return 0
    month = when.month or 12
    return max((today - date(when.year, month, when.day or last_day(when.year, month))).days, 0)


def is_stale(standing: Standing, today: date) -> bool:
    """Whether the last check, else the evidence, is longer ago than the record stays fresh."""
    return standing.days is not None and days_since(standing.since, today) > standing.days


def _by_a_person(source: SourceFact) -> bool:
    """Whether a trusted person said it; archives that do not know who spoke are those of conversations."""
    return source.trusted and (source.context is None or source.context.origin is Origin.HUMAN)


def _evident(groups: Iterable[Evidence], said: Iterable[SourceFact]) -> When | None:
    dates = [group.when for group in groups if group.when is not None]
    dates = dates or [day for source in said if (day := day_of(source.at)) is not None]
    return max(dates, default=None)
