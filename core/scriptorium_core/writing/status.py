"""How writing went, kept from one pass to the next: `writer-status.json` in the runtime folder.

    {"version": 1, "last_outcome": "failure", "last_success_at": "2026-11-29T21:48:37+00:00",
     "last_failure": {"at": "2026-11-29T21:50:02+00:00", "reason_code": "COMMIT_REJECTED",
     "retryable": false, "message": "…", "session": "codex/7f…", "until": ""},
     "failures": 0, "offered": {"day": "2026-11-29", "tokens": 48211},
     "written": {"batches": 3, "tokens": 31044, "since": "2026-11-29T20:11:02+00:00", "organized_at": null},
     "tried": {"codex/7f…": {"state": "12/m12", "at": "…", "failures": 1, "reason_code": "COMMIT_REJECTED",
     "retryable": false}}}

A pass that found nothing due is no outcome. A file of an earlier version lacks the later keys.
"""

import json
from collections.abc import Mapping
from typing import cast

from attrs import evolve, field, frozen

from .outcome import WRITER_WIDE, Failed, NothingDue, NothingToKeep, Outcome, Wrote

__all__ = [
    "FailedAt",
    "Tried",
    "WriterStatus",
    "after",
    "after_hand_in",
    "after_offer",
    "after_organizing",
    "after_portion",
    "decode_status",
    "encode_status",
    "given_up",
]

_VERSION = 1


@frozen
class FailedAt:
    """When a pass failed (ISO 8601), its code, whether trying again may help, and what is known beside it.

    `until` is the time before which trying again is useless, empty if unknown.
    """

    at: str
    code: str
    retryable: bool
    message: str = ""
    session: str = ""
    until: str = ""


@frozen
class Tried:
    """A session whose last pass failed: in which `state` it was, when, how often in a row, and how."""

    state: str
    at: str
    failures: int
    code: str
    retryable: bool


@frozen
class WriterStatus:
    """`outcome` is success or failure, empty before the first pass; so is `success_at`.

    `failures` counts retryable ones in a row; `offered` tokens went to the writer, or were used by its model
    if that is more, on the local `day`; `batches` and `tokens` were written `since`, the first of them after
    `organized_at`.
    """

    outcome: str = ""
    success_at: str = ""
    failure: FailedAt | None = None
    failures: int = 0
    day: str = ""
    offered: int = 0
    batches: int = 0
    tokens: int = 0
    since: str = ""
    organized_at: str = ""
    tried: Mapping[str, Tried] = field(factory=dict[str, Tried], hash=False)

    def offered_on(self, day: str) -> int:
        """The tokens that went to the writer on a local day."""
        return self.offered if day == self.day else 0


def after(
    known: WriterStatus, outcome: Outcome, now: str, session: str = "", state: str = ""
) -> WriterStatus:
    """The status after a pass over `session` that ended so; `now` is ISO 8601 in the local zone.

    A success shows that the writer is well: sessions that failed because of it are free again.
    """
    others = {name: tried for name, tried in known.tried.items() if name != session}
    match outcome:
        case NothingDue():
            return evolve(known, tried=others)
        case Failed():
            before = known.tried.get(session)
            row = before.failures if before is not None and before.retryable else 0
            tried = Tried(state, now, row + 1, outcome.code, outcome.retryable)
            told = FailedAt(now, outcome.code, outcome.retryable, outcome.message, session, outcome.until)
            return evolve(
                _offered(known, _taken(outcome), now),
                outcome="failure",
                failure=told,
                failures=known.failures + outcome.retryable,
                tried={**others, session: tried} if session else others,
            )
        case _:
            return evolve(
                _offered(known, _taken(outcome), now),
                outcome="success",
                success_at=now,
                failures=0,
                batches=known.batches + 1,
                tokens=known.tokens + outcome.tokens,
                since=known.since or now,
                tried={name: tried for name, tried in others.items() if tried.code not in WRITER_WIDE},
            )


def given_up(known: WriterStatus, session: str, state: str) -> bool:
    """Whether the last pass over a session failed for good, and nothing new was said in it since."""
    tried = known.tried.get(session)
    return tried is not None and not tried.retryable and tried.state == state


