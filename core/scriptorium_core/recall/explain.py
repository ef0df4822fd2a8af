"""Why a search answers what it answers: terms, the parts of each score, filters, and what came close.

It is given what the engine proposes without the filters, by words and, where a model is there, by meaning, so
that it can say what they took away. Of what must not be shown (it waits for consent, or lies elsewhere) it
gives the id, and never a word.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from ..sources import Trust
from ..terms import query_terms
from ..when import Window, render_when
from .document import Document, Kind, field_terms
from .fuse import Similar, fuse, is_similar
from .ranking import LONGEST_QUERY, SITTING, Candidate, Ranked, Statistics, bm25, rank, weights
from .search import Hit, Nothing, Query, Why, admits, only_common

__all__ = [
    "Explanation",
    "Missed",
    "Passes",
    "Scored",
    "Stage",
    "TermPart",
    "TermUse",
    "explained",
    "unfiltered",
]

_NEAR = 10

Passes = Callable[[Query, Document], bool]
"""Whether a document passes every filter of a query, those too that the facts of a commit decide."""


@frozen
class TermUse:
    """A term of the query: in how many documents of each kind it occurs, and what it weighs in them.

    `why_not` says why it finds nothing; it is empty where it does.
    """

    term: str
    documents: Mapping[Kind, int]
    weights: Mapping[Kind, float]
    why_not: str = ""


@frozen
class TermPart:
    """What a term adds to a score, and how often it stands in each field; heading and path count double."""

    term: str
    score: float
    content: int
    headings: int
    path: int
    dates: int


@frozen
class Scored:
    """A hit and the parts of its score by words: `own` of its terms, and for a turn `around` it.

    `scale` is what both were multiplied by, where records and turns stand in one answer. `similarity` is the
    cosine with the query, None where words decide alone; with it `score`, that of the hit, lies between 0
    and 1: half of it is the score by words and half the similarity, each as a share of the best one.
    """

    id: str
    kind: Kind
    score: float
    reasons: tuple[str, ...]
    terms: tuple[TermPart, ...]
    own: float
    around: float
    scale: float
    similarity: float | None = None


@frozen
class Stage:
    """A filter, what it asks for, and what it took away of that which the query would find without any.

    That holds a word of the query, or is like it in meaning.
    """

    filter: str
    wanted: str
    removed: tuple[str, ...]


@frozen
class Missed:
    """Something that holds a word of the query or is like it, passes the filters and is no hit; and why."""

    id: str
    kind: Kind
    score: float
    why_not: str


@frozen
class Explanation:
    """How an answer came about; `proposed` counts what the engine put forward, with filters and without.

    `nothing` says why the answer is empty, None where it is not.
    """

    terms: tuple[TermUse, ...]
    hits: tuple[Scored, ...]
    filters: tuple[Stage, ...]
    near: tuple[Missed, ...]
    proposed: int
    nothing: Nothing | None = None


def unfiltered(query: Query) -> Query:
    """The same question to everything that is indexed."""
    return Query(query.text, query.kinds, query.limit, trust=tuple(Trust))


def explained(
    query: Query,
    candidates: Sequence[Candidate],
    terms: Sequence[str],
    statistics: Mapping[Kind, Statistics],
    answer: tuple[Hit, ...] | Nothing,
    similar: Similar | None = None,
    passes: Passes = admits,
) -> Explanation:
    """The explanation of an answer; `candidates` are those of `unfiltered`, `terms` those that count."""
    uses = tuple(_uses(query, terms, statistics))
    if only_common(query, terms, statistics) is not None:
        terms = ()  # nothing is found by them
    found = [each for each in candidates if _is_found(each, terms, similar)]
    stages = tuple(
        Stage(name, wanted, removed)
        for name, wanted, alone in _filters(query)
        if (removed := tuple(each.document.id for each in found if not passes(alone, each.document)))
        or wanted
    )
    admitted = [each for each in candidates if passes(query, each.document)]
    if isinstance(answer, Nothing):
        return Explanation(uses, (), stages, (), len(candidates), _reason(answer, stages, similar))
    ranked = rank(admitted, terms, statistics)
    by_words = {(each.document.kind, each.document.id): each.score for each in ranked}
    bags = {(each.document.kind, each.document.id): each.terms for each in admitted}
    scale = 1 / (1 + SITTING) if len(statistics) > 1 else 1.0
    hits = tuple(
        _scored(hit, bags.get(key, ()), by_words.get(key, 0.0), statistics, terms, scale)
        for hit in answer
        for key in [(hit.document.kind, hit.document.id)]
    )
    if similar is not None:
        ranked = fuse(ranked, (each.document for each in admitted), similar)
    near = tuple(_missed(query, ranked, answer))[:_NEAR]
    return Explanation(uses, hits, stages, near, len(candidates))


def _uses(query: Query, terms: Sequence[str], statistics: Mapping[Kind, Statistics]) -> Iterator[TermUse]:
    asked = query_terms(query.text)
    kinds = " or ".join(f"{kind}s" for kind in query.kinds)
    common = only_common(query, terms, statistics)
    for term in asked.wanted:
        documents = {kind: held.frequency.get(term, 0) for kind, held in statistics.items()}
        worth = {kind: weights([term], held)[term] for kind, held in statistics.items() if documents[kind]}
        if term in terms and common is not None:
            yield TermUse(term, documents, worth, "more than half of all hold it, which tells nothing apart")
        elif term in terms:
            yield TermUse(term, documents, worth)
        elif any(documents.values()):
            yield TermUse(term, documents, worth, f"only the {LONGEST_QUERY} rarest words of a query count")
        else:
            yield TermUse(term, documents, {}, f"it occurs in none of the {kinds}")
    for term in asked.common:
        yield TermUse(term, {}, {}, "it is too common to find anything by")


def _filters(query: Query) -> Iterator[tuple[str, str, Query]]:
    """Each filter by itself: its name, what it asks for (empty: nothing), and a query with it alone."""
    free = unfiltered(query)
    window = " to ".join(render_when(end) or "…" for end in (query.window.start, query.window.end))
    yield "topic", query.topic, free._replace(topic=query.topic)
    yield "source", query.source, free._replace(source=query.source)
    yield "speaker", query.speaker, free._replace(speaker=query.speaker)
    yield "scope", query.scope or "", free._replace(scope=query.scope)
    yield "dates", "" if query.window == Window() else window, free._replace(window=query.window)
    trust = "" if set(query.trust) == set(Trust) else ", ".join(query.trust)
    yield "trust", trust, free._replace(trust=query.trust)
    then = "" if query.valid_at is None else render_when(query.valid_at)
    yield "valid_at", then, free._replace(valid_at=query.valid_at)
    yield "standing", ", ".join(query.standing), free._replace(standing=query.standing)


def _is_found(candidate: Candidate, terms: Sequence[str], similar: Similar | None) -> bool:
    """Whether a query finds it where nothing filters."""
    if not set(candidate.terms).isdisjoint(terms):
        return True
    return similar is not None and is_similar(similar, candidate.document)


def _reason(nothing: Nothing, stages: Sequence[Stage], similar: Similar | None) -> Nothing:
    """The reason of an empty answer, with what the filters took away."""
    took = [stage for stage in stages if stage.removed]
    if nothing.why is not Why.NO_MATCH or not took:
        return nothing
    words = ", ".join(f"{stage.filter} ({stage.wanted}) {len(stage.removed)}" for stage in took)
    there = "words of the query occur" if similar is None else "words of the query occur, or what is like it"
    message = f"{there}, but not in anything that every filter lets pass; taken away by: {words}"
    return Nothing(Why.NO_MATCH, message)


def _scored(
    hit: Hit,
    bag: Sequence[str],
    by_words: float,
    statistics: Mapping[Kind, Statistics],
    terms: Sequence[str],
    scale: float,
) -> Scored:
    document = hit.document
    held = statistics[document.kind]
    parts = tuple(_parts(document, bag, held, terms))
    factor = scale if document.kind is Kind.TURN else 1.0
    own = sum(part.score for part in parts)
    around = max(by_words / factor - own, 0.0) if document.kind is Kind.TURN else 0.0
    reasons = tuple(hit.reasons)
    return Scored(document.id, document.kind, hit.score, reasons, parts, own, around, factor, hit.similarity)


def _parts(
    document: Document, bag: Sequence[str], held: Statistics, terms: Sequence[str]
) -> Iterator[TermPart]:
    fields, counts, worth = field_terms(document), Counter(bag), weights(terms, held)
    relative = len(bag) / (held.average or 1.0)
    for term in terms:
        if counts[term]:
            where = (fields.content, fields.headings, fields.path, fields.dates)
            places = (field.count(term) for field in where)
            yield TermPart(term, bm25({term: counts[term]}, relative, worth), *places)


def _missed(query: Query, found: Iterable[Ranked], hits: Sequence[Hit]) -> Iterator[Missed]:
    shown = {(hit.document.kind, hit.document.id) for hit in hits}
    twins = {name: hit.document.id for hit in hits for name in hit.twins}
    for ranked in found:
        document = ranked.document
        if (document.kind, document.id) in shown or not (ranked.matched or ranked.similar):
            continue
        twin = twins.get(document.id)
        why_not = f"it says the same as {twin}" if twin else f"{query.limit} others score higher"
        yield Missed(document.id, document.kind, ranked.score, why_not)
