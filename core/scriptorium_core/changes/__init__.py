"""Structured changes: decoded from a request, checked against one another, carried out on topics."""

from .apply import Applied, apply_changes
from .carrying import carry_out, paths_meant
from .decode import decode_request
from .model import (
    Caller,
    Change,
    CreateRecord,
    DeleteRecord,
    DeleteTopic,
    Destination,
    FileChange,
    MoveRecords,
    NewSource,
    PatchTopic,
    Position,
    Request,
    SourceUse,
    UpdateRecord,
    WriteTopic,
)
from .redacting import clean_request, cleaned
from .sources import Brought, bring

__all__ = [
    "Applied",
    "Brought",
    "Caller",
    "Change",
    "CreateRecord",
    "DeleteRecord",
    "DeleteTopic",
    "Destination",
    "FileChange",
    "MoveRecords",
    "NewSource",
    "PatchTopic",
    "Position",
    "Request",
    "SourceUse",
    "UpdateRecord",
    "WriteTopic",
    "apply_changes",
    "bring",
    "carry_out",
    "clean_request",
    "cleaned",
    "decode_request",
    "paths_meant",
]
