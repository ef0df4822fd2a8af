"""What a record rests on: the messages behind its citations, and so its trust and its branch."""

from collections.abc import Iterable
from typing import NamedTuple

from ..facts.model import Facts, SourceFact
from ..sources.kinds import Branch, Trust
from ..topics.records import Cited, Evidence, Record

__all__ = ["Ground", "branch_of", "ground", "grounds", "trust_of", "voice_of"]

_CLOSED = "Until"


class Ground(NamedTuple):
    """A citation and the message it leads to, None where nothing is archived there, or it was forgotten."""

    cited: Cited
    source: SourceFact | None


def ground(facts: Facts, cited: Cited) -> Ground:
    """The message behind a citation: by its place, or by the source id of a plain handle."""
    named = facts.places.get(cited.place) if cited.place else cited.target
    source = facts.sources.get(named) if named is not None else None
    return Ground(cited, None if source is None or source.id in facts.forgotten else source)


def grounds(facts: Facts, record: Record) -> tuple[Ground, ...]:
    """All that a record cites, in order, each once."""
    return tuple(ground(facts, cited) for cited in record.sources)


def trust_of(facts: Facts, record: Record, found: Iterable[Ground]) -> Trust:
    """Trusted if there is a citation and every one leads to a trusted message; `found` are its grounds.

    A record that was forgotten and stands again, by a commit that no check saw, is not.
    """
    known = [each.source for each in found]
    trusted = bool(known) and all(source is not None and source.trusted for source in known)
    returned = any(block in facts.forgotten for block in record.ids)
    return Trust.TRUSTED if trusted and not returned else Trust.PENDING


def branch_of(facts: Facts, record: Record) -> Branch:
    """The branch that the evidence of a record stands on.

    Live if any of it is; abandoned if all of it is, so that it never poses as current; else unknown.
    Evidence whose validity is closed counts only where there is no other.
    """
    current = [group for group in record.evidence if not _is_closed(group)] or record.evidence
    states = {
        source.context.branch if source.context is not None else "unknown"
        for group in current
        for cited in group.sources
        if (source := ground(facts, cited).source) is not None
    }
    if "live" in states:
        return "live"
    return "abandoned" if states == {"abandoned"} else "unknown"


def voice_of(source: SourceFact) -> str:
    """The label of a message as it may be searched by: an id in it is true only if a marker says so.

    A display name can imitate `Bo (4402)`; without a marker its brackets are taken away.
    """
    if source.speaker_id:
        return source.label
    return " ".join(source.label.replace("(", " ").replace(")", " ").split())


def _is_closed(group: Evidence) -> bool:
    return any(name == _CLOSED for name, _ in group.fields)
