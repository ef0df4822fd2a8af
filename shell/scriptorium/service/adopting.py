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
    if paths is None:
        done = memory.adopt(delete=delete)
        left = misnamed(memory.history.drafts())
        return done if isinstance(done, Rejected) else evolve(done, problems=(*done.problems, *left))
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


def _no_topic(path: str) -> Problem:
    return Problem(
        Code.MEMORY_NOT_FOUND,
        f"there is no topic {path}, neither as a file nor in the last commit",
        path,
        remedy="name one that `scriptorium status` lists as a draft, or none for all of them",
    )
