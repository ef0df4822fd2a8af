"""All vectors in memory, brought up to the file by what changed, and compared exactly with one of a query."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from scriptorium_core.recall import Document, Kind, Similar, Spread, passages

from .embedder import Embedder, Vector
from .nearness import Nearness
from .vectors import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MANY", "Table", "packed"]

MANY = 100_000
"""Documents that are compared one by one within some 20 ms; with more of them a search takes longer."""
_DIGITS = 4  # what differs beyond is rounding, which depends on the order of the rows


def packed(vector: Vector) -> bytes:
    """A vector of length 1 as it lies in the file: half as many bytes as numpy computes with."""
    import numpy as np

    return bytes(_unit(np.asarray([vector], dtype=np.float32))[0].astype("<f2").tobytes())


@define
class Table:
    """The documents of one state of the vectors, row by row, ascending by number."""

    _names: "list[tuple[Kind, str]]" = field(factory=list, init=False)
    _rows: "dict[tuple[Kind, str], int]" = field(factory=dict, init=False)
    _numbers: "NDArray[np.int64] | None" = field(default=None, init=False)
    _matrix: "NDArray[np.float32] | None" = field(default=None, init=False)
    _origin: str | None = field(default=None, init=False)
    commit: str | None = field(default=None, init=False)

    @classmethod
    def of(cls, embedder: Embedder, documents: Iterable[Document]) -> "Table":
        """The documents of one file after the other, embedded here and now: for trials and benchmarks."""
        made, texts = cls(), list[str]()
        for document, text in passages(tuple(documents)):
            made._names.append((document.kind, document.id))
            texts.append(text)
        made._rows = {name: row for row, name in enumerate(made._names)}
        made._matrix = _read([packed(vector) for vector in embedder.embed(texts)])
        return made

    def follow(self, vectors: Vectors) -> None:
        """Be what the file holds now; rows that stayed are not read again."""
        import numpy as np

        with vectors.snapshot():
            commit, origin = vectors.commit, vectors.origin
            if origin != self._origin:
                self._origin, self._names, self._numbers, self._matrix = origin, [], None, None
            elif commit == self.commit and commit is not None:
                return
            numbers, last = vectors.numbers(), self._last()
            fresh = vectors.after(last)
            if vectors.origin != origin:  # damage was met on the way, and an empty file is in its place
                self.commit, self._origin = None, None
                return
        stay = np.isin(self._numbers, numbers) if self._numbers is not None else np.zeros(0, bool)
        parts = [self._matrix[stay]] if self._matrix is not None else []
        parts += [_read([vector for *_, vector in fresh])] if fresh else []
        self._matrix = np.vstack(parts) if parts else None
        self._names = [name for name, kept in zip(self._names, stay, strict=True) if kept]
        self._names += [(Kind(kind), name) for _, kind, name, _ in fresh]
        self._rows = {name: row for row, name in enumerate(self._names)}
        self._numbers = np.asarray(numbers, dtype=np.int64)
        self.commit = commit

    @property
    def dimensions(self) -> int:
        """Numbers in a vector; 0 while there are none."""
        return self._matrix.shape[1] if self._matrix is not None else 0

    def near(
        self, vector: Vector, kinds: Sequence[Kind], least: float, hidden: Collection[str] = ()
    ) -> Nearness:
        """How like the vector of a query all documents of these kinds are, but for those of `hidden` ids."""
        import numpy as np

        asked = _unit(np.asarray([vector], dtype=np.float32))[0]
        cosines = (
            np.round(self._matrix @ asked, _DIGITS) if self._matrix is not None else np.zeros(0, np.float32)
        )
        spread = dict[Kind, Spread]()
        best = dict[Kind, tuple[str, ...]]()
        of_kind = np.asarray([None if name in hidden else kind for kind, name in self._names], dtype=object)
        for kind in dict.fromkeys(kinds):
            mine = cosines[of_kind == kind].astype(np.float64)
            if len(mine):
                middle, deviation = round(float(mine.mean()), _DIGITS), round(float(mine.std()), _DIGITS)
                spread[kind] = Spread(len(mine), middle, deviation)
                above = np.flatnonzero((cosines >= spread[kind].bar(least)) & (of_kind == kind))
                order = sorted(above.tolist(), key=lambda row: (-cosines[row], self._names[row][1]))
                best[kind] = tuple(self._names[row][1] for row in order)
        return Nearness(Similar(_Cosines(self._rows, cosines), spread, least), best)

    def _last(self) -> int:
        return int(self._numbers[-1]) if self._numbers is not None and len(self._numbers) else 0


@frozen
class _Cosines(Mapping[tuple[Kind, str], float]):
    """The cosines by kind and id, looked up where they are wanted: a query wants a hundred of them."""

    rows: Mapping[tuple[Kind, str], int]
    numbers: "NDArray[np.float32]"

    def __getitem__(self, name: tuple[Kind, str]) -> float:
        return float(self.numbers[self.rows[name]])

    def __iter__(self) -> Iterator[tuple[Kind, str]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def _read(vectors: Sequence[bytes]) -> "NDArray[np.float32]":
    """What `packed` made, a row each."""
    import numpy as np

    return np.frombuffer(b"".join(vectors), "<f2").astype(np.float32).reshape(len(vectors), -1)


def _unit(vectors: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Each row with length 1; one without a length stays nothing."""
    import numpy as np

    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, np.where(length == 0, 1, length), dtype=np.float32)
