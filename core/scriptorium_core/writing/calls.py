"""What the program around an agent tells a hook, and the request that a hook leaves for the next pass.

A host gives one JSON object with `session_id`, `transcript_path`, `cwd` and `prompt`, of which each may be
missing; other fields are for other programs. A host that keeps no log hands over what was said instead:
`provider`, and `messages` with `id`, `role` (`user` or `assistant`), `text` and `at`, the oldest first.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple, cast

from ..sessions.wrapper import wrapped

__all__ = [
    "Call",
    "Event",
    "decode_call",
    "decode_request",
    "encode_call",
    "handed_over",
    "injection",
    "request_name",
]


class Event(StrEnum):
    """The moments of a conversation at which a host calls."""

    SESSION_START = "session-start"
    PROMPT = "prompt"
    TURN = "turn"
    SESSION_END = "session-end"
    PRE_COMPACT = "pre-compact"

    @property
    def writes(self) -> bool:
        """Whether there may be something to write now."""
        return self in (Event.TURN, Event.SESSION_END, Event.PRE_COMPACT)


class Call(NamedTuple):
    """One call; `session`, the paths and the `prompt` are empty where the host did not name them.

    `own` says that the session is one in which a writer of ours works: no host says that.
    """

    event: Event
    session: str = ""
    transcript: str = ""
    cwd: str = ""
    prompt: str = ""
    own: bool = False

    @property
    def ended(self) -> bool:
        """Whether the session is over, so that nothing of it needs to wait."""
        return self.event is Event.SESSION_END


def decode_call(event: Event, data: bytes) -> Call:
    """What a host said on the standard input; what is no JSON object says nothing."""
    fields = _fields(data)
    names = ("session_id", "transcript_path", "cwd", "prompt")
    session, transcript, cwd, prompt = (_text(fields.get(name)) for name in names)
    return Call(event, session, transcript, cwd, prompt)


def handed_over(data: bytes) -> bytes:
    """The messages that a host hands over, as a log of the format `native`; empty where there are none.

    Each hangs below the one before it; the first one goes on where the session stood.
    """
    fields = _fields(data)
    given, session = fields.get("messages"), _text(fields.get("session_id"))
    if not isinstance(given, list) or not session:
        return b""
    about = {"session": session, "provider": _text(fields.get("provider")), "scope": _text(fields.get("cwd"))}
    lines: list[str] = []
    above: dict[str, str] = {}
    for each in cast("list[object]", given):
        if not isinstance(each, dict):
            continue
        message = cast(Mapping[str, object], each)
        name, role = _text(message.get("id")), message.get("role")
        if name and role in ("user", "assistant"):
            said = {"id": name, **above, "role": role, "text": _text(message.get("text"))}
            lines.append(json.dumps({**about, **said, "at": message.get("at")}) + "\n")
            above = {"parent": name}
    return "".join(lines).encode()


def encode_call(call: Call) -> bytes:
    """A request as the bytes of a file, which `decode_request` reads."""
    fields = {"event": call.event, "session_id": call.session, "transcript_path": call.transcript}
    return json.dumps({**fields, "cwd": call.cwd, "own": call.own}).encode()


def decode_request(data: bytes) -> Call | None:
    """The call that left a request; None where it cannot be read."""
    fields = _fields(data)
    known = [each for each in Event if each == fields.get("event")]
    return decode_call(known[0], data)._replace(own=fields.get("own") is True) if known else None


def request_name(call: Call) -> str:
    """The name of the file of a request: the end of a session and its turns are one request each."""
    whole = f"{call.ended}\n{call.session}\n{call.transcript}"
    return f"{sha256(whole.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.json"


def injection(core: str, revision: str) -> str:
    """The resident block as a session is given it; what stands in such a block is never taken for talk."""
    return wrapped("core", revision, core.strip())


def _fields(data: bytes) -> Mapping[str, object]:
    try:
        value: object = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return {}
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
