"""BM25 over candidates, smoothed over the conversation for turns.

score(document) = sum over wanted terms of idf(term) · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length /
average))
idf(term)       = ln(1 + (n − df + 0.5) / (df + 0.5))

A turn is found by the conversation around it. Of the turns of one sitting it adds
0.4 × the scores of its two neighbours + 0.2 × the scores of the second neighbours + 0.5 × the score of
the sitting, where a sitting is scored like one document that holds all the terms of its matching turns,
without a correction for its length. On LoCoMo that lifts recall@10 of single turns from 0.61 to 0.73;
the weights are few and round on purpose.

Where records and turns stand in one answer, the scores of turns are divided by 1 + 0.5, so that a turn
that is alone in its sitting weighs what a record with its words weighs. What is found by its neighbours
only stands below everything that holds a wanted term itself, its scores lowered in proportion.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, log
from typing import NamedTuple

from .document import Document, Kind, sitting

__all__ = [
    "LONGEST_QUERY",
    "MANY",
    "Candidate",
    "Ranked",
    "Statistics",
    "best_first",
    "bm25",
    "narrow",
    "rank",
    "smooth",
    "tells_apart",
    "weights",
]

K1 = 1.2
B = 0.75
NEIGHBOURS = 0.4
SECOND_NEIGHBOURS = 0.2
SITTING = 0.5
COMMON = 0.5
"""What a larger share of the documents holds tells none of them apart."""
MANY = 20
"""Fewer documents are too few for a share or a deviation to mean anything."""
LONGEST_QUERY = 64
"""How many terms of a query count: the rarest. A longer query is a pasted text."""


class Statistics(NamedTuple):
    """All documents of a kind: their number, average length in terms, and how many hold each term."""

    documents: int
    average: float
    frequency: Mapping[str, int]


class Candidate(NamedTuple):
    """A document that the engine proposes, with its bag of terms."""

    document: Document
    terms: Sequence[str]


class Ranked(NamedTuple):
    """A document with its score and the wanted terms it holds.

    Without one it is found by its neighbours (`around`), or by its meaning (`similar`). `similarity` is its
    cosine with the query, None where none is known.
    """

    document: Document
    score: float
    matched: tuple[str, ...]
    around: bool = False
    similar: bool = False
    similarity: float | None = None


def narrow(wanted: Sequence[str], statistics: Iterable[Statistics]) -> tuple[str, ...]:
    """The wanted terms that occur at all, at most the `LONGEST_QUERY` rarest, in the order of the query."""
    frequency = Counter[str]()
    for each in statistics:
        frequency.update({term: each.frequency.get(term, 0) for term in wanted})
    there = [term for term in wanted if frequency[term]]
    kept = set(sorted(there, key=lambda term: (frequency[term], term))[:LONGEST_QUERY])
    return tuple(term for term in there if term in kept)


def weights(wanted: Sequence[str], statistics: Statistics) -> Mapping[str, float]:
    """What each wanted term is worth: idf · (k1 + 1), never negative."""
    return {term: _idf(statistics.frequency.get(term, 0), statistics.documents) * (K1 + 1) for term in wanted}


def tells_apart(term: str, statistics: Statistics) -> bool:
    """Whether a term occurs, and not in more than half of the documents; of few documents any that occurs."""
    held = statistics.frequency.get(term, 0)
    return held > 0 and (statistics.documents < MANY or held <= COMMON * statistics.documents)


def bm25(counts: Mapping[str, int], relative: float, worth: Mapping[str, float]) -> float:
    """The score of a document that holds the wanted terms `counts` times; `relative` is length / average."""
    norm = K1 * (1 - B + B * relative)
    score = 0.0
    for term, times in counts.items():
        score += worth[term] * times / (times + norm)
    return score


def smooth(scores: Mapping[int, float], whole: float) -> dict[int, float]:
    """The scores of one sitting's turns, by their place in the archive, with what stands around each of them.

    `whole` is the score of the sitting. A place that is missing counts as a turn without a score.
    """
    return {
        place: score
        + NEIGHBOURS * (scores.get(place - 1, 0.0) + scores.get(place + 1, 0.0))
        + SECOND_NEIGHBOURS * (scores.get(place - 2, 0.0) + scores.get(place + 2, 0.0))
        + SITTING * whole
        for place, score in scores.items()
    }


def rank(
    candidates: Iterable[Candidate], wanted: Sequence[str], statistics: Mapping[Kind, Statistics]
) -> tuple[Ranked, ...]:
    """Candidates from best to worst, equal scores by id; those without a score are left out."""
    known = {(each.document.kind, each.document.id): each for each in candidates}
    ranked: list[Ranked] = []
    for kind, held in statistics.items():
        worth = weights(wanted, held)
        mine = (each for each in known.values() if each.document.kind is kind)
        scored = [_score(each, worth, held.average or 1.0) for each in mine]
        ranked += (
            _smoothed(scored, worth) if kind is Kind.TURN else (each.ranked(each.score) for each in scored)
        )
    found = [each for each in ranked if each.score > 0]
    return tuple(_fused(found) if len(statistics) > 1 else sorted(found, key=best_first))


class _Scored(NamedTuple):
    document: Document
    counts: Mapping[str, int]
    score: float

    def ranked(self, score: float) -> Ranked:
        return Ranked(self.document, score, tuple(self.counts), around=not self.counts)


def _score(candidate: Candidate, worth: Mapping[str, float], average: float) -> _Scored:
    held: dict[str, int] = {}
    for term in candidate.terms:
        if term in worth:
            held[term] = held.get(term, 0) + 1
    counts = {term: held[term] for term in worth if term in held}
    return _Scored(candidate.document, counts, bm25(counts, len(candidate.terms) / average, worth))


def _smoothed(turns: Iterable[_Scored], worth: Mapping[str, float]) -> Iterator[Ranked]:
    sittings: dict[str, list[_Scored]] = {}
    for turn in turns:
        sittings.setdefault(sitting(turn.document), []).append(turn)
    for together in sittings.values():
        around = smooth(_by_place(together), bm25(_together(together), 1.0, worth))
        yield from (turn.ranked(around[turn.document.order]) for turn in together)


def _fused(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Several kinds on one scale, best first; what holds no wanted term stands below what does."""
    scaled = [each._replace(score=each.score / _weight(each.document.kind)) for each in ranked]
    lowest = min((each.score for each in scaled if each.matched), default=inf)
    highest = max((each.score for each in scaled if not each.matched), default=0.0)
    factor = min(1.0, lowest / highest) if highest else 1.0
    lowered = (
        each if each.matched else each._replace(score=min(lowest, each.score * factor)) for each in scaled
    )
    return sorted(lowered, key=lambda each: (not each.matched, best_first(each)))


def _weight(kind: Kind) -> float:
    return 1.0 + SITTING if kind is Kind.TURN else 1.0


def _by_place(turns: Iterable[_Scored]) -> dict[int, float]:
    """The score of each place; of several turns that claim one place, the best."""
    scores: dict[int, float] = {}
    for turn in turns:
        place = turn.document.order
        scores[place] = max(turn.score, scores.get(place, 0.0))
    return scores


def _together(turns: Iterable[_Scored]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for turn in turns:
        for term, times in turn.counts.items():
            counts[term] = counts.get(term, 0) + times
    return counts


def _idf(df: int, documents: int) -> float:
    return log(1 + (max(documents, df) - df + 0.5) / (df + 0.5))


def best_first(ranked: Ranked) -> tuple[float, str, str]:
    """The key of the order: by score, equal scores by id."""
    return -ranked.score, ranked.document.id, ranked.document.kind
