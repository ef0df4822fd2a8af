"""Finding: the terms of a text, documents, queries, and the ranking of what an engine proposes."""

from ..terms import STOP_WORDS, QueryTerms, fold, query_terms, terms
from .document import Document, FieldTerms, Kind, bag, field_terms, keys, sitting, span
from .fuse import Similar, Spread, fuse
from .passages import passages
from .ranking import Candidate, Ranked, Statistics, narrow, rank, smooth
from .search import Hit, Nothing, Query, Reason, Why, admits, days, filters, search, wanted
from .twins import Judge, anything

__all__ = [
    "STOP_WORDS",
    "Candidate",
    "Document",
    "FieldTerms",
    "Hit",
    "Judge",
    "Kind",
    "Nothing",
    "Query",
    "QueryTerms",
    "Ranked",
    "Reason",
    "Similar",
    "Spread",
    "Statistics",
    "Why",
    "admits",
    "anything",
    "bag",
    "days",
    "field_terms",
    "filters",
    "fold",
    "fuse",
    "keys",
    "narrow",
    "passages",
    "query_terms",
    "rank",
    "search",
    "sitting",
    "smooth",
    "span",
    "terms",
    "wanted",
]
