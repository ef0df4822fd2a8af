"""Topics beyond the soft limit of 64 KiB are cut: whole records move into topics below its name.

    topics/people/mara.md              what stands last stays
    topics/people/mara/work.md         the section `Work`; several small neighbours go together
    topics/people/mara/2026-03.md      a month, where there are no headings to cut by

Records are cut by the first level of headings that differs, then by month, then where the size is reached.
Each keeps its headings, its ids and its evidence. What stands beside a fence, a comment or an anchor stays
with it, and so does the older form. `topics/core.md` is never cut.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile

from attrs import frozen

from ..changes.moving import Lifted, blocks_of, lift
from ..changes.working import Working
from ..facts.model import Facts
from ..names import CORE_TOPIC, TopicPath, path_key, topic_path
from ..topics.edit import replace_spans
from ..topics.model import Record, Topic
from ..topics.parse import parse_topic
from ..topics.places import remarked
from ..tree import Tree
from .placing import month_of, slug

__all__ = ["SOFT_LIMIT", "Part", "cut_topic", "parts_of"]

SOFT_LIMIT = 64 * 1024
"""Bytes above which a topic is cut; parsing is quick below it, and a person can read it."""

Weights = Mapping[int, tuple[int, int]]
"""Bytes of each record by the index of its span: in a topic of its own, and here at least."""

_MONTH = re.compile(r"\d{4}(?:-\d\d)?|undated")
_OVERHEAD = 16  # blank lines and line ends around a record


@frozen
class Part:
    """Records that leave a topic together, and where they go."""

    path: TopicPath
    records: tuple[Record, ...]


@frozen
class _Pack:
    """Records that go together: the size of a topic of them, and what at least leaves the present one."""

    name: str
    records: tuple[Record, ...]
    size: int
    least: int


def parts_of(topic: Topic, taken: Callable[[str], bool], limit: int = SOFT_LIMIT) -> tuple[Part, ...]:
    """What would leave a topic so that it keeps to the limit; nothing where it does, or cannot be cut.

    `taken` says whether there is a topic with that path key.
    """
    size = sum(len(text.encode()) for text in topic.texts)
    if size <= limit or topic.path == CORE_TOPIC:
        return ()
    weights = _weights(topic)
    fixed = remarked(topic)
    movable = [record for record in topic.records if not record.legacy and record.headings not in fixed]
    room = limit * 3 // 4  # a topic that is made has room to grow
    packs = list(_packed(_split(movable, 0, weights, room), weights, room))
    stays = size - sum(pack.least for pack in packs)
    # What stands last is the newest as a rule: it stays as far as there is room, and something always does.
    kept = int(bool(packs) and len(movable) == len(topic.records))
    stays += packs[-1].least if kept else 0
    while kept < len(packs) and stays + packs[-1 - kept].least <= limit:
        stays += packs[-1 - kept].least
        kept += 1
    return tuple(_named(topic.path, packs[: len(packs) - kept], taken))


def cut_topic(topic: Topic, parts: Sequence[Part], tree: Tree, facts: Facts) -> Mapping[TopicPath, Topic]:
    """The topic without the parts, and the new topics."""
    work = Working(tree, facts, {}, "")
    made = {part.path: _filled(work, topic, part) for part in parts}
    gone = {record.span for part in parts for record in part.records}
    left = {group.id for record in topic.records if record.span not in gone for group in record.evidence}
    cited = {group.id for record in topic.records if record.span in gone for group in record.evidence}
    idle = [topic.definitions[name].span for name in cited - left]
    return {topic.path: replace_spans(topic, dict.fromkeys([*gone, *idle], "")), **made}


def _weights(topic: Topic) -> Weights:
    """The bytes of each record in a topic of its own and, at least, here, by the index of its span.

    A definition that several records cite stays as long as one of them does.
    """
    cites = Counter(name for record in topic.records for name in {group.id for group in record.evidence})
    weights: dict[int, tuple[int, int]] = {}
    for record in topic.records:
        notes = {group.id: _bytes(topic, topic.definitions[group.id].span) for group in record.evidence}
        own = sum(size for name, size in notes.items() if cites[name] == 1)
        text = _bytes(topic, record.span)
        above = sum(len(heading.encode()) + _OVERHEAD for heading in record.headings)
        weights[record.span] = (text + sum(notes.values()) + _OVERHEAD + above, text + own)
    return weights


def _bytes(topic: Topic, span: int) -> int:
    return len(topic.texts[span].encode())


def _split(
    records: Sequence[Record], depth: int, weights: Weights, room: int
) -> Iterator[tuple[str, tuple[Record, ...]]]:
    """The records in named runs, each within `room` as far as it can be."""
    if sum(weights[record.span][0] for record in records) <= room or len(records) <= 1:
        if records:
            yield _name(records[0], depth), tuple(records)
        return
    by_heading = [list(run) for _, run in groupby(records, key=lambda each: each.headings[depth : depth + 1])]
    if len(by_heading) > 1 or any(len(each.headings) > depth + 1 for each in records):
        for run in by_heading:
            yield from _split(run, depth + 1, weights, room)
        return
    months: dict[str, list[Record]] = {}
    for record in records:
        months.setdefault(month_of(record.when), []).append(record)
    for month, run in months.items():
        name = month if len(months) > 1 else _name(records[0], depth)
        for piece in _pieces(run, weights, room):
            yield name, piece


def _pieces(records: Sequence[Record], weights: Weights, room: int) -> Iterator[tuple[Record, ...]]:
    run: list[Record] = []
    size = 0
    for record in records:
        if run and size + weights[record.span][0] > room:
            yield tuple(run)
            run, size = [], 0
        run.append(record)
        size += weights[record.span][0]
    yield tuple(run)


def _packed(runs: Iterator[tuple[str, tuple[Record, ...]]], weights: Weights, room: int) -> Iterator[_Pack]:
    """Small neighbours together, under the name of the first."""
    pack: _Pack | None = None
    for name, records in runs:
        size, least = (sum(weights[record.span][which] for record in records) for which in (0, 1))
        if pack is not None and pack.size + size <= room:
            pack = _Pack(pack.name, pack.records + records, pack.size + size, pack.least + least)
            continue
        if pack is not None:
            yield pack
        pack = _Pack(name, records, size, least)
    if pack is not None:
        yield pack


def _name(record: Record, depth: int) -> str:
    """What a run is called: by the heading that it is cut by, else by its month."""
    below = record.headings[max(depth - 1, 0) : max(depth, 1)]
    return below[0] if below else month_of(record.when)


def _named(path: TopicPath, packs: Sequence[_Pack], taken: Callable[[str], bool]) -> Iterator[Part]:
    used: set[str] = set()
    stem = path.removesuffix(".md")
    for pack in packs:
        called = pack.name if _MONTH.fullmatch(pack.name) else slug(pack.name)
        # A month that is full goes on beside itself: 2026-03.md, 2026-03~2.md.
        name, number = (stem, 2) if stem.endswith(f"/{called}") else (f"{stem}/{called}", 1)
        while (key := path_key(_numbered(name, number))) in used or taken(key):
            number += 1
        used.add(key)
        target = topic_path(_numbered(name, number))
        if isinstance(target, str):  # a very deep path may be too long: its records stay
            yield Part(target, pack.records)


def _numbered(name: str, number: int) -> str:
    return f"{name}.md" if number == 1 else f"{name}~{number}.md"


def _filled(work: Working, topic: Topic, part: Part) -> Topic:
    """The new topic: its records in order, below their headings."""
    empty, eol = Topic(part.path, (), (), {}), topic.eol
    pieces: list[str] = []
    above: tuple[str, ...] = ()
    known: set[str] = set()
    for record in part.records:
        for level in range(_standing(above, record.headings), len(record.headings)):
            pieces.append(f"{'#' * (level + 1)} {record.headings[level]}")
        above = record.headings
        lifted = lift(work, topic, record, part.path)
        notes = tuple(note for note in lifted.notes if note.id not in known)
        known |= {note.id for note in notes}
        pieces.append(blocks_of(empty, [Lifted(lifted.paragraph, notes)], eol).rstrip("\r\n"))
    return parse_topic(part.path, ((eol + eol).join(pieces) + eol).encode())[0]


def _standing(above: tuple[str, ...], headings: tuple[str, ...]) -> int:
    """How many of the headings stand above already; to come out of a deeper one the last is said again."""
    pairs = zip(above, headings, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return same if same < len(headings) or above == headings else same - 1
