"""What passes, the keeper and hooks leave for one another and for `status`, in the runtime folder.

| file | what |
|---|---|
| `writer-status.json` | how writing went |
| `keeper.json` | how scans and hooks went |
| `events.jsonl` | `memory.ingest_ended`, a line each time something was given up; the newest of them |
| `costs.jsonl` | what writers have used, by pass and model; of days gone by their sums |
| `requests/` | what hooks have asked for and no pass has taken up |
| `talks/` | what hosts without a log have handed over with that |
| `keeper.lock`, `status.lock` | who keeps the memory; who changes one of the two files |

Nothing of it is truth: it may be lost, and a pass is not undone because its outcome could not be kept.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from scriptorium_core.writing.calls import Call, decode_request, encode_call, request_name
from scriptorium_core.writing.watching import Watched, decode_watched, encode_watched

from .. import files
from ..layout import Layout
from ..lock import held
from ..refused import Refused

if TYPE_CHECKING:
    from scriptorium_core.writing.costs import Entry
    from scriptorium_core.writing.status import WriterStatus

__all__ = [
    "add_cost",
    "change_status",
    "change_watched",
    "drop_log",
    "keeper_lock",
    "leave_log",
    "leave_request",
    "publish",
    "read_costs",
    "read_status",
    "read_watched",
    "requests_left",
    "take_requests",
]

_STATUS = "writer-status.json"
_WATCHED = "keeper.json"
_EVENTS = "events.jsonl"
_COSTS = "costs.jsonl"
_PATIENCE = 1.0
_MOST_EVENTS = 256 * 1024


def keeper_lock(layout: Layout) -> Path:
    """The file whose lock the keeper holds."""
    return layout.runtime / "keeper.lock"


def read_status(layout: Layout) -> WriterStatus:
    """How writing went."""
    from scriptorium_core.writing.status import decode_status  # not loaded for a hook

    return decode_status(files.read(layout.runtime / _STATUS, layout.root))


def read_watched(layout: Layout) -> Watched:
    """How scans and hooks went."""
    return decode_watched(files.read(layout.runtime / _WATCHED, layout.root))


def change_status(layout: Layout, change: Callable[[WriterStatus], WriterStatus]) -> None:
    """Keep how a pass ended, if the disk lets us."""
    from scriptorium_core.writing.status import encode_status

    with contextlib.suppress(OSError, Refused), held(layout.runtime / "status.lock", _PATIENCE):
        known = read_status(layout)
        if (fresh := change(known)) != known:
            files.write_durable(layout.runtime / _STATUS, encode_status(fresh), root=layout.root)


def change_watched(layout: Layout, change: Callable[[Watched], Watched], patience: float = _PATIENCE) -> None:
    """Keep how a scan or a hook went, if the disk lets us; a crash leaves the old file or the new one."""
    with contextlib.suppress(OSError, Refused), held(layout.runtime / "status.lock", patience):
        known = read_watched(layout)
        if (fresh := change(known)) != known:
            # Renamed and not synced: a hook does not wait for the disk.
            files.install(
                files.write_temporary(layout.runtime, encode_watched(fresh)), layout.runtime / _WATCHED
            )


def read_costs(layout: Layout) -> tuple[Entry, ...]:
    """What writers have used, the oldest first."""
    from scriptorium_core.writing.costs import decode_costs

    return decode_costs(files.read(layout.runtime / _COSTS, layout.root))


def add_cost(layout: Layout, entry: Entry) -> None:
    """Keep what an answer took, if the disk lets us."""
    from scriptorium_core.writing.costs import MOST, encode_costs, folded

    path, line = layout.runtime / _COSTS, encode_costs([entry])
    with contextlib.suppress(OSError, Refused), held(layout.runtime / "status.lock", _PATIENCE):
        known = files.read(path, layout.root) or b""
        if len(known) + len(line) > MOST:
            known = encode_costs(folded(read_costs(layout), entry.day))
            known = known[
                max(0, len(known) + len(line) - MOST) :
            ]  # what is cut is passed over when it is read
        files.write_durable(path, known + line, root=layout.root)


def publish(layout: Layout, line: str) -> None:
    """Add a line to the events; of a file that has grown long, the newer half is kept."""
    path = layout.runtime / _EVENTS
    with contextlib.suppress(OSError, Refused), held(layout.runtime / "status.lock", _PATIENCE):
        known = files.read(path, layout.root) or b""
        if len(known) + len(line) > _MOST_EVENTS:
            known = known[-_MOST_EVENTS // 2 :].partition(b"\n")[2]
        files.write_durable(path, known + line.encode(), root=layout.root)


def leave_request(layout: Layout, call: Call) -> None:
    """Leave what a hook asks for; the same again is one request. Raises OSError where the disk says no."""
    folder = layout.runtime / "requests"
    for last in (False, False, True):
        # A pass may take the emptied folder away, and an opening of the memory what looks left behind.
        try:
            files.make_folder(folder)
            files.install(
                files.write_temporary(layout.runtime, encode_call(call)), folder / request_name(call)
            )
            return
        except FileNotFoundError:
            if last:
                raise


def leave_log(layout: Layout, log: bytes) -> Path:
    """Leave what a host has handed over, and where it lies: the same again is one file."""
    from hashlib import sha256

    folder = layout.runtime / "talks"
    files.make_folder(folder)
    path = folder / f"{sha256(log).hexdigest()[:32]}.jsonl"
    files.install(files.write_temporary(layout.runtime, log), path)
    return path


def drop_log(layout: Layout, path: str) -> bool:
    """Remove what was handed over, once it is taken in; any other log stays. Whether it was one."""
    handed = Path(path).parent == layout.runtime / "talks"
    if handed:
        with contextlib.suppress(OSError):
            files.unlink(Path(path))
    return handed


def requests_left(layout: Layout) -> int:
    """How many requests wait."""
    gone = contextlib.suppress(FileNotFoundError, NotADirectoryError)
    with gone, os.scandir(layout.runtime / "requests") as entries:
        return sum(entry.name.endswith(".json") for entry in entries)
    return 0


def take_requests(layout: Layout) -> tuple[Call, ...]:
    """What hooks have asked for, each once: it is gone from the folder, and what cannot be read with it."""
    folder = layout.runtime / "requests"
    calls: list[Call | None] = []
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        data = files.read(path, layout.root)
        files.remove(path, layout.root)
        calls.append(decode_request(data or b""))
    return tuple(call for call in calls if call is not None)
