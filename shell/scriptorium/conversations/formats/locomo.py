"""The format `locomo`: the conversations of the LoCoMo benchmark, a list of them or one.

Each conversation is a session (`sample_id`), each dialogue turn a node (`dia_id`, as `D1:3`) with its
speaker, after the turn before it. Both speakers are people, neither of them is the owner. The time
of a turn is that of its part, `session_1_date_time`, local and without a zone. What describes a
picture is kept in the metadata: nobody said it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..items import Item, Key, Passed, Replaced, Sample, Skipped, Source, Torn, Turn
from ..moments import spoken_moment
from ..records import json_elements

__all__ = ["LOCOMO", "Locomo"]

_PROVIDER = "locomo"
_PART = re.compile(r"session_([0-9]+)")
_DESCRIBES = ("blip_caption", "query", "img_url")


class Locomo:
    """The importer of LoCoMo files."""

    name = "locomo"

    def recognises(self, sample: Sample) -> bool:
        """An object with a conversation that has speakers, or a list of them, also half written."""
        if isinstance(sample.value, dict):
            return _conversation(sample.value) is not None
        return sample.value is None and '"dia_id"' in sample.start

    def read(self, source: Source) -> Iterator[Item]:
        """The turns of all conversations in order."""
        if source.position:
            return  # a document was read to its end
        source.file.seek(0)
        line = 0
        for record in json_elements(source.file):
            line = record.line
            if record.torn:
                yield Torn(line)
                return
            if record.replaced:
                yield Replaced(line)
            yield from _session(record.value, line)
        yield Passed(source.file.tell(), line)


def _session(value: object, line: int) -> Iterator[Item]:
    talk = _conversation(value)
    name = value.get("sample_id") if isinstance(value, dict) else None
    if talk is None or not isinstance(name, str) or not name:
        yield Skipped("not a conversation with a sample_id", line)
        return
    key = Key(_PROVIDER, name, f"{talk['speaker_a']} and {talk['speaker_b']}")
    above: NodeId | None = None
    for part in sorted(filter(None, map(_PART.fullmatch, talk)), key=lambda found: int(found[1])):
        at = spoken_moment(talk.get(f"{part[0]}_date_time"))
        turns = talk[part[0]]
        for turn in turns if isinstance(turns, list) else []:
            node = _node(turn, SessionId(name), at, above)
            yield Turn(key, node, line) if node else Skipped("a turn without dia_id or text", line)
            above = node.id if node else above


def _node(turn: object, session: SessionId, at: str, above: NodeId | None) -> Node | None:
    match turn:
        case {"dia_id": str(name), "text": str(text), **rest} if name:
            speaker = rest.get("speaker")
        case _:
            return None
    return Node(
        id=NodeId(name),
        session=session,
        provider=_PROVIDER,
        parent=above,
        role="user",
        origin=Origin.HUMAN,
        text=text,
        at=at,
        speaker_name=speaker if isinstance(speaker, str) else "",
        metadata={"speaker_kind": "human"} | {key: _words(rest[key]) for key in _DESCRIBES if key in rest},
    )


def _conversation(value: object) -> Mapping[str, Any] | None:
    talk = value.get("conversation") if isinstance(value, dict) else None
    named = isinstance(talk, dict) and all(
        isinstance(talk.get(key), str) for key in ("speaker_a", "speaker_b")
    )
    return talk if named else None


def _words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


LOCOMO = Locomo()
