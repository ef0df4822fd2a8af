"""Erasing from one file of one commit, whatever kind of file it is.

What a file becomes follows from its path, its bytes and the targets alone, so that a history is rewritten
file by file, each version once, and rewriting it again changes nothing. Records that go because nothing
that they cite stays are known when all topics of a state were looked at: with `Targets.along` the links to
them go from its other files.
"""

from attrs import field, frozen

from ..names import BlockId, TopicPath
from ..sources.archive import is_archive, scan
from ..sources.erasing import erase
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..views.core import CORE_VIEW
from ..views.recent import RECENT_VIEW
from .model import Targets
from .rows import cleaned_day, cleaned_recent, cleaned_shard
from .topic import lessened
from .words import Words

__all__ = ["Cleaned", "cleaned", "finished"]

_CLOSING = b"<!-- core: "


@frozen
class Cleaned:
    """A file after erasing (None: nothing of it is left), and the words that went.

    `partly` says that something in it stays of which words went: they are looked for in it. `along` are
    the ids that went from a topic though nobody named them, because nothing that they cited stays.
    """

    data: bytes | None
    texts: tuple[str, ...] = field(default=())
    partly: bool = False
    along: frozenset[BlockId] = frozenset()


def cleaned(path: str, data: bytes, targets: Targets) -> Cleaned:
    """The file at `path` without the targets."""
    if path in targets.archives:
        found = erase(path, data, targets.days)
        return Cleaned(found.data, found.texts)
    if not targets.names(data) or is_archive(path):
        return Cleaned(data)
    if path == CORE_VIEW or _is_topic(path):
        return _topic(path, data, targets)
    if path.startswith("timeline/"):
        return Cleaned(cleaned_day(path, data, targets))
    if path == RECENT_VIEW:
        left, partly = cleaned_recent(data, targets)
        return Cleaned(left, partly=partly)
    return Cleaned(cleaned_shard(data, targets) if path.startswith("relations/") else data)


def finished(path: str, found: Cleaned, words: Words) -> bytes | None:
    """The bytes in the end: words that go are looked for where nothing else says what belongs to them."""
    data = found.data
    if data is None or not words.found_in(data):
        return data
    return words.scrubbed(data) if found.partly or _is_unclear(path, data) else data


def _topic(path: str, data: bytes, targets: Targets) -> Cleaned:
    left = lessened(parse_topic(TopicPath(path), data)[0], targets)
    # The resident block holds records of topics: theirs are the ids.
    along = left.along if _is_topic(path) else frozenset[BlockId]()
    if left.topic is not None:
        return Cleaned(render_topic(left.topic), left.texts, along=along)
    # A block without records still says so in its last line.
    closing = data[data.rindex(_CLOSING) :] if path == CORE_VIEW and _CLOSING in data else None
    return Cleaned(closing, left.texts, along=along)


def _is_unclear(path: str, data: bytes) -> bool:
    """Whether a file is none that can be read: a broken topic or archive, or one of another program."""
    if is_archive(path):
        return not scan(path, data).complete
    if _is_topic(path):
        return bool(parse_topic(TopicPath(path), data)[1])
    if path == CORE_VIEW:
        return _CLOSING not in data
    view = path == RECENT_VIEW or path.startswith(("timeline/", "relations/"))
    return not view and not _is_context(path)


def _is_topic(path: str) -> bool:
    return path.startswith("topics/") and path.endswith(".md")


def _is_context(path: str) -> bool:
    return path.endswith(".jsonl") and is_archive(path.removesuffix(".jsonl") + ".md")
