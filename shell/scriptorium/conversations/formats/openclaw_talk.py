"""Where an OpenClaw session is held, and what in it a person said: the runtime speaks as the user, too.

A message of the user is the person's words in an envelope: a stamp, lines of the system, the number of the
message, and blocks of metadata about the chat. It is not the person's at all where the runtime sent it:
heartbeats, jobs of its schedule, what another session or the system says, and the task of a sub-agent.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from scriptorium_core.sources.frame import Origin

from .entries import Said, Voice

__all__ = ["Place", "voice_in"]

_RUNTIME = frozenset(["cron", "subagent", "hook", "heartbeat", "acp"])
_MANY_PEOPLE = frozenset(["group", "channel"])
_SENT_BY_RUNTIME = frozenset(["inter_session", "internal_system"])
_SILENT = frozenset(["HEARTBEAT_OK", "NO_REPLY"])
_SCHEDULED = re.compile(
    r"\[cron:|Read HEARTBEAT\.md if (?:it )?exists|A new session was started via /(?:new|reset)\b"
)
_MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
_ZONE = r" ?[A-Z]{1,5}(?:[+-][0-9]{1,2}(?::?[0-9]{2})?)?"
_STAMP = re.compile(rf"\[(?:[^\[\]\n]{{1,160}} )?{_MOMENT}{_ZONE}\] ?")
_HINT = re.compile(r"\[message_id: [^\]\n]*\]\n?")
_LAST_HINT = re.compile(r"\s*\[message_id: [^\]\n]*\]\s*\Z")
_SYSTEM_LINE = re.compile(r"System: \[[^\]\n]*\][^\n]*(?:\n+|\Z)")
_BLOCK = re.compile(r"([A-Z][\w ]{0,60}) \(untrusted[^()\n]*\):\n```json\n(.*?)\n```\s*", re.DOTALL)
_DIRECTIVE = re.compile(r"\[\[(?:reply_to_current|reply_to:[^\]\n]*|audio_as_voice)\]\]\s*")


@frozen
class Place:
    """A session as its agent's store knows it; `kind` is the third part of its key, `agent:main:cron:7`.

    `spawned_by` is the id of the session that began it, `topic` the thread of a group that it is.
    """

    agent: str = ""
    kind: str = ""
    many: bool = False
    title: str = ""
    topic: str = ""
    spawned_by: str = ""

    @classmethod
    def of(cls, key: object, about: Mapping[str, Any], ids: Mapping[str, str]) -> "Place":
        """The place of a session by its key and what else is known; `ids` are session ids by key."""
        parts = key.split(":") if isinstance(key, str) else []
        named = [about.get(name) for name in ("spawned_by", "spawnedBy")]
        titles = [about.get(name) for name in ("display_name", "displayName", "label")]
        inside = parts[2:] if parts[:1] == ["agent"] else []
        return cls(
            agent=parts[1] if inside else "",
            kind=inside[0] if inside else "",
            many=not _MANY_PEOPLE.isdisjoint(inside),
            title=next((title for title in titles if isinstance(title, str)), ""),
            spawned_by=next((ids[name] for name in named if isinstance(name, str) and name in ids), ""),
        )


def voice_in(place: Place) -> Voice:
    """How the messages of a session at that place are heard."""

    def hear(said: Said, message: Mapping[str, Any]) -> Said:
        if said.origin is Origin.ASSISTANT:
            return _answered(said)
        return _asked(said, message, place) if said.origin is Origin.HUMAN else said

    return hear


def _answered(said: Said) -> Said:
    text = _DIRECTIVE.sub("", said.text)
    return (
        evolve(said, origin=Origin.HARNESS, text="") if text.strip() in _SILENT else evolve(said, text=text)
    )


def _asked(said: Said, message: Mapping[str, Any], place: Place) -> Said:
    sent = message.get("provenance")
    is_sent = isinstance(sent, dict) and sent.get("kind") in _SENT_BY_RUNTIME
    text, about = _opened(said.text)
    if is_sent or place.kind in _RUNTIME or _SCHEDULED.match(text):
        return evolve(said, origin=Origin.AGENT)
    if not text.strip():
        return evolve(said, origin=Origin.HARNESS) if said.text.strip() else said
    if not (place.many or about.get("is_group_chat") is True or about.get("chat_type") in _MANY_PEOPLE):
        return evolve(said, text=text)
    name, who = _first(about, "name", "sender"), _first(about, "sender_id", "id")
    return evolve(said, text=text, speaker_name=name, speaker_id=who or None)


def _opened(text: str) -> tuple[str, Mapping[str, Any]]:
    """A message without its envelope, and what the envelope says of the chat and the sender."""
    about: dict[str, Any] = {}
    while True:
        if block := _BLOCK.match(text):
            if block[1] in ("Conversation info", "Sender"):
                about |= _object(block[2])
            text = text[block.end() :]
        elif mark := _STAMP.match(text) or _SYSTEM_LINE.match(text) or _HINT.match(text):
            text = text[mark.end() :]
        else:
            name = _first(about, "name", "sender")
            return _LAST_HINT.sub("", text.removeprefix(f"{name}: ") if name else text), about


def _object(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _first(about: Mapping[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := about.get(name), str)), "")
