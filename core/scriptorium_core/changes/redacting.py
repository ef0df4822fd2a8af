"""What a request brings anew, without the secrets in it: sources, message, contents of operations.

Whole topics and patches stay as they are: they are somebody's own text, of which a part may have stood
there before. The proof of the memory names a secret in them with its line.
"""

from collections.abc import Mapping

from attrs import evolve, field, frozen

from ..sources.redact import Redact, Secret, totalled
from .model import Change, CreateRecord, NewSource, Request, UpdateRecord

__all__ = ["Cleaned", "clean_request", "cleaned"]


@frozen
class Cleaned:
    """Changes and new sources without secrets, and how many of which kind were in them."""

    changes: tuple[Change, ...]
    sources: tuple[NewSource, ...]
    found: Mapping[Secret, int] = field(factory=dict[Secret, int])


def cleaned(changes: tuple[Change, ...], sources: tuple[NewSource, ...], redact: Redact) -> Cleaned:
    """Changes and the sources that go with them, their words redacted."""
    found: list[Mapping[Secret, int]] = []

    def clean(text: str) -> str:
        result = redact(text)
        found.append(result.found)
        return result.text

    kept = tuple(
        evolve(each, content=clean(each.content)) if isinstance(each, CreateRecord | UpdateRecord) else each
        for each in changes
    )
    said = tuple(evolve(source, content=clean(source.content)) for source in sources)
    return Cleaned(kept, said, totalled(found))


def clean_request(request: Request, redact: Redact) -> tuple[Request, Mapping[Secret, int]]:
    """A request without secrets in what it says, and how many of which kind were in it."""
    clean, message = cleaned(request.changes, request.sources, redact), redact(request.message)
    said = evolve(request, changes=clean.changes, sources=clean.sources, message=message.text)
    return said, totalled((clean.found, message.found))
