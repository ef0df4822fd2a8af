"""What memory has for a question: records that carry it, or one alike, or on its subject, and a context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.knowledge.asking import Candidate, Gathered, likened, widening
from scriptorium_core.knowledge.choosing import CONSIDERED
from scriptorium_core.knowledge.gate import barred
from scriptorium_core.knowledge.offer import Offer, Reason
from scriptorium_core.knowledge.offering import record_offers
from scriptorium_core.knowledge.question import subject_of
from scriptorium_core.names import BlockId
from scriptorium_core.recall import Hit
from scriptorium_core.recall import Reason as Found
from scriptorium_core.recall.documents import record_document, without_targets
from scriptorium_core.recall.grounds import branch_of
from scriptorium_core.topics.notes import is_closed
from scriptorium_core.topics.questions import question_key, questions_of
from scriptorium_core.when import render_when

from ..refused import Refused
from .asked import AskedRecord
from .contexts import Wish, asking, considered
from .shaping import citations_of

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem
    from scriptorium_core.topics.records import Record

    from .place import Place
    from .searching import Ready

__all__ = ["Considered", "gather"]

_MOST_QUESTIONS = 1_000
_ON_SUBJECT = 0.5  # the share of a subject that a record holds
_NEAR = 0.5


@frozen
class Considered:
    """What was gathered, the offers of all of it by id, what could go along, and the records to be named."""

    gathered: Gathered
    offers: Mapping[str, Offer]
    context: tuple[Offer, ...]
    records: Mapping[str, AskedRecord]
    notices: tuple[Problem, ...] = ()

    def named(self, ids: Iterable[str]) -> tuple[AskedRecord, ...]:
        """The records of these ids."""
        return tuple(self.records[each] for each in ids if each in self.records)


def gather(service: Place, found: Ready, question: str, wish: Wish) -> Considered:
    """Everything that could decide a question, at the commit that `found` stands for."""
    look = _Look(service, found, question, wish)
    exact = tuple(look.carrying(question_key(question), question, 1.0))
    near, notices = look.alike()
    similar = tuple(each for row in near for each in look.carrying(*row))
    subject = look.subject()
    context = (*considered(service, found, question, wish), *look.near(widening(similar)))
    offers = {each.id: each for each in (*context, *subject)}
    offers |= look.offers({each.record for each in (*exact, *similar)})
    asked = {each.record: each for each in (*similar, *exact)}
    records = {
        name: look.named(known.record, offer, asked.get(BlockId(name)))
        for name, offer in offers.items()
        if offer.assessment is not None and (known := found.facts.records.get(name)) is not None
    }
    listed = tuple(look.candidate(offer) for offer in subject)
    return Considered(Gathered(exact, similar, listed), offers, context, records, notices)


@frozen
class _Look:
    """One look at what is there for a question."""

    service: Place
    found: Ready
    question: str
    wish: Wish

    def carrying(self, key: str, text: str, likeness: float) -> Iterator[Candidate]:
        """The records that carry the question of a key, and may be used where this one is asked."""
        ids = self.found.facts.asked.get(key, ())
        for offer in self.offers(ids).values():
            yield evolve(self.candidate(offer), key=key, likeness=likeness)

    def offers(self, ids: Iterable[str]) -> Mapping[str, Offer]:
        """The offers of records by their ids, as what answers the question; by id, in order."""
        facts, wanted = self.found.facts, dict.fromkeys(ids)
        known = (facts.records.get(name) for name in wanted)
        hits = [Hit(record_document(facts, each.record), 1.0, (Found.SIMILAR,), ()) for each in known if each]
        made = record_offers(facts, hits, asking(self.service, self.found, self.question, self.wish))
        return {each.id: each._replace(similarity=1.0) for each in made if each.id in wanted}

    def near(self, ids: Iterable[str]) -> tuple[Offer, ...]:
        """The records whose questions are alike, as what may go along."""
        return tuple(each._replace(similarity=_NEAR) for each in self.offers(ids).values())

    def alike(self) -> tuple[tuple[tuple[str, str, float], ...], tuple[Problem, ...]]:
        """The questions that records carry, by key and text, with how like they are to this one.

        Nothing where words decide alone; what keeps a model from saying is told.
        """
        from .meaning import Meaning

        meaning, own = self.service.meaning(), question_key(self.question)
        texts = dict(self._questions()) if isinstance(meaning, Meaning) else {}
        texts.pop(own, None)
        if not texts or not isinstance(meaning, Meaning):
            return (), ()
        try:
            cosines = meaning.alike(self.question, tuple(texts.values()))
        except Refused as refused:
            if self.service.by_meaning:
                raise
            return (), refused.problems
        rows = zip(texts.items(), cosines, strict=True)

        def words(one: str, other: str) -> float:
            return meaning.alike(one, (other,))[0]

        return tuple((key, text, likened(self.question, text, each, words)) for (key, text), each in rows), ()

    def subject(self) -> tuple[Offer, ...]:
        """The records on the subject of a broad question, best first."""
        subject = subject_of(self.question)
        if not subject:
            return ()
        offers = considered(self.service, self.found, subject, self.wish)
        fitting = [
            each for each in offers if each.similarity >= _ON_SUBJECT and each.held is not Reason.PENDING
        ]
        return tuple(sorted(fitting, key=lambda each: (-each.score, each.id))[:CONSIDERED])

    def candidate(self, offer: Offer) -> Candidate:
        """A record as what could answer."""
        record = self.found.facts.records[offer.id].record
        assert offer.assessment is not None  # an offer of a record
        return Candidate(record.id, offer.text, offer.assessment, current=self._is_current(record))

    def named(self, record: Record, offer: Offer, asked: Candidate | None) -> AskedRecord:
        """A record as an answer names it; nothing of what it says where it may not be given."""
        assert offer.assessment is not None  # an offer of a record
        silent = barred(offer.assessment) is not None
        key = asked.key if asked is not None else ""
        return AskedRecord(
            record.id,
            "" if silent else without_targets(record.content),
            record.path,
            record.headings,
            tuple(map(render_when, record.whens)),
            offer.assessment,
            next((each for each in questions_of(record) if question_key(each) == key), ""),
            asked.likeness if asked is not None else 0.0,
            self._is_current(record),
            () if silent else citations_of(self.found.facts, record),
        )

    def _is_current(self, record: Record) -> bool:
        return not is_closed(record) and branch_of(self.found.facts, record) != "abandoned"

    def _questions(self) -> Iterator[tuple[str, str]]:
        facts = self.found.facts
        for key in islice(facts.asked, _MOST_QUESTIONS):
            for name in facts.asked.get(key, ()):
                known = facts.records.get(name)
                texts = questions_of(known.record) if known is not None else ()
                yield from ((key, text) for text in texts if question_key(text) == key)
