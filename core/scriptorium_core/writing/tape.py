"""What a writer once did, as JSON lines, and playing it back (the writer `recorded`).

    {"tape": 1, "writer": "api", "session": "native/trip"}
    {"batch": "b-5a0c…", "refs": ["native/trip/m1", …], "memory_changes": [{"op": "create_record", …}, …]}
    {"batch": "b-77e1…", "refs": ["native/trip/m9"], "nothing_to_keep": "small talk"}

`refs` are the source ids of the batch in order, and `batch` is its key (`batch.batch_key`); changes are
those of a request (`changes.decode`), which cite sources by their ids. A batch of more than 64 changes
goes on in the next lines: `{"batch": "b-5a0c…", "memory_changes": […]}`.

A batch that is several recorded ones together, because the goal of tokens was higher, plays them in
the order of the tape.
"""

import json
from collections.abc import Sequence
from typing import cast

from attrs import evolve, frozen

from ..changes.decode import decode_request
from ..changes.model import Change
from ..changes.reading import MOST, Faults, Fields, fields_of
from ..problem import Code, Problem
from .batch import batch_key
from .encoding import encode_change

__all__ = ["Missing", "Nothing", "Played", "Recorded", "Tape", "decode_tape", "encode_tape", "play"]

_VERSION = 1
_AGAIN = "record the tape again"
_TWICE = "take one of the two lines out"
_BREAKS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"})


@frozen
class Recorded:
    """One batch: the source ids of its messages, and the changes or (if not empty) why there are none."""

    refs: tuple[str, ...]
    changes: tuple[Change, ...] = ()
    nothing: str = ""

    @property
    def key(self) -> str:
        """The key of the batch."""
        return batch_key(self.refs)


@frozen
class Tape:
    """The batches of a writer in the order in which they were written; `session` may be empty."""

    writer: str
    batches: tuple[Recorded, ...] = ()
    session: str = ""


@frozen
class Played:
    """The changes that the tape holds for a batch."""

    changes: tuple[Change, ...]


@frozen
class Nothing:
    """The writer found nothing worth keeping in the batch."""

    reason: str


@frozen
class Missing:
    """The tape does not hold the batch with this key."""

    key: str


def play(tape: Tape, refs: Sequence[str]) -> Played | Nothing | Missing:
    """What the writer did with the batch of these messages."""
    found = [batch for batch in tape.batches if batch.refs == tuple(refs)]
    if not found:
        wanted = set(refs)
        found = [batch for batch in tape.batches if wanted.issuperset(batch.refs)]
        heard = [ref for batch in found for ref in batch.refs]
        if len(heard) != len(refs) or set(heard) != wanted or not refs:
            return Missing(batch_key(refs))
    changes = _numbered([change for batch in found for change in batch.changes])
    return Played(changes) if changes else Nothing("; ".join(dict.fromkeys(b.nothing for b in found)))


def encode_tape(tape: Tape) -> str:
    """The tape as text; `decode_tape` reads it back."""
    head: dict[str, object] = {"tape": _VERSION, "writer": tape.writer}
    rows = [head | ({"session": tape.session} if tape.session else {})]
    for batch in tape.batches:
        rows += _rows(batch)
    return "".join(json.dumps(row, ensure_ascii=False).translate(_BREAKS) + "\n" for row in rows)


