"""Whether two texts say the same, and whether they speak of the same: one answer for whoever writes."""

import re
from collections.abc import Iterable

from .terms import query_terms, same_text
from .when import When, render_when

__all__ = ["FIRST_PERSON", "NEGATIONS", "akin", "speaks_of_itself", "statement_key"]

NEGATIONS = frozenset(
    "no not never none without cannot ain't isn't aren't wasn't weren't don't doesn't didn't won't can't"
    " couldn't shouldn't wouldn't hasn't haven't hadn't nicht kein keine keinen nie niemals ohne pas jamais"
    " sans non nunca sin не нет без 不 没 無 无 非 未".split()
)
"""The terms that turn a statement round: two texts that differ in one do not say the same."""

FIRST_PERSON = frozenset(
    "i i'm i've i'd i'll me my mine myself we we're we've we'd we'll us our ours ourselves ich mich mir mein"
    " meine meinen meiner meinem wir uns unser unsere je j'ai me moi mon ma mes nous notre nos yo mí mi mis"
    " nosotros nuestro nuestra eu meu minha io mio mia noi я мне меня мой моя мы нас наш 我 咱 私 僕 俺"
    " 나는 저는 내가 제가 우리".split()
)
"""The terms by which a speaker means themselves: said by somebody else, the same words say something else."""

_SHARE = 5
"""Of the terms of the shorter text, one in so many must stand in the other."""

# Compiled where a statement needs it (`re` remembers it): whoever only searches pays for none.
_RELATIVE_DAY = (
    r"\b(?:today|tonight|yesterday|tomorrow|now|just|ago|this|last|next|heute|gestern|morgen|gerade|letzte\w*|"
    r"nächste\w*|aujourd'hui|hier|demain|dernière?|prochaine?|hoy|ayer|mañana|pasad[oa]|próxim[oa])\b"
    r"|今天|昨天|明天|刚|上周|下周|上个月|下个月"
)


def statement_key(content: str, when: When | None) -> str:
    """What two statements share that say the same.

    Their words, however they are written (`terms.same_text`). Words such as `yesterday` mean another day
    each time: with them the day belongs to it.
    """
    words = same_text(content)
    return f"{words}|{render_when(when)}" if re.search(_RELATIVE_DAY, content, re.IGNORECASE) else words


def speaks_of_itself(text: str) -> bool:
    """Whether a text speaks of whoever says it."""
    asked = query_terms(text)
    return not FIRST_PERSON.isdisjoint((*asked.wanted, *asked.common))


def akin(new: str, old: str, headings: Iterable[str] = ()) -> bool:
    """Whether a text speaks of what another one, below these headings, spoke of.

    They share a fifth of the terms of the shorter one, at least one; a text without terms fits any.
    """
    mine, theirs = _terms(new), _terms(old)
    least = min(len(mine), len(theirs))
    return least == 0 or _SHARE * len(mine & (theirs | _terms(" ".join(headings)))) >= least


def _terms(text: str) -> frozenset[str]:
    return frozenset(query_terms(text).wanted)
