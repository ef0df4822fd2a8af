"""What changed between two texts: word by word for people, line by line as a patch."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher, unified_diff
from enum import StrEnum

from attrs import frozen

__all__ = ["Piece", "Side", "after_of", "before_of", "patch", "word_changes"]

# Scripts without spaces between words are compared sign by sign; whatever is no word stands for itself.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_TOKEN = re.compile(rf"\s+|(?:(?![{_UNSPACED}])\w)+|.", re.DOTALL)
# The comparison grows with the product: beyond this, what lies between the common ends counts as replaced.
_MOST = 4_000
_NOTHING = "/dev/null"


class Side(StrEnum):
    """Where a piece of text stands: before, after, or in both."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


@frozen
class Piece:
    """A stretch of text and where it stands."""

    side: Side
    text: str


def word_changes(before: str, after: str) -> tuple[Piece, ...]:
    """The way from one text to the other, in order; of what is exchanged, what is gone comes first."""
    pieces: list[Piece] = []
    for side, text in _folded(list(_compared(_TOKEN.findall(before), _TOKEN.findall(after)))):
        pieces += [Piece(side, text)] if text else []
    return tuple(pieces)


def before_of(pieces: Sequence[Piece]) -> str:
    """The text that the pieces lead away from."""
    return "".join(piece.text for piece in pieces if piece.side is not Side.NEW)


def after_of(pieces: Sequence[Piece]) -> str:
    """The text that the pieces lead to."""
    return "".join(piece.text for piece in pieces if piece.side is not Side.GONE)


def patch(path: str, before: str | None, after: str | None) -> str:
    """The change of one file as a unified diff, empty if there is none; None is a file that is not there."""
    if before == after:
        return ""
    old = _NOTHING if before is None else f"a/{path}"
    new = _NOTHING if after is None else f"b/{path}"
    head = f"diff --git a/{path} b/{path}\n"
    if before is None or after is None:
        head += f"{'new' if before is None else 'deleted'} file mode 100644\n"
    if not (before or after):
        return head
    lines = unified_diff(_lines(before or ""), _lines(after or ""), old, new)
    return head + "".join(map(_ended, lines))


Change = tuple[str, str]  # what is gone, what is new
Run = tuple[str, Change]  # what is the same, and the change after it


def _compared(old: Sequence[str], new: Sequence[str]) -> Iterator[Run]:
    """Runs of what is the same, each with the change that follows it."""
    if len(old) + len(new) > _MOST:
        yield from _ends(old, new)
        return
    same, gone, fresh = "", "", ""
    for name, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if name == "equal":
            if gone or fresh:
                yield same, (gone, fresh)
            same, gone, fresh = "".join(old[i:j]), "", ""
        else:
            gone, fresh = gone + "".join(old[i:j]), fresh + "".join(new[k:m])
    yield same, (gone, fresh)


def _ends(old: Sequence[str], new: Sequence[str]) -> Iterator[Run]:
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] != new[n]), most)
    last = next((n for n in range(most - first) if old[-1 - n] != new[-1 - n]), most - first)
    yield "".join(old[:first]), ("".join(old[first : len(old) - last]), "".join(new[first : len(new) - last]))
    yield "".join(old[len(old) - last :]), ("", "")


def _folded(runs: list[Run]) -> Iterator[tuple[Side, str]]:
    """The pieces; blanks alone between two changes belong to both, so that phrases are read as one."""
    gone = fresh = ""
    for place, (same, (less, more)) in enumerate(runs):
        if place and same.isspace() and (less or more):
            gone, fresh = gone + same + less, fresh + same + more
            continue
        yield Side.GONE, gone
        yield Side.NEW, fresh
        yield Side.SAME, same
        gone, fresh = less, more
    yield Side.GONE, gone
    yield Side.NEW, fresh


def _lines(text: str) -> list[str]:
    """The lines as git counts them: only LF ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
