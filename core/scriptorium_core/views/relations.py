"""Who links to whom, in up to 256 shards: `relations/<2 hex>.json`, by the SHA-256 of the id.

    {"backlinks":{"95fbfc25":["6a3c46df"]},"outbound":{"95fbfc25":["bbf70cda"]}}

Every id of a record that links, aliases too, has its outbound list; backlinks are the exact inverse.
Only links whose target stands in the memory count. Lists are sorted; ids without links are left out.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ..facts.rows import shard_of
from ..names import BlockId, TopicPath
from ..topics.model import Topic
from .change import Change, with_ids

__all__ = ["relation_views", "relations_path", "touched_shards"]


def relations_path(shard: str) -> str:
    """The file of a shard."""
    return f"relations/{shard}.json"


def relation_views(change: Change, shards: Iterable[str]) -> Mapping[str, bytes | None]:
    """The files of some shards after the change; None where no id of the shard has a link."""
    near = _near(change)
    return {relations_path(shard): _view(change, shard, near.get(shard, set())) for shard in sorted(shards)}


def touched_shards(change: Change) -> frozenset[str]:
    """The shards with an id that the change gives another list of links or backlinks."""
    before, after = _edges(change.before), _edges(change.after)
    named = {block for edge in before ^ after for block in edge}
    for block in _ids(change.before) ^ _ids(change.after):
        # A link counts while its target stands: one that comes or goes alters the lists of both ends.
        linking = change.linking(block)
        named.update((block, *linking) if linking else ())
    return frozenset(shard_of(block) for block in named)


def _view(change: Change, shard: str, near: set[BlockId]) -> bytes | None:
    known = (change.untouched(identity) for identity in change.facts.shards.get(shard, ()))
    blocks = {block for record in known if record is not None for block in record.ids}
    here = sorted(block for block in blocks | near if shard_of(block) == shard)
    outbound = {block: list(links) for block in here if (links := _outbound(change, block))}
    backlinks = {
        block: list(links) for block in here if change.record(block) and (links := change.linking(block))
    }
    if not outbound and not backlinks:
        return None
    view = {"backlinks": backlinks, "outbound": outbound}
    return json.dumps(view, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _outbound(change: Change, block: BlockId) -> tuple[BlockId, ...]:
    record = change.record(block)
    return tuple(sorted(link for link in record.links if change.record(link))) if record is not None else ()


def _near(change: Change) -> Mapping[str, set[BlockId]]:
    """By shard, the ids in touched topics and the ids that they link to."""
    found: defaultdict[str, set[BlockId]] = defaultdict(set)
    for block, record in change.written.items():
        for near in (block, *record.links):
            found[shard_of(near)].add(near)
    return found


def _edges(topics: Mapping[TopicPath, Topic]) -> set[tuple[BlockId, BlockId]]:
    return {(block, link) for record in with_ids(topics) for block in record.ids for link in record.links}


def _ids(topics: Mapping[TopicPath, Topic]) -> frozenset[BlockId]:
    return frozenset(_every(topics))


def _every(topics: Mapping[TopicPath, Topic]) -> Iterator[BlockId]:
    return (block for record in with_ids(topics) for block in record.ids)
