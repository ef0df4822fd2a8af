"""What is said of a record or a message that was forgotten: when it was, and whether its text is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptorium_core.problem import Code, Problem

from .revisions import parent_of
from .trail import records_in, topic_changes

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts

    from ..workspace import Memory

__all__ = ["forgotten"]


def forgotten(memory: Memory, facts: Facts, name: str) -> Problem:
    """That `name`, which has a tombstone, was forgotten; its text stays in the history until it is erased."""
    if _is_kept(memory, facts, name):
        remedy = f"it is never shown; its text stays in the history until `scriptorium forget --erase {name}`"
    else:
        remedy = "nothing of it is kept"
    return Problem(Code.FORGOTTEN, f"{name} was forgotten on {facts.forgotten[name]}", name, remedy=remedy)


def _is_kept(memory: Memory, facts: Facts, name: str) -> bool:
    source = facts.sources.get(name)
    if source is not None:
        return bool(source.label)  # an erased frame has none
    commits = {each.commit for each in memory.index.queries.mentions(name)}
    return any(_took_away(memory, commit, name) for commit in commits)


def _took_away(memory: Memory, commit: str, block: str) -> bool:
    """Whether the record stood in a topic that a commit changed, before it."""
    history = memory.history
    changes = topic_changes(history, parent_of(history.entry(commit)), commit)
    records = (record for change in changes for record in records_in(history, change.path, change.old))
    return any(block in record.ids for record in records)
