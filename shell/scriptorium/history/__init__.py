"""The commit as truth: a memory's git repository, and the projections that follow its HEAD.

What reads git objects is loaded when it is asked for: finding HEAD needs none of it, and opening a memory
whose indexes are up to date needs no more than HEAD.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .log import AUTHOR, Entry
    from .objects import blob_id
    from .repository import ADOPTED, History
    from .trees import Change, GitBase
    from .worktree import Projection

__all__ = ["ADOPTED", "AUTHOR", "Change", "Entry", "GitBase", "History", "Projection", "blob_id"]


def __getattr__(name: str) -> object:
    """The public names, each from its own module."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import log, objects, repository, trees, worktree

    homes = (repository, log, trees, worktree, objects)
    return next(getattr(each, name) for each in homes if hasattr(each, name))
