"""What the notes of a record's evidence say about other texts beside it (format, section 5).

`; Branch: <session>@<node>` names a cited message of a branch that was abandoned. With ` live` behind it
it names the first message of a branch that is one of several live ones; a branch that leaves another one
has a note for each, so that the notes of what stands above are among those of what stands below.

`; Alternative: <block id>` says that the record with this id was changed in two places at the same time:
the records whose evidence has the same note are the texts that it got.
"""

from ..names import NodeId, SessionId, percent
from .records import Evidence, Record

__all__ = [
    "ALTERNATIVE",
    "BRANCH",
    "alternative_of",
    "is_closed",
    "is_live_note",
    "live_branches",
    "live_note",
    "stands_aside",
]

ALTERNATIVE = "Alternative"
BRANCH = "Branch"
_LIVE = " live"  # no id holds a space: they are percent-encoded
_CLOSED = "Until"


def live_note(session: SessionId, node: NodeId) -> str:
    """The note of a live branch that begins with `node`."""
    return f"{percent(session)}@{percent(node)}{_LIVE}"


def is_live_note(note: str) -> bool:
    """Whether a note names a branch that is live."""
    return note.endswith(_LIVE)


def stands_aside(record: Record) -> bool:
    """Whether all that a record rests on was said on branches that were abandoned."""
    return bool(record.evidence) and all(map(_is_aside, record.evidence))


def is_closed(record: Record) -> bool:
    """Whether nothing that a record rests on holds any more: each of its definitions says until when."""
    closed = (any(name == _CLOSED for name, _ in group.fields) for group in record.evidence)
    return bool(record.evidence) and all(closed)


def live_branches(record: Record) -> frozenset[str]:
    """The live branches, as `<session>@<node>`, that all stands on which is current in a record.

    Empty where something of it stands elsewhere too: then it is nobody's alternative.
    """
    groups = [group for group in record.evidence if not _is_aside(group)]
    current = [group for group in groups if all(name != _CLOSED for name, _ in group.fields)] or groups
    if not current:
        return frozenset()
    found = [
        frozenset(note.removesuffix(_LIVE) for note in _notes(group) if is_live_note(note))
        for group in current
    ]
    return frozenset(note for note in found[0] if all(note in notes for notes in found[1:]))


def alternative_of(record: Record) -> frozenset[str]:
    """The ids of the records of which this one is one of several texts; empty for almost every record."""
    fields = (each for group in record.evidence for each in group.fields)
    return frozenset(value for name, value in fields if name == ALTERNATIVE)


def _is_aside(group: Evidence) -> bool:
    return any(not is_live_note(note) for note in _notes(group))


def _notes(group: Evidence) -> tuple[str, ...]:
    return tuple(value for name, value in group.fields if name == BRANCH)
