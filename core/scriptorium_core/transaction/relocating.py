"""Topics that a person moved to another folder: their links mean what they meant where they stood.

A moved topic is known by its block ids. Of its links only those are rewritten that lead nowhere from the new
place and led to a file from the old one: an editor may have followed the move itself.
"""

from collections.abc import Mapping

from ..markdown.links import Link, link_path, rebase_links, relative, resolve
from ..markdown.spans import SpanKind
from ..names import TopicPath
from ..topics.parse import parse_topic
from ..tree import Tree

__all__ = ["relocated"]

_LINKING = (SpanKind.PARAGRAPH, SpanKind.DEFINITION)


def relocated(tree: Tree, drafts: Mapping[str, bytes | None]) -> Mapping[str, bytes | None]:
    """The drafts (path to bytes, None: deleted) with the links of each moved topic as its new place needs."""
    gone = {
        path: frozenset(parse_topic(TopicPath(path), data)[0].ids)
        for path, text in drafts.items()
        if text is None and (data := tree.get(path)) is not None
    }
    moved = dict(drafts)
    for path, text in drafts.items() if gone else ():
        if text is not None and tree.get(path) is None:
            ids = frozenset(parse_topic(TopicPath(path), text)[0].ids)
            old = max(gone, key=lambda name: len(gone[name] & ids))
            if gone[old] & ids:
                moved[path] = _rebased(tree, drafts, text, old, path)
    return moved


def _rebased(tree: Tree, drafts: Mapping[str, bytes | None], text: bytes, old: str, new: str) -> bytes:
    topic, faults = parse_topic(TopicPath(new), text)
    if faults:
        return text  # the checks name them, and nothing is committed

    def target(link: Link) -> str | None:
        meant, now = resolve(old, link.path), resolve(new, link.path)
        stands = now is not None and (drafts[now] if now in drafts else tree.get(now)) is not None
        if not link.path or stands or meant is None or tree.get(meant) is None:
            return None
        rest = f"#^{link.block}" if link.block else f"#{link.fragment}" if link.fragment else ""
        return link_path(relative(new, meant)) + rest

    spans = topic.spans
    return "".join(
        rebase_links(span.text, target) if span.kind in _LINKING else span.text for span in spans
    ).encode()
