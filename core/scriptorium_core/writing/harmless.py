"""Any words as the content of a record: nothing in them is read as Markdown structure.

A backslash is put where the format would see a citation, a block id, a link to a file, a heading, a
fence, a comment or a list. Rendered, the words read as they were said.
"""

import re
from itertools import pairwise

from ..markdown.links import links_in
from ..markdown.paragraphs import ends_with_id
from .sentences import collapse

__all__ = ["harmless", "plain_label", "plain_title"]

_OPENING = re.compile(r"#{1,6} |```|~~~|<!--|<a |[-*+>](?: |$)")
_BRACKETS = str.maketrans("[]", "()")
_LONGEST_TITLE = 64


def harmless(text: str) -> str:
    """`text` as one paragraph that passes `changes.content.content_fault`; empty if it holds no words."""
    words = _without_paths(collapse(text).replace("[^", "[\\^"))
    if _OPENING.match(words):
        words = "\\" + words
    if ends_with_id(words):
        start = words.rindex("^")
        words = f"{words[:start]}\\{words[start:]}"
    return words


def plain_label(text: str) -> str:
    """`text` as the label of a citation (`markdown.footnotes.label_fault`); may be empty."""
    return "".join(char for char in collapse(text).translate(_BRACKETS) if char.isprintable()).strip()


def plain_title(text: str) -> str:
    """`text` as a heading, at most 64 characters; may be empty."""
    printable = "".join(char for char in collapse(text) if char.isprintable())
    return printable.strip()[:_LONGEST_TITLE].strip()


def _without_paths(text: str) -> str:
    """The text with each link to a file taken apart; a link out of the directory stays one."""
    # A link can stand in the label of another one: it is found when that one is a link no more.
    while inward := [link for link in links_in(text) if link.path or link.block or link.fragment]:
        places = [0, *(link.start - 1 for link in inward), len(text)]
        text = "\\".join(text[start:end] for start, end in pairwise(places))
    return text
