"""How like one vector others are."""

from collections.abc import Sequence

from .embedder import Vector

__all__ = ["cosines"]

_DIGITS = 4  # what differs beyond is rounding


def cosines(vector: Vector, others: Sequence[Vector]) -> tuple[float, ...]:
    """The cosine of each of the others with a vector, from -1 to 1; 0 where one has no length."""
    import numpy as np

    if not others:
        return ()
    asked, matrix = np.asarray(vector, dtype=np.float64), np.asarray(others, dtype=np.float64)
    lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(asked)
    found = np.divide(matrix @ asked, lengths, out=np.zeros(len(others)), where=lengths > 0)
    return tuple(round(float(each), _DIGITS) for each in found)
