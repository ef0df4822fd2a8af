"""Topics beyond the soft limit of 64 KiB are cut: whole records move into topics below its name.

    topics/people/mara.md              what stands last stays
    topics/people/mara/work.md         the section `Work`; several small neighbours go together
    topics/people/mara/2026-03.md      a month, where there are no headings to cut by

Records are cut by the first level of headings that differs, then by month, then where the size is reached.
Each keeps its headings, its ids and its evidence. What stands beside a fence, a comment or an anchor stays
with it, and so does the older form. `topics/core.md` is never cut.
"""

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

_OVERHEAD = 16  # blank lines and line ends around a record


@frozen
class Part:
    """Records that leave a topic together, and where they go."""

    path: TopicPath
    records: tuple[Record, ...]


@frozen
class _Pack:
    name: str
    records: tuple[Record, ...]
    size: int


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
    packs = list(_packed(_split(movable, 0, weights, limit // 2), weights, limit // 2))
    stays = size - sum(pack.size for pack in packs)
    kept = 0
    # What stands last is the newest as a rule: it stays as far as there is room, and something always does.
    while kept < len(packs) and (
        stays + packs[-1 - kept].size <= limit * 9 // 10 or (kept == 0 and len(movable) == len(topic.records))
    ):
        stays += packs[-1 - kept].size
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


def _weights(topic: Topic) -> Mapping[int, int]:
    """The bytes of each record with its definitions, by the index of its span."""
    sizes = {name: len(topic.texts[found.span].encode()) for name, found in topic.definitions.items()}
    return {
        record.span: len(topic.texts[record.span].encode())
        + _OVERHEAD
        + sum(sizes.get(group.id, 0) for group in record.evidence)
        for record in topic.records
    }


def _split(
    records: Sequence[Record], depth: int, weights: Mapping[int, int], room: int
) -> Iterator[tuple[str, tuple[Record, ...]]]:
    """The records in named runs, each within `room` as far as it can be."""
    if sum(weights[record.span] for record in records) <= room or len(records) <= 1:
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
        for piece in _pieces(run, weights, room):
            yield month, piece


def _pieces(records: Sequence[Record], weights: Mapping[int, int], room: int) -> Iterator[tuple[Record, ...]]:
    run: list[Record] = []
    size = 0
    for record in records:
        if run and size + weights[record.span] > room:
            yield tuple(run)
            run, size = [], 0
        run.append(record)
        size += weights[record.span]
    yield tuple(run)


def _packed(
    runs: Iterator[tuple[str, tuple[Record, ...]]], weights: Mapping[int, int], room: int
) -> Iterator[_Pack]:
    """Small neighbours together, under the name of the first."""
    pack: _Pack | None = None
    for name, records in runs:
        size = sum(weights[record.span] + _headings(record) for record in records)
        if pack is not None and pack.size + size <= room:
            pack = _Pack(pack.name, pack.records + records, pack.size + size)
            continue
        if pack is not None:
            yield pack
        pack = _Pack(name, records, size)
    if pack is not None:
        yield pack


def _headings(record: Record) -> int:
    return sum(len(heading.encode()) + 10 for heading in record.headings)


def _name(record: Record, depth: int) -> str:
    """What a run is called: by the heading that it is cut by, else by its month."""
    below = record.headings[max(depth - 1, 0) : max(depth, 1)]
    return below[0] if below else month_of(record.when)


def _named(path: TopicPath, packs: Sequence[_Pack], taken: Callable[[str], bool]) -> Iterator[Part]:
    used: set[str] = set()
    stem = path.removesuffix(".md")
    for pack in packs:
        name, number = f"{stem}/{slug(pack.name)}", 1
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
