"""What a search found as offers for a context: with the cited turn, scored, and held back where it must be.

    score      = 0.60 similarity + 0.12 confidence + 0.10 freshness + 0.10 validation + 0.08 provenance
    similarity = (share of the question + search score / best search score) / 2
    share      = idf of the terms that it holds / idf of the weightiest terms of the question, at most 1

The weightiest are the five rarest that occur, and one that does not occur if there is one: what holds nothing
of a question but a word that many hold is beside the point, unless it stands where the question says.

Freshness halves in the time in which the record grows stale, validation goes by the state of its standing,
and provenance says whether the cited message is archived and who said it. What stands on an abandoned
branch alone, or holds no more, counts half.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ..facts.model import Facts, SourceFact, human_of_owner
from ..facts.scopes import holds_in, scopes_of
from ..names import TopicPath, path_key
from ..recall.alternatives import alike, alternatives
from ..recall.document import Document, is_named
from ..recall.documents import without_targets
from ..recall.grounds import branch_of, ground, grounds, trust_of, voice_of
from ..recall.ranking import Statistics, weights
from ..recall.search import Hit
from ..recall.search import Reason as Found
from ..sources.frame import Origin
from ..sources.header import Trust
from ..terms import terms
from ..topics.notes import is_closed, live_branches
from ..topics.records import Evidence, Record
from ..topics.standing import State
from ..when import render_when
from .assess import LEAST, Assessment
from .choosing import CONSIDERED
from .gate import assessed, barred, marks
from .offer import Offer, Reason
from .standing import days_since

if TYPE_CHECKING:
    from ..sessions.graph import Node

__all__ = ["Asked", "known_of", "pending_offer", "record_offers", "talk_offer"]

_HEAVIEST = 5
_ALIKE = 0.5  # the share of what holds none of the words, and stands out as alike in meaning
_VALIDATION = MappingProxyType({State.VERIFIED: 1.0, State.SUPPORTED: 0.75, State.PLAUSIBLE: 0.5})
_CLOSED = "Until"
_LOOKED_AT = 16_384  # characters of a text, where it is weighed against others


class Asked(NamedTuple):
    """A question: its terms and what each of them weighs, the day, and the project it is asked in, if any.

    `unknown` is the weight of a term that occurs nowhere, 0 if there is none. `current_required` asks for
    current data, `least` is the confidence from which on a record is reused.
    """

    worth: Mapping[str, float]
    today: date
    scope: str = ""
    unknown: float = 0.0
    current_required: bool = False
    least: float = LEAST

    @classmethod
    def of(cls, terms: Sequence[str], records: Statistics | None, today: date, scope: str = "") -> "Asked":
        """The question that has these terms; `records` are the numbers of all records."""
        if records is None:
            return cls({}, today, scope)
        known = weights(terms, records)
        worth = {term: weight for term, weight in known.items() if records.frequency.get(term)}
        unknown = max((weight for term, weight in known.items() if term not in worth), default=0.0)
        return cls(worth, today, scope, unknown)

    def share(self, held: Iterable[str]) -> float:
        """How much of the question the terms hold, 0 to 1."""
        heaviest = sum(sorted(self.worth.values(), reverse=True)[:_HEAVIEST]) + self.unknown
        found = sum(self.worth.get(term, 0.0) for term in set(held))
        return min(found / heaviest, 1.0) if heaviest > 0 else 0.0

    def named(self, held: Iterable[str]) -> float:
        """The same for what stands below a heading or in a topic that the question names."""
        return self._replace(unknown=0.0).share(held)


def record_offers(facts: Facts, hits: Sequence[Hit], asked: Asked) -> tuple[Offer, ...]:
    """The records that were found, best first, and the versions and alternatives of the best."""
    known = {
        found.record.id: (hit, found.record)
        for hit in hits
        if (found := facts.records.get(hit.document.id)) and _holds(facts, found.record, asked)
    }
    best = max((hit.score for hit, _ in known.values()), default=1.0)
    considered = {name: record for name, (_, record) in [*known.items()][:CONSIDERED]}
    # Several are of one topic: its records are asked for once.
    topics = {path: _records_of(facts, path) for path in {record.path for record in considered.values()}}
    near = {
        name: tuple(
            other for other in _beside(facts, record, topics[record.path]) if _holds(facts, other, asked)
        )
        for name, record in considered.items()
    }
    offers = [
        _offer(facts, record, asked, (share + hit.score / best) / 2, near.get(name, ()))._replace(
            similarity=share,
            subject=named,
            twins=hit.twins,
        )
        for name, (hit, record) in known.items()
        for named in (is_named(hit.document, hit.matched),)
        for share in (_share(hit, asked, named),)
    ]
    others = {other.id: other for each in near.values() for other in each if other.id not in known}
    for record in others.values():
        share = asked.share(terms(without_targets(record.content)[:_LOOKED_AT]))
        offers.append(_offer(facts, record, asked, share / 2, ())._replace(similarity=share))
    return tuple(offers)


def known_of(facts: Facts, document: Document, asked: Asked) -> Hashable | None:
    """What is known of a record that was found, beside its words; None where it may not be used here."""
    found = facts.records.get(document.id)
    if found is None or not _holds(facts, found.record, asked):
        return None
    record = found.record
    told = assessed(facts, record, asked.today, asked.current_required, asked.least)
    return told.decision, told.state, is_closed(record), branch_of(facts, record), document.scopes


def _share(hit: Hit, asked: Asked, named: bool) -> float:
    share = (asked.named if named else asked.share)(hit.matched)
    return max(share, _ALIKE) if Found.SIMILAR in hit.reasons else share


def talk_offer(node: "Node", text: str, asked: Asked) -> Offer:
    """A message of a conversation, with who said it and when; `text` is what may be shown of it."""
    from ..sessions.evidence import provenance, source_of

    share = asked.share(terms(text[:_LOOKED_AT]))
    pending = provenance(node, "").trust is Trust.PENDING
    who = node.speaker_name or node.role
    head = f"{who}, {_time(node.at)} ({source_of(node)})"
    return Offer(source_of(node), text, head, share, share, held=Reason.PENDING if pending else None)


def pending_offer(hit: Hit) -> Offer:
    """Something that waits for the owner's consent: nothing but that it is there."""
    return Offer(hit.document.id, "", "", held=Reason.PENDING, similarity=0.0)


