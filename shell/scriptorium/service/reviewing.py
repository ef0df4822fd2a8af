"""What a person should look at, one thing after the other, and what their key decides about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.knowledge.digest import Digest, digest_of
from scriptorium_core.knowledge.gate import assessed
from scriptorium_core.knowledge.judging import TARGET, Verdict, all_judged, text_key
from scriptorium_core.knowledge.reviewing import KEYS, Item, Kind, deeds_of, reviewed
from scriptorium_core.names import topic_prefix
from scriptorium_core.problem import Code, Problem
from scriptorium_core.trailers import ids_of
from scriptorium_core.transaction import Rejected

from ..refused import Refused
from .assessing import day_in
from .correcting import Seen, left, seen_of, today_of
from .once import is_repeated
from .permitted import speaker
from .shaping import citations_of

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts
    from scriptorium_core.knowledge.assess import Assessment
    from scriptorium_core.topics.records import Record

    from ..workspace import Committed, Memory
    from .cited import Citation
    from .place import Place

__all__ = ["Decided", "Listed", "Review", "Reviewed", "decide", "digests", "review"]


@frozen
class Listed:
    """A record of an item: what it says with its key, how far it may be relied on, and what it rests on."""

    shown: Seen
    assessment: Assessment
    citations: tuple[Citation, ...]


@frozen
class Reviewed:
    """Something to look at: its name, why, one record or two, and the keys that decide it.

    `question` is the one that both records answer, empty for other kinds.
    """

    item: str
    kind: Kind
    records: tuple[Listed, ...]
    keys: tuple[str, ...]
    question: str = ""


@frozen
class Review:
    """What should be looked at: the first `items` of `of`."""

    revision: str | None
    items: tuple[Reviewed, ...]
    of: int


@frozen
class Decided:
    """What a key decided about an item, in one commit, and the records as it left them."""

    item: str
    key: str
    committed: Committed
    records: tuple[Seen, ...]


def review(service: Place, limit: int | None) -> Review:
    """What should be looked at, by kind; at most `limit` items."""
    memory = service.memory()
    with memory.reading() as (revision, base):
        items = _items(memory, base.facts)
        shown = tuple(_shown(memory, base.facts, item) for item in items[:limit])
        return Review(revision, shown, len(items))


def decide(service: Place, name: str, key: str) -> Decided | Rejected:
    """Do what a key decides about an item; an item whose records changed since has another name."""
    memory, caller = service.memory(), speaker(service)
    verdicts = () if is_repeated(service) else _verdicts(memory, name.strip(), key)
    today = today_of(memory)
    done = memory.commit(lambda base: all_judged(base, verdicts, today, caller), memory.rules(caller))
    if isinstance(done, Rejected):
        return done
    names = ids_of(service.whole().history.entry(done.revision).trailers, TARGET)
    records = (left(service, done, each) for each in ([each for _, each, _ in verdicts] or names))
    return Decided(name.strip(), key, done, tuple(each for each in records if each is not None))


def _verdicts(memory: Memory, name: str, key: str) -> list[tuple[Verdict, str, str]]:
    """What a key decides about the item of a name: verdicts, ids, and the keys of what was seen."""
    with memory.reading() as (_, base):
        found = next((item for item in _items(memory, base.facts) if item.key == name), None)
    if found is None:
        message = f"nothing to look at is named {name[:40]!r}: it is decided, or its records have changed"
        raise Refused(Problem(Code.CONCURRENT_UPDATE, message, "item", remedy="look at the list again"))
    deeds = deeds_of(found, key)
    if deeds is None:
        message = f"{key[:20]!r} decides nothing about what is {found.kind}"
        remedy = f"press one of {', '.join(KEYS[found.kind])}"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, "key", remedy=remedy))
    records = [(verdict, found.records[place]) for place, verdict in deeds]
    return [(verdict, record.id, text_key(record)) for verdict, record in records]


def digests(memory: Memory, prefix: str) -> tuple[Digest, ...]:
    """A line of each topic whose path begins with a prefix."""
    with memory.reading() as (_, base):
        queries, day = memory.index.queries, day_in(memory)
        named = queries.topics(topic_prefix(prefix))
        topics = ((path, [known.record for known in queries.records_in(path)]) for path, _ in named)
        return tuple(digest_of(base.facts, path, records, day) for path, records in topics)


def _items(memory: Memory, facts: Facts) -> tuple[Item, ...]:
    records: list[Record] = [known.record for known in memory.index.queries.records_under("topics/")]
    return reviewed(facts, records, day_in(memory))


def _shown(memory: Memory, facts: Facts, item: Item) -> Reviewed:
    day = day_in(memory)
    records = tuple(
        Listed(seen_of(record), assessed(facts, record, day), citations_of(facts, record))
        for record in item.records
    )
    return Reviewed(item.key, item.kind, records, KEYS[item.kind], item.question)
