"""Whether a sentence is worth keeping, by small rules and without a model.

Kept is what states something: a standing rule (`always`, `from now on`, `remember`), what the speaker
is, has, does, did, wants, plans or decided, and a plain fact with a name, a number or a date in it. Left
out are questions, greetings, thanks, mere reactions, and orders about the task at hand.
"""

import re
from enum import StrEnum
from types import MappingProxyType

from . import cues

__all__ = ["LONGEST_SENTENCE", "Why", "judge"]

LONGEST_SENTENCE = 600
"""In characters; longer ones are pasted rather than said."""

_LEAST_WORDS = 3
_NAMED = re.compile(r"\[(?:image|audio|video|document|file|attachment|pasted text)(?:: .*)?\]")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Why(StrEnum):
    """Why something is not kept, as it is counted: `3 questions`."""

    QUESTION = "questions"
    GREETING = "greetings and thanks"
    REACTION = "reactions"
    ORDER = "orders about the task at hand"
    SLIGHT = "that state nothing lasting"
    LONG = "of more than 600 characters"
    MANY = "whose rest was too much for one message"
    NOT_HUMAN = "not said by a person"
    PENDING = "waiting for the owner's consent"
    FORGOTTEN = "forgotten"
    KNOWN = "known already"

    def counted(self, number: int) -> str:
        """`3 questions`, `1 question`."""
        return f"{number:,} {_ONE.get(self, self) if number == 1 else self}"


_ONE = MappingProxyType(
    {
        Why.QUESTION: "question",
        Why.GREETING: "greeting or thanks",
        Why.REACTION: "reaction",
        Why.ORDER: "order about the task at hand",
        Why.SLIGHT: "that states nothing lasting",
    }
)


def judge(sentence: str) -> Why | None:
    """Why a sentence is not kept; None if it is."""
    if len(sentence) > LONGEST_SENTENCE:
        return Why.LONG
    # What came with a message and is named in its place: whatever its name says, nobody said it.
    if _NAMED.fullmatch(sentence.strip()):
        return Why.SLIGHT
    words = sentence.strip("\"'“”«»*_~-–— ").replace("’", "'")
    bare = cues.OPENING.sub("", words, count=1)
    if cues.QUESTION.search(words) or cues.QUESTION.search(bare):
        return Why.QUESTION
    rule = cues.STANDING.search(bare) is not None
    if cues.GREETING.search(bare) and not rule:
        return Why.GREETING
    if cues.REACTION.search(bare) or cues.ABOUT_THAT.search(bare):
        return Why.REACTION
    if _size(bare) < _LEAST_WORDS:
        return Why.SLIGHT
    if rule:
        return None
    return Why.ORDER if cues.ORDER.search(bare) else _statement(bare)


def _statement(words: str) -> Why | None:
    if cues.FIRST_PERSON.search(words) or cues.RESOLVE.search(words):
        return None
    names_something = cues.ANCHOR.search(words) is not None or _CJK.search(words) is not None
    states = cues.PREDICATE.search(words) is not None and _size(words) > _LEAST_WORDS
    return None if names_something and states else Why.SLIGHT


def _size(text: str) -> int:
    """The number of words; in scripts without spaces two characters count as one."""
    return len(text.split()) + len(_CJK.findall(text)) // 2