def _offer(facts: Facts, record: Record, asked: Asked, similarity: float, beside: Sequence[Record]) -> Offer:
    current = [group for group in record.evidence if not _until(group)] or [*record.evidence]
    former = [group for group in record.evidence if _until(group)] if not is_closed(record) else []
    source = _nearest(facts, current, asked)
    assessment = assessed(facts, record, asked.today, asked.current_required, asked.least)
    branch = branch_of(facts, record)
    worth = 0.5 if branch == "abandoned" or is_closed(record) else 1.0
    score = 0.6 * similarity + 0.12 * assessment.confidence + 0.1 * _freshness(assessment, asked.today)
    score += 0.1 * worth * _VALIDATION.get(assessment.state, 0.25) + 0.08 * _provenance(source)
    notes = [*marks(assessment)]
    notes += ["abandoned branch: not current"] if branch == "abandoned" else []
    notes += [*_versions(record, beside), *_branches(record, beside)]
    where = " › ".join((record.path, *record.headings))
    dates = ", ".join(map(render_when, record.whens))
    before = _nearest(facts, former, asked)
    heard = (each.source for each in grounds(facts, record))
    return Offer(
        record.id,
        without_targets(record.content),
        "; ".join([f"^{record.id} {where}", *([dates] if dates else []), *notes]),
        worth * score,
        held=barred(assessment),
        assessment=assessment,
        cited=_cited(source, "cites"),
        former=_cited(before, f"formerly, until {_until(former[-1])}:") if former else None,
        beside=tuple(other.id for other in beside),
        voices=frozenset(voice_of(source) for source in heard if source is not None),
    )


def _holds(facts: Facts, record: Record, asked: Asked) -> bool:
    """Whether it may be used where the question is asked: its grounds are trusted and hold there."""
    found = grounds(facts, record)
    sources = [each.source for each in found if each.source is not None]
    if record.path in facts.broken or trust_of(facts, record, found) is not Trust.TRUSTED:
        return False
    return not asked.scope or holds_in(scopes_of(sources), asked.scope)


def _freshness(found: Assessment, today: date) -> float:
    days = days_since(found.checked or found.evident, today)
    return 1.0 if found.days is None else float(0.5 ** (days / max(found.days, 1)))


def _provenance(source: SourceFact | None) -> float:
    if source is None:
        return 0.0
    if human_of_owner(source):
        return 1.0
    return 0.75 if source.context is None or source.context.origin is Origin.HUMAN else 0.5


def _nearest(facts: Facts, groups: Sequence[Evidence], asked: Asked) -> SourceFact | None:
    """Of the messages that are cited the one that holds most of the question; of equals the last."""
    found = (ground(facts, cited).source for group in groups for cited in group.sources)
    known = [source for source in found if source is not None and source.trusted]
    shares = [(asked.share(terms(source.text[:_LOOKED_AT])), place) for place, source in enumerate(known)]
    return known[max(shares)[1]] if shares else None


def _cited(source: SourceFact | None, label: str) -> Offer | None:
    if source is None or source.withheld:
        return None
    return Offer(source.id, source.text, f"{label} {_said(source)}")


def _said(source: SourceFact) -> str:
    aside = source.context is not None and source.context.branch == "abandoned"
    return f"{source.label or 'somebody'}, {_time(source.at)} ({source.id})" + (
        ", abandoned branch" if aside else ""
    )


def _time(at: str) -> str:
    return at[:16].replace("T", " ") or "undated"


def _records_of(facts: Facts, path: TopicPath) -> tuple[Record, ...]:
    """The records of a topic, in order, each once."""
    topic = facts.topics.get(path_key(path))
    known = (facts.records.get(block) for block in (topic.ids if topic is not None else ()))
    return tuple({found.record.id: found.record for found in known if found is not None}.values())


def _beside(facts: Facts, record: Record, others: Sequence[Record]) -> tuple[Record, ...]:
    """The versions of a record among the `others` of its topic, and its alternatives.

    They are what must not be shown as if it were alone.
    """
    versions = [
        other
        for other in others
        if is_closed(other) != is_closed(record) and alike(other.content, record.content)
    ]
    return tuple({other.id: other for other in (*versions, *alternatives(facts, record))}.values())


def _versions(record: Record, beside: Iterable[Record]) -> Iterator[str]:
    others = [other for other in beside if is_closed(other) != is_closed(record)]
    names = ", ".join(f"^{other.id}" for other in others)
    if is_closed(record):
        until = max(_until(group) for group in record.evidence)
        yield f"former: held until {until}" + (f"; now {names}" if names else "")
    elif names or any(_until(group) for group in record.evidence):
        yield "current" + (f"; former: {names}" if names else "")


def _branches(record: Record, beside: Iterable[Record]) -> Iterator[str]:
    names = ", ".join(sorted(live_branches(record)))
    others = ", ".join(f"^{other.id}" for other in beside if is_closed(other) == is_closed(record))
    if names:
        yield f"on branch {names}" + (f"; alternative to {others}" if others else "")


def _until(group: Evidence) -> str:
    return next((value for name, value in group.fields if name == _CLOSED), "")
