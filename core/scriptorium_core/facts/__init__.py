"""What is known of a committed memory: derived from scratch here, kept by an index in the shell."""

from typing import TYPE_CHECKING

from .chronicle import Chronicle, chronicle, mentions_of
from .model import ArchiveFact, Event, Facts, Known, SourceFact, TopicFact, human_of_owner
from .rows import (
    ArchiveRows,
    ContextRows,
    Rows,
    TopicRows,
    contributes,
    events_of,
    file_facts,
    id_clash,
    name_clash,
    places_of,
    shard_of,
)

if TYPE_CHECKING:
    from .derive import facts_of

__all__ = [
    "ArchiveFact",
    "ArchiveRows",
    "Chronicle",
    "ContextRows",
    "Event",
    "Facts",
    "Known",
    "Rows",
    "SourceFact",
    "TopicFact",
    "TopicRows",
    "chronicle",
    "contributes",
    "events_of",
    "facts_of",
    "file_facts",
    "human_of_owner",
    "id_clash",
    "mentions_of",
    "name_clash",
    "places_of",
    "shard_of",
]


def __getattr__(name: str) -> object:
    """`facts_of` is loaded when it is asked for: whoever has an index never needs it."""
    if name != "facts_of":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .derive import facts_of

    return facts_of
