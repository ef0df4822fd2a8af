"""Archived evidence: frames, the archives that hold them, and the context beside them."""

from .archive import append, is_archive, scan
from .archived import Archive, Archived, Place, erased_record, is_erased
from .context import append_context, encode_context, read_context
from .erase import ErasedArchive, erase
from .frame import (
    Branch,
    Context,
    Frame,
    Origin,
    Provenance,
    Tier,
    Trust,
    encode_frame,
    frame_problems,
    label,
    record_of,
)
from .promote import promote

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
