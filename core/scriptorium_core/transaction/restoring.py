"""Restoring: what a topic or some records said at an earlier revision becomes the edit of a new commit."""

from collections.abc import Iterable, Sequence

from ..changes.restoring import restore_records
from ..changes.working import Working
from ..names import BlockId, TopicPath
from ..problem import Code, Problem
from ..topics.edit import remove_record
from ..topics.parse import parse_topic
from ..trailers import id_trailers
from ..tree import Tree
from .model import Edit, Rejected, Snapshot

__all__ = ["restored_records", "restored_topic"]

_KIND = "restore"


def restored_records(
    old: Tree, differing: Iterable[str], base: Snapshot, ids: Sequence[BlockId], revision: str
) -> Edit | Rejected:
    """The edit that puts the records of `ids` back as they were in `old`, the tree of `revision`.

    `differing` are the topics that differ between the two.
    """
    work = restore_records(Working(base.tree, base.facts, {}, ""), old, differing, ids)
    if isinstance(work, tuple):
        return Rejected(work)
    trailers = (("From", revision), *id_trailers("Restored", ids))
    subject = f"Restore {len(ids)} record{'s' * (len(ids) != 1)} from {revision[:10]}"
    return Edit(work.result(), kind=_KIND, subject=subject, trailers=trailers)


def restored_topic(
    old: Tree, base: Snapshot, path: TopicPath, revision: str, drop: bool = False
) -> Edit | Rejected:
    """The edit that puts a whole topic back; records of it that stand elsewhere now come back to it.

    Records that came into the topic since reject it, unless `drop` declares them deleted.
    """
    data = old.get(path)
    if data is None:
        message = f"there was no topic {path} at {revision[:10]}"
        return Rejected((Problem(Code.MEMORY_NOT_FOUND, message, path, remedy="name another revision"),))
    wanted = parse_topic(path, data)[0].ids
    forgotten = [block for block in wanted if block in base.facts.forgotten]
    if forgotten:
        return Rejected(tuple(_forgotten(base, path, block) for block in forgotten))
    now = base.tree.get(path)
    gone = frozenset(parse_topic(path, now)[0].ids if now is not None else ()) - {*wanted}
    tree = _taken_back(base, path, wanted).put(path, data)
    trailers = (("From", revision),)
    subject = f"Restore {path} from {revision[:10]}"
    return Edit(tree, gone if drop else frozenset(), kind=_KIND, subject=subject, trailers=trailers)


def _taken_back(base: Snapshot, path: TopicPath, wanted: Iterable[BlockId]) -> Tree:
    """The directory without those of the records that stand in other topics."""
    work = Working(base.tree, base.facts, {}, "")
    for block in wanted:
        known = base.facts.records.get(block)
        where = known.record.path if known else path
        data = work.result().get(where) if where != path else None
        topic = parse_topic(where, data)[0] if data is not None else None
        for record in topic.records if topic else ():
            if block in record.ids and topic is not None:
                work = work.with_topic(remove_record(topic, record))
    return work.result()


def _forgotten(base: Snapshot, path: TopicPath, block: BlockId) -> Problem:
    message = f"^{block} was forgotten on {base.facts.forgotten[block]}"
    return Problem(Code.FORGOTTEN, message, path, remedy="restore the other records by their ids")
