"""A request of any form carried out on a base: operations, whole topics, or a patch."""

from collections.abc import Mapping

from ..facts.model import Facts
from ..names import BlockId, TopicPath
from ..problem import Code, Problem
from ..tree import Tree
from .apply import Applied, apply_changes
from .asked import still_asked
from .files import write_files
from .model import Request

__all__ = ["carry_out", "paths_meant"]


def carry_out(
    tree: Tree, facts: Facts, request: Request, places: Mapping[str, str], today: str, labelled: int = 0
) -> Applied | tuple[Problem, ...]:
    """The edited directory and the ids that were deleted on purpose, or all that is in the way.

    `places` are those of the sources that the request brings, by label and by id; `today` and
    `labelled` are as in `apply_changes`.
    """
    if not request.files:
        return apply_changes(tree, facts, request.changes, places, today, labelled)
    ids = {place: name for name, place in places.items() if "/" in name}
    named = {name: ids[place] for name, place in places.items() if "/" not in name}
    written = write_files(tree, request.files, named)
    unknown = tuple(_unknown(block) for block in sorted(request.deleted) if block not in facts.records)
    if isinstance(written, tuple) or unknown:
        return (written if isinstance(written, tuple) else ()) + unknown
    return Applied(still_asked(written, facts, paths_meant(request)), request.deleted)


def paths_meant(request: Request) -> frozenset[TopicPath]:
    """The topics that changes of whole topics name."""
    return frozenset(change.path for change in request.files)


def _unknown(block: BlockId) -> Problem:
    message = f"there is no record ^{block}"
    return Problem(Code.MEMORY_NOT_FOUND, message, "deleted", remedy="leave it out")
