"""The words of a Codex record: what a person or the assistant said, without what the harness added.

The harness writes in the user's role too: instructions of the project, the environment, skills, notes
on interrupted turns. Such a part of a message is one element with a name of its own, or begins with a
fixed sentence. An editor puts the person's request below a list of open files.
"""

import re
from collections.abc import Iterator

from attrs import frozen

__all__ = ["Words", "same_words", "words"]

_ELEMENT = re.compile(r"<([A-Za-z]+(?:_[A-Za-z]+)+|skill|INSTRUCTIONS)(?:\s[^<>]*)?>.*</\1>", re.DOTALL)
_BEGINNINGS = (
    "# AGENTS.md instructions",
    "<permissions instructions>",
    # How the summary of a compaction is handed to the model: the originals stand above it.
    "Another language model started to solve this problem and produced a summary of its thinking process",
)
_EDITOR = ("# Context from my IDE setup:", "# Files mentioned by the user:", "# Selected text:")
_REQUEST = re.compile(r"^## My request for Codex:[ \t]*\r?\n?", re.MULTILINE)
_IMAGE = re.compile(r"</?image(?:\s[^<>]*)?>")
# What is taken out of an answer before it is shown; the recorded answer has it.
_CITATION = re.compile(r"\s*<oai-mem-citation>.*?</oai-mem-citation>", re.DOTALL)
_PLAN = re.compile(r"<proposed_plan>.*?</proposed_plan>", re.DOTALL)
_TEXTS = ("input_text", "output_text", "text")
_IMAGES = ("input_image", "image")


@frozen
class Words:
    """What a message says; a message of images alone is a turn without words."""

    text: str
    images: bool = False

    def __bool__(self) -> bool:
        return bool(self.text.strip()) or self.images


def words(content: object, role: str) -> Words:
    """What the content of a message says in this role, its parts one a line."""
    if isinstance(content, str):
        content = [{"type": "input_text", "text": content}]
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    texts = [text for part in parts if (text := _text(part)) is not None]
    texts = list(_spoken(texts)) if role == "user" else [_CITATION.sub("", text) for text in texts]
    return Words("\n".join(texts), any(part.get("type") in _IMAGES for part in parts))


def same_words(text: str) -> str:
    """What the two forms of one message share: all but white space, and a plan, which one of them lacks."""
    return "".join(_PLAN.sub("", text).split())


def _text(part: dict[str, object]) -> str | None:
    text = part.get("text")
    return text if part.get("type") in _TEXTS and isinstance(text, str) else None


def _spoken(texts: list[str]) -> Iterator[str]:
    for text in texts:
        bare = text.strip()
        if bare.startswith(_BEGINNINGS) or _ELEMENT.fullmatch(bare) or _IMAGE.fullmatch(bare):
            continue
        request = _REQUEST.search(text) if bare.startswith(_EDITOR) else None
        yield text[request.end() :] if request else text