def decode_tape(text: str) -> tuple[Tape, tuple[Problem, ...]]:
    """Read a tape; a faulty line is left out of the result, and every fault is named with its line."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    problems: list[Problem] = []
    if not lines:
        return Tape(""), (Problem(Code.INVALID_ARGUMENT, "the tape is empty", line=1, remedy=_AGAIN),)
    tape = _head(lines[0][1], lines[0][0], problems)
    batches: dict[str, Recorded] = {}
    last = ""
    for number, line in lines[1:]:
        last = _take(line, number, batches, last, problems)
    return evolve(tape, batches=tuple(batches.values())), tuple(problems)


def _rows(batch: Recorded) -> list[dict[str, object]]:
    head: dict[str, object] = {"batch": batch.key, "refs": list(batch.refs)}
    if not batch.changes:
        return [{**head, "nothing_to_keep": batch.nothing}]
    encoded = [encode_change(change) for change in batch.changes]
    parts = [encoded[start : start + MOST] for start in range(0, len(encoded), MOST)]
    more: list[dict[str, object]] = [{"batch": batch.key, "memory_changes": part} for part in parts[1:]]
    return [{**head, "memory_changes": parts[0]}, *more]


def _head(line: str, number: int, problems: list[Problem]) -> Tape:
    faults = Faults()
    fields = fields_of(_json(line, faults), "", ("tape", "writer", "session"), faults)
    writer, session = fields.get("writer", ""), fields.get("session", "")
    if not faults.found and fields.get("tape") != _VERSION:
        faults.add("tape", f'a tape begins with {{"tape": {_VERSION}, "writer": …}}')
    for name, value in (("writer", writer), ("session", session)):
        if not isinstance(value, str):
            faults.add(name, "must be a text")
    problems += [evolve(fault, line=number) for fault in faults.found]
    return Tape(str(writer), (), str(session))


def _take(line: str, number: int, batches: dict[str, Recorded], last: str, problems: list[Problem]) -> str:
    """Take one line of the tape; the key of the batch that the next line may go on with."""
    faults = Faults()
    keys = ("batch", "refs", "memory_changes", "nothing_to_keep")
    fields = fields_of(_json(line, faults), "", keys, faults)
    key = fields.get("batch")
    if not faults.found and not isinstance(key, str):
        faults.add("batch", "the key of the batch is missing")
    goes_on = isinstance(key, str) and key == last and "refs" not in fields
    earlier = batches.get(last) if goes_on else None
    read = None if faults.found else _recorded(fields, earlier, faults)
    if read is not None and earlier is None and read.key in batches:
        faults.add("batch", f"{read.key} stands on the tape twice", remedy=_TWICE)
    problems += [evolve(fault, line=number) for fault in faults.found]
    if read is None or faults.found:
        return ""
    batches[read.key] = read
    return read.key if read.changes else ""


def _recorded(fields: Fields, earlier: Recorded | None, faults: Faults) -> Recorded | None:
    refs = earlier.refs if earlier else _refs(fields, faults)
    nothing = fields.get("nothing_to_keep")
    if ("memory_changes" in fields) == (nothing is not None):
        message = "a line holds either memory_changes or nothing_to_keep"
        faults.add("", message, remedy="take one of the two out")
    elif nothing is not None and not (isinstance(nothing, str) and nothing.strip()):
        faults.add("nothing_to_keep", "must say why")
    elif nothing is not None and earlier is not None:
        faults.add("nothing_to_keep", "the batch has changes already")
    if faults.found:
        return None
    if nothing is not None:
        return Recorded(refs, (), str(nothing))
    request, problems = decode_request({"memory_changes": fields["memory_changes"]})
    faults.found += problems
    return Recorded(refs, _numbered([*(earlier.changes if earlier else ()), *request.changes]))


def _refs(fields: Fields, faults: Faults) -> tuple[str, ...]:
    """The messages of the batch, which must give its key."""
    raw = fields.get("refs")
    refs = [ref for ref in cast("list[object]", raw) if isinstance(ref, str)] if isinstance(raw, list) else []
    if not refs or len(refs) != len(cast("list[object]", raw)):
        faults.add("refs", "must be a list of source ids")
    elif (key := batch_key(refs)) != fields["batch"]:
        faults.add("batch", f"the refs give the key {key}", remedy=_AGAIN)
    return tuple(refs)


def _numbered(changes: Sequence[Change]) -> tuple[Change, ...]:
    return tuple(evolve(change, place=f"memory_changes[{n}]") for n, change in enumerate(changes))


def _json(line: str, faults: Faults) -> object:
    try:
        return cast(object, json.loads(line))
    except (ValueError, RecursionError):
        faults.add("", "the line is not JSON", remedy=_AGAIN)
        return {}
