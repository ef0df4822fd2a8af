"""What computes vectors: a name, how to tell its vectors from those of others, texts in and vectors out."""

from collections.abc import Sequence
from typing import Protocol

__all__ = ["Embedder", "Vector"]

Vector = Sequence[float]
"""As many numbers as the embedder has dimensions; its length does not count, its direction does."""


class Embedder(Protocol):
    """A model. Vectors of two models are never compared: `digest` differs whenever vectors would.

    `least` is the cosine from which on it means that two texts are alike.
    """

    @property
    def name(self) -> str:
        """What the settings call it."""
        ...

    @property
    def digest(self) -> str:
        """Model and version; the same for the same vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in a vector. May load the model."""
        ...

    @property
    def least(self) -> float:
        """A cosine above 0."""
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """A vector for each text. Raises Refused where the model cannot be had or asked."""
        ...
