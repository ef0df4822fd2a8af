"""What the commits of one side say that they did since both sides were one."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from ..facts.chronicle import mentions_of
from ..trailers import Trailer, ids_of, values_of

__all__ = ["ERASED", "Tidings", "erased_by", "tidings_of"]

ERASED = "Erased"
"""The trailer by which a commit that unites two histories names what an erasing commit of one forgot."""


@frozen
class Tidings:
    """Ids by what was done to them, in the order of the commits, each once.

    `forgotten` holds block and source ids; `erased` those of them that were erased; `named` what an adopting
    commit named as broken, as pairs of trailer and id. `requests` are trailers that say which requests with
    keys were carried out.
    """

    created: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    promoted: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()
    named: frozenset[tuple[str, str]] = frozenset()
    requests: tuple[Trailer, ...] = ()


def tidings_of(commits: Iterable[Sequence[Trailer]]) -> Tidings:
    """Read from the trailers of commits, the oldest first."""
    told = [*commits]
    said = [each for trailers in told for each in mentions_of(trailers)]

    def ids(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(named for key, named in said if key == name))

    erased = tuple(dict.fromkeys(name for trailers in told for name in erased_by(trailers)))
    broken = frozenset(each for each in said if each[0] in ("Lost", "Altered", "Unfounded"))
    return Tidings(ids("Created"), ids("Deleted"), ids("Promoted"), ids("Forgotten"), erased, broken)


def erased_by(trailers: Sequence[Trailer]) -> tuple[str, ...]:
    """What a commit erased, or says that a commit which it brought erased."""
    own = ids_of(trailers, "Forgotten") if values_of(trailers, "Kind") == ("erase",) else ()
    return (*own, *ids_of(trailers, ERASED))
