"""What was archived and no topic cites: asked of a writer in batches, from the archives alone.

Which messages a writer was asked for is kept in the runtime folder, a file a batch, so that they are not
offered again; without it they are, and a writer finds them known or not worth keeping, as before.

    backfill/b-5a0c….json     {"writer": "api", "ids": ["chat/s1/m1", …]}
"""

import contextlib
import json
from collections.abc import Iterator, Sequence
from typing import cast

from scriptorium_core.writing.backfill import batches, left_of
from scriptorium_core.writing.batch import Said, batch_key
from scriptorium_core.writing.outcome import Failed, NothingDue, Outcome

from .. import files
from ..lock import held
from ..refused import Refused
from ..workspace import Memory
from ..writer import Task
from .asking import Asking, Terms, failed, tried

__all__ = ["backfill"]

_STATE = "backfill"
_PATIENCE = 1.0


def backfill(made: Asking, limit: int | None = None) -> Iterator[Outcome]:
    """Write what no topic cites, an outcome a batch, of at most about `limit` messages; a failure ends it."""
    try:
        root = made.memory.layout.root
        with files.explained(root), held(made.memory.layout.runtime / "pass.lock", _PATIENCE):
            yield from _batches(made, limit)
    except Refused as refused:
        yield failed(made.writer.name, refused.problems)


def _batches(made: Asking, limit: int | None) -> Iterator[Outcome]:
    memory = made.memory
    asked = _asked_for(memory)
    with memory.reading() as (_, base):
        forgotten = frozenset(base.facts.forgotten)
        left = left_of(memory.index.queries.uncited(), asked | forgotten, memory.zone)
        found = tuple(batches(left, made.count, made.goal, limit))
    if not found:
        yield NothingDue()
    for items in found:
        outcome = _written(made, items)
        if not isinstance(outcome, Failed):
            _note(memory, made.writer.name, items)
        yield outcome
        if isinstance(outcome, Failed):
            return


def _written(made: Asking, items: tuple[Said, ...]) -> Outcome:
    memory, ids = made.memory, tuple(item.source for item in items)
    tokens = sum(made.count(item.text) for item in items)
    subject = f"Write {len(items)} messages that nothing cited"
    terms = Terms("backfill", subject, frozenset(ids), (("Batch", batch_key(ids)),), tokens=tokens)
    task = Task(
        "write", items, memory.reading, made.caller, memory.today(), made.count, progress=made.progress
    )
    made.progress(f"{len(items)} messages that nothing cites")
    return tried(made, task, terms)


def _asked_for(memory: Memory) -> frozenset[str]:
    """The messages that were offered before; a file that cannot be read says nothing."""
    folder = memory.layout.runtime / _STATE
    ids: set[str] = set()
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        with contextlib.suppress(ValueError, RecursionError, Refused):
            row: object = json.loads(files.read(path, memory.layout.root) or b"")
            named = cast("dict[str, object]", row).get("ids") if isinstance(row, dict) else ()
            found = cast("list[object]", named) if isinstance(named, list) else []
            ids.update(each for each in found if isinstance(each, str))
    return frozenset(ids)


def _note(memory: Memory, writer: str, items: Sequence[Said]) -> None:
    ids = [item.source for item in items]
    path = memory.layout.runtime / _STATE / f"{batch_key(ids)}.json"
    data = (json.dumps({"writer": writer, "ids": ids}) + "\n").encode()
    with contextlib.suppress(OSError, Refused):  # it is no truth: they are offered again without it
        files.write_durable(path, data, root=memory.layout.root)
