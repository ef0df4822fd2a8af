"""What an agent hands in for a batch: changes in one of three forms, or that there is nothing to keep.

    {"memory_changes": [{"op": "create_record", …}], "summary": "Mara moves to Lisbon"}
    {"changes": [{"path": "topics/keys.md", "action": "write", "content": "# Keys\\n…"}], "deleted": ["x7f"]}
    {"patch": "--- a/topics/keys.md\\n+++ b/topics/keys.md\\n@@ …", "base_revision": "3f2c…"}
    {"nothing_to_keep": "small talk"}

A call that is not of this form is refused by itself and costs no attempt; what is wrong in the changes is
a rejection like any other.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from attrs import frozen

from ..changes.decode import decode_request
from ..changes.model import Request
from ..changes.reading import Faults, Fields, fields_of, is_text, optional_text
from ..problem import Problem
from .agent import summary_of

__all__ = ["FORMS", "LARGEST", "HandIn", "Nothing", "decode_hand_in", "requested"]

FORMS = ("memory_changes", "changes", "patch", "nothing_to_keep")
LARGEST = 4_000_000
"""Characters of all that may be handed in at once."""

_DEPTH = 24
_ONE = f"give exactly one of {', '.join(FORMS)}"


@frozen
class Nothing:
    """Nothing of the batch is worth keeping, and why."""

    reason: str


@frozen
class HandIn:
    """Changes as they were handed in: `raw` is a request (`changes.decode`), not looked at yet.

    `seen` is the commit on which the agent made them, empty if it does not say.
    """

    raw: Mapping[str, object]
    summary: str = ""
    seen: str = ""


def decode_hand_in(raw: object) -> HandIn | Nothing | tuple[Problem, ...]:
    """Read what was handed in; what is wrong with its form as a whole."""
    faults = Faults()
    if not _fits(raw):
        faults.add("hand_in", f"it is larger than {LARGEST:,} characters, or nested too deep")
        return tuple(faults.found)
    fields = fields_of(raw, "", (*FORMS, "deleted", "sources", "summary", "base_revision"), faults)
    forms = [form for form in FORMS if fields.get(form) is not None]
    if len(forms) != 1:
        faults.add(forms[1] if forms else "hand_in", "several forms" if forms else "no form", remedy=_ONE)
    summary, seen = (optional_text(fields, key, faults) or "" for key in ("summary", "base_revision"))
    reason = fields.get("nothing_to_keep")
    if reason is not None and not (is_text(reason) and summary_of(reason)):
        faults.add("nothing_to_keep", "must say why, in a line", remedy="give a reason in words")
    if faults.found:
        return tuple(fault._replace(path=fault.path or "hand_in") for fault in faults.found)
    if isinstance(reason, str):
        return Nothing(summary_of(reason))
    kept = {key: fields[key] for key in (forms[0], "deleted", "sources") if fields.get(key) is not None}
    return HandIn(kept, summary_of(summary), seen)


def requested(handed: HandIn) -> tuple[Request, tuple[Problem, ...]]:
    """The changes in it, and all that is wrong with them."""
    return decode_request(handed.raw)


def _fits(raw: object) -> bool:
    """Whether a value is not larger, nor nested deeper, than what is taken; no more of it is looked at."""
    room, waiting = LARGEST, [(raw, 0)]
    while waiting:
        value, depth = waiting.pop()
        inside: Sequence[object] = ()
        if isinstance(value, str):
            room -= len(value)
        elif isinstance(value, Mapping):
            fields = cast(Fields, value)
            inside = (*fields.keys(), *fields.values())
        elif isinstance(value, list | tuple):
            inside = cast("Sequence[object]", value)
        room -= 1 + len(inside)
        if room < 0 or (inside and depth >= _DEPTH):
            return False
        waiting += [(each, depth + 1) for each in inside]
    return True
