"""What the keeper and the hooks of agents leave behind for `status`: `keeper.json` in the runtime folder.

{"version": 1, "scanned_at": "2026-11-29T21:48:37+00:00",
 "scan_failed": {"at": "…", "words": "…"},
 "injected": {"at": "…", "session": "7f…", "tokens": 425, "revision": "9b1d…", "why_not": "",
              "event": "prompt"},
 "hook_failed": {"at": "…", "words": "turn: …"}}
"""

import json
from collections.abc import Mapping
from typing import NamedTuple, cast

__all__ = ["Fault", "Injected", "Watched", "decode_watched", "encode_watched", "ended_event"]

_VERSION = 1
_LONGEST = 1_000


class Fault(NamedTuple):
    """Something that failed where nobody looks: when (ISO 8601), and in words."""

    at: str
    words: str


class Injected(NamedTuple):
    """What a session was last given, at which `event`; `why_not` says why that was nothing."""

    at: str
    session: str
    tokens: int
    revision: str = ""
    why_not: str = ""
    event: str = "session-start"


class Watched(NamedTuple):
    """When logs were last looked for, and how the last scan and the last hooks went."""

    scanned_at: str = ""
    scan_failed: Fault | None = None
    injected: Injected | None = None
    hook_failed: Fault | None = None


def encode_watched(watched: Watched) -> bytes:
    """The bytes of the file."""
    injected = watched.injected
    fields = {
        "version": _VERSION,
        "scanned_at": watched.scanned_at or None,
        "scan_failed": _plain(watched.scan_failed),
        "injected": injected
        and {
            "at": injected.at,
            "session": injected.session,
            "tokens": injected.tokens,
            "revision": injected.revision,
            "why_not": injected.why_not,
            "event": injected.event,
        },
        "hook_failed": _plain(watched.hook_failed),
    }
    return (json.dumps(fields, indent=2) + "\n").encode()


def decode_watched(data: bytes | None) -> Watched:
    """What stands in the file; nothing where it cannot be read."""
    try:
        fields = _fields(json.loads(data or b"{}"))
    except (ValueError, RecursionError):
        return Watched()
    injected = _fields(fields.get("injected"))
    tokens = injected.get("tokens")
    found = Injected(
        _text(injected.get("at")),
        _text(injected.get("session")),
        tokens if isinstance(tokens, int) else 0,
        _text(injected.get("revision")),
        _text(injected.get("why_not")),
        _text(injected.get("event")) or "session-start",
    )
    return Watched(
        _text(fields.get("scanned_at")),
        _fault(fields.get("scan_failed")),
        found if injected else None,
        _fault(fields.get("hook_failed")),
    )


def ended_event(session: str, at: str, reason: str) -> str:
    """The line that tells whoever listens that a turn is done with and was not written."""
    told = {"event": "memory.ingest_ended", "at": at, "session": session, "ok": False, "reason": reason}
    return json.dumps(told) + "\n"


def _plain(fault: Fault | None) -> Mapping[str, str] | None:
    return None if fault is None else {"at": fault.at, "words": fault.words[:_LONGEST]}


def _fault(value: object) -> Fault | None:
    fields = _fields(value)
    return Fault(_text(fields.get("at")), _text(fields.get("words"))) if fields else None


def _fields(value: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
