"""The messages that an agent runtime holds, as nodes of a conversation.

{"role": "user", "content": "My train is at 7:40.", "id": "m1", "at": "2026-03-01T10:00:00Z", "speaker": "Bo"}

Only `role` and `content` (or `text`) are asked for; content may be a list of parts, of which text counts. A
message without an `id` gets one of its words, so that the same list, or the rest of it after a compaction,
never makes a message twice.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import cast

from attrs import frozen

from ..names import NodeId, SessionId
from ..problem import Code, Problem
from ..sizes import SPLIT, too_large
from ..sources.frame import Origin, Tier, Trust
from .graph import Node
from .talk import said, talks

__all__ = ["Message", "messages_of", "nodes_of"]

_ORIGINS = MappingProxyType(
    {
        "user": Origin.HUMAN,
        "human": Origin.HUMAN,
        "assistant": Origin.ASSISTANT,
        "model": Origin.ASSISTANT,
        "tool": Origin.TOOL,
        "system": Origin.HARNESS,
        "developer": Origin.HARNESS,
    }
)


@frozen
class Message:
    """One message; what is not known is empty."""

    role: str
    text: str
    id: str = ""
    at: str = ""
    speaker: str = ""

    @property
    def origin(self) -> Origin:
        """Where it comes from, by its role."""
        return _ORIGINS[self.role]

    @property
    def talks(self) -> bool:
        """Whether it is what a person said, or what the assistant answered."""
        return talks(self.origin, self.text)


def messages_of(given: Sequence[object]) -> tuple[tuple[Message, ...], tuple[Problem, ...]]:
    """The messages, and all that is wrong with them, each with its place."""
    messages: list[Message] = []
    problems: list[Problem] = []
    for number, each in enumerate(given):
        found = _message(each, f"messages[{number}]")
        (problems if isinstance(found, Problem) else messages).append(found)  # type: ignore[arg-type]
    return tuple(messages), tuple(problems)


def nodes_of(
    messages: Sequence[Message], provider: str, session: str, head: NodeId | None, tier: Tier | None
) -> Iterator[Node]:
    """A node for each message, below the one before it; the first one goes on at the `head`.

    `tier` is that of the person who talks: words of somebody unknown (None) wait for the owner's consent.
    """
    above, seen = head, Counter[str]()
    rank = {"authority_tier": tier.value if tier else "none"}
    kind = {} if tier is Tier.OWNER else {"speaker_kind": "human"}
    trust = {} if tier is not None else {"trust_state": Trust.PENDING.value}
    for message in messages:
        words = f"{message.role}\n{message.text}"
        seen[words] += 1
        name = NodeId(message.id or _named(words, seen[words]))
        yield Node(
            id=name,
            session=SessionId(session),
            provider=provider,
            parent=above if above != name else None,
            role=message.role,
            origin=message.origin,
            text=said(message.text),
            at=message.at,
            speaker_name=message.speaker,
            metadata=rank | kind | trust if message.origin is Origin.HUMAN else {},
        )
        above = name


def _named(words: str, number: int) -> str:
    return sha256(f"{number}\n{words}".encode("utf-8", "surrogatepass")).hexdigest()[:20]


def _message(value: object, place: str) -> Message | Problem:
    if not isinstance(value, Mapping):
        return _wrong(place, "a message must be an object", 'give {"role": "user", "content": "…"}')
    fields = cast(Mapping[str, object], value)
    role = fields.get("role")
    if not isinstance(role, str) or role not in _ORIGINS:
        return _wrong(f"{place}.role", f"{role!r} is no role", f"one of {', '.join(_ORIGINS)}")
    text = _text(fields.get("content", fields.get("text")))
    if text is None:
        return _wrong(f"{place}.content", "the content is no text", "give a text, or a list of parts")
    if large := too_large(text):
        return _wrong(f"{place}.content", f"the content {large}", SPLIT)
    others = [fields.get(name) or "" for name in ("id", "at", "speaker")]
    if not all(isinstance(other, str) for other in others):
        return _wrong(place, "`id`, `at` and `speaker` must be texts", "leave out what is not known")
    return Message(role, text, *cast("list[str]", others))


def _text(content: object) -> str | None:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return "" if content is None else None
    rows = (
        cast(Mapping[str, object], part)
        for part in cast("list[object]", content)
        if isinstance(part, Mapping)
    )
    texts = (row.get("text") for row in rows)
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _wrong(place: str, message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, place, remedy=remedy)
