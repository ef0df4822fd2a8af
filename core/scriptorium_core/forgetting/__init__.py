"""Forgetting, at two levels: retracting from the present memory, and erasing from its whole history."""

from .erasing import Cleaned, cleaned, finished
from .model import Scope, Targets
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
    "words_of",
]
