"""What of a conversation is talk: what a person said and what the assistant answered.

Never talk: tool calls and results, text of the harness, messages that a runtime scheduled (their
origin is *agent*), summaries of a compaction (the originals are there), what is blank once our own injected
`<memory-context>` blocks are cut out, and what is larger than a message may be (`sizes`).
"""

from ..sizes import too_large
from ..sources.frame import Origin
from .wrapper import CLOSING, OPENING

__all__ = ["said", "talks", "without_memory"]

_SPOKEN = frozenset([Origin.HUMAN, Origin.ASSISTANT])


def talks(origin: Origin, text: str) -> bool:
    """Whether a message of this origin and text is talk."""
    if origin not in _SPOKEN:
        return False
    words = said(text)
    return bool(words.strip()) and not too_large(words)


def said(text: str) -> str:
    """`text` as it was said: verbatim, without our own injected blocks."""
    return without_memory(text) if CLOSING in text else text


def without_memory(text: str) -> str:
    """`text` without whole `<memory-context>` blocks and the line breaks that end them.

    A mark that stands alone, opening or closing, is ordinary text and stays. A block has no opening inside
    (`wrapper.inert`): of several the last one begins it, and what stands before was said.
    """
    kept: list[str] = []
    at = 0
    while opening := OPENING.search(text, at):
        closing = text.find(CLOSING, opening.end())
        if closing < 0:
            break
        *_, opening = opening, *OPENING.finditer(text, opening.end(), closing)
        kept.append(text[at : opening.start()])
        at = _past_line_breaks(text, closing + len(CLOSING))
    return "".join([*kept, text[at:]])


def _past_line_breaks(text: str, at: int) -> int:
    while at < len(text) and text[at] in "\r\n":
        at += 1
    return at
