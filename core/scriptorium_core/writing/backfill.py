"""What is archived and written nowhere: the messages of each thread that no topic cites, in batches.

A thread of which no person's message is left is passed over: what an assistant alone said is rarely worth a
question, and stays in the archive, where searching finds it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import tzinfo
from itertools import chain, groupby, islice

from ..budget import Count
from ..facts.model import SourceFact
from ..sources.frame import Origin, Tier
from .batch import OWNER, Said

__all__ = ["batches", "left_of", "said_of"]

_TALK = (Origin.HUMAN, Origin.ASSISTANT)


def said_of(source: SourceFact, zone: tzinfo | None = None) -> Said:
    """An archived message as a writer is shown it.

    Of a message without a context its origin is known by who is named: older archives call only the
    assistant so.
    """
    context = source.context
    named = Origin.ASSISTANT if source.label.casefold() == Origin.ASSISTANT else Origin.HUMAN
    origin = named if context is None else context.origin
    unnamed = source.label == "user" and source.tier is Tier.OWNER
    return Said(
        source.id,
        OWNER if unnamed and origin is Origin.HUMAN else source.label,
        origin,
        source.text,
        source.at,
        None if context is None else context.scope,
        "unknown" if context is None else context.branch,
        source.trusted,
        zone,
    )


def left_of(
    sources: Iterable[SourceFact], known: Collection[str], zone: tzinfo | None = None
) -> Iterator[tuple[Said, ...]]:
    """The trusted messages of each archive that are not `known`; `sources` stand archive by archive."""
    for _, together in groupby(sources, key=lambda source: source.path):
        found = (said_of(source, zone) for source in together if source.trusted and source.id not in known)
        items = tuple(item for item in found if item.origin in _TALK and item.text.strip())
        if any(item.origin is Origin.HUMAN for item in items):
            yield items


def batches(
    threads: Iterable[Sequence[Said]], count: Count, goal: int, limit: int | None = None
) -> Iterator[tuple[Said, ...]]:
    """The messages in batches that end where they reach `goal` tokens, at most `limit` in all."""
    batch: list[Said] = []
    tokens = 0
    for item in islice(chain.from_iterable(threads), limit):
        batch.append(item)
        tokens += count(item.text)
        if tokens >= goal:
            yield tuple(batch)
            batch, tokens = [], 0
    if batch:
        yield tuple(batch)
