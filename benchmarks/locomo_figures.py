"""Recall and rank of the evidence, by question, and whether two rankings differ by more than noise."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from statistics import mean

from attrs import frozen
from locomo_set import CATEGORIES, Question

__all__ = ["AT", "Difference", "Outcome", "difference", "figures", "outcome"]

AT = (5, 10, 20)
_DRAWS = 2_000
_SEED = 20_240_401


@frozen
class Outcome:
    """What a ranking made of a question: recall at 5, 10 and 20, and 1 / rank of the first evidence or 0."""

    category: int
    recall: tuple[float, ...]
    reciprocal: float


@frozen
class Difference:
    """The mean of paired differences, 95 % of its bootstrap, and the questions that got better and worse.

    It is `noise` if the interval holds 0.
    """

    mean: float
    low: float
    high: float
    better: int
    worse: int

    @property
    def noise(self) -> bool:
        """Whether nothing can be said of the sign."""
        return self.low <= 0 <= self.high


def outcome(question: Question, hits: Sequence[Iterable[str]]) -> Outcome:
    """The figures of one question; each hit is the turns that it stands for, best first."""
    found = [question.evidence.intersection(hit) for hit in hits]
    shares = (len(frozenset().union(*found[:k])) / len(question.evidence) for k in AT)
    first = next((place for place, held in enumerate(found, 1) if held), 0)
    return Outcome(question.category, tuple(shares), 1 / first if first else 0.0)


def figures(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """Mean recall and MRR by category and in sum, over questions."""
    groups = {name: [each for each in outcomes if each.category == n] for n, name in CATEGORIES.items()}
    return {name: _means(group) for name, group in (*groups.items(), ("all", outcomes)) if group}


def difference(first: Sequence[Outcome], second: Sequence[Outcome], at: int = 10) -> Mapping[str, Difference]:
    """How much better the second ranking is in recall at `at`, by category and in sum."""
    place, pairs = AT.index(at), list(zip(first, second, strict=True))
    groups: dict[str, list[float]] = {"all": []}
    for one, other in pairs:
        for name in (CATEGORIES[one.category], "all"):
            groups.setdefault(name, []).append(other.recall[place] - one.recall[place])
    return {name: _difference(group) for name, group in groups.items() if group}


def _means(outcomes: Sequence[Outcome]) -> dict[str, float]:
    recalls = zip(*(each.recall for each in outcomes), strict=True)
    named = {f"recall@{k}": mean(values) for k, values in zip(AT, recalls, strict=True)}
    return {**named, "mrr": mean(each.reciprocal for each in outcomes), "questions": len(outcomes)}


def _difference(values: Sequence[float]) -> Difference:
    random = Random(_SEED)
    drawn = sorted(mean(random.choices(values, k=len(values))) for _ in range(_DRAWS))
    low, high = drawn[int(0.025 * _DRAWS)], drawn[int(0.975 * _DRAWS)]
    return Difference(
        mean(values), low, high, sum(each > 0 for each in values), sum(each < 0 for each in values)
    )
