"""The topics as they are decided: the drafts of the texts, put right where the records say otherwise."""

from collections.abc import Iterable, Mapping

from attrs import frozen

from ..changes.moving import blocks_of, clashes, lift
from ..changes.placing import put
from ..changes.restoring import destination_of
from ..changes.working import Working, load
from ..facts import Facts
from ..facts.edited import edited_facts
from ..names import BlockId, TopicPath
from ..problem import Code, Problem
from ..topics.edit import remove_record
from ..topics.model import Record, Topic
from ..topics.parse import parse_topic
from ..tree import Tree
from .alternatives import relabelled, side_by_side
from .records import Decided, Stand, substance

__all__ = ["assembled"]


@frozen
class _Wanted:
    stand: Stand
    path: TopicPath

    def is_at(self, found: Stand) -> bool:
        """Whether what was found is what is wanted, where it is wanted."""
        record, wanted = found.record, self.stand.record
        return found.topic.path == self.path and substance(record) == substance(wanted)


def assembled(
    tree: Tree, facts: Facts, drafts: Mapping[TopicPath, bytes | None], plan: Decided
) -> Working | tuple[Problem, ...]:
    """The topics over `tree` in which each record stands as decided; `drafts` are topics as drafted."""
    for path, data in drafts.items():
        tree = tree.remove(path) if data is None else tree.put(path, data)
    work = Working(tree, edited_facts(facts, tree.differences()), {}, "")
    # A draft in which a record stands twice is no broken topic: it is on the way.
    for path, data in drafts.items():
        work = work.with_topic(parse_topic(path, data)[0] if data is not None else Topic(path, (), (), {}))
    wanted = tuple(_Wanted(*each) for each in plan.wanted)
    found = [stand for path in sorted(drafts) for stand in _stands(path, tree.get(path))]
    wrong = _misplaced(found, wanted, plan)
    for stand in found:
        if stand.record.id in wrong or not wrong.isdisjoint(stand.record.ids):
            work = _without(work, stand)
    problems: list[Problem] = []
    for each in sorted(wanted, key=lambda w: (w.path, w.stand.topic.path, w.stand.record.span)):
        if not wrong.isdisjoint(each.stand.record.ids):
            step = _put(work, each.stand, each.path)
            work, faults = (step, ()) if step is not None else (work, (_unplaced(each.stand, each.path),))
            problems += faults
    there = {block for each in wanted for block in each.stand.record.ids}
    for clash in plan.clashes if not problems else ():
        step = side_by_side(work, clash, there)
        where = clash.kept.topic.path
        work, faults = (step, ()) if step is not None else (work, (_unplaced(clash.other, where),))
        problems += faults
        there |= {*clash.other.record.ids}
    return tuple(problems) if problems else work


def _stands(path: TopicPath, data: bytes | None) -> Iterable[Stand]:
    topic = parse_topic(path, data)[0] if data is not None else None
    return [Stand(topic, record) for record in topic.records if record.ids] if topic is not None else ()


def _misplaced(found: Iterable[Stand], wanted: Iterable[_Wanted], plan: Decided) -> frozenset[BlockId]:
    """The ids whose records do not stand as decided: they are taken out, and put in anew."""
    by_id: dict[BlockId, list[Stand]] = {}
    for stand in found:
        for block in stand.record.ids:
            by_id.setdefault(block, []).append(stand)
    wrong = {block for block in plan.gone if block in by_id}
    beside = (block for clash in plan.clashes for block in clash.other.record.ids)
    kept = {block for each in wanted for block in each.stand.record.ids}
    wrong |= {block for block in beside if block in by_id and block not in kept}
    for each in wanted:
        ids = each.stand.record.ids
        holders = [stand for block in ids for stand in by_id.get(block, ())]
        # One paragraph holds all of them, each once: then it is met once for each id.
        if len(holders) != len(ids) or not all(map(each.is_at, holders)):
            wrong |= {*ids}
    # All ids of a paragraph are among them, or none: one that holds another id is not at its place.
    return frozenset(wrong)


def _without(work: Working, stand: Stand) -> Working:
    topic = load(work, stand.topic.path)
    assert isinstance(topic, Topic)
    return work.with_topic(remove_record(topic, _same(topic, stand.record)))


def _same(topic: Topic, record: Record) -> Record:
    return next(each for each in topic.records if each.ids == record.ids)


def _put(work: Working, stand: Stand, path: TopicPath) -> Working | None:
    """With a record where it is wanted; None where its words cannot stand there by themselves."""
    target = load(work, path)
    assert isinstance(target, Topic)
    lifted = lift(work, stand.topic, stand.record, path)
    if any(clashes(target, lifted.notes)) and not stand.record.legacy:
        lifted = relabelled(target, lifted)
    where = destination_of(target, stand.topic, stand.record)
    step = put(work, where, lambda eol: blocks_of(target, [lifted], eol), 1)
    return step if isinstance(step, Working) else None


def _unplaced(stand: Stand, path: TopicPath) -> Problem:
    record = stand.record
    message = f"what ^{record.id} says cannot stand as a paragraph of its own in {path}"
    remedy = "write it otherwise on the side that has it, then sync again"
    return Problem(Code.INVALID_TOPIC_FORMAT, message, record.path, record.lines[0], remedy)
