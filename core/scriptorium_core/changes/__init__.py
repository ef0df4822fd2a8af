"""Structured changes: decoded from a request, checked against one another, carried out on topics."""

from .apply import Applied, apply_changes
from .decode import decode_request
from .model import (
    Caller,
    Change,
    CreateRecord,
    DeleteRecord,
    Destination,
    MoveRecords,
    NewSource,
    Position,
    Request,
    SourceUse,
    UpdateRecord,
)
from .sources import Brought, bring

__all__ = [
    "Applied",
    "Brought",
    "Caller",
    "Change",
    "CreateRecord",
    "DeleteRecord",
    "Destination",
    "MoveRecords",
    "NewSource",
    "Position",
    "Request",
    "SourceUse",
    "UpdateRecord",
    "apply_changes",
    "bring",
    "decode_request",
]
