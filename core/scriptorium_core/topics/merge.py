"""Two edits of one topic taken together, piece by piece, where they do not meet.

An edit replaces a run of pieces of the common base; two edits meet where their runs overlap, or where
both put something in the same place and not the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from attrs import frozen

from .edit import reread
from .model import Topic
from .pieces import Piece, joined, pieces_of

__all__ = ["Clash", "merge"]


@frozen
class Clash:
    """A place where both edits changed the topic: the line in `ours`, and its first words."""

    line: int
    words: str


@frozen
class _Edit:
    """Pieces `start` to `end` of the base become `pieces`; `ours` says whose edit it is."""

    start: int
    end: int
    pieces: tuple[Piece, ...]
    at: int
    ours: bool

    def meets(self, other: "_Edit") -> bool:
        """Whether the two cannot both be made."""
        if self.start == self.end and other.start == other.end:
            return self.start == other.start
        return self.start < other.end and other.start < self.end

    def same(self, other: "_Edit") -> bool:
        """Whether the two are one and the same edit."""
        keys = [piece.key for piece in self.pieces] == [piece.key for piece in other.pieces]
        return (self.start, self.end) == (other.start, other.end) and keys


def merge(base: Topic, ours: Topic, theirs: Topic) -> Topic | tuple[Clash, ...]:
    """The topic `ours` with what `theirs` changed of `base`, or every place where the two meet."""
    old, mine, other = (pieces_of(topic) for topic in (base, ours, theirs))
    kept = list(_edits(old, mine, True))
    taken = [edit for edit in _edits(old, other, False) if not any(map(edit.same, kept))]
    clashes = [_clash(mine, edit) for edit in kept if any(map(edit.meets, taken))]
    if clashes:
        return tuple(clashes)
    return reread(ours.path, joined(list(_applied(old, mine, [*kept, *taken])), ours.eol), ours.mark)


def _edits(old: Sequence[Piece], new: Sequence[Piece], ours: bool) -> Iterator[_Edit]:
    matcher = SequenceMatcher(
        None, [piece.key for piece in old], [piece.key for piece in new], autojunk=False
    )
    for tag, start, end, first, last in matcher.get_opcodes():
        if tag != "equal":
            yield _Edit(start, end, tuple(new[first:last]), first, ours)


def _applied(old: Sequence[Piece], mine: Sequence[Piece], edits: Iterable[_Edit]) -> Iterator[Piece]:
    """The pieces after all edits; what nobody changed as `mine` writes it."""
    blanks = {piece.key: piece for piece in mine}
    position = 0
    # What is put in at the end of a run that goes comes after it: runs by their ends.
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        yield from (blanks.get(piece.key, piece) for piece in old[position : edit.start])
        yield from edit.pieces
        position = max(position, edit.end)
    yield from (blanks.get(piece.key, piece) for piece in old[position:])


def _clash(mine: Sequence[Piece], edit: _Edit) -> Clash:
    near = edit.pieces or tuple(mine[max(edit.at - 1, 0) : edit.at + 1])
    words = " ".join(near[0].text.split())[:48] if near else ""
    return Clash(near[0].line if near else 0, words)
