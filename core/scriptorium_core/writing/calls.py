"""What the program around an agent tells a hook, and the request that a hook leaves for the next pass.

A host gives one JSON object with `session_id`, `transcript_path`, `cwd` and `prompt`, of which each may be
missing; other fields are for other programs. A host that keeps no log hands over what was said instead:
`provider`, and `messages`, the oldest first, each with `role` (`user` or `assistant`), `text` or `content` (a
string, or a list of parts with `text`), and `id` and `at` where it has them. A message without an `id` is
known by its words and by what stands above it in the list: such a host hands over the whole conversation.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple, cast

from ..sessions.wrapper import wrapped
from ..sizes import too_large

__all__ = [
    "Call",
    "Event",
    "HandedOver",
    "decode_call",
    "decode_request",
    "encode_call",
    "handed_over",
    "injection",
    "request_name",
]

_ROLES = MappingProxyType(
    {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "model": "assistant"}
)
_NO_TALK = ("system", "developer", "tool", "function")
_TOOLS = ("tool_calls", "function_call")  # a message that only calls tools has no words
_SPOKEN = ("text", "input_text", "output_text")


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


class HandedOver(NamedTuple):
    """A log of the format `native`, empty where there is none, and which messages cannot be read, and why."""

    log: bytes = b""
    unread: tuple[str, ...] = ()


class _Message(NamedTuple):
    id: str
    role: str
    text: str
    at: object


def decode_call(event: Event, data: bytes) -> Call:
    """What a host said on the standard input; what is no JSON object says nothing."""
    fields = _fields(data)
    names = ("session_id", "transcript_path", "cwd", "prompt")
    session, transcript, cwd, prompt = (_text(fields.get(name)) for name in names)
    return Call(event, session, transcript, cwd, prompt)


def handed_over(data: bytes) -> HandedOver:
    """The messages that a host hands over; what is no talk, as a tool's answer, is left out unsaid.

    Each hangs below the one before it; the first one goes on where the session stood.
    """
    fields = _fields(data)
    given, session = fields.get("messages"), _text(fields.get("session_id"))
    if given is None or not session:
        return HandedOver()
    if not isinstance(given, list):
        return HandedOver(unread=("`messages` is no list",))
    about = {"session": session, "provider": _text(fields.get("provider")), "scope": _text(fields.get("cwd"))}
    lines: list[str] = []
    unread: list[str] = []
    above: dict[str, str] = {}
    for place, each in enumerate(cast("list[object]", given), 1):
        message = _message(each)
        if isinstance(message, _Message):
            name = message.id or _derived(session, above.get("parent", ""), message)
            said = {"id": name, **above, "role": message.role, "text": message.text, "at": message.at}
            lines.append(json.dumps({**about, **said}) + "\n")
            above = {"parent": name}
        elif message:
            unread.append(f"message {place} {message}")
    return HandedOver("".join(lines).encode(), tuple(unread))


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


def _message(given: object) -> _Message | str:
    """A message, or what is wrong with it; nothing is where it is no talk."""
    if not isinstance(given, dict):
        return "is no object"
    fields = cast(Mapping[str, object], given)
    role = fields.get("role")
    if role in _NO_TALK:
        return ""
    if not isinstance(role, str) or role not in _ROLES:
        return "has no `role` that is known (`user` or `assistant`)"
    words = next((fields[key] for key in ("text", "content") if fields.get(key) is not None), None)
    if words is None and not any(fields.get(key) for key in _TOOLS):
        return "says nothing: it has neither `text` nor `content`"
    text = _words(words)
    if text is None:
        return "has words that are neither a string nor a list of parts"
    if large := too_large(text):
        return large
    name = fields.get("id")
    is_number = isinstance(name, int) and not isinstance(name, bool)
    return _Message(str(name) if is_number else _text(name), _ROLES[role], text, fields.get("at"))


def _words(value: object) -> str | None:
    """The words of a message, of parts one below the other; None where it is neither."""
    match value:
        case None:
            return ""
        case str():
            return value
        case list():
            found = map(_part, cast("list[object]", value))
            return "\n".join(text for text in found if text)
        case _:
            return None


def _part(value: object) -> str:
    match value:
        case str():
            return value
        case {"type": str(kind)} if kind not in _SPOKEN:
            return ""
        case {"text": str(text)}:
            return text
        case _:
            return ""


def _derived(session: str, above: str, message: _Message) -> str:
    """The id of a message that was given none: the same again, in the same place, has the same."""
    whole = json.dumps([session, above, message.role, message.text, message.at])
    return f"m-{sha256(whole.encode()).hexdigest()[:32]}"


def _fields(data: bytes) -> Mapping[str, object]:
    try:
        value: object = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return {}
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
