"""Two rankings in one: by the words of a query, and by its meaning.

score(document) = ½ · score by words / the best of them + ½ · cosine / the best of them

Each half is a min-max scale whose lower end is what nothing has: no word in common, no likeness. So the
order does not depend on how large the scores of a ranking are, a document that no word leads to is not
above one that has everything, and without an embedder nothing is changed at all. Half and half is not
fitted; on LoCoMo it is level with z-scores and with a third for the meaning, and lifts recall@10 of turns by
two points, in every category.

A document is a hit by its meaning alone only if it stands out: its cosine reaches what its model calls
alike, and of many documents also lies two deviations above their mean. Nothing relevant stays nothing.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .document import Document, Kind
from .ranking import MANY, Ranked, best_first

__all__ = ["Similar", "Spread", "fuse", "is_similar"]

_DEVIATIONS = 2.0


class Spread(NamedTuple):
    """The cosines of all documents of a kind with one query: how many, their mean and their deviation."""

    documents: int
    mean: float
    deviation: float

    def bar(self, least: float) -> float:
        """The cosine from which on a document stands out, never below `least`."""
        return max(least, self.mean + _DEVIATIONS * self.deviation) if self.documents >= MANY else least


class Similar(NamedTuple):
    """How like a query each document is: cosines from −1 to 1 by kind and id, unknown ones missing.

    `least` is above 0: the cosine from which on the model calls two texts alike.
    """

    cosines: Mapping[tuple[Kind, str], float]
    spread: Mapping[Kind, Spread]
    least: float


def is_similar(similar: Similar, document: Document) -> bool:
    """Whether a document is a hit by its meaning alone."""
    cosine, spread = _cosine(similar, document), similar.spread.get(document.kind)
    return cosine >= (spread.bar(similar.least) if spread is not None else similar.least)


def fuse(ranked: Iterable[Ranked], documents: Iterable[Document], similar: Similar) -> tuple[Ranked, ...]:
    """What is ranked by its words, and those of the documents that are similar, best first."""
    found = {(each.document.kind, each.document.id): each for each in ranked}
    for document in documents:
        if is_similar(similar, document):
            found.setdefault((document.kind, document.id), Ranked(document, 0.0, ()))
    most_said = max((each.score for each in found.values()), default=0.0)
    most_alike = max((_cosine(similar, each.document) for each in found.values()), default=0.0)
    fused = (
        each._replace(
            score=_share(each.score, most_said) + _share(_cosine(similar, each.document), most_alike),
            similar=is_similar(similar, each.document),
            similarity=similar.cosines.get((each.document.kind, each.document.id)),
        )
        for each in found.values()
    )
    return tuple(sorted(fused, key=best_first))


def _cosine(similar: Similar, document: Document) -> float:
    return similar.cosines.get((document.kind, document.id), 0.0)


def _share(value: float, most: float) -> float:
    return max(value, 0.0) / most / 2 if most > 0 else 0.0
