"""What the trailers of a history say: in which order records were made, and what was forgotten when."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..trailers import Trailer

__all__ = ["MENTIONS", "Chronicle", "chronicle", "mentions_of"]

# The trailers that name ids: what a commit did to which.
MENTIONS = (
    *("Created", "Deleted", "Superseded", "Moved", "Promoted", "Forgotten"),
    *("Lost", "Altered", "Unfounded"),
)


class Chronicle(NamedTuple):
    """Block id to creation order, from 0 for ever; and forgotten id to the day on which it was."""

    order: Mapping[str, int]
    forgotten: Mapping[str, str]


def chronicle(commits: Iterable[tuple[str, "Sequence[Trailer]"]]) -> Chronicle:
    """Read from the day and the trailers of each commit, oldest first; the first mention counts."""
    order: dict[str, int] = {}
    forgotten: dict[str, str] = {}
    for day, trailers in commits:
        for name, named in mentions_of(trailers):
            if name == "Created":
                order.setdefault(named, len(order))
            if name == "Forgotten":
                forgotten.setdefault(named, day)
    return Chronicle(order, forgotten)


def mentions_of(trailers: "Sequence[Trailer]") -> tuple[tuple[str, str], ...]:
    """What a commit did to which id, in order, each once: `("Created", "6c1f02aa")`."""
    from ..trailers import ids_of

    return tuple(dict.fromkeys((name, named) for name in MENTIONS for named in ids_of(trailers, name)))
