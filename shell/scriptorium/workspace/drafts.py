"""What a person edited in the working tree: a draft until it is adopted."""

from collections.abc import Iterable, Iterator

from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Edit, Rejected, Snapshot

from .. import files
from ..layout import Layout
from ..refused import Refused

__all__ = ["edit_of", "in_the_way", "noticed"]


def edit_of(layout: Layout, base: Snapshot, paths: Iterable[str]) -> Edit | Rejected:
    """The edit that brings the files at `paths` from the working tree into the memory."""
    tree = base.tree
    names = tuple(paths)
    for path in names:
        try:
            data = files.read(layout.root / path, layout.root)
        except Refused as refused:
            return Rejected(refused.problems)
        tree = tree.remove(path) if data is None else tree.put(path, data)
    return Edit(tree, kind="adopt", subject=f"Adopt the edit of {', '.join(names)}"[:72])


def in_the_way(paths: Iterable[str]) -> Iterator[Problem]:
    """That an edit is refused because a person's text, which does not pass, stands in its place."""
    for path in paths:
        yield Problem(
            Code.DRAFT_IN_THE_WAY,
            "the file was edited by hand and does not pass the checks; it stays as it is",
            path,
            remedy=f"mend {path} as the next lines say, or put the committed text back",
        )


def noticed(paths: Iterable[str]) -> tuple[Problem, ...]:
    """That files were edited by hand and wait."""
    return tuple(
        Problem(
            Code.DRAFT_IN_THE_WAY,
            "the file was edited by hand and is not adopted yet",
            path,
            remedy="`scriptorium adopt` takes it in",
        )
        for path in paths
    )
