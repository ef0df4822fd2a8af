"""Comparing the facts that an index answers with those of the files themselves, file by file.

The files come one after the other (`take`): archives of version 2 before older ones, each kind by path, a
context file right before its archive. What lookups gather over several files is compared at the end
(`close`). Only ids and places are kept on the way, so that it costs no more where more was said.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from hashlib import blake2b
from typing import assert_never

from attrs import Factory, frozen

from ..facts.chronicle import Chronicle
from ..facts.clashes import id_clash, name_clash
from ..facts.model import Event, Facts, Known
from ..facts.rows import (
    ArchiveRows,
    ContextRows,
    Rows,
    TopicRows,
    events_of,
    keys_of,
    places_of,
    shard_of,
    with_contexts,
)
from ..names import SourceId
from ..problem import Problem
from ..sources.frame import Context
from ..topics.records import Record

__all__ = ["Difference", "Mirror"]

Grouped = defaultdict[str, set[str]]


def _grouped() -> Grouped:
    return defaultdict(set)


def _digests() -> defaultdict[str, bytes]:
    return defaultdict(bytes)


@frozen
class Difference:
    """A lookup of `Facts` by its name, and the key at which it does not say what the files say."""

    lookup: str
    key: str


@frozen
class Mirror:
    """What the files have said so far."""

    facts: Facts
    said: Chronicle
    owners: dict[str, str] = Factory(dict[str, str])
    names: dict[str, str] = Factory(dict[str, str])
    messages: set[str] = Factory(set[str])
    places: set[str] = Factory(set[str])
    archives: set[str] = Factory(set[str])
    contexts: dict[SourceId, Context] = Factory(dict[SourceId, Context])
    backlinks: Grouped = Factory(_grouped)
    citing: Grouped = Factory(_grouped)
    asked: Grouped = Factory(_grouped)
    evidence: Grouped = Factory(_grouped)
    aliases: dict[str, tuple[str, ...]] = Factory(dict[str, tuple[str, ...]])
    linking: set[str] = Factory(set[str])
    days: defaultdict[str, bytes] = Factory(_digests)
    newest: list[tuple[int, int, str]] = Factory(list[tuple[int, int, str]])
    broken: dict[str, tuple[Problem, ...]] = Factory(dict[str, tuple[Problem, ...]])

    def take(self, rows: Rows) -> Iterator[Difference]:
        """Compare what one file contributes."""
        match rows:
            case TopicRows():
                yield from self._topic(rows)
            case ContextRows():
                self.contexts.clear()
                self.contexts.update((line.id, line) for line in rows.contexts)
                self._broken(rows.path, rows.problems)
            case ArchiveRows():
                yield from self._archive(rows)
                self.contexts.clear()
            case _:
                assert_never(rows)

    def close(self) -> Iterator[Difference]:
        """Compare what lookups gather over all files."""
        facts = self.facts
        yield from _lookup("backlinks", self.backlinks, facts.backlinks)
        yield from _lookup("citing", self.citing, facts.citing)
        yield from _lookup("asked", self.asked, facts.asked)
        yield from _lookup("evidence", self.evidence, facts.evidence)
        yield from _lookup("shards", self._shards(), facts.shards)
        yield from self._ends()
        sizes: tuple[tuple[str, Set[str] | Mapping[str, object], Mapping[str, object]], ...] = (
            ("records", self.owners, facts.records),
            ("topics", self.names, facts.topics),
            ("sources", self.messages, facts.sources),
            ("places", self.places, facts.places),
            ("archives", self.archives, facts.archives),
        )
        for name, fresh, known in sizes:
            if len(fresh) != len(known):
                yield Difference(name, next((key for key in known if key not in fresh), ""))

    def _topic(self, rows: TopicRows) -> Iterator[Difference]:
        first = self.names.setdefault(rows.key, rows.path)
        faults = [*rows.problems, *([name_clash(rows.path, first)] if first != rows.path else [])]
        for record in rows.records:
            yield from self._record(record)
            faults += [
                id_clash(rows.path, record.lines[0], block, self.owners[block])
                for block in record.ids
                if self.owners[block] != rows.path
            ]
        for cite in rows.evidence:
            self.evidence[cite].add(rows.path)
        self._broken(rows.path, tuple(faults))
        topic = self.facts.topics.get(rows.key)
        ids = tuple(block for record in rows.records for block in record.ids)
        if first == rows.path and (topic is None or (topic.path, topic.ids) != (rows.path, ids)):
            yield Difference("topics", rows.path)

    def _record(self, record: Record) -> Iterator[Difference]:
        self.newest.append((-self._order(record.id), len(self.newest), record.id))
        for block in record.ids:
            first = block not in self.owners
            if first:
                self.owners[block] = record.path
            if first and not _same(self.facts.records.get(block), Known(record, self._order(block))):
                yield Difference("records", block)
        for link in record.links:
            self.backlinks[link].add(record.id)
        for place in places_of(record):
            self.citing[place].add(record.id)
        for key in keys_of(record):
            self.asked[key].add(record.id)
        for event in events_of(record):
            self.days[event.day] = _folded(self.days[event.day], event)
        if record.links:
            self.linking.add(record.id)
        if len(record.ids) > 1:
            self.aliases[record.id] = record.aliases

    def _order(self, block: str) -> int:
        return self.said.order.get(block, -1)

    def _archive(self, rows: ArchiveRows) -> Iterator[Difference]:
        self.archives.add(rows.path)
        if self.facts.archives.get(rows.path) != rows.archive:
            yield Difference("archives", rows.path)
        for source in with_contexts(rows, self.contexts):
            self.places.add(source.place)
            if self.facts.places.get(source.place) != source.id:
                yield Difference("places", source.place)
            if source.id not in self.messages and self.facts.sources.get(source.id) != source:
                yield Difference("sources", source.id)
            self.messages.add(source.id)

    def _broken(self, path: str, problems: tuple[Problem, ...]) -> None:
        if problems:
            self.broken[path] = problems

    def _shards(self) -> Grouped:
        """The records that link or are linked to, by the shard of each of their ids."""
        found = _grouped()
        for _, _, record in self.newest:
            names = (record, *self.aliases.get(record, ()))
            if record in self.linking or any(name in self.backlinks for name in names):
                for name in names:
                    found[shard_of(name)].add(record)
        return found

    def _ends(self) -> Iterator[Difference]:
        facts = self.facts
        for day in facts.days.keys() | self.days.keys():
            digest = b""
            for event in facts.days.get(day, ()):
                digest = _folded(digest, event)
            if digest != self.days.get(day, b""):
                yield Difference("days", day)
        for (_, _, fresh), known in zip(sorted(self.newest), facts.newest, strict=False):
            if fresh != known.record.id:
                yield Difference("newest", fresh)
                break
        if len(facts.newest) != len(self.newest):
            yield Difference("newest", "")
        if facts.next_order != max(self.said.order.values(), default=-1) + 1:
            yield Difference("next_order", "")
        for name, fresh_map, known_map in (
            ("forgotten", self.said.forgotten, facts.forgotten),
            ("broken", self.broken, facts.broken),
        ):
            differing = {**fresh_map}.items() ^ {**known_map}.items()
            yield from (Difference(name, key) for key in sorted({key for key, _ in differing}))


def _lookup(
    name: str, fresh: Mapping[str, Set[str]], known: Mapping[str, Sequence[str]]
) -> Iterator[Difference]:
    for key, values in fresh.items():
        if known.get(key, ()) != tuple(sorted(values)):
            yield Difference(name, key)
    if len(known) != len(fresh):
        yield Difference(name, next((key for key in known if key not in fresh), ""))


def _same(known: Known | None, fresh: Known) -> bool:
    """Equality of records leaves out where they stand; here that counts too."""
    if known is None or known != fresh:
        return False
    return (known.record.lines, known.record.span) == (fresh.record.lines, fresh.record.span)


def _folded(digest: bytes, event: Event) -> bytes:
    """The digest of a list of events with one more at its end."""
    said = repr(
        (event.record, event.path, event.quote, [(s.label, s.target, s.place) for s in event.sources])
    )
    return blake2b(digest + said.encode("utf-8", "surrogatepass"), digest_size=16).digest()
