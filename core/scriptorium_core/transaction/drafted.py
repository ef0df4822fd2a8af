"""The edit that takes in what a person saved in the working tree, with what was committed meanwhile."""

from collections.abc import Iterable, Mapping

from ..names import BlockId, TopicPath
from ..topics.model import Topic
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..topics.uniting import unite
from ..trailers import Trailer
from .model import Edit, Snapshot
from .relocating import relocated

__all__ = ["ADOPTING", "drafted"]

ADOPTING = "adopt"
"""The kind of a commit that takes drafts in."""


def drafted(
    base: Snapshot,
    drafts: Mapping[str, bytes | None],
    made_from: Mapping[str, bytes],
    subject: str,
    trailers: Iterable[Trailer],
) -> Edit:
    """The edit that brings `drafts` (path to bytes, None: deleted) into the memory.

    `made_from` holds the committed text that a draft was made from, where it is known to be an earlier one
    than that of `base`: then both are taken together. A record that vanished of *that* text was deleted by
    the person, who is asked about it as ever.
    """
    tree = base.tree
    overruled: tuple[BlockId, ...] = ()
    for name, data in relocated(base.tree, drafts).items():
        path, text = TopicPath(name), data
        if data is not None and name in made_from:
            text, given_up = _united(path, made_from[name], data, base.tree.get(name))
            overruled += given_up
        tree = tree.remove(path) if text is None else tree.put(path, text)
    return Edit(tree, kind=ADOPTING, subject=subject, trailers=tuple(trailers), overruled=overruled)


def _united(
    path: TopicPath, was: bytes, draft: bytes, now: bytes | None
) -> tuple[bytes, tuple[BlockId, ...]]:
    ours, faults = parse_topic(path, draft)
    if faults:
        return draft, ()  # the checks name them, and nothing is committed
    theirs = parse_topic(path, now)[0] if now is not None else Topic(path, (), (), {})
    united = unite(parse_topic(path, was)[0], ours, theirs)
    return render_topic(united.topic), united.overruled