def after_offer(known: WriterStatus, tokens: int, now: str) -> WriterStatus:
    """The status after an agent was given a batch: its tokens count, whatever becomes of it."""
    return _offered(known, tokens, now)


def after_hand_in(
    known: WriterStatus, outcome: Outcome, now: str, session: str = "", state: str = ""
) -> WriterStatus:
    """The status after an agent handed a batch in, whose tokens were counted when it was given."""
    told = after(known, outcome, now, session, state)
    return evolve(told, day=known.day, offered=known.offered)


def after_portion(known: WriterStatus, outcome: Outcome, now: str) -> WriterStatus:
    """The status after some topics were organized, or messages of the archive written.

    What was written since the last organizing stays counted.
    """
    told = after(known, outcome, now)
    return evolve(told, batches=known.batches, tokens=known.tokens, since=known.since)


def after_organizing(known: WriterStatus, now: str) -> WriterStatus:
    """The status after the whole memory was organized, or that was given up until the next time is due."""
    return evolve(known, organized_at=now, batches=0, tokens=0, since="")


def encode_status(status: WriterStatus) -> bytes:
    """The bytes of the file."""
    failure = status.failure
    fields = {
        "version": _VERSION,
        "last_outcome": status.outcome or None,
        "last_success_at": status.success_at or None,
        "last_failure": failure
        and {
            "at": failure.at,
            "reason_code": failure.code,
            "retryable": failure.retryable,
            "message": failure.message,
            "session": failure.session,
            "until": failure.until,
        },
        "failures": status.failures,
        "offered": {"day": status.day, "tokens": status.offered},
        "written": {
            "batches": status.batches,
            "tokens": status.tokens,
            "since": status.since or None,
            "organized_at": status.organized_at or None,
        },
        "tried": {
            name: {
                "state": tried.state,
                "at": tried.at,
                "failures": tried.failures,
                "reason_code": tried.code,
                "retryable": tried.retryable,
            }
            for name, tried in status.tried.items()
        },
    }
    return (json.dumps(fields, indent=2) + "\n").encode()


def decode_status(data: bytes | None) -> WriterStatus:
    """The status in the file; that of a memory that was never written to where it cannot be read."""
    try:
        value: object = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return WriterStatus()
    fields = _fields(value)
    failure = fields.get("last_failure")
    offered, written = _fields(fields.get("offered")), _fields(fields.get("written"))
    tried = {name: _tried(_fields(each)) for name, each in _fields(fields.get("tried")).items()}
    return WriterStatus(
        _text(fields.get("last_outcome")),
        _text(fields.get("last_success_at")),
        _failure(_fields(failure)) if failure is not None else None,
        _number(fields.get("failures")),
        _text(offered.get("day")),
        _number(offered.get("tokens")),
        _number(written.get("batches")),
        _number(written.get("tokens")),
        _text(written.get("since")),
        _text(written.get("organized_at")),
        tried,
    )


def _taken(outcome: Wrote | NothingToKeep | Failed) -> int:
    """What counts against the day: what was offered, or what a model says that it took, if that is more."""
    used = outcome.used
    return max(outcome.tokens, used.tokens_in + used.tokens_out if used.calls else 0)


def _offered(known: WriterStatus, tokens: int, now: str) -> WriterStatus:
    """The status with tokens added to those of the day."""
    day = now[:10]
    return evolve(known, day=day, offered=known.offered_on(day) + tokens) if tokens else known


def _fields(value: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _failure(fields: Mapping[str, object]) -> FailedAt:
    return FailedAt(
        _text(fields.get("at")),
        _text(fields.get("reason_code")),
        fields.get("retryable") is True,
        _text(fields.get("message")),
        _text(fields.get("session")),
        _text(fields.get("until")),
    )


def _tried(fields: Mapping[str, object]) -> Tried:
    return Tried(
        _text(fields.get("state")),
        _text(fields.get("at")),
        _number(fields.get("failures")),
        _text(fields.get("reason_code")),
        fields.get("retryable") is True,
    )


def _number(value: object) -> int:
    return max(value, 0) if isinstance(value, int) and not isinstance(value, bool) else 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
