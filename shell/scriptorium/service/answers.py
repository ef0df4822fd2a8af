"""Keeping a generated answer because somebody asked for it, as an unverified record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scriptorium_core.changes import apply_changes
from scriptorium_core.changes.apply import Applied
from scriptorium_core.changes.model import CreateRecord
from scriptorium_core.transaction import Edit, Rejected
from scriptorium_core.when import When
from scriptorium_core.writing.answers import Generated, kept_answer
from scriptorium_core.writing.used import Used, used_trailers

from ..refused import Refused
from .assessing import day_of
from .permitted import speaker

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem
    from scriptorium_core.transaction import Snapshot

    from .place import Place

__all__ = ["keep_answer"]


def keep_answer(
    service: Place, question: str, answer: str, cited: Sequence[str], used: Used
) -> tuple[str, tuple[Problem, ...]]:
    """The id of the record that an answer becomes, empty where it becomes none, and why it does not.

    An answer is delivered whether it is kept or not.
    """
    memory, day = service.memory(), day_of(service)
    made = Generated(
        memory.redact(question).text,
        memory.redact(answer).text,
        tuple(cited),
        When(day.year, day.month, day.day),
    )

    def plan(base: Snapshot) -> Edit | Rejected:
        changes = kept_answer(made, base.facts)
        wanted = tuple(each for each in changes if isinstance(each, CreateRecord))
        if len(wanted) < len(changes):
            return Rejected(tuple(each for each in changes if not isinstance(each, CreateRecord)))
        applied = apply_changes(base.tree, base.facts, wanted, {}, memory.today())
        if not isinstance(applied, Applied):
            return Rejected(applied)
        return Edit(applied.tree, kind="ask", subject="Keep an answer", trailers=used_trailers(used))

    try:
        done = memory.commit(plan, memory.rules(speaker(service)))
    except Refused as refused:
        return "", refused.problems
    if isinstance(done, Rejected):
        return "", done.problems
    return next(iter(done.report.created), ""), done.problems
