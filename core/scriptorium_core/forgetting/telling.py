"""What a commit that forgets says of others than what went, for whoever asks a second time what it did."""

from collections.abc import Sequence

from ..names import BlockId, SourceId
from ..trailers import Trailer, id_trailers, ids_of
from .model import Scope, targets_of

__all__ = ["told_in", "told_of"]


def told_of(scope: Scope) -> tuple[Trailer, ...]:
    """The trailers that name what stays and is concerned."""
    listed = {"Shared": scope.shared, "Losing": scope.losing, "Linking": scope.linking}
    return tuple(line for name, ids in listed.items() for line in id_trailers(name, ids))


def told_in(trailers: Sequence[Trailer]) -> Scope:
    """What a commit came to that forgot, by its trailers."""
    return Scope(
        targets_of(ids_of(trailers, "Forgotten")),
        tuple(map(SourceId, ids_of(trailers, "Shared"))),
        tuple(map(BlockId, ids_of(trailers, "Losing"))),
        tuple(map(BlockId, ids_of(trailers, "Linking"))),
    )
