"""What a writer once did, as JSON lines, and playing it back (the writer `recorded`).

    {"tape": 1, "writer": "api", "session": "native/trip", "prompt": "write/1-3fa29c01 repair/1-0c1d…"}
    {"batch": "b-5a0c…", "refs": ["native/trip/m1", …], "memory_changes": [{"op": "create_record", …}, …]}
    {"batch": "b-77e1…", "refs": ["native/trip/m9"], "nothing_to_keep": "small talk"}
    {"batch": "b-90f2…", "refs": ["native/trip/m10"], "changes": [{"path": …, "was": …, "content": …}],
     "deleted": ["6c1f02aa"], "reasons": ["6c1f02aa: said twice"], "summary": "Keep the address",
     "used": {"model": "m-1", "tokens_in": 5120, "tokens_out": 380}}

`refs` are the source ids of the batch in order, and `batch` is its key (`batch.batch_key`); changes are
those of a request (`changes.decode`), which cite sources by their ids. A batch of more than 64 changes
goes on in the next lines: `{"batch": "b-5a0c…", "memory_changes": […]}`. An edit of whole topics is
`changes` (module `taped`). A line may say in `summary` what was done, and in `used` what it cost.

A batch that is several recorded ones together, because the goal of tokens was higher, plays them in
the order of the tape; whole topics were written over what stood there, and are played batch by batch alone.
"""

import json
from collections.abc import Sequence
from functools import reduce
from typing import cast

from attrs import evolve, frozen

from ..changes.decode import decode_request
from ..changes.model import Change
from ..changes.reading import MOST, Faults, Fields, fields_of, optional_text
from ..problem import Code, Problem
from .batch import batch_key
from .encoding import encode_change
from .taped import Taped, decode_taped, decode_used, encode_taped, encode_used
from .used import NOTHING_USED, Used, together

__all__ = ["Missing", "Nothing", "Played", "Recorded", "Tape", "decode_tape", "encode_tape", "play"]

_VERSION = 1
_FORMS = ("memory_changes", "changes", "nothing_to_keep")
_AGAIN = "record the tape again"
_TWICE = "take one of the two lines out"
_BREAKS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"})


@frozen
class Recorded:
    """One batch: the source ids of its messages, and the changes or (if not empty) why there are none.

    `edit` are whole topics instead of changes; `summary` is what was done in a few words.
    """

    refs: tuple[str, ...]
    changes: tuple[Change, ...] = ()
    nothing: str = ""
    edit: Taped | None = None
    summary: str = ""
    used: Used = NOTHING_USED

    @property
    def key(self) -> str:
        """The key of the batch."""
        return batch_key(self.refs)


@frozen
class Tape:
    """The batches of a writer in the order in which they were written; `session` may be empty.

    `prompt` names the prompts and tools of a model with their versions (`prompting.prompts_of`).
    """

    writer: str
    batches: tuple[Recorded, ...] = ()
    session: str = ""
    prompt: str = ""


@frozen
class Played:
    """The changes that the tape holds for a batch, or the edit of whole topics."""

    changes: tuple[Change, ...]
    edit: Taped | None = None
    summary: str = ""
    used: Used = NOTHING_USED


@frozen
class Nothing:
    """The writer found nothing worth keeping in the batch."""

    reason: str
    used: Used = NOTHING_USED


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
        if len(heard) != len(refs) or set(heard) != wanted or not refs or any(b.edit for b in found):
            return Missing(batch_key(refs))
    used = reduce(together, (batch.used for batch in found))
    summary = "; ".join(dict.fromkeys(batch.summary for batch in found if batch.summary))
    changes = _numbered([change for batch in found for change in batch.changes])
    if changes or found[0].edit:
        return Played(changes, found[0].edit, summary, used)
    return Nothing("; ".join(dict.fromkeys(b.nothing for b in found)), used)


