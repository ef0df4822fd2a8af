"""What is to be forgotten, as values."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType

from attrs import field, frozen

from ..names import BlockId, SourceId, anchor, archive_path, is_source_name

__all__ = ["Scope", "Targets", "places_of_source", "targets_of"]


@frozen
class Targets:
    """What goes: block ids (of a merged record all of them) and source ids; `day` is when, `YYYY-MM-DD`.

    `along` are ids that go in one state of a history only, because nothing that they cite there stays: a
    record that rests on other evidence in another state stays in that one. `earlier` are the days of sources
    whose erasing began before that of the others and is not done.
    """

    ids: frozenset[BlockId]
    sources: frozenset[SourceId]
    day: str = ""
    along: frozenset[BlockId] = frozenset()
    earlier: tuple[tuple[SourceId, str], ...] = ()

    @cached_property
    def nowhere(self) -> frozenset[BlockId]:
        """The ids to which nothing may link any more."""
        return self.ids | self.along

    @cached_property
    def days(self) -> Mapping[SourceId, str]:
        """When each of the sources goes."""
        earlier = dict(self.earlier)
        return MappingProxyType({source: earlier.get(source, self.day) for source in self.sources})

    @cached_property
    def places(self) -> frozenset[str]:
        """Where the sources stand or may have stood: archive and anchor from the root."""
        return frozenset(place for source in self.sources for place in places_of_source(source))

    @cached_property
    def archives(self) -> frozenset[str]:
        """The archives of the sources."""
        return frozenset(place.partition("#")[0] for place in self.places)

    @cached_property
    def marks(self) -> tuple[bytes, ...]:
        """What any text that names one of them holds: ids, anchors, or plain source ids."""
        named = (*self.nowhere, *self.sources, *(place.partition("#")[2] for place in self.places))
        return tuple(sorted(name.encode("utf-8", "surrogatepass") for name in named))

    def names(self, data: bytes) -> bool:
        """Whether a text may name one of them."""
        return any(mark in data for mark in self.marks)


@frozen
class Scope:
    """What forgetting some names comes to.

    `targets` is all that gets a tombstone. `shared` are messages that a forgotten record cites and that
    stay, because a record that stays cites them too; `losing` are the records that lose a citation;
    `linking` those that link to what goes.
    """

    targets: Targets
    shared: tuple[SourceId, ...] = ()
    losing: tuple[BlockId, ...] = ()
    linking: tuple[BlockId, ...] = field(default=())


def targets_of(names: Iterable[str], day: str = "") -> Targets:
    """What the names of records and messages, mixed as commits and tombstones have them, name."""
    given = tuple(names)
    ids = frozenset(BlockId(name) for name in given if not is_source_name(name))
    return Targets(ids, frozenset(SourceId(name) for name in given if is_source_name(name)), day)


def places_of_source(source: str) -> Iterable[str]:
    """The places that a source id can have: in an archive of version 2, or in an older one."""
    path, mark = archive_path(source), anchor(source)
    return dict.fromkeys((f"{path}#{mark}", f"{path.replace('/_v2/', '/', 1)}#{mark}"))
