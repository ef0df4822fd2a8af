"""Secrets in clear anywhere about a home: each with its kind, its place and its remedy, never what it is.

Looked at are, beside what the proof looks at: every version in the history, drafts and a person's own files,
the indexes, the session store, traces, statuses and all else of the runtime folder, the files that stand
beside the memory, the logs that were imported, and tapes and folders that a person names.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from scriptorium_core.facts import file_facts
from scriptorium_core.knowledge.secrecy import fault_at
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.redact import Span

from ..conversations.logs import known_log
from ..conversations.redacting import bared, imported_logs, redact_store
from ..fulltext.folder import existing
from ..history.differing import Looked, differing
from ..keys import FILE as KEYS
from ..redaction import looking, redacting
from ..refused import Refused
from ..traces import redact_traces
from . import secrecy
from .mending import Mended
from .redacting import finder_of

if TYPE_CHECKING:
    from scriptorium_core.sources.redact import Finder

    from ..workspace import Memory
    from .place import Place

__all__ = ["Exposed", "exposed_of"]

Progress = Callable[[int, int], None]

_SQLITE = b"SQLite format 3\0"
_PART = 1024 * 1024  # bytes of lines that are looked at together, as some secrets are longer than a line
_REPAIR = (
    "`scriptorium doctor --secrets --repair` puts a placeholder here; change the secret where it is used"
)
_INDEX = (
    "`forget --erase` of what holds it takes it out of the indexes; if nothing does any more,"
    " `scriptorium index --rebuild` makes them anew"
)
_DRAFT = "take it out of the file before it is adopted, and change the secret where it is used"
_OTHER = "take it out of the file, or remove the file, and change the secret where it is used"
_UNREAD = "look at it yourself"
_LOG = "another program's log: what memory keeps of it is redacted; remove it there, and change the secret"


@frozen
class Exposed:
    """What is looked at: the memory, its home, more files or folders, and how secrets are found.

    `finder` finds what is in the vault; `faults` say why it cannot.
    """

    memory: Memory
    home: Path
    sessions: Path
    finder: Finder = field(repr=False)
    also: tuple[Path, ...] = ()
    faults: tuple[Problem, ...] = ()

    def look(self, text: str) -> Iterable[Span]:
        """Where secrets stand in a text."""
        return looking(self.finder)(text)

    def search(self, progress: Progress | None) -> Iterator[Problem]:
        """All that is found; what the proof names already is left out."""
        yield from self.faults
        yield from _present(self)
        yield from secrecy.in_history(self.memory, progress, self.look)
        yield from _drafts(self)
        yield from _indexes(self)
        yield from _conversations(self)
        yield from _runtime(self)
        yield from _beside(self)
        yield from _logs(self)
        for path in self.also:
            for each in sorted(path.rglob("*")) if path.is_dir() else (path,):
                yield from _file(self, each, str(each), _OTHER)

    def hide(self) -> tuple[Mended, ...]:
        """Put placeholders into the session store and the traces."""
        redact = redacting(self.finder)
        store, traces = redact_store(self.sessions, redact), redact_traces(self.memory.layout, redact)
        rows = (("session store", store, self.sessions.name), ("traces", traces, "traces.jsonl"))
        return tuple(
            Mended(what, f"secrets were replaced in {count:,} of its entries", (path,))
            for what, count, path in rows
            if count
        )


def exposed_of(service: Place, also: Sequence[Path]) -> Exposed:
    """What there is to look at in a home. A vault that cannot be opened is named, and not looked for."""
    finder, faults = finder_of(service), tuple[Problem, ...]()
    try:
        finder("")
    except Refused as refused:
        finder, faults = _nothing, refused.problems
    return Exposed(service.whole(), service.home, service.sessions_path, finder, tuple(also), faults)


def _nothing(_: str) -> Iterable[Span]:
    return ()


def _present(place: Exposed) -> Iterator[Problem]:
    """Secrets of the vault in topics and archives; those that the detector knows are in the proof."""
    base = place.memory.history.base(place.memory.revision)
    for path in base.under(""):
        data = base.get(path) if path.startswith(("sources/", "topics/")) else None
        rows = file_facts(path, data) if data is not None else None
        if rows is not None and data is not None:
            yield from secrecy.in_file(path, data, rows, place.finder)


def _drafts(place: Exposed) -> Iterator[Problem]:
    """What the working tree has beside the commit."""
    layout = place.memory.layout
    for path in differing(place.memory.history, Looked()).paths:
        yield from _file(place, layout.root / path, path, _DRAFT)


def _indexes(place: Exposed) -> Iterator[Problem]:
    layout = place.memory.layout
    for path in (layout.facts, layout.vectors):
        yield from _rows(place, path)
    index = existing(layout.fulltext)
    if index is None:
        return
    import tantivy

    searcher = index.searcher()
    hits = searcher.search(tantivy.Query.all_query(), max(searcher.num_docs, 1)).hits
    bodies = (searcher.doc(address).get_first("body") or b"" for _, address in hits)
    texts = (bytes(body).decode("utf-8", "replace") for body in bodies)
    yield from _kinds(place, texts, layout.fulltext.name, _INDEX)


def _conversations(place: Exposed) -> Iterator[Problem]:
    with place.memory.reading() as (_, base):
        archived = base.facts.sources
        for found in bared(place.sessions, place.look):
            name = f"{place.sessions.name}: {found.source or found.part}"
            whole = found.source if found.source in archived else ""
            yield fault_at(found.kind, name, _whole(whole) if whole else _REPAIR)


def _runtime(place: Exposed) -> Iterator[Problem]:
    """What the runtime folder keeps beside the indexes."""
    layout = place.memory.layout
    skipped = (layout.fulltext, layout.facts, layout.vectors)
    for path in sorted(layout.runtime.rglob("*")):
        if any(path == each or path.is_relative_to(each) for each in skipped):
            continue
        name = path.relative_to(layout.root).as_posix()
        yield from _file(place, path, name, _REPAIR if path == layout.traces else _OTHER)


def _beside(place: Exposed) -> Iterator[Problem]:
    """The files of the home; the keys are what they are, and the session store was looked at."""
    for path in sorted(place.home.iterdir()):
        if not path.name.startswith((KEYS, place.sessions.name)):
            yield from _file(place, path, path.name, _OTHER)


def _logs(place: Exposed) -> Iterator[Problem]:
    """The logs that were imported, as far as they are still there."""
    for name in imported_logs(place.sessions):
        try:
            with known_log(name) as log:
                yield from _lines(place, log or (), name, _LOG)
        except (OSError, Refused):
            yield Problem(Code.SECRET_FOUND, "this log cannot be read", name, remedy=_UNREAD)


def _file(place: Exposed, path: Path, name: str, remedy: str) -> Iterator[Problem]:
    """The secrets in a file that may be a database; nothing for what is no file of its own."""
    if path.is_symlink() or not path.is_file():
        return
    try:
        with path.open("rb") as file:
            if file.read(len(_SQLITE)) == _SQLITE and (found := _in_database(place, path)) is not None:
                yield from found
                return
            file.seek(0)
            yield from _lines(place, file, name, remedy)
    except OSError as error:
        yield Problem(Code.SECRET_FOUND, f"cannot be read: {error.strerror}", name, remedy=_UNREAD)


def _in_database(place: Exposed, path: Path) -> tuple[Problem, ...] | None:
    """The secrets in a file that begins like a database; None for one that is none, or is damaged."""
    try:
        return tuple(_rows(place, path))
    except sqlite3.DatabaseError:
        return None


def _lines(place: Exposed, lines: Iterable[bytes], name: str, remedy: str) -> Iterator[Problem]:
    """The secrets in lines, with the numbers of the lines."""
    for first, part in _parts(lines):
        text = part.decode("utf-8", "replace")
        for span in place.look(text):
            yield fault_at(span.kind, name, remedy, first + text.count("\n", 0, span.start))


def _parts(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Lines in parts of a size, each with the number of its first line."""
    first = number = 1
    part: list[bytes] = []
    size = 0
    for line in lines:
        part.append(line)
        size, number = size + len(line), number + 1
        if size >= _PART:
            yield first, b"".join(part)
            first, part, size = number, [], 0
    if part:
        yield first, b"".join(part)


def _rows(place: Exposed, path: Path) -> Iterator[Problem]:
    """The secrets in the texts of a database, each kind once a table."""
    if not path.is_file():
        return
    with closing(_opened(path)) as database:
        tables = [
            str(name) for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        for table in tables:
            quoted = table.replace('"', '""')
            rows = database.execute(f'SELECT * FROM "{quoted}"')
            texts = (value for row in rows for value in row if isinstance(value, str))
            yield from _kinds(place, texts, f"{path.name}: {table}", _INDEX)


def _opened(path: Path) -> sqlite3.Connection:
    from ..unwritable import as_it_lies, is_writable

    found = None if is_writable(path.parent) else as_it_lies(path)
    return found or sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _kinds(place: Exposed, texts: Iterable[str], name: str, remedy: str) -> Iterator[Problem]:
    found = {span.kind for text in texts for span in place.look(text)}
    yield from (fault_at(kind, name, remedy) for kind in sorted(found))


def _whole(source: str) -> str:
    return f"{_REPAIR}; `forget '{source}' --erase` takes the whole message"
