"""What became of the records and messages of one side when another history came to it."""

from collections.abc import Iterable, Iterator

from attrs import evolve

from ..facts import ArchiveRows, file_facts
from ..names import SourceId, TopicPath
from ..topics.model import Topic
from ..topics.normalize import Naming
from ..topics.parse import parse_topic
from ..transaction import Report
from ..transaction.archiving import Archive
from ..transaction.reporting import report_of
from ..tree import Tree
from .texts import is_topic

__all__ = ["arrived"]


def arrived(before: Tree, after: Tree, paths: Iterable[str]) -> Report:
    """What a side got, between its own tree and the one that it has now; `paths` are what differs."""
    differing = sorted(paths)
    topics = [TopicPath(path) for path in differing if is_topic(path)]
    old, new = (dict(_topics(tree, topics)) for tree in (before, after))
    archives = [path for path in differing if path.startswith("sources/")]
    known = {name for path in archives for name in _messages(before, path)}
    fresh = dict.fromkeys(name for path in archives for name in _messages(after, path) if name not in known)
    return evolve(report_of(old, new, Naming(), Archive()), archived=tuple(fresh))


def _topics(tree: Tree, paths: Iterable[TopicPath]) -> Iterator[tuple[TopicPath, Topic]]:
    for path in paths:
        if (data := tree.get(path)) is not None:
            yield path, parse_topic(path, data)[0]


def _messages(tree: Tree, path: str) -> Iterator[SourceId]:
    data = tree.get(path)
    rows = file_facts(path, data) if data is not None else None
    yield from (source.id for source in rows.sources) if isinstance(rows, ArchiveRows) else ()
