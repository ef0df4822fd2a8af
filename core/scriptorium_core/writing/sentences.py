"""The sentences of a message, verbatim, with code, quotations and tables left out.

White space is collapsed, a line is a sentence unless the next one goes on in lower case, and the
mark of a list item is dropped. Control characters count as white space.
"""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

__all__ = ["Sentence", "collapse", "joined", "sentences"]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufeff\s]+")
_LINE = re.compile(r"\r\n|[\n\r\u2028\u2029\x85\x0b\x0c]")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_MARK = re.compile(r"\s*(?:[-*+•–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_LEFT_OUT = re.compile(r"\s*[>|]|(?: {4}|\t)(?!\s*(?:[-*+•–]|\d{1,3}[.)])\s)")
_END = re.compile(r"[.!?…]+[\"')\]”’»*_~]*(?=\s|$)|[。！？]+[”’」』）]*")
_ABBREVIATED = frozenset(
    "mr mrs ms dr prof st vs etc e.g i.e no nr bzw z.b d.h u.a ca usw ggf m mme sr sra p.ej inc".split()
)
_LONGEST_WORD = 24
_NO_INITIALS = frozenset("aiIyo")


@frozen
class Sentence:
    """A sentence, and what stands between it and the one before: a space, or nothing (`我住在北京。`)."""

    text: str
    glue: str = ""


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a message, in order."""
    for line in _prose(text):
        yield from _split(line)


def joined(parts: Sequence[Sentence]) -> str:
    """Neighbouring sentences as they were said."""
    return parts[0].text + "".join(part.glue + part.text for part in parts[1:])


def collapse(text: str) -> str:
    """`text` on one line: each run of white space and control characters is one space."""
    return _CONTROL.sub(" ", text).strip()


def _prose(text: str) -> Iterator[str]:
    """The lines of prose, a wrapped line joined with the one before."""
    held: list[str] = []
    for line in _spoken(text):
        mark = _MARK.match(line)
        words = collapse(line[mark.end() :] if mark else line)
        if held and (mark or not words[:1].islower()):
            yield " ".join(held)
            held = []
        if words:
            held.append(words)
    if held:
        yield " ".join(held)


def _spoken(text: str) -> Iterator[str]:
    """The lines outside fences, code that is indented, quotations and tables; blank ones are empty."""
    fence = ""
    for line in _LINE.split(text):
        opening = _FENCE.match(line)
        if fence:
            closes = opening is not None and opening[1].startswith(fence)
            fence = "" if closes else fence
        elif opening:
            fence = opening[1]
        yield "" if fence or opening or _LEFT_OUT.match(line) else line


def _split(line: str) -> Iterator[Sentence]:
    start = 0
    glue = " "
    for end in _END.finditer(line):
        if end[0] == "." and _goes_on(
            line[max(start, end.start() - _LONGEST_WORD) : end.start()], line[end.end() : end.end() + 2]
        ):
            continue
        yield Sentence(line[start : end.end()], glue)
        start = end.end() + line[end.end() :].startswith(" ")
        glue = " " if start > end.end() else ""
    if start < len(line):
        yield Sentence(line[start:], glue)


def _goes_on(before: str, after: str) -> bool:
    """Whether a full stop between the two ends an abbreviation, an initial or an ordinal."""
    word = before.rsplit(" ", 1)[-1].lstrip("(\"'“„")
    if after.strip().islower():
        return True
    if word.isdigit():
        return len(word) <= 2
    initial = len(word) == 1 and word.isalpha() and word not in _NO_INITIALS
    return initial or word.lower() in _ABBREVIATED
