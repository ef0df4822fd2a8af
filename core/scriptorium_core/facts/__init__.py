"""What is known of a committed memory: derived from scratch here, kept by an index in the shell.

What reads files is loaded when it is asked for: whoever has an index that is up to date never needs it.
"""

from typing import TYPE_CHECKING

from .chronicle import Chronicle, chronicle, mentions_of
from .model import ArchiveFact, Event, Facts, Known, SourceFact, TopicFact, human_of_owner

if TYPE_CHECKING:
    from .clashes import id_clash, name_clash
    from .derive import facts_of
    from .rows import (
        ArchiveRows,
        ContextRows,
        Rows,
        TopicRows,
        contributes,
        events_of,
        file_facts,
        keys_of,
        messages_in,
        places_of,
        shard_of,
        with_contexts,
    )

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
    "keys_of",
    "mentions_of",
    "messages_in",
    "name_clash",
    "places_of",
    "shard_of",
    "with_contexts",
]


def __getattr__(name: str) -> object:
    """The public names that files are read with."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import clashes, derive, rows

    return next(getattr(each, name) for each in (clashes, rows, derive) if hasattr(each, name))
