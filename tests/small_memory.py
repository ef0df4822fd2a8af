"""What the examples of an open memory share: its topic, a person's hand in it, and what came of an update."""

from pathlib import Path

from scriptorium.workspace import Committed, Memory
from scriptorium_core.problem import Code
from scriptorium_core.transaction import Rejected

__all__ = ["KEYS", "cited", "codes", "draft", "sure", "topic"]

KEYS = "topics/keys.md"


def codes(result: Committed | Rejected) -> list[Code]:
    assert isinstance(result, Rejected), result
    return [problem.code for problem in result.problems]


def sure(result: Committed | Rejected) -> Committed:
    assert isinstance(result, Committed), result
    return result


def topic(memory: Memory, path: str = KEYS) -> Path:
    return memory.layout.root / path


def draft(memory: Memory, text: str, path: str = KEYS) -> None:
    """A person adds text to the end of a topic and saves it."""
    place = topic(memory, path)
    place.write_text((place.read_text() if place.exists() else "") + text)


def cited(memory: Memory, content: str) -> str:
    """A paragraph as a person writes it, with a label of their own and no id."""
    with memory.reading() as (_, base):
        place = next(iter(base.facts.places))
    return f"\n{content}[^e1]\n\n[^e1]: Time: `2026`; Sources: [me](../{place})\n"
