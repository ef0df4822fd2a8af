"""What was given to whom, and why: one line of JSON for each delivery, in the order in which they were made.

{"version": 1, "at": "2026-11-29T21:48:37+00:00", "actor": "owner", "door": "prompt", "session": "7f…",
 "question": "…", "revision": "9b1d…", "counter": "o200k_base", "tokens": 425, "budget": 1500,
 "delivered": [{"part": "record", "id": "6c1f02aa", "score": 0.71, "shortened": false}],
 "left_out": [{"part": "record", "id": "77aa01bc", "score": 0.2, "reason": "below-threshold"}],
 "text": "<memory-context …>…"}

`text` is what was delivered, character for character.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from .offer import Left, Part, Reason, Shown

if TYPE_CHECKING:  # not loaded for a hook, which waits for it
    from ..forgetting.model import Targets
    from ..forgetting.words import Words

__all__ = [
    "Trace",
    "decode_trace",
    "encode_trace",
    "newest",
    "without_erased",
    "without_forgotten",
]

_VERSION = 1
_LONGEST = 4 * 1024 * 1024  # bytes of all traces


class Trace(NamedTuple):
    """One delivery. `withheld` says that its words are not shown, because some of them were forgotten."""

    door: str
    text: str
    tokens: int
    budget: int
    question: str = ""
    revision: str = ""
    counter: str = ""
    session: str = ""
    at: str = ""
    actor: str = ""
    delivered: tuple[Shown, ...] = ()
    left_out: tuple[Left, ...] = ()
    withheld: bool = False

    @property
    def considered(self) -> int:
        """How many things were considered, cited turns too."""
        return len(self.delivered) + len(self.left_out)

    @property
    def names(self) -> frozenset[str]:
        """The ids of all that was considered."""
        return frozenset([*(each.id for each in self.delivered), *(each.id for each in self.left_out)])


def encode_trace(trace: Trace) -> bytes:
    """Its line, the LF included."""
    delivered = [{**_fields(each), "shortened": each.shortened} for each in trace.delivered]
    left_out = [{**_fields(each), "reason": each.reason} for each in trace.left_out]
    fields = {
        "version": _VERSION,
        "at": trace.at,
        "actor": trace.actor,
        "door": trace.door,
        "session": trace.session,
        "question": trace.question,
        "revision": trace.revision,
        "counter": trace.counter,
        "tokens": trace.tokens,
        "budget": trace.budget,
        "delivered": delivered,
        "left_out": left_out,
        "text": trace.text,
    }
    return json.dumps(fields).encode() + b"\n"


def decode_trace(line: bytes) -> Trace | None:
    """The trace of a line; None where it cannot be read."""
    try:
        fields = cast(Mapping[str, object], json.loads(line))
        delivered = cast(Sequence[Mapping[str, object]], fields["delivered"])
        left_out = cast(Sequence[Mapping[str, object]], fields["left_out"])
        return Trace(
            at=_text(fields["at"]),
            actor=_text(fields["actor"]),
            door=_text(fields["door"]),
            session=_text(fields["session"]),
            question=_text(fields["question"]),
            revision=_text(fields["revision"]),
            counter=_text(fields["counter"]),
            tokens=_whole(fields["tokens"]),
            budget=_whole(fields["budget"]),
            delivered=tuple(Shown(*_place(each), bool(each["shortened"])) for each in delivered),
            left_out=tuple(Left(*_place(each), Reason(_text(each["reason"]))) for each in left_out),
            text=_text(fields["text"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def newest(data: bytes, most: int) -> bytes:
    """The newest lines, at most so many and so many bytes of them; half a line at the end is none."""
    lines = data[: data.rfind(b"\n") + 1].splitlines(keepends=True)[-most:]
    while lines and sum(map(len, lines)) > _LONGEST:
        del lines[0]
    return b"".join(lines)


def without_erased(data: bytes, targets: "Targets", words: "Words") -> bytes:
    """The lines that name nothing and hold nothing of what is erased; one that cannot be read goes too."""
    return b"".join(
        line for line in data.splitlines(keepends=True) if not _tells(decode_trace(line), targets, words)
    )


def without_forgotten(traces: Iterable[Trace], forgotten: Mapping[str, str]) -> tuple[Trace, ...]:
    """The traces, without the words of those that name something that was forgotten since."""
    return tuple(
        trace._replace(text="", question="", withheld=True)
        if any(name in forgotten for name in trace.names)
        else trace
        for trace in traces
    )


def _tells(trace: Trace | None, targets: "Targets", words: "Words") -> bool:
    if trace is None or any(name in targets.ids or name in targets.sources for name in trace.names):
        return True
    return words.quoted_in(trace.text) or words.quoted_in(trace.question)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _fields(each: Shown | Left) -> Mapping[str, object]:
    return {"part": each.part, "id": each.id, "score": each.score}


def _place(fields: Mapping[str, object]) -> tuple[Part, str, float]:
    score = fields["score"]
    if not isinstance(score, int | float):
        raise TypeError
    return Part(_text(fields["part"])), _text(fields["id"]), float(score)
