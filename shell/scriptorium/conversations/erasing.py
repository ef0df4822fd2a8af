"""Erasing messages from the session store: their words go, their place in the conversation stays.

A row keeps its id, its links and the key that it shares with its copies, so that the log which it came
from, imported again, brings nothing back. Texts that never become evidence (tools, injected memory) lose
the passages that they repeat. The file is then written anew, so that no freed page holds what was erased.
"""

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO

from attrs import frozen

from scriptorium_core.forgetting import Words
from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..refused import Refused
from .logs import known_log
from .schema import refusing
from .store import Store, open_store

__all__ = ["ErasedTurns", "erase_turns", "identities", "write_anew"]

_TURNS = (
    "SELECT n.num, n.id, s.id, s.provider FROM nodes n JOIN sessions s ON s.num = n.session"
    " WHERE n.home IS NULL"
)
_PART = 32 * 1024 * 1024
_AT_ONCE = 50  # passages that one query looks for


@frozen
class ErasedTurns:
    """What was erased: how many messages, the logs that hold them still, and messages that repeat the words.

    `logs` are files that were imported and still exist; `repeated` are `provider/session/node` of messages
    of talk, which are evidence of their own and were left alone.
    """

    turns: int = 0
    logs: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()


def erase_turns(path: Path, sources: Collection[str], words: Words) -> ErasedTurns:
    """Erase the messages with these source ids, and what else in the store repeats their words."""
    if not path.is_file():
        return ErasedTurns()
    with open_store(path) as store:
        with refusing(path):
            store.database.execute("PRAGMA secure_delete = ON")
        with store.transaction():
            turns = [num for num, source in identities(store) if source in sources]
            for num in turns:
                _clear(store, num, words)
            _clear_beside(store, words)
            repeated = tuple(_repeated(store, words))
        logs = tuple(_logs(store, words))
        write_anew(store, path)
    return ErasedTurns(len(turns), logs, repeated)


def write_anew(store: Store, path: Path) -> None:
    """Write the file anew, without freed pages; Refused while another program still reads the old ones."""
    with refusing(path):
        store.database.execute("VACUUM")
        busy = store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        raise Refused(_in_use(path))


def _in_use(path: Path) -> Problem:
    return Problem(
        Code.CONCURRENT_UPDATE,
        "another program reads the session store, whose log still holds what was erased",
        path.name,
        remedy="end it, then open the memory again: that finishes the erasure",
    )


def identities(store: Store) -> Iterator[tuple[int, str]]:
    """Row and source id of each message that has words of its own."""
    for num, node, session, provider in store.rows(_TURNS, ()):
        named = Node(NodeId(node), SessionId(session), provider, None, "", Origin.HUMAN, "")
        yield num, source_of(named)


def _clear(store: Store, num: int, words: Words) -> None:
    """Take the words of a message and the name of its speaker; of its metadata, what repeats the words."""
    raw = store.rows("SELECT metadata FROM nodes WHERE num = ?", (num,))[0][0]
    metadata = json.loads(raw) if raw else {}
    kept = {key: value for key, value in metadata.items() if not words.quoted_in(str(value))}
    store.run(
        "UPDATE nodes SET text = '', speaker_name = '', metadata = ? WHERE num = ?",
        (json.dumps(kept, ensure_ascii=False, separators=(",", ":")) if kept else None, num),
    )


def _clear_beside(store: Store, words: Words) -> None:
    """Titles that quote the words, readers' notes, and texts that are no talk."""
    for num, title in store.rows("SELECT num, title FROM sessions WHERE title <> ''", ()):
        if words.quoted_in(title):
            store.run("UPDATE sessions SET title = '' WHERE num = ?", (num,))
    for name, state in store.rows("SELECT path, state FROM cursors WHERE state <> ''", ()):
        if words.quoted_in(state):
            store.run("DELETE FROM cursors WHERE path = ?", (name,))
    for num, text, metadata in _holding(store, words, talk=False):
        cleaned = [
            None if each is None else words.scrubbed(each.encode("utf-8", "surrogatepass")).decode()
            for each in (text, metadata)
        ]
        store.run("UPDATE nodes SET text = ?, metadata = ? WHERE num = ?", (*cleaned, num))


def _repeated(store: Store, words: Words) -> Iterator[str]:
    for num, _, _ in _holding(store, words, talk=True):
        row = store.rows(f"{_TURNS} AND n.num = ?", (num,))[0]
        yield f"{row[3]}/{row[2]}/{row[1]}"


def _holding(store: Store, words: Words, talk: bool) -> Iterator[tuple[int, str, str | None]]:
    """The messages that hold a passage in their text or metadata, each once."""
    seen: set[int] = set()
    for start in range(0, len(words.passages), _AT_ONCE):
        some = words.passages[start : start + _AT_ONCE]
        each = " OR ".join(["instr(text, ?) OR instr(coalesce(metadata, ''), ?)"] * len(some))
        query = f"SELECT num, text, metadata FROM nodes WHERE home IS NULL AND talk = ? AND ({each})"
        for row in store.rows(
            query, (int(talk), *(value for passage in some for value in (passage, passage)))
        ):
            if row[0] not in seen:
                seen.add(row[0])
                yield row


def _logs(store: Store, words: Words) -> Iterator[str]:
    """The logs that were imported, still exist, and hold the words, packed or not."""
    for (name,) in store.rows("SELECT path FROM cursors ORDER BY path", ()):
        try:
            with known_log(name) as file:
                if file is not None and words.passages and _holds(file, words):
                    yield name
        except (OSError, Refused):
            continue


def _holds(file: BinaryIO, words: Words) -> bool:
    """Whether a log holds a passage; of a large one no more is held than a part, and the end of the last."""
    overlap = max(map(len, words.forms), default=0)
    end = b""
    while data := file.read(_PART):
        if words.found_in(end + data):
            return True
        end = data[-overlap:] if overlap else b""
    return False
