"""Whether a record may be used again at a given time, and why: computed at every reading, never stored.

In this order:

1. disputed or retracted: reject;
2. never given as an answer by itself: reject;
3. each of these that holds is a reason: below supported, less confidence than is asked for, stale (but
   for what is reused always), current data requested (the last two never for what is immutable);
   with any reason revalidate, with none reuse.

Laws: time passing never turns stale into fresh; a higher threshold never adds a reuse.
"""

from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from ..topics.standing import LEAST, Freshness, Reuse, State
from ..when import When
from .standing import Standing, is_stale

__all__ = ["LEAST", "Assessment", "Decision", "Doubt", "assess"]

_FOUNDED = (State.SUPPORTED, State.VERIFIED)


class Decision(StrEnum):
    """What may be done with a record: use it, use it only after a check, or not use it as an answer."""

    REUSE = "reuse"
    REVALIDATE = "revalidate"
    REJECT = "reject"


class Doubt(StrEnum):
    """A reason against using a record as it is."""

    DISPUTED = "disputed"
    RETRACTED = "retracted"
    NEVER_DIRECT = "never-direct"
    VALIDATION_INSUFFICIENT = "validation-insufficient"
    CONFIDENCE_BELOW_THRESHOLD = "confidence-below-threshold"
    STALE = "stale"
    CURRENT_DATA_REQUESTED = "current-data-requested"


class Assessment(NamedTuple):
    """Whether a record may be relied on, and the standing that says so.

    `reasons` are empty where it is reused. `stale` is a fact about its age, also where that is no reason.
    `days` is the age up to which it is fresh (None: for ever), `checked` its last positive check (None: it
    was never checked), `evident` the day of its evidence.
    """

    decision: Decision
    reasons: tuple[Doubt, ...]
    state: State
    confidence: float
    fresh: Freshness
    days: int | None
    checked: When | None
    evident: When | None
    policy: Reuse
    stale: bool

    @property
    def is_doubted(self) -> bool:
        """Whether something stands against it that is said wherever the record is given."""
        return bool(self.reasons) or self.stale


def assess(standing: Standing, now: date, current_required: bool = False, least: float = LEAST) -> Assessment:
    """Assess a standing on the day `now`; `least` is the confidence from which on it is reused."""
    reasons = tuple(_reasons(standing, now, current_required, least))
    refused = not {Doubt.DISPUTED, Doubt.RETRACTED, Doubt.NEVER_DIRECT}.isdisjoint(reasons)
    return Assessment(
        Decision.REJECT if refused else Decision.REVALIDATE if reasons else Decision.REUSE,
        reasons,
        standing.state,
        standing.confidence,
        standing.fresh,
        standing.days,
        standing.checked,
        standing.evident,
        standing.reuse,
        is_stale(standing, now),
    )


def _reasons(standing: Standing, now: date, current_required: bool, least: float) -> Iterator[Doubt]:
    if standing.state in (State.DISPUTED, State.RETRACTED):
        yield Doubt(standing.state.value)
        return
    if standing.reuse is Reuse.NEVER_DIRECT:
        yield Doubt.NEVER_DIRECT
        return
    if standing.state not in _FOUNDED:
        yield Doubt.VALIDATION_INSUFFICIENT
    if standing.confidence < least:
        yield Doubt.CONFIDENCE_BELOW_THRESHOLD
    if is_stale(standing, now) and standing.reuse is not Reuse.ALWAYS:
        yield Doubt.STALE
    if current_required and standing.fresh is not Freshness.IMMUTABLE:
        yield Doubt.CURRENT_DATA_REQUESTED
