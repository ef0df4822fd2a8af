"""Secrets in the session store, which holds what was said as it was said: their places, and taking them out.

A row keeps its id, its links and the key that it shares with its copies, so that its log, imported again,
brings nothing back. The file is written anew, so that no freed page holds what was taken out.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from attrs import frozen

from scriptorium_core.sources.redact import Redact, Span

from .erasing import identities, write_anew
from .schema import refusing
from .store import Store, open_store

__all__ = ["Bared", "bared", "imported_logs", "redact_store"]

Look = Callable[[str], Iterable[Span]]

_NODES = "SELECT num, text, speaker_name, scope, metadata FROM nodes"
_UPDATE = "UPDATE nodes SET text = ?, speaker_name = ?, scope = ?, metadata = ? WHERE num = ?"


@frozen
class Bared:
    """A secret in the store: its kind, in which part, and the source id of the message, if it is one."""

    kind: str
    part: str
    source: str = ""


def bared(path: Path, look: Look) -> Iterator[Bared]:
    """The secrets in messages, titles and readers' notes, each kind once a message."""
    if not path.is_file():
        return
    with open_store(path) as store:
        names = dict(identities(store))
        for num, *fields in store.database.execute(_NODES):
            kinds = {span.kind for value in fields if value for span in look(value)}
            yield from (Bared(kind, "message", names.get(num, "")) for kind in sorted(kinds))
        for part, query in (
            ("title", "SELECT title FROM sessions"),
            ("note of a reader", "SELECT state FROM cursors"),
        ):
            for (value,) in store.rows(query, ()):
                yield from (Bared(span.kind, part) for span in look(value))


def imported_logs(path: Path) -> tuple[str, ...]:
    """The names of the logs that were imported."""
    if not path.is_file():
        return ()
    with open_store(path) as store:
        return tuple(name for (name,) in store.rows("SELECT path FROM cursors ORDER BY path", ()))


def redact_store(path: Path, redact: Redact) -> int:
    """Put placeholders in the places of secrets; how many rows were changed."""
    if not path.is_file():
        return 0
    with open_store(path) as store:
        with refusing(path):
            store.database.execute("PRAGMA secure_delete = ON")
        with store.transaction():
            changed = sum([_redacted(store, row, redact) for row in store.rows(_NODES, ())])
            for num, title in store.rows("SELECT num, title FROM sessions WHERE title <> ''", ()):
                if (clean := redact(title)).found:
                    changed += 1
                    store.run("UPDATE sessions SET title = ? WHERE num = ?", (clean.text, num))
            for name, state in store.rows("SELECT path, state FROM cursors WHERE state <> ''", ()):
                if redact(state).found:
                    changed += 1
                    store.run("DELETE FROM cursors WHERE path = ?", (name,))
        if changed:
            write_anew(store, path)
    return changed


def _redacted(store: Store, row: tuple[object, ...], redact: Redact) -> bool:
    """Redact a row; whether there was anything."""
    num, text, speaker, scope, metadata = row
    fresh = (*(_clean(value, redact) for value in (text, speaker, scope)), _clean_metadata(metadata, redact))
    if fresh == tuple(row[1:]):
        return False
    store.run(_UPDATE, (*fresh, num))
    return True


def _clean(value: object, redact: Redact) -> object:
    return redact(value).text if isinstance(value, str) else value


def _clean_metadata(value: object, redact: Redact) -> object:
    if not isinstance(value, str) or not redact(value).found:
        return value
    fields = {key: redact(str(each)).text for key, each in json.loads(value).items()}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
