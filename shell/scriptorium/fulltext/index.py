"""Keeping the full text index at a commit, and asking it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from scriptorium_core import recall
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import (
    Candidate,
    Document,
    Hit,
    Judge,
    Kind,
    Nothing,
    Query,
    Similar,
    Statistics,
    Why,
    anything,
)

from ..files import ensure_folder
from ..lock import held
from ..refused import Refused
from .folder import Marks, clear, damaged, existing, intact, made, marks, refuse_strangers
from .snapshot import Near, Proposal, Snapshot, snapshot
from .stored import STAMP, Size, Stamp, encode, length, plain, stamp

if TYPE_CHECKING:
    import tantivy

__all__ = ["FullText"]

REBUILD_MEMORY = 64_000_000
UPDATE_MEMORY = 15_000_000  # the least that tantivy takes
_CANDIDATES = 60
_MORE = 4
_MOST = 10_000


def _words_alone(query: Query) -> Near | None:
    return None


class FullText:
    """The index in one folder, as it was when `stands_for` last looked.

    One whose days were counted in another zone than `zone` stands for nothing. `near` says how near in
    meaning the documents are to a query; unless it is set, words decide alone. `hide` takes documents out.
    """

    def __init__(self, folder: Path, zone: tzinfo | None = None) -> None:
        self.folder = folder  # where the engine works: links to the files of `given` where it may only read
        self.given = folder
        self.zone = zone
        self.near: Callable[[Query], Near | None] = _words_alone
        self.hidden: tuple[str, ...] = ()
        self._snapshot: Snapshot | None = None
        self._marks: Marks = ()

    @classmethod
    def open(cls, folder: Path, zone: tzinfo | None = None, known: "FullText | None" = None) -> "FullText":
        """The index in `folder`; it may be missing or damaged, then it stands for nothing.

        One that is `known` is not opened again while its files are as they were. Raises Refused if
        something else is there.
        """
        refuse_strangers(folder)
        opened = cls(folder, zone)
        opened._marks = marks(folder)  # before the files are opened: what changes then is seen the next time
        if known is not None and (known.given, known.zone, known._marks) == (folder, zone, opened._marks):
            opened._snapshot = known._snapshot and known._snapshot.without(())
        if opened._snapshot is None:
            opened.stands_for()
        return opened

    def stands_for(self) -> str | None:
        """The commit whose documents a search finds from now on; None if there is no index to use."""
        zone = _name(self.zone)
        self._snapshot = (
            _newest(self._snapshot.index if self._snapshot else None, zone)
            or _newest(existing(self.folder), zone)
            or _newest(self._linked(), zone)
        )
        self._snapshot = self._snapshot and self._snapshot.without(self.hidden)
        return self._snapshot.commit if self._snapshot else None

    def hide(self, paths: Sequence[str]) -> None:
        """Answer as if the documents of these files were not there: none is counted or proposed."""
        self.hidden = tuple(paths)
        self._snapshot = self._snapshot and self._snapshot.without(self.hidden)

    @property
    def commit(self) -> str | None:
        """What `stands_for` said last, without looking again."""
        return self._snapshot.commit if self._snapshot else None

    def search(self, query: Query, judge: Judge = anything) -> tuple[Hit, ...] | Nothing:
        """What the query finds, in the state that `stands_for` named; by its meaning too, if `near` can.

        More is proposed while the judge leaves out, or folds, too much of it.
        """
        asked = recall.wanted(query)
        if isinstance(asked, Nothing):
            return asked
        if self._snapshot is None:
            return Nothing(Why.NOT_INDEXED, "the full text index is not built yet")
        statistics, terms = self.statistics(query, asked)
        near, most = self.near(query), max(_CANDIDATES, 5 * query.limit)
        similar = near.similar if near is not None else None
        while True:
            candidates, whole = self._proposed(query, terms, near, most)
            found = recall.search(query, candidates, terms, statistics, similar, judge)
            if isinstance(found, Nothing) or len(found) >= query.limit or whole or most >= _MOST:
                return found
            most *= _MORE

    def statistics(
        self, query: Query, asked: Sequence[str]
    ) -> tuple[Mapping[Kind, Statistics], tuple[str, ...]]:
        """The numbers of each kind that a query asks for, and those of the terms by which it is answered."""
        found = self._snapshot
        known = {kind: found.statistics(kind, asked) for kind in query.kinds} if found is not None else {}
        return known, recall.narrow(asked, known.values())

    def looked_at(
        self, queries: Iterable[Query], terms: Sequence[str]
    ) -> tuple[tuple[Candidate, ...], Similar | None]:
        """What a search looks at first for each of these queries, once, and how like their text it is.

        They differ in their filters alone. Without a model, None.
        """
        found: dict[tuple[Kind, str], Candidate] = {}
        similar = None
        for query in queries:
            near, most = self.near(query), max(_CANDIDATES, 5 * query.limit)
            similar = near.similar if near is not None else None
            for each in self._proposed(query, terms, near, most).candidates:
                found.setdefault((each.document.kind, each.document.id), each)
        return tuple(found.values()), similar

    def _proposed(self, query: Query, terms: Sequence[str], near: Near | None, most: int) -> Proposal:
        """At most `most` candidates of a kind by words, and as many by meaning, that pass the filters."""
        if self._snapshot is None:
            return Proposal()
        found = self._snapshot.propose(query, terms, most) if terms else Proposal()
        if near is None:
            return found
        alike = tuple(self._snapshot.propose_near(query, near.best, most))
        whole = found.whole and all(len(near.best.get(kind, ())) <= most for kind in query.kinds)
        return Proposal(found.candidates + alike, whole)

    def update(
        self,
        base: str,
        commit: str,
        documents: Iterable[Document],
        remove_paths: Iterable[str] = (),
        remove_ids: Iterable[str] = (),
    ) -> bool:
        """Take the index from commit `base` to `commit`: what the paths and ids name goes, then these come.

        False, and nothing is changed, if it does not stand for `base` or another process is writing to it.
        Raises Refused if it cannot be written.
        """

        paths, ids = tuple(remove_paths), tuple(remove_ids)

        def edit(writer: "tantivy.IndexWriter") -> None:
            for path in paths:
                writer.delete_documents_by_term("path", plain(path))
            for each in ids:
                writer.delete_documents_by_term("id", plain(each))

        with _alone(self.folder) as alone:
            if not alone or self.stands_for() != base or self._snapshot is None:
                return False
            left = self._snapshot.left(paths, ids)
            return self._write(UPDATE_MEMORY, edit, left, documents, commit)

    def rebuild(self, commit: str, documents: Iterable[Document]) -> bool:
        """Replace whatever the index holds; readers see the old state until the end.

        False, and nothing is changed, if another process is writing to it. Raises Refused if it cannot
        be written.
        """
        with _alone(self.folder) as alone:
            if not alone:
                return False
            if self.stands_for() is None:
                clear(self.folder)
            return self._write(
                REBUILD_MEMORY, lambda writer: writer.delete_all_documents(), {}, documents, commit
            )

    def discard(self) -> bool:
        """Remove the index with all its files; false, and it stays, if another process is writing to it."""
        with _alone(self.folder) as alone:
            if alone:
                self._snapshot = None
                clear(self.folder)
            return alone

    def documents(self) -> Mapping[Kind, int]:
        """How many documents of each kind there are, counted in the state that `stands_for` named."""
        return {kind: self._snapshot.counted(kind) if self._snapshot else 0 for kind in Kind}

    def damaged(self) -> bool:
        """Whether an index stands in the folder that cannot be used, for what its files hold."""
        return self.commit is None and damaged(self.folder)

    def sound(self) -> bool:
        """Whether there is an index and each of its files holds what was written to it; reads all of them."""
        return self.stands_for() is not None and intact(self.folder)

    def _linked(self) -> "tantivy.Index | None":
        """The index by links to its files, for as long as this object lives, where nothing can be written.

        Even to read, the engine makes a lock file.
        """
        from ..unwritable import is_writable, linked

        if is_writable(self.folder):
            return None
        self.folder = linked(self.folder, self)
        return existing(self.folder)

    def _write(
        self,
        memory: int,
        edit: Callable[["tantivy.IndexWriter"], None],
        left: Mapping[Kind, Size],
        documents: Iterable[Document],
        commit: str,
    ) -> bool:
        """Edit, which leaves documents of these sizes, and add to them."""
        writer = _writer(self.folder, memory)
        if writer is None:
            return False
        try:
            edit(writer)
            sizes = dict(left)
            for document in documents:
                encoded = encode(document)
                writer.add_document(encoded)
                sizes[document.kind] = sizes.get(document.kind, Size()).plus(Size(1, length(encoded)))
            writer.delete_documents_by_term("stamp", STAMP)
            writer.add_document(stamp(Stamp(commit, sizes), _name(self.zone)))
            _commit(writer, self.folder)
        except BaseException:
            with suppress(ValueError):
                writer.rollback()
            raise
        writer.wait_merging_threads()  # a merge that nobody waits for is thrown away
        self.stands_for()
        return True


def _name(zone: tzinfo | None) -> str:
    return str(zone) if zone is not None else ""


def _newest(index: "tantivy.Index | None", zone: str) -> Snapshot | None:
    """What the index has committed last; None if that cannot be read."""
    if index is None:
        return None
    try:
        index.reload()
        return snapshot(index, zone)
    except ValueError:
        return None


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Whether this process may write; its lock stands beside the folder, which may be cleared."""
    ensure_folder(folder.parent)
    with ExitStack() as stack:
        try:
            stack.enter_context(held(folder.with_name(f"{folder.name}.lock"), timeout=0))
        except Refused as refused:
            if any(each.code is not Code.CONCURRENT_UPDATE for each in refused.problems):
                raise
            yield False
        else:
            yield True


def _writer(folder: Path, memory: int) -> "tantivy.IndexWriter | None":
    """One thread, so that the same documents make the same index; None if another process writes."""
    try:
        return made(folder).writer(memory, 1)
    except ValueError as error:
        if "LockBusy" in str(error):
            return None
        raise _unwritable(folder, error) from error


def _commit(writer: "tantivy.IndexWriter", folder: Path) -> None:
    try:
        writer.commit()
    except ValueError as error:
        raise _unwritable(folder, error) from error


def _unwritable(folder: Path, error: ValueError) -> Refused:
    remedy = "see that the disk has space and is writable; the memory itself is not touched by this"
    if isinstance(error, UnicodeEncodeError):  # a path whose bytes are no text
        remedy = "give the folders in which the memory lies names that are UTF-8"
    return Refused(
        Problem(
            Code.DISK_FAILED,
            f"the full text index cannot be written: {error}",
            folder.name,
            remedy=remedy,
        )
    )
