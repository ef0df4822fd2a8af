"""The one gate on every way out: how far a record may be relied on, and whether it may go along at all.

Whoever delivers a record, as a hit, in a context, in the core, as an answer or in full, asks here, at the
moment of delivery, so that all say the same of one record at one time.

| decision | people who look it up | a context, the core |
|---|---|---|
| reuse | shown | goes along |
| revalidate | shown, marked | goes along, marked; stale under the policy `revalidate`: left out |
| reject | shown, marked | left out |
"""

from datetime import date
from typing import TYPE_CHECKING

from ..facts.model import Facts, SourceFact
from ..recall.grounds import ground
from ..topics.records import Record
from ..topics.standing import CONFIDENCE, Reuse, State, current_evidence, noted_at, read_noted
from .assess import LEAST, Assessment, Decision, Doubt, assess
from .standing import Standing, standing_of

if TYPE_CHECKING:
    from .offer import Reason

__all__ = ["assessed", "assessed_alone", "barred", "doubts", "marks", "standing_in"]


def assessed(
    facts: Facts, record: Record, now: date, current_required: bool = False, least: float = LEAST
) -> Assessment:
    """Whether a record may be relied on, as its evidence stands in the facts, on the day `now`."""
    return assess(standing_in(facts, record), now, current_required, least)


def assessed_alone(record: Record, now: date) -> Assessment:
    """The same by what stands in a text alone, whose records rest on what trusted people said."""
    standing, place = standing_of(record), noted_at(record)
    if place is None or read_noted(place.fields)[0].state is None:
        standing = standing._replace(state=State.SUPPORTED, confidence=CONFIDENCE[State.SUPPORTED])
    return assess(standing, now)


def standing_in(facts: Facts, record: Record) -> Standing:
    """The standing of a record, by the archived messages behind the evidence that still holds."""
    return standing_of(record, _behind(facts, record))


def barred(found: Assessment) -> "Reason | None":
    """Why a record may not go along as a context, not even marked; None if it may."""
    from .offer import Reason

    if Doubt.NEVER_DIRECT in found.reasons:
        return Reason.NOT_PERMITTED
    if found.decision is Decision.REJECT:
        return Reason.DISPUTED
    return Reason.STALE if Doubt.STALE in found.reasons and found.policy is Reuse.REVALIDATE else None


def marks(found: Assessment) -> tuple[str, ...]:
    """What is said beside a record: state and confidence, last check, and the decision with its reasons.

    What may be reused says nothing of the decision; what is old and may be reused all the same is `stale`.
    """
    checked = (f"checked {found.checked}",) if found.checked is not None else ()
    doubts = (f"{found.decision}: {', '.join(found.reasons)}",) if found.reasons else ()
    unsaid = found.decision is not Decision.REJECT and Doubt.STALE not in found.reasons
    aged = ("stale",) if found.stale and unsaid else ()
    return (f"{found.state} {found.confidence:g}", *checked, *doubts, *aged)


def doubts(record: Record, found: Assessment) -> str:
    """What stands below a record in a text that is given as it is; empty where it may be reused."""
    return "; ".join((f"^{record.id}", *marks(found))) if found.is_doubted else ""


def _behind(facts: Facts, record: Record) -> tuple[SourceFact, ...]:
    found = (ground(facts, cited).source for group in current_evidence(record) for cited in group.sources)
    return tuple(source for source in found if source is not None)
