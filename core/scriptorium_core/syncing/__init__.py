"""Syncing: how two histories of one memory stand to one another, and how they become one."""

from .graph import Look, Node, Relation, Standing, is_within, relation
from .histories import KIND, Side, United, united
from .tidings import Tidings, erased_by, tidings_of

__all__ = [
    "KIND",
    "Look",
    "Node",
    "Relation",
    "Side",
    "Standing",
    "Tidings",
    "United",
    "erased_by",
    "is_within",
    "relation",
    "tidings_of",
    "united",
]
