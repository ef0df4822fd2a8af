"""How writing went, kept from one pass to the next: `writer-status.json` in the runtime folder.

    {"version": 1, "last_outcome": "failure", "last_success_at": "2026-11-29T21:48:37+00:00",
     "last_failure": {"at": "2026-11-29T21:50:02+00:00", "reason_code": "COMMIT_REJECTED",
     "retryable": false}}

A pass that found nothing due is no outcome: the file stays as it is.
"""

import json
from collections.abc import Mapping
from typing import cast

from attrs import evolve, frozen

from .outcome import Failed, NothingDue, Outcome

__all__ = ["FailedAt", "WriterStatus", "after", "decode_status", "encode_status"]

_VERSION = 1


@frozen
class FailedAt:
    """When a pass failed (ISO 8601), its code, and whether trying again may help."""

    at: str
    code: str
    retryable: bool


@frozen
class WriterStatus:
    """`outcome` is success or failure, empty before the first pass; so is `success_at`."""

    outcome: str = ""
    success_at: str = ""
    failure: FailedAt | None = None


def after(known: WriterStatus, outcome: Outcome, now: str) -> WriterStatus:
    """The status after a pass that ended so."""
    match outcome:
        case NothingDue():
            return known
        case Failed():
            return evolve(known, outcome="failure", failure=FailedAt(now, outcome.code, outcome.retryable))
        case _:
            return evolve(known, outcome="success", success_at=now)


def encode_status(status: WriterStatus) -> bytes:
    """The bytes of the file."""
    failure = status.failure
    fields = {
        "version": _VERSION,
        "last_outcome": status.outcome or None,
        "last_success_at": status.success_at or None,
        "last_failure": failure
        and {"at": failure.at, "reason_code": failure.code, "retryable": failure.retryable},
    }
    return (json.dumps(fields, indent=2) + "\n").encode()


def decode_status(data: bytes | None) -> WriterStatus:
    """The status in the file; that of a memory that was never written to where it cannot be read."""
    try:
        value: object = json.loads(data or b"{}")
    except ValueError:
        return WriterStatus()
    fields = _fields(value)
    failure = fields.get("last_failure")
    return WriterStatus(
        _text(fields.get("last_outcome")),
        _text(fields.get("last_success_at")),
        _failure(_fields(failure)) if failure is not None else None,
    )


def _fields(value: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _failure(fields: Mapping[str, object]) -> FailedAt:
    return FailedAt(
        _text(fields.get("at")), _text(fields.get("reason_code")), fields.get("retryable") is True
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
