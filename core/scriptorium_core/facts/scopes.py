"""Where a record holds: in the project directories in which what it rests on was said, and below them.

A record that rests on something said outside of any project holds everywhere.
"""

from collections.abc import Collection, Iterable

from .model import SourceFact

__all__ = ["holds_in", "scopes_of"]


def scopes_of(sources: Iterable[SourceFact]) -> tuple[str, ...]:
    """The projects of the messages that a record rests on, each once; empty if it holds everywhere."""
    scopes = [source.context.scope if source.context is not None else None for source in sources]
    return tuple(dict.fromkeys(scope for scope in scopes if scope)) if all(scopes) else ()


def holds_in(scopes: Collection[str], directory: str) -> bool:
    """Whether what was said in these projects holds for somebody who works in a directory."""
    here = _folder(directory)
    return not scopes or any(here.startswith(_folder(scope)) for scope in scopes)


def _folder(path: str) -> str:
    """A directory with one slash at its end, with the same slashes on every system."""
    return path.replace("\\", "/").rstrip("/") + "/"
