"""What every model can be asked."""

from collections.abc import Callable
from typing import Protocol

from scriptorium_core.writing.exchange import Question, Reply
from scriptorium_core.writing.faults import Fault

__all__ = ["Hear", "Model"]

Hear = Callable[[str], None]
"""Is told what comes in while an answer is streamed: pieces of words, as they come."""


class Model(Protocol):
    """A model of a provider; `forms` are the ways in which it can be held to a schema, the best first."""

    @property
    def forms(self) -> tuple[str, ...]:
        """The ways in which it can be held to a schema."""
        ...

    def ask(self, question: Question, hear: Hear) -> Reply | Fault:
        """One answer. What goes wrong on the way is a fault, in which no key stands."""
        ...
