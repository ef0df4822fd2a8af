"""Forgetting, at two levels: retracting from the present memory, and erasing from its whole history."""

from .erasing import Cleaned, cleaned, finished
from .model import Scope, Targets, targets_of
from .retract import retract
from .scope import Earlier, scope_of
from .words import Words, words_of

__all__ = [
    "Cleaned",
    "Earlier",
    "Scope",
    "Targets",
    "Words",
    "cleaned",
    "finished",
    "retract",
    "scope_of",
    "targets_of",
    "words_of",
]
