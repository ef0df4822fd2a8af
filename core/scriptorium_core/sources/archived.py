"""What reading an archive gives: frames with the place where each stands, and how far the file holds."""

import re

from attrs import frozen

from ..names import SourceId
from .header import Provenance

__all__ = ["TORN", "Archive", "Archived", "Place", "erased_record", "is_erased", "split_record", "text_of"]

_RECORD = re.compile(r"\[([^\]\n]*)\] (.+?): ")
# The other program's strict reader takes no record without a label; the bare form is an older one of ours.
_ERASED = re.compile(r"(\[erased [0-9]{4}-[0-9]{2}-[0-9]{2}\])(?: erased: )?")
# No UTF-8 text holds it: a line that ends in it is no line of any form.
TORN = "\ud800"


@frozen
class Place:
    """Where a frame can be linked to: its archive, relative to the root, and its anchor."""

    path: str
    anchor: str


@frozen
class Archived:
    """One frame of an archive.

    `line` is the first line of the record, from 1; `record` its whole verbatim text; `at`, `label` and
    `text` the three parts of `[at] label: text`. `speaker_id` is None where the frame names none, and
    "" where it has a display name only. `label` is empty only in an erased frame.
    """

    id: SourceId
    anchor: str
    line: int
    label: str
    at: str
    text: str
    record: str
    speaker_id: str | None = None
    provenance: Provenance | None = None
    trusted: bool = True


@frozen
class Archive:
    """The valid frames of a file, in order; `broken_at` is the first line that fits no frame, else 0."""

    path: str
    frames: tuple[Archived, ...] = ()
    complete: bool = True
    broken_at: int = 0


def is_erased(archived: Archived) -> bool:
    """Whether the record was erased at the owner's wish: only id, anchor and date are left."""
    return not archived.label


def erased_record(day: str) -> str:
    """What stands in the place of a record that was erased on `day` (`YYYY-MM-DD`)."""
    return f"[erased {day}] erased: "


def split_record(record: str) -> tuple[str, str, str] | None:
    """Time, label and text of `[at] label: text`, or of an erased record; None for anything else."""
    if erased := _ERASED.fullmatch(record):
        return "", "", erased[1]
    if match := _RECORD.match(record):
        return match[1], match[2], record[match.end() :]
    return None


def text_of(data: bytes) -> str:
    """The text, cut at the first byte that is not UTF-8: its line then ends in `TORN` and fits no form."""
    try:
        return data.decode()
    except UnicodeDecodeError as fault:
        return data[: fault.start].decode() + TORN
