"""Undoing a commit: its inverse as the edit of a new commit, as far as nobody went on from it.

A topic that stands as the commit left it becomes again what it was. One that was changed since is merged
piece by piece; where later changes meet those of the commit, each such place is a problem. The path of a
link to a record is none of them: it follows the record. Archived messages are never removed.
"""

from collections.abc import Iterable, Iterator

from ..facts.model import Facts
from ..markdown.links import Link, link_path, rebase_links, relative, resolve
from ..markdown.spans import SpanKind
from ..names import BlockId, TopicPath
from ..problem import Code, Problem
from ..topics.edit import replace_spans
from ..topics.merge import Clash, merge
from ..topics.model import Topic
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..tree import Tree
from .model import Edit, Rejected, Snapshot

__all__ = ["undone"]


def undone(
    before: Tree, after: Tree, base: Snapshot, paths: Iterable[str], commit: str, subject: str = ""
) -> Edit | Rejected:
    """The edit that takes back what `commit` did to the topics among `paths`, or all conflicts.

    `before` and `after` are its two trees, `paths` what differs between them.
    """
    topics = [TopicPath(path) for path in sorted(paths) if path.startswith("topics/")]
    if not topics:
        message = f"{commit[:10]} changed no topic; archived messages stay"
        return Rejected((Problem(Code.INVALID_ARGUMENT, message, remedy="name another commit"),))
    tree = base.tree
    problems = [*_moved_away(before, after, base, topics)]
    for path in topics:
        text = _inverse(path, before.get(path), after.get(path), base)
        if isinstance(text, tuple):
            problems += (_conflict(path, commit, clash) for clash in text)
        else:
            tree = tree.put(path, text) if text else tree.remove(path)
    if problems:
        return Rejected(tuple(problems))
    made = _ids(after, topics) - _ids(before, topics)
    line = f"Undo “{subject}”" if subject else f"Undo {commit[:10]}"
    return Edit(tree, frozenset(made), kind="undo", subject=line, trailers=(("Undone", commit),))


def _inverse(
    path: TopicPath, before: bytes | None, after: bytes | None, base: Snapshot
) -> bytes | tuple[Clash, ...]:
    """The bytes of a topic without the change from `before` to `after`; empty for no topic."""
    now = base.tree.get(path)
    if now == after:
        return before or b""
    if now == before:
        return now or b""
    merged = merge(*(_linked(_topic(path, data), base.facts) for data in (after, now, before)))
    return render_topic(merged) if isinstance(merged, Topic) else merged


def _linked(topic: Topic, facts: Facts) -> Topic:
    """The topic with each link by the path at which its record stands now."""

    def target(link: Link) -> str | None:
        known = facts.records.get(link.block) if link.block else None
        if known is None:
            return None
        path = resolve(topic.path, link.path) if link.path else topic.path
        now = known.record.path
        return f"{link_path(relative(topic.path, now))}#^{link.block}" if path != now else None

    texts = {
        index: rebase_links(text, target)
        for index, (span, text) in enumerate(zip(topic.spans, topic.texts, strict=True))
        if span.kind is SpanKind.PARAGRAPH
    }
    return replace_spans(topic, {index: text for index, text in texts.items() if text != topic.texts[index]})


def _moved_away(before: Tree, after: Tree, base: Snapshot, topics: Iterable[TopicPath]) -> Iterator[Problem]:
    """Records that the commit made and that stand in other topics now."""
    paths = tuple(topics)
    for block in sorted(_ids(after, paths) - _ids(before, paths)):
        known = base.facts.records.get(block)
        if known is not None and known.record.path not in paths:
            message = f"^{block}, which the commit made, stands in {known.record.path} now"
            line = known.record.lines[0]
            yield Problem(Code.PATCH_CONFLICT, message, known.record.path, line, "delete it, or move it back")


def _ids(tree: Tree, paths: Iterable[TopicPath]) -> set[BlockId]:
    return {block for path in paths for block in _topic(path, tree.get(path)).ids}


def _topic(path: TopicPath, data: bytes | None) -> Topic:
    return parse_topic(path, data)[0] if data else Topic(path, (), (), {})


def _conflict(path: TopicPath, commit: str, clash: Clash) -> Problem:
    words = f" ({clash.words})" if clash.words else ""
    message = f"what {commit[:10]} did here was changed since{words}"
    return Problem(
        Code.PATCH_CONFLICT, message, path, clash.line, "change it by hand, or undo what came later first"
    )
