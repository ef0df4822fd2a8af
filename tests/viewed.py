"""Small memories for the examples of views: topics written out, and archives made for what they cite."""

from collections.abc import Mapping, Sequence

from scriptorium_core.facts import Facts, facts_of
from scriptorium_core.names import BlockId, SourceId, TopicPath, anchor, archive_path
from scriptorium_core.sources.archive import append
from scriptorium_core.sources.frame import Frame, Provenance, Tier, Trust
from scriptorium_core.topics.model import Topic
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.tree import tree_of
from scriptorium_core.views import Change

__all__ = ["change", "cite", "facts", "said", "topic", "topics"]


def cite(label: str, source: str, up: str = "../") -> str:
    """A source as a definition cites it; `up` leads from the topic to the root."""
    return f"[{label}]({up}{archive_path(source)}#{anchor(source)})"


def said(*sources: str, trust: Trust = Trust.TRUSTED) -> dict[str, bytes]:
    """The archives of some messages."""
    files: dict[str, bytes] = {}
    for source in sources:
        path = archive_path(source)
        frame = Frame(
            SourceId(source), "user", "hello", provenance=Provenance("me", "owner", Tier.OWNER, trust)
        )
        data = append(path, files.get(path), [frame])
        assert isinstance(data, bytes)
        files[path] = data
    return files


def topic(path: str, text: str) -> Topic:
    """A topic that parses without a problem."""
    parsed, problems = parse_topic(TopicPath(path), text.encode())
    assert not problems
    return parsed


def topics(files: Mapping[str, str]) -> dict[TopicPath, Topic]:
    """Some topics by path."""
    return {TopicPath(path): topic(path, text) for path, text in files.items()}


def facts(
    files: Mapping[str, str], archives: Mapping[str, bytes] | None = None, order: Sequence[str] = ()
) -> Facts:
    """The facts of some topics and archives; `order` is the creation order."""
    tree = tree_of({**(archives or {}), **{path: text.encode() for path, text in files.items()}})
    return facts_of(tree, {block: number for number, block in enumerate(order)})


def change(
    base: Facts,
    before: Mapping[str, str] | None = None,
    after: Mapping[str, str] | None = None,
    created: Sequence[str] = (),
    sources: Facts | None = None,
) -> Change:
    """A change; `sources` are facts of which every message is archived or promoted by it."""
    placed = {found.place: found for found in sources.sources.values()} if sources else {}
    return Change(base, topics(before or {}), topics(after or {}), tuple(map(BlockId, created)), placed)
