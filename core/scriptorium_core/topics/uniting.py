"""A person's edit of a topic together with what was committed meanwhile, record by record.

Both began at the same text. What only one side changed is as that side has it, what both added is there
twice over. Where both changed the same record, the person's text stands, with the definitions that it
rests on, and the other is named: the history keeps it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from attrs import field, frozen

from ..markdown.spans import SpanKind
from ..names import BlockId
from .edit import reread
from .model import Record, Topic
from .pieces import Piece, joined, pieces_of

__all__ = ["United", "unite"]


@frozen
class United:
    """The topic of both, and the records of which the committed text gave way."""

    topic: Topic
    overruled: tuple[BlockId, ...]


@frozen
class _Side:
    """What one side made of the pieces of the base.

    `kept` is what stays, as this side writes its blank lines; `changed` the new piece, or None where it
    went; `added` what comes before the piece of that index.
    """

    kept: dict[int, Piece] = field(factory=dict[int, Piece])
    changed: dict[int, Piece | None] = field(factory=dict[int, Piece | None])
    added: dict[int, tuple[Piece, ...]] = field(factory=dict[int, tuple[Piece, ...]])


def unite(base: Topic, ours: Topic, theirs: Topic) -> United:
    """The person's topic `ours` with what `theirs`, the committed one, changed of `base`."""
    old = pieces_of(base)
    mine, other = _side(old, pieces_of(ours)), _side(old, pieces_of(theirs))
    both = [index for index in mine.changed if index in other.changed]
    given_up = {old[index].name for index in both if _key(mine.changed[index]) != _key(other.changed[index])}
    held = _rested_on(ours, {old[index].name for index in mine.changed} | _names(mine.added))
    taken = {
        index: piece
        for index, piece in other.changed.items()
        if index not in mine.changed and (old[index].name not in held or _stays(piece, ours, given_up))
    }
    twice = _said_by_both(ours, theirs, base)
    leaving_mine = _rested_on(ours, twice) - _rested_on(ours, _named(ours) - twice) | twice
    leaving = given_up | _names(mine.added)
    leaving |= _rested_on(theirs, given_up) - _rested_on(theirs, _named(theirs) - given_up)
    pieces: list[Piece] = []
    for index in range(len(old) + 1):
        own = _without(mine.added.get(index, ()), leaving_mine)
        pieces += _in_one_place(own, _without(other.added.get(index, ()), leaving))
        if index < len(old):
            found = mine.changed[index] if index in mine.changed else taken.get(index, mine.kept.get(index))
            pieces += [found] if found is not None else []
    topic = reread(ours.path, joined(pieces, ours.eol), ours.mark)
    overruled = tuple(BlockId(name[1:]) for name in sorted(given_up) if name.startswith("^"))
    return United(topic, overruled)


def _side(old: Sequence[Piece], new: Sequence[Piece]) -> _Side:
    side = _Side()
    was, now = [piece.name for piece in old], [piece.name for piece in new]
    for tag, start, end, first, last in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        same = tag == "equal"
        for index in range(start, end):
            piece = new[first + index - start] if same else None
            if piece is not None and piece.key == old[index].key:
                side.kept[index] = piece
            else:
                side.changed[index] = piece
        if not same:
            side.added[end] = tuple(new[first:last])
    return side


def _stays(piece: Piece | None, ours: Topic, given_up: Iterable[str]) -> bool:
    """Whether a definition that the person's text rests on may be taken as committed."""
    return piece is not None and piece.name not in _rested_on(ours, given_up)


def _said_by_both(ours: Topic, theirs: Topic, base: Topic) -> frozenset[str]:
    """The new paragraphs of the person that were committed already, with an id: an earlier save of them."""
    known = _contents(theirs.records) - _contents(base.records)
    return frozenset(_name(ours, each) for each in ours.records if not each.ids and each.content in known)


def _contents(records: Iterable[Record]) -> set[str]:
    return {record.content for record in records}


def _named(topic: Topic) -> frozenset[str]:
    return frozenset(_name(topic, record) for record in topic.records)


def _name(topic: Topic, record: Record) -> str:
    """The name of the piece of a record."""
    return f"^{record.id}" if record.ids else topic.texts[record.span].strip()


def _rested_on(topic: Topic, names: Iterable[str]) -> frozenset[str]:
    """The names of the definitions that the records of these names cite."""
    wanted = frozenset(names)
    cited = (record.evidence for record in topic.records if _name(topic, record) in wanted)
    return frozenset(f"[^{group.id}]" for evidence in cited for group in evidence)


def _names(added: Mapping[int, Iterable[Piece]]) -> set[str]:
    return {piece.name for pieces in added.values() for piece in pieces}


def _key(piece: Piece | None) -> str | None:
    return None if piece is None else piece.key


def _without(pieces: Iterable[Piece], names: Iterable[str]) -> tuple[Piece, ...]:
    gone = frozenset(names)
    return tuple(piece for piece in pieces if piece.name not in gone)


def _in_one_place(ours: Sequence[Piece], theirs: Sequence[Piece]) -> Iterator[Piece]:
    """What both put in one place: nothing of one side may come under a heading of the other."""
    leading = [tuple(takewhile(_is_no_heading, pieces)) for pieces in (ours, theirs)]
    for pieces in (*leading, ours[len(leading[0]) :], theirs[len(leading[1]) :]):
        yield from pieces


def _is_no_heading(piece: Piece) -> bool:
    return piece.kind is not SpanKind.HEADING
