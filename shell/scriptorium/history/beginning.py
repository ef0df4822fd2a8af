"""The repository of a memory that has none yet: its configuration, its branch, what git passes over."""

from scriptorium_core.problem import Code, Problem

from .. import files
from ..layout import EXCLUDED, Layout

__all__ = ["begin", "no_repository"]

_CONFIG = b"""[core]
\trepositoryformatversion = 0
\tfilemode = false
\tbare = false
\tlogallrefupdates = true
\tautocrlf = false
\tprecomposeunicode = false
"""
_HEAD = b"ref: refs/heads/main\n"


def begin(layout: Layout) -> None:
    """Make what is missing of a repository, its HEAD last."""
    for folder in ("objects/pack", "refs/heads", "info"):
        files.ensure_folder(layout.git / folder, root=layout.root)
    _exclude(layout)
    for name, data in (("config", _CONFIG), ("HEAD", _HEAD)):
        if files.read(layout.git / name) is None:
            files.write_durable(layout.git / name, data, root=layout.root)


def _exclude(layout: Layout) -> None:
    """See that git never takes the runtime folder or a temporary file for a part of the memory."""
    path = layout.git / "info" / "exclude"
    known = (files.read(path, layout.root) or b"").decode("utf-8", "replace")
    missing = [line for line in EXCLUDED if line not in known.splitlines()]
    if missing:
        lines = [*known.splitlines(), *missing]
        files.write_durable(path, "".join(f"{line}\n" for line in lines).encode(), root=layout.root)


def no_repository(message: str) -> Problem:
    """That there is no repository that can be read."""
    remedy = "`scriptorium --home NEW init` makes one in a new home"
    return Problem(Code.GIT_UNAVAILABLE, message, ".git", remedy=remedy)