def encode_tape(tape: Tape) -> str:
    """The tape as text; `decode_tape` reads it back."""
    named = {"session": tape.session, "prompt": tape.prompt}
    head: dict[str, object] = {"tape": _VERSION, "writer": tape.writer}
    rows = [head | {key: value for key, value in named.items() if value}]
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
    told = {"summary": batch.summary} if batch.summary else {}
    end = {**told, **encode_used(batch.used)}
    if batch.edit is not None:
        return [{**head, **encode_taped(batch.edit), **end}]
    if not batch.changes:
        return [{**head, "nothing_to_keep": batch.nothing, **end}]
    encoded = [encode_change(change) for change in batch.changes]
    parts = [encoded[start : start + MOST] for start in range(0, len(encoded), MOST)]
    more: list[dict[str, object]] = [{"batch": batch.key, "memory_changes": part} for part in parts[1:]]
    return [{**head, "memory_changes": parts[0], **end}, *more]


def _head(line: str, number: int, problems: list[Problem]) -> Tape:
    faults = Faults()
    texts = ("writer", "session", "prompt")
    fields = fields_of(_json(line, faults), "", ("tape", *texts), faults)
    if not faults.found and fields.get("tape") != _VERSION:
        faults.add("tape", f'a tape begins with {{"tape": {_VERSION}, "writer": …}}')
    writer, session, prompt = (fields.get(name, "") for name in texts)
    for name, value in zip(texts, (writer, session, prompt), strict=True):
        if not isinstance(value, str):
            faults.add(name, "must be a text")
    problems += [fault._replace(line=number) for fault in faults.found]
    return Tape(str(writer), (), str(session), str(prompt))


def _take(line: str, number: int, batches: dict[str, Recorded], last: str, problems: list[Problem]) -> str:
    """Take one line of the tape; the key of the batch that the next line may go on with."""
    faults = Faults()
    keys = ("batch", "refs", *_FORMS, "deleted", "reasons", "summary", "used")
    fields = fields_of(_json(line, faults), "", keys, faults)
    key = fields.get("batch")
    if not faults.found and not isinstance(key, str):
        faults.add("batch", "the key of the batch is missing")
    goes_on = isinstance(key, str) and key == last and "refs" not in fields
    earlier = batches.get(last) if goes_on else None
    read = None if faults.found else _recorded(fields, earlier, faults)
    if read is not None and earlier is None and read.key in batches:
        faults.add("batch", f"{read.key} stands on the tape twice", remedy=_TWICE)
    problems += [fault._replace(line=number) for fault in faults.found]
    if read is None or faults.found:
        return ""
    batches[read.key] = read
    return read.key if read.changes else ""


def _recorded(fields: Fields, earlier: Recorded | None, faults: Faults) -> Recorded | None:
    refs = earlier.refs if earlier else _refs(fields, faults)
    forms = [form for form in _FORMS if fields.get(form) is not None]
    if len(forms) != 1:
        message = f"a line holds one of {', '.join(_FORMS)}"
        faults.add("", message, remedy="take the others out" if forms else _AGAIN)
        return None
    summary = optional_text(fields, "summary", faults) or (earlier.summary if earlier else "")
    used = decode_used(fields.get("used"), faults) if "used" in fields else NOTHING_USED
    batch = Recorded(refs, summary=summary, used=together(earlier.used, used) if earlier else used)
    match forms[0]:
        case "nothing_to_keep":
            nothing = fields["nothing_to_keep"]
            if not (isinstance(nothing, str) and nothing.strip()):
                faults.add("nothing_to_keep", "must say why")
            elif earlier is not None:
                faults.add("nothing_to_keep", "the batch has changes already")
            batch = evolve(batch, nothing=str(nothing))
        case "changes":
            if earlier is not None:
                faults.add("changes", "the batch has changes already")
            batch = evolve(batch, edit=decode_taped(fields, faults))
        case _:
            request, problems = decode_request({"memory_changes": fields["memory_changes"]})
            faults.found += problems
            changes = [*(earlier.changes if earlier else ()), *request.changes]
            batch = evolve(batch, changes=_numbered(changes))
    return None if faults.found else batch


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
