"""Taking in topics that were edited by hand: the named ones, or all of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Rejected

from ..workspace.drafts import misnamed

if TYPE_CHECKING:
    from ..workspace import Committed, Memory

__all__ = ["adopt"]


def adopt(memory: Memory, paths: Sequence[str] | None, delete: bool = False) -> Committed | Rejected:
    """Adopt the topics at `paths`, None for all that differ; a path at which nothing ever stood is named.

    `delete` confirms that the records that vanished are deleted. Files below `topics/` that can be no topic
    are left alone and named.
    """
    done = _adopted(memory, paths, delete)
    return Rejected(tuple(map(_answered, done.problems))) if isinstance(done, Rejected) else done


def _adopted(memory: Memory, paths: Sequence[str] | None, delete: bool) -> Committed | Rejected:
    if paths is None:
        done = memory.adopt(delete=delete)
        if isinstance(done, Rejected):
            return done
        left = memory.history.drafts()
        faults = misnamed(left)
        named = {fault.path for fault in faults}
        blank = (path for path in left if path not in named and done.unchanged)
        return evolve(done, problems=(*done.problems, *faults, *map(_no_record, blank)))
    with memory.reading() as (_, base):
        problems = misnamed(paths)
        named = {problem.path for problem in problems}
        nowhere = [
            path
            for path in dict.fromkeys(paths)
            if path not in named
            and base.tree.get(path) is None
            and not os.path.lexists(memory.layout.root / path)
        ]
    if nowhere or problems:
        return Rejected((*problems, *map(_no_topic, nowhere)))
    return memory.adopt(tuple(paths), delete)


def _answered(problem: Problem) -> Problem:
    """A problem with what a person who adopts can do about it."""
    if problem.code is not Code.BLOCK_LOST:
        return problem
    return problem._replace(remedy="put its id back, or delete it on purpose: `scriptorium adopt --delete`")


def _no_record(path: str) -> Problem:
    return Problem(
        Code.INVALID_TOPIC_FORMAT,
        "it holds no record, and a topic without records is not kept",
        path,
        remedy="write a paragraph with its evidence, or remove the file",
    )


def _no_topic(path: str) -> Problem:
    return Problem(
        Code.MEMORY_NOT_FOUND,
        f"there is no topic {path}, neither as a file nor in the last commit",
        path,
        remedy="name one that `scriptorium status` lists as a draft, or none for all of them",
    )
