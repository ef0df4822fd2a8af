"""Which commits touched a path: by `git rev-list` where git is installed, else by looking at every commit.

Git looks at ten thousand commits in a quarter of a second; reading them here takes some seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO

from .log import Entry
from .permitted import PermittedHistory
from .program import start
from .repository import History

__all__ = ["Touching", "looking", "told", "touching"]

Touching = Callable[..., Iterator[str]]
"""Called with a commit and paths: the commits from it back that changed one of them, newest first."""


def touching(history: History, commit: str, *paths: str) -> Iterator[str]:
    """The commits from `commit` back along first parents that changed one of `paths` (files or folders)."""
    literal = (f":(literal){path}" for path in paths)
    child = start(history.layout, ("rev-list", "--first-parent", commit, "--", *literal), output=True)
    if child is None or child.stdout is None:
        yield from looking(history, commit, *paths)
        return
    try:
        yield from _lines(child.stdout)
        child.communicate()
        if child.returncode:
            raise KeyError(commit)
    finally:
        child.kill()
        child.communicate()


def told(history: History, commits: Iterable[str], *paths: str) -> Iterator[Entry]:
    """Commits that touched something at or below `paths`, as far as they may be told."""
    if isinstance(history, PermittedHistory):
        return history.told(commits, *paths)
    return map(history.entry, commits)


def looking(history: History, commit: str, *paths: str) -> Iterator[str]:
    """The same, commit by commit."""
    at: str | None = commit
    while at is not None:
        parents = history.entry(at).parents
        above = parents[0] if parents else None
        if any(history.tree_id(at, path) != history.tree_id(above, path) for path in paths):
            yield at
        at = above


def _lines(output: IO[bytes]) -> Iterator[str]:
    for line in output:
        yield line.decode("ascii").strip()
