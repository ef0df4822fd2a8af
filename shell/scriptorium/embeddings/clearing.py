"""Who may change the vectors, and taking out what nobody may find any more."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from ..index.schema import discard
from ..lock import held
from .vectors import Vectors

__all__ = ["alone", "discard_vectors", "forget_vectors"]

_PATIENCE = 60.0


def alone(path: Path, timeout: float = _PATIENCE) -> AbstractContextManager[None]:
    """Be the only one that changes the vectors at `path`. Raises Refused after `timeout` seconds."""
    return held(path.with_suffix(".lock"), timeout)


def discard_vectors(path: Path) -> None:
    """Remove the vectors with the file. Raises Refused where another process goes on embedding."""
    with alone(path):
        discard(path)


def forget_vectors(path: Path, ids: Iterable[str]) -> None:
    """Take out what was made of the texts of these ids, if there are vectors.

    The next search or indexing brings back what was not forgotten.
    """
    if path.is_file():
        with alone(path):
            vectors = Vectors.open(path, "")
            try:
                vectors.forget(ids)
            finally:
                vectors.close()
