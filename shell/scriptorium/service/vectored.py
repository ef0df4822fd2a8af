"""Whether the vectors beside the index are what they should be: a file of ours, sound, and of this memory."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from scriptorium_core.problem import Code, Problem

from ..embeddings.vectors import APPLICATION, VERSION, Row
from ..unwritable import as_it_lies, is_writable

if TYPE_CHECKING:
    from pathlib import Path

    from scriptorium_core.facts import Facts

    from ..layout import Layout

__all__ = ["vectors"]

Found = Iterator[Problem | tuple[Problem]]
"""Problems; one in a tuple of its own is information."""

_OWNER = ("application_id", "user_version")
_ANEW = "`doctor --repair` and the next search by meaning make it anew"


def vectors(layout: Layout, revision: str | None, facts: Facts) -> Found:
    """The vectors: none, or of texts that are there, each as it was written; nothing is changed."""
    path, name = layout.vectors, layout.vectors.name
    if not path.exists() and not path.is_symlink():
        return
    if path.is_dir() and not path.is_symlink():
        message, remedy = "a folder stands in the place of the vectors", "move it away"
        yield Problem(Code.INDEX_STALE, message, name, remedy=remedy)
        return
    fault = "a link stands in its place" if path.is_symlink() else _fault(path)
    if fault:
        yield Problem(Code.INDEX_STALE, f"the vectors cannot be used: {fault}", name, remedy=_ANEW)
        return
    with closing(_opened(path)) as database:
        stands = database.execute("SELECT value FROM state WHERE name = 'commit'").fetchone()
        if stands is not None and stands[0] != revision:
            message = f"the vectors stand for the earlier commit {stands[0]}"
            yield (Problem(Code.INDEX_STALE, message, name, remedy="the next search by meaning follows"),)
        elif stands is not None:
            yield from _of_nothing(database, facts, name)


def _fault(path: Path) -> str:
    """Why the file cannot be used, empty if it can."""
    try:
        with closing(_opened(path)) as database:
            owner = tuple(database.execute(f"PRAGMA {each}").fetchone()[0] for each in _OWNER)
            if owner[0] != APPLICATION:
                return "the file is another program's"
            if owner[1] != VERSION:
                return f"the file is of version {owner[1]}"
            if database.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok" or not _sums_hold(database):
                return "the file is damaged"
    except (sqlite3.Error, TypeError):  # pages that are none, other tables, values of another kind
        return "the file is damaged"
    return ""


def _sums_hold(database: sqlite3.Connection) -> bool:
    """Whether each row is what was written, each document has its vector, and all are of one length."""
    found = dict[bytes, int]()
    for name, vector, total in database.execute("SELECT hash, vector, sum FROM vectors"):
        if zlib.crc32(name + vector) != total:
            return False
        found[name] = len(vector)
    documents = database.execute("SELECT path, kind, id, hash, sum FROM documents")
    whole = all(row[3] in found and Row(*row[:4]).sum == row[4] for row in documents)
    return whole and len(set(found.values())) < 2


def _of_nothing(database: sqlite3.Connection, facts: Facts, name: str) -> Found:
    """Vectors of what is not there (any more): forgetting takes them away."""
    left = [
        each
        for kind, each in database.execute("SELECT kind, id FROM documents")
        if each not in (facts.records if kind == "record" else facts.sources) or each in facts.forgotten
    ]
    if left:
        message = f"{len(left)} vectors are of what is not there any more: {', '.join(sorted(left)[:5])}"
        yield Problem(Code.INDEX_STALE, message, name, remedy=_ANEW)


def _opened(path: Path) -> sqlite3.Connection:
    """The file, to be read alone."""
    found = None if is_writable(path.parent) else as_it_lies(path)
    return found or sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
