"""What a summary must keep of messages that are about to leave a conversation.

Chosen are the sentences in which a person states something that lasts (`worth`), word for word: standing
rules first, then the newest, within a number of tokens. Told in the order in which they were said.
"""

from collections.abc import Sequence

from attrs import frozen

from ..budget import Count, fit
from ..sameness import statement_key
from ..sessions.messages import Message
from ..sources.frame import Origin
from . import cues
from .sentences import sentences
from .worth import judge

__all__ = ["must_keep"]


@frozen
class _Stated:
    """A line for the summary, and whether it is a standing rule."""

    line: str
    rule: bool


def must_keep(messages: Sequence[Message], count: Count, limit: int) -> str:
    """The lines, at most `limit` tokens of them; empty if nobody stated anything that lasts."""
    stated: dict[str, _Stated] = {}
    for message in messages:
        if message.origin is Origin.HUMAN and message.talks:
            for sentence in sentences(message.text):
                if judge(sentence.text) is None:
                    speaker = f"{message.speaker}: " if message.speaker else ""
                    rule = cues.STANDING.search(sentence.text) is not None
                    # Said again, it counts as said then.
                    stated.pop(key := statement_key(sentence.text, None), None)
                    stated[key] = _Stated(f"- {speaker}{sentence.text}\n", rule)
    ordered = tuple(stated.values())
    first = sorted(range(len(ordered)), key=lambda place: (not ordered[place].rule, -place))
    kept = fit([*first], lambda place: count(ordered[place].line), limit).kept
    return "".join(ordered[place].line for place in sorted(kept))
