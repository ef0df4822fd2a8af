"""Archived evidence: frames, the archives that hold them, and the context beside them.

What reads and writes archives is loaded when it is asked for: whoever has an index that is up to date never
needs it.
"""

from typing import TYPE_CHECKING

from .kinds import Branch, Context, Origin, Tier, Trust

if TYPE_CHECKING:
    from .archive import append, is_archive, scan
    from .archived import Archive, Archived, Place, erased_record, is_erased
    from .context import append_context, encode_context, read_context
    from .erasing import ErasedArchive, erase
    from .frame import Frame, encode_frame, frame_problems, label, record_of
    from .header import Provenance
    from .promoting import promote

__all__ = [
    "Archive",
    "Archived",
    "Branch",
    "Context",
    "ErasedArchive",
    "Frame",
    "Origin",
    "Place",
    "Provenance",
    "Tier",
    "Trust",
    "append",
    "append_context",
    "encode_context",
    "encode_frame",
    "erase",
    "erased_record",
    "frame_problems",
    "is_archive",
    "is_erased",
    "label",
    "promote",
    "read_context",
    "record_of",
    "scan",
]


def __getattr__(name: str) -> object:
    """The public names that have to do with frames and archives, each from its own module."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import archive, archived, context, erasing, frame, header, promoting

    homes = (frame, header, archive, archived, context, erasing, promoting)
    return next(getattr(each, name) for each in homes if hasattr(each, name))
