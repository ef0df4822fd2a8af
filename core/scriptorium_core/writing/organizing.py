"""Organizing without a model: what is safe for anybody, and nothing else.

Records that say the same are folded into one (`folding`), topics beyond the soft limit are cut (`cutting`).
Nothing is reworded, deleted or judged, so that doing it twice changes nothing the second time. How far a run
over the whole memory has come is kept in the runtime folder, so that one that was ended goes on:

    {"version": 1, "begun_at": "2026-11-30T03:00:00+00:00", "writer": "api", "done": ["topics/keys.md"]}
"""

import json
from collections.abc import Iterable, Sequence
from typing import cast

from attrs import frozen

from ..facts.model import Facts
from ..names import TopicPath, path_key
from ..topics.model import Topic
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..tree import Tree
from .cutting import SOFT_LIMIT, cut_topic, parts_of
from .folding import fold_records

__all__ = ["Run", "Tidied", "decode_run", "encode_run", "tidy_up"]


@frozen
class Tidied:
    """The edited directory, how many records went into others, and the topics that were cut."""

    tree: Tree
    folded: int = 0
    cut: tuple[TopicPath, ...] = ()

    @property
    def summary(self) -> str:
        """What was done in a few words; empty if nothing was."""
        parts = [f"fold {_counted(self.folded, 'record')} into others"] if self.folded else []
        where = self.cut[0] if len(self.cut) == 1 else f"{len(self.cut)} topics"
        parts += [f"cut {where}"] if self.cut else []
        told = ", ".join(parts)
        return told[:1].upper() + told[1:]


@frozen
class Run:
    """A run over the whole memory: when it began (ISO 8601, empty: there is none), by whom, what is done."""

    begun_at: str = ""
    writer: str = ""
    done: frozenset[TopicPath] = frozenset()


def tidy_up(tree: Tree, facts: Facts, paths: Iterable[TopicPath], limit: int = SOFT_LIMIT) -> Tidied:
    """The directory with these topics organized, each within `limit` bytes if it can be cut so.

    Topics that cannot be read whole are left.
    """
    read = ((path, tree.get(path)) for path in sorted(set(paths)))
    parsed = {path: parse_topic(path, data) for path, data in read if data is not None}
    topics = {path: topic for path, (topic, problems) in parsed.items() if not problems}
    folded = fold_records(topics, tree, facts)
    changed: dict[TopicPath, Topic] = dict(folded.topics)
    cut: list[TopicPath] = []
    made: set[str] = set()

    def taken(key: str) -> bool:
        return key in facts.topics or key in made

    for path, topic in {**topics, **folded.topics}.items():
        parts = parts_of(topic, taken, limit)
        made |= {path_key(part.path) for part in parts}
        if parts:
            changed |= cut_topic(topic, parts, tree, facts)
            cut.append(path)
    for path, topic in changed.items():
        tree = tree.put(path, render_topic(topic)) if topic.records else tree.remove(path)
    return Tidied(tree, folded.count, tuple(cut))


def encode_run(run: Run) -> bytes:
    """The bytes of the file."""
    fields = {"version": 1, "begun_at": run.begun_at, "writer": run.writer, "done": sorted(run.done)}
    return (json.dumps(fields, ensure_ascii=False, indent=1) + "\n").encode()


def decode_run(data: bytes | None) -> Run:
    """The run in the file; none where it cannot be read."""
    try:
        value: object = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return Run()
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    begun, writer, done = (fields.get(key) for key in ("begun_at", "writer", "done"))
    if not isinstance(begun, str) or not isinstance(writer, str) or not isinstance(done, list):
        return Run()
    paths = (path for path in cast("Sequence[object]", done) if isinstance(path, str))
    return Run(begun, writer, frozenset(map(TopicPath, paths)))


def _counted(number: int, one: str) -> str:
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"
