"""The laws of a transaction, as a tuple of functions that reads like the law."""

from collections.abc import Callable, Iterator

from ..problem import Problem
from . import laws, writers
from .case import Case

__all__ = ["CHECKS", "Case", "check"]

Check = Callable[[Case], Iterator[Problem]]

CHECKS: tuple[Check, ...] = (
    laws.evidence_untouched,
    laws.policy_sound,
    laws.names_kept_apart,
    laws.format_kept,
    laws.sizes_bounded,
    laws.blocks_kept,
    laws.ids_unique,
    laws.links_land,
    laws.sources_exist,
    laws.speakers_entitled,
    laws.forgotten_stays_away,
    laws.deletions_bounded,
    writers.no_second_spelling,
    writers.closed_by_its_own_kind,
    writers.deletions_answered,
    writers.repetition_adds_nothing,
    writers.organizing_adds_nothing,
)


def check(case: Case) -> tuple[Problem, ...]:
    """All problems of a transaction, in the order of the law."""
    return tuple(problem for law in CHECKS for problem in law(case))
