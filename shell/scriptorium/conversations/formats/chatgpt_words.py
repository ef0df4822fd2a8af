"""What was said in a message of ChatGPT's export, and by whom.

Talk is what a person or the assistant shows the other. Everything else is a place in the tree without
words: what the assistant thinks, what it sends to a tool (`recipient`) and what comes back, custom
instructions, and what the program hides (`is_visually_hidden_from_conversation`, a weight of 0).

A picture, a recording or a file is named where it stands: `[image: file-service://…]`. Of a voice the
words are kept. In answers, the marks between U+E200 and U+E201 are resolved as the page shows them: a
named thing (`entity`) is its name, a link (`url`) its title and address, all others are references and
are cut. What a person wrote stays as it is, whatever characters are in it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from attrs import frozen

from scriptorium_core.sources.frame import Origin

from .snapshots import as_object, as_text, strange

__all__ = ["Said", "said"]

_ORIGINS: Mapping[str, Origin] = MappingProxyType(
    {
        "user": Origin.HUMAN,
        "assistant": Origin.ASSISTANT,
        "system": Origin.HARNESS,
        "tool": Origin.TOOL,
    }
)
_SHOWN = frozenset(["", "text", "multimodal_text", "code"])
_THOUGHT = frozenset(["thoughts", "reasoning_recap"])
_OF_TOOLS = frozenset(["execution_output", "tether_quote", "tether_browsing_display", "system_error"])
_OF_THE_HARNESS = frozenset(["user_editable_context", "model_editable_context"])
_REFERENCE = re.compile("\ue200([^\ue200\ue201]*)\ue201")
# A space before references goes with them where none is needed.
_REFERENCES = re.compile(" ?(?:\ue200[^\ue200\ue201]*\ue201)+(?=[\\s.,;:!?)]|$)")
_MARKS = re.compile("[\ue200-\ue202]")


@frozen
class Said:
    """Where a message comes from, its words if it is talk, and why something of it is left out."""

    origin: Origin
    text: str = ""
    faults: tuple[str, ...] = ()


def said(message: Mapping[str, Any]) -> Said:
    """What was said in a message."""
    role = as_object(message.get("author")).get("role")
    origin = _ORIGINS.get(role) if isinstance(role, str) else None
    content = message.get("content")
    kind = as_text(as_object(content).get("content_type"))
    if origin is None:
        return Said(Origin.HARNESS, faults=(strange("role", role),))
    if origin not in (Origin.HUMAN, Origin.ASSISTANT):
        return Said(origin)
    if _hidden(message) or kind in _OF_THE_HARNESS:
        return Said(Origin.HARNESS)
    return (
        _of_a_person(message, content, kind) if origin is Origin.HUMAN else _answered(message, content, kind)
    )


def _of_a_person(message: Mapping[str, Any], content: object, kind: str) -> Said:
    """Whatever the kind: what a person sent is kept if there are words in it."""
    text, faults = _words(content)
    if kind not in _SHOWN and not text:
        faults = (*faults, strange("content type", kind))
    return Said(Origin.HUMAN, "\n".join(filter(None, [text, *_files(message, text)])), faults)


def _answered(message: Mapping[str, Any], content: object, kind: str) -> Said:
    if message.get("recipient") not in (None, "all") or kind in _OF_TOOLS:
        return Said(Origin.TOOL)
    if kind in _THOUGHT:
        return Said(Origin.ASSISTANT)
    if kind not in _SHOWN:
        return Said(Origin.ASSISTANT, faults=(strange("content type", kind),))
    text, faults = _words(content)
    return Said(Origin.ASSISTANT, _resolved(text), faults)


def _hidden(message: Mapping[str, Any]) -> bool:
    weight = message.get("weight")
    hides = as_object(message.get("metadata")).get("is_visually_hidden_from_conversation")
    return hides is True or (weight == 0 and not isinstance(weight, bool))


def _words(content: object) -> tuple[str, tuple[str, ...]]:
    """The words of a content, its parts one a line, and what in it is neither text nor named."""
    match content:
        case None | str():
            parts: list[object] = [content]
        case {"parts": [*given]}:
            parts = given
        case {"parts": str(text)} | {"text": str(text)}:
            parts = [text]
        case [*given]:
            parts = given
        case {"parts": None} | {"text": None}:
            parts = []
        case _:
            return "", ("a content without text or parts",)
    known = [part for part in parts if isinstance(part, str | dict)]
    is_all = all(isinstance(part, str | dict | None) for part in parts)
    faults = () if is_all else ("a part of a message that is neither text nor an object",)
    return "\n".join(filter(None, map(_part, known))), faults


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    found = as_object(part)
    text = found.get("text")
    return text if isinstance(text, str) and text else _placeholder(found)


def _placeholder(part: Mapping[str, Any]) -> str:
    kind = as_text(part.get("content_type")) or as_text(part.get("type"))
    noun = next((noun for noun in ("image", "audio", "video") if noun in kind), "attachment")
    pointer = as_text(part.get("asset_pointer"))
    pointer = pointer or as_text(as_object(part.get("audio_asset_pointer")).get("asset_pointer"))
    return f"[{noun}]" if not pointer or pointer.startswith("data:") else f"[{noun}: {pointer}]"


def _files(message: Mapping[str, Any], text: str) -> Iterator[str]:
    """The files that came with a message, without those that stand in its text already."""
    given = as_object(message.get("metadata")).get("attachments")
    for file in map(as_object, given if isinstance(given, list) else []):
        name, pointer = " ".join(as_text(file.get("name")).split()), as_text(file.get("id"))
        if name and not (pointer and pointer in text):
            yield f"[file: {name}]"


def _resolved(text: str) -> str:
    """An answer without the private-use marks of the page, as the module says."""
    if "\ue200" in text:
        text = _REFERENCE.sub(_shown, text)
        text = _REFERENCE.sub("", _REFERENCES.sub("", text))
    return _MARKS.sub("", text)


def _shown(mark: re.Match[str]) -> str:
    """What a mark shows as text; a reference shows none and stays, to be cut with the space before it."""
    kind, *fields = mark[1].split("\ue202")
    match kind, fields:
        case "entity", [listed]:
            return _name(listed)
        case "url", [title, address]:
            return f"[{title}]({address})"
        case _:
            return mark[0]


def _name(listed: str) -> str:
    """The name in `["city", "Porto", …]`, or what stands there if it is no such list."""
    try:
        fields = json.loads(listed)
    except (ValueError, RecursionError):
        return listed
    names = [field for field in fields if isinstance(field, str)] if isinstance(fields, list) else []
    return names[1] if len(names) > 1 else listed
