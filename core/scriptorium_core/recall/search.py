"""What is asked and what is answered: an engine proposes candidates, `search` ranks them into hits.

1. `wanted(query)` says which terms make a hit, or that there is nothing to look for.
2. The engine finds documents that hold one of them and pass the filters: of each group of
   `filters(query)` one key, and a span that meets `days(query)`. For turns it adds the neighbours of
   what it found.
3. `search` leaves out what does not pass (`admits`, exact), ranks, fuses with the likeness of meaning where
   that is known, asks whoever judges what it finds, folds twins, and gives each hit its reasons.

No text is query syntax. Nothing relevant is an answer of its own, with the reason, and never filled up: no
word occurs, or beside words that do not occur only such as more than half of the documents hold. More cannot
be told from words: the questions of LoCoMo that have no answer score as high as those that have one (what
they ask for was said, but of somebody else), so that no least score parts them.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from ..sources.kinds import Trust
from ..terms import query_terms
from ..topics.standing import LEAST, State
from ..when import When, Window, overlaps
from .document import Document, Kind, field_terms, keys, scope_key, span, speaker_key
from .fuse import Similar, fuse
from .ranking import Candidate, Ranked, Statistics, rank, tells_apart
from .twins import Judge, anything, folded

__all__ = [
    "Hit",
    "Nothing",
    "Query",
    "Reason",
    "Why",
    "admits",
    "days",
    "filters",
    "only_common",
    "search",
    "wanted",
]

_ALWAYS = Window()
_LOOKED_AT = 16_384  # characters


class Query(NamedTuple):
    """At most `limit` documents of these kinds that hold a wanted term of `text` and pass every filter.

    `topic` and `source` are prefixes of whole steps (`trips`, `chat/s1`); `speaker` is a name, an id or
    a label of both; dates overlap `window` when any of their days lies in it; an empty filter lets
    everything pass.

    `current_required` asks for current data and `least` for a confidence (0 to 1): they leave nothing out,
    and say of each record whether it answers that. `valid_at` leaves out the records of which nothing held
    at that date, and `standing` those that stand otherwise, and all turns, which have no standing. Both are
    judged by the facts of the commit (`Judge`), not by `admits`.
    """

    text: str
    kinds: tuple[Kind, ...] = (Kind.RECORD,)
    limit: int = 10
    topic: str = ""
    source: str = ""
    speaker: str = ""
    scope: str | None = None
    window: Window = _ALWAYS
    trust: tuple[Trust, ...] = (Trust.TRUSTED,)
    current_required: bool = False
    least: float = LEAST
    valid_at: When | None = None
    standing: tuple[State, ...] = ()


class Reason(StrEnum):
    """Why a document is a hit; `around` is a turn that is found by the turns beside it.

    `similar` is what a model finds alike in meaning.
    """

    TERMS = "terms"
    HEADING = "heading"
    DATE = "date"
    AROUND = "around"
    SIMILAR = "similar"


class Hit(NamedTuple):
    """A document that was found; scores are above 0 and comparable within one answer.

    `similarity` is its cosine with the query, None where words decide alone. `twins` are the ids of those
    that say the same (`twins.folded`).
    """

    document: Document
    score: float
    reasons: tuple[Reason, ...]
    matched: tuple[str, ...]
    similarity: float | None = None
    twins: tuple[str, ...] = ()


class Why(StrEnum):
    """Why nothing was found."""

    NO_WORDS = "no_words"
    ONLY_COMMON_WORDS = "only_common_words"
    NOT_INDEXED = "not_indexed"
    NO_MATCH = "no_match"


class Nothing(NamedTuple):
    """An empty answer and its reason, for people in `message`."""

    why: Why
    message: str


def wanted(query: Query) -> tuple[str, ...] | Nothing:
    """The distinct terms of which a hit must hold one."""
    asked = query_terms(query.text)
    if asked.wanted:
        return asked.wanted
    if asked.common:
        words = ", ".join(asked.common[:8])
        return Nothing(
            Why.ONLY_COMMON_WORDS, f"every word of the query is too common to find anything by: {words}"
        )
    return Nothing(Why.NO_WORDS, "the query holds no word to look for")


def filters(query: Query) -> tuple[tuple[str, ...], ...]:
    """Groups of keys: a document passes if it has one key of every group."""
    groups = [tuple(f"trust:{trust}" for trust in query.trust)]
    groups += [(f"topic:{_prefix(query.topic)}",)] if _prefix(query.topic) else []
    groups += [(f"source:{_prefix(query.source)}",)] if _prefix(query.source) else []
    groups += [(speaker_key(query.speaker),)] if query.speaker else []
    groups += [tuple(map(scope_key, _with_those_above(query.scope)))] if query.scope is not None else []
    return tuple(groups)


def days(query: Query) -> tuple[int, int] | None:
    """The window as numbers like those of `span`; None lets undated documents pass too."""
    start, end = query.window.start, query.window.end
    if start is None and end is None:
        return None
    return _edge(start, first=True), _edge(end, first=False)


def admits(query: Query, document: Document) -> bool:
    """Whether a document passes every filter of a query, its kind included; exact, also for several dates."""
    held = frozenset(keys(document))
    return (
        document.kind in query.kinds
        and all(not held.isdisjoint(group) for group in filters(query))
        and _in_window(query, document)
    )


def search(
    query: Query,
    candidates: Iterable[Candidate],
    terms: Sequence[str],
    statistics: Mapping[Kind, Statistics],
    similar: Similar | None = None,
    judge: Judge = anything,
) -> tuple[Hit, ...] | Nothing:
    """The best `limit` of the candidates for the wanted `terms` that the judge lets pass, each once.

    Every candidate has passed the filters, but of several dates each is checked here. Without `similar` the
    words decide alone.
    """
    admitted = [each for each in candidates if _in_window(query, each.document)]
    common = only_common(query, terms, statistics)
    by_words = () if common is not None else rank(admitted, terms, statistics)
    known = (each.document for each in admitted)
    ranked = by_words if similar is None else fuse(by_words, known, similar)
    if not ranked:
        return common or _no_match(query)
    return tuple(_hit(query, *each) for each in folded(ranked, query.limit, judge))


def _in_window(query: Query, document: Document) -> bool:
    return query.window == _ALWAYS or any(overlaps(date, query.window) for date in document.dates)


def _hit(query: Query, ranked: Ranked, twins: tuple[str, ...]) -> Hit:
    # Of a book only the beginning is read once more: what it holds nowhere else, its text holds.
    document = ranked.document
    fields = field_terms(document._replace(content=document.content[:_LOOKED_AT]))
    matched = frozenset(ranked.matched)
    elsewhere = {*fields.headings, *fields.path, *fields.dates}
    reasons = (
        (Reason.TERMS, not (matched.isdisjoint(fields.content) and matched <= elsewhere)),
        (Reason.HEADING, not matched.isdisjoint(fields.headings + fields.path)),
        (Reason.DATE, not matched.isdisjoint(fields.dates) or query.window != _ALWAYS),
        (Reason.AROUND, ranked.around),
        (Reason.SIMILAR, ranked.similar),
    )
    held = tuple(reason for reason, holds in reasons if holds)
    return Hit(ranked.document, ranked.score, held, ranked.matched, ranked.similarity, twins)


def only_common(query: Query, terms: Sequence[str], statistics: Mapping[Kind, Statistics]) -> Nothing | None:
    """That the words by which something could be told apart occur nowhere; None if one of them occurs.

    What most documents hold (the name of the one who writes) finds them where it is all that is asked for,
    and beside words that none holds it is no reason for a hit.
    """
    absent = [
        term
        for term in query_terms(query.text).wanted
        if not any(held.frequency.get(term) for held in statistics.values())
    ]
    apart = any(tells_apart(term, held) for term in terms for held in statistics.values())
    if apart or not terms or not absent:
        return None
    found, missing = ", ".join(terms[:8]), ", ".join(absent[:8])
    message = f"nothing holds {missing}; and {found} is in more than half of all, which tells nothing apart"
    return Nothing(Why.ONLY_COMMON_WORDS, message)


def _no_match(query: Query) -> Nothing:
    kinds = " or ".join(f"{kind}s" for kind in query.kinds) or "documents"
    narrowed = len(filters(query)) > 1 or query.window != _ALWAYS
    where = " that the filters let pass" if narrowed else ""
    return Nothing(Why.NO_MATCH, f"no word of the query occurs in any of the {kinds}{where}")


def _with_those_above(directory: str) -> tuple[str, ...]:
    """A directory and those that it lies in: what was said in one of them was said there too."""
    steps = directory.replace("\\", "/").rstrip("/").split("/")
    return tuple("/".join(steps[:depth]) for depth in range(len(steps), 0, -1))


def _prefix(path: str) -> str:
    return path.strip("/").removeprefix("topics/").removesuffix(".md")


def _edge(date: When | None, first: bool) -> int:
    if date is None:
        return 0 if first else 99_999_999
    only = span(Document("", Kind.RECORD, "", "", dates=(date,)))
    assert only is not None
    return only[0] if first else only[1]
