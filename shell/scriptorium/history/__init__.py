"""The commit as truth: a memory's git repository, and the projections that follow its HEAD."""

from .log import AUTHOR, Entry
from .repository import History
from .trees import Change, GitBase
from .worktree import Projection

__all__ = ["AUTHOR", "Change", "Entry", "GitBase", "History", "Projection"]
