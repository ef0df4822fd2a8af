"""One committed state of the index: its commit, its statistics, and the candidates for a query."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scriptorium_core import recall
from scriptorium_core.recall import Candidate, Document, Kind, Query, Similar, Statistics

from .stored import STAMP, Size, Stamp, decode, place, plain, read_stamp

if TYPE_CHECKING:
    import tantivy

__all__ = ["Near", "Proposal", "Snapshot", "snapshot"]

SURROUNDED = 10  # how many of the best turns bring their neighbours
_AROUND = (-2, -1, 1, 2)
_NEAR_AT_ONCE = 200


class Proposal(NamedTuple):
    """Candidates, and whether they are all that there is."""

    candidates: tuple[Candidate, ...] = ()
    whole: bool = True


class Near(Protocol):
    """How near documents are to a query in meaning; `best` are the ids of those that stand out, by kind."""

    @property
    def similar(self) -> Similar: ...
    @property
    def best(self) -> Mapping[Kind, Sequence[str]]: ...


def snapshot(index: "tantivy.Index", zone: str) -> "Snapshot | None":
    """The state that the index has committed last; None if it has no stamp of this schema and zone."""
    import tantivy

    searcher = index.searcher()
    hits = searcher.search(tantivy.Query.term_query(index.schema, "stamp", STAMP, "basic"), 1).hits
    stamp = read_stamp(searcher.doc(hits[0][1]), zone) if hits else None
    return Snapshot(index, searcher, stamp) if stamp is not None else None


class Snapshot:
    """A state of the index that does not change any more."""

    def __init__(
        self, index: "tantivy.Index", searcher: "tantivy.Searcher", stamp: Stamp, hidden: tuple[str, ...] = ()
    ) -> None:
        self.index = index
        self.searcher = searcher
        self.stamp = stamp
        self.hidden = hidden

    @property
    def commit(self) -> str:
        """The commit whose documents these are."""
        return self.stamp.commit

    def without(self, hidden: tuple[str, ...]) -> "Snapshot":
        """The same state without the documents of some files."""
        return self if hidden == self.hidden else Snapshot(self.index, self.searcher, self.stamp, hidden)

    def statistics(self, kind: Kind, terms: Sequence[str]) -> Statistics:
        """Of all documents of a kind, for these terms."""
        size = self._sizes[kind]
        frequency = {term: self._frequency(kind, term) for term in terms}
        average = size.terms / size.documents if size.documents else 0.0
        return Statistics(size.documents, average, {term: df for term, df in frequency.items() if df})

    def counted(self, kind: Kind) -> int:
        """How many documents of a kind there are, by counting them."""
        return self._hits(self._any("kind", [kind]))

    def left(self, paths: Sequence[str], ids: Sequence[str] = ()) -> Mapping[Kind, Size]:
        """What there is of each kind without the documents of these files and those with these ids."""
        return {kind: self._stamped(kind).less(self._part(kind, paths, ids)) for kind in Kind}

    def _stamped(self, kind: Kind) -> Size:
        return self.stamp.sizes.get(kind, Size())

    def _part(self, kind: Kind, paths: Sequence[str], ids: Sequence[str]) -> Size:
        import tantivy

        named = [
            (tantivy.Occur.Should, self._any(field, [plain(value) for value in values]))
            for field, values in (("path", paths), ("id", ids))
            if values
        ]
        if not named:
            return Size()
        those = [self._any("kind", [kind]), tantivy.Query.boolean_query(named)]
        wanted = [(tantivy.Occur.Must, part) for part in those]
        asked = {"length": {"stats": {"field": "length"}}}
        found = self.searcher.aggregate(tantivy.Query.boolean_query(wanted), asked)["length"]
        return Size(int(found["count"]), int(found["sum"] or 0))

    def propose(self, query: Query, terms: Sequence[str], most: int) -> Proposal:
        """Candidates for the core to rank: the `most` best by the engine's score, and of turns neighbours."""
        candidates: list[Candidate] = []
        whole = True
        for kind in dict.fromkeys(query.kinds):
            found = self._find(query, self._any(kind, terms), most)
            candidates += found
            whole = whole and len(found) < most
            if kind is Kind.TURN:
                candidates += self._around(query, [each.document for each in found[:SURROUNDED]])
        return Proposal(tuple(candidates), whole)

    def propose_near(
        self, query: Query, best: Mapping[Kind, Sequence[str]], most: int
    ) -> Iterator[Candidate]:
        """Of each kind the `most` nearest documents that pass the filters."""
        for kind in dict.fromkeys(query.kinds):
            ids, found = best.get(kind, ()), 0
            for start in range(0, len(ids), _NEAR_AT_ONCE):
                some = ids[start : start + _NEAR_AT_ONCE]
                passing = self._find(query, self._any("id", [plain(each) for each in some]), 2 * len(some))
                by_id = {each.document.id: each for each in passing if each.document.kind is kind}
                chosen = [by_id[each] for each in some if each in by_id][: most - found]
                yield from chosen
                found += len(chosen)
                if found == most:
                    break

    def _around(self, query: Query, turns: Sequence[Document]) -> list[Candidate]:
        known = {place(turn) for turn in turns}
        near = {place(turn, step) for turn in turns for step in _AROUND if turn.order + step >= 0}
        places = sorted(near - known)
        return self._find(query, self._any("place", places), len(places)) if places else []

    def _find(self, query: Query, what: "tantivy.Query", most: int) -> list[Candidate]:
        parts = [what]
        groups = [[plain(key) for key in group] for group in recall.filters(query)]
        parts += [self._any("key", group) for group in groups if not self._all_hold(group)]
        parts += self._days(recall.days(query))
        # Alone it is searched without scoring every document.
        chosen = self._all_of(parts) if len(parts) > 1 or self.hidden else what
        hits = self.searcher.search(chosen, most, count=False).hits
        return [decode(self.searcher.doc(address)) for _, address in hits]

    def _all_of(self, parts: Sequence["tantivy.Query"]) -> "tantivy.Query":
        """What all of these find and is not hidden."""
        import tantivy

        wanted = [(tantivy.Occur.Must, part) for part in parts]
        if self.hidden:
            paths = [plain(path) for path in self.hidden]
            wanted.append((tantivy.Occur.MustNot, self._any("path", paths)))
        return tantivy.Query.boolean_query(wanted)

    def _all_hold(self, keys: Sequence[str]) -> bool:
        """Whether every document has one of the keys, so that filtering by them would only cost time."""
        return any(self.searcher.doc_freq("key", key) == self._all for key in keys)

    @cached_property
    def _all(self) -> int:
        return sum(self.searcher.doc_freq("kind", kind) for kind in Kind)

    def _any(self, field: str, values: Sequence[str]) -> "tantivy.Query":
        """Documents that hold one of the values; only those of a bag of terms add to the score."""
        import tantivy

        if field in tuple(Kind):
            terms = [tantivy.Query.term_query(self.index.schema, field, value, "freq") for value in values]
            return tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])
        if len(values) == 1:
            chosen = tantivy.Query.term_query(self.index.schema, field, values[0], "basic")
        else:
            chosen = tantivy.Query.term_set_query(self.index.schema, field, values)
        return tantivy.Query.const_score_query(chosen, 0.0)

    def _days(self, window: tuple[int, int] | None) -> "list[tantivy.Query]":
        import tantivy

        if window is None:
            return []
        kind, (first, last) = tantivy.FieldType.Unsigned, window
        ranges = (("first", 0, last), ("last", first, 99_999_999))
        make = partial(tantivy.Query.range_query, self.index.schema)
        found = [make(name, kind, low, high) for name, low, high in ranges]
        return [tantivy.Query.const_score_query(each, 0.0) for each in found]

    def _frequency(self, kind: Kind, term: str) -> int:
        """How many documents hold a term; counted one by one where deleted ones would be counted too."""
        frequency = self.searcher.doc_freq(kind, term)
        if frequency == 0 or (self._whole(kind) and not self.hidden):
            return frequency
        import tantivy

        return self._hits(tantivy.Query.term_query(self.index.schema, kind, term, "freq"))

    def _hits(self, what: "tantivy.Query") -> int:
        """How many documents it finds that are not hidden."""
        found = self.searcher.search(self._all_of([what]), 1, count=True)
        return int(found.count)  # type: ignore[attr-defined]  # tantivy's stub lacks it

    @cached_property
    def _sizes(self) -> Mapping[Kind, Size]:
        """The documents of each kind that are not hidden."""
        return self.left(self.hidden)

    def _whole(self, kind: Kind) -> bool:
        """Whether no document of this kind is deleted and still counted by the engine."""
        return self._stamped(kind).documents == self.searcher.doc_freq("kind", kind)
