"""What a person edited in the working tree: a draft until it is adopted."""

from collections.abc import Iterable, Iterator

from scriptorium_core.names import topic_path
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Edit, Rejected, Snapshot

from .. import files
from ..history import ADOPTED, blob_id
from ..layout import Layout
from ..refused import Refused

__all__ = ["ADOPTING", "edit_of", "in_the_way", "misnamed", "noticed"]

ADOPTING = "adopt"
"""The kind of a commit that takes drafts in."""


def edit_of(layout: Layout, base: Snapshot, paths: Iterable[str]) -> Edit | Rejected:
    """The edit that brings the files at `paths` from the working tree into the memory.

    Its trailers name what was read. Where ids are allocated the committed text is another one: by the
    trailers the projection knows, after a crash too, that the file may be replaced.
    """
    tree = base.tree
    names = tuple(paths)
    read: list[tuple[str, str]] = []
    for path in names:
        try:
            data = files.read(layout.root / path, layout.root)
        except Refused as refused:
            return Rejected(refused.problems)
        tree = tree.remove(path) if data is None else tree.put(path, data)
        read += [(ADOPTED, blob_id(data))] if data is not None else []
    subject = f"Adopt the edit of {', '.join(names)}"[:72]
    return Edit(tree, kind=ADOPTING, subject=subject, trailers=tuple(read))


def misnamed(paths: Iterable[str]) -> tuple[Problem, ...]:
    """What of `paths` can be no topic, and so no draft."""
    return tuple(fault for path in paths if isinstance(fault := topic_path(path), Problem))


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
