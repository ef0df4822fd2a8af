"""Facts as somebody sees them who may not read everything: as if the rest were not there.

Of a message that may not be read, and that a record cites which may be, only that it is there is left: its
place, its trust and its branch, for the record rests on it. It is `withheld`, with all that was said in it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeVar, overload

from attrs import frozen

from ..names import BlockId
from ..problem import Problem
from .clashes import clashing
from .model import Facts, Known, SourceFact

__all__ = ["May", "permitted_facts"]

V = TypeVar("V")
May = Callable[[str], bool]
"""Whether the file at a path (`topics/…`, `sources/…`) may be read."""


@frozen(eq=False)
class _Seen(Mapping[str, V]):
    """A mapping of which each value is shown as `shown` has it; None: it is not there."""

    below: Mapping[str, V]
    shown: Callable[[str, V], V | None]

    def __getitem__(self, key: str) -> V:
        found = self.shown(key, self.below[key])
        if found is None:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[str]:
        return (key for key in self.below if key in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@frozen(eq=False)
class _Kept(Sequence[Known]):
    """The records that may be read, in the same order; a slice looks at no more than it must."""

    below: Sequence[Known]
    may: May

    @overload
    def __getitem__(self, index: int) -> Known: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Known]: ...
    def __getitem__(self, index: int | slice) -> Known | Sequence[Known]:
        if isinstance(index, int):
            return list(self)[index]
        plain = index.start in (None, 0) and index.step in (None, 1) and (index.stop or -1) >= 0
        return list(islice(self, index.stop)) if plain else list(self)[index]

    def __iter__(self) -> Iterator[Known]:
        return (_unnumbered(known) for known in self.below if self.may(known.record.path))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def permitted_facts(facts: Facts, may: May) -> Facts:
    """The facts without what `may` says no to: those of a memory in which those files are not.

    Creation orders are unknown: the numbers would tell how many others there are. What was forgotten is known
    as far as it stands where it may be read.
    """
    records = _Seen(facts.records, lambda _, known: _unnumbered(known) if may(known.record.path) else None)
    backlinks = _Seen(facts.backlinks, lambda _, ids: _there(records, ids))
    citing = _Seen(facts.citing, lambda _, ids: _there(records, ids))

    def source(_: str, found: SourceFact) -> SourceFact | None:
        if may(found.path):
            return found
        return _withheld(found) if found.place in citing else None

    def linked(_: str, ids: tuple[BlockId, ...]) -> tuple[BlockId, ...] | None:
        known = (records.get(block) for block in ids)
        there = (each.record for each in known if each is not None)
        return tuple(r.id for r in there if r.links or any(b in backlinks for b in r.ids)) or None

    sources = _Seen(facts.sources, source)

    def gone(name: str, day: str) -> str | None:
        return day if name in records or name in sources else None

    return facts._replace(
        records=records,
        topics=_Seen(
            facts.topics,
            lambda _, topic: topic._replace(problems=_told(topic.problems, may)) if may(topic.path) else None,
        ),
        spellings=_Seen(facts.spellings, lambda _, paths: tuple(filter(may, paths)) or None),
        evidence=_Seen(facts.evidence, lambda _, paths: tuple(filter(may, paths)) or None),
        backlinks=backlinks,
        citing=citing,
        sources=sources,
        places=_Seen(facts.places, lambda _, name: name if name in sources else None),
        archives=_Seen(facts.archives, lambda path, archive: archive if may(path) else None),
        days=_Seen(facts.days, lambda _, events: tuple(e for e in events if may(e.path)) or None),
        shards=_Seen(facts.shards, linked),
        newest=_Kept(facts.newest, may),
        forgotten=_Seen(facts.forgotten, gone),
        broken=_Seen(
            facts.broken, lambda path, problems: _told(problems, may) or None if may(path) else None
        ),
        asked=_Seen(facts.asked, lambda _, ids: _there(records, ids)),
        created=_Seen(facts.created, lambda block, order: order if block in records else None),
    )


def _unnumbered(known: Known) -> Known:
    return known._replace(order=-1)


def _there(records: Mapping[str, Known], ids: tuple[BlockId, ...]) -> tuple[BlockId, ...] | None:
    return tuple(block for block in ids if block in records) or None


def _withheld(source: SourceFact) -> SourceFact:
    return source._replace(label="", at="", text="", speaker_id=None, withheld=True)


def _told(problems: tuple[Problem, ...], may: May) -> tuple[Problem, ...]:
    """The problems of a topic, without those that it has because of one that may not be read."""
    return tuple(each for each in problems if (other := clashing(each)) is None or may(other))
