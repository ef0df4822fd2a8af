"""What a person edited in the working tree: a draft until it is adopted."""

from collections.abc import Iterable, Iterator

from scriptorium_core.names import topic_path
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction import Edit, Rejected, Snapshot
from scriptorium_core.transaction.drafted import ADOPTING, drafted

from .. import files
from ..history import ADOPTED, History, blob_id
from ..refused import Refused

__all__ = ["ADOPTING", "edit_of", "in_the_way", "misnamed", "noticed"]


def edit_of(history: History, base: Snapshot, paths: Iterable[str]) -> Edit | Rejected:
    """The edit that brings the files at `paths` from the working tree into the memory.

    Its trailers name what was read. Where ids are allocated, or a commit came meanwhile, the committed text
    is another one: by the trailers the projection knows, after a crash too, that the file may be replaced.
    """
    root = history.layout.root
    try:
        found = {path: files.read(root / path, root) for path in paths}
    except Refused as refused:
        return Rejected(refused.problems)
    read = tuple((ADOPTED, blob_id(data)) for data in found.values() if data is not None)
    made_from = {path: text for path in found if (text := history.made_from(path)) is not None}
    return drafted(base, found, made_from, f"Adopt the edit of {', '.join(found)}"[:72], read)


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
