"""Keeping a generated answer because somebody asked for it: an unverified record, once for each request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.changes import apply_changes
from scriptorium_core.changes.apply import Applied
from scriptorium_core.changes.model import CreateRecord
from scriptorium_core.names import BlockId
from scriptorium_core.transaction import Edit, Rejected
from scriptorium_core.when import When
from scriptorium_core.writing.answers import Generated, kept_answer
from scriptorium_core.writing.used import Used, used_trailers

from ..refused import Refused
from .assessing import day_of
from .once import carried_out, made_in
from .permitted import speaker

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem
    from scriptorium_core.transaction import Snapshot

    from .place import Place

__all__ = ["KeptAnswer", "keep_answer", "kept_before"]


@frozen
class KeptAnswer:
    """An answer that was kept when its request came first: the record, what it said, and what it rests on."""

    record: str
    answer: str
    cited: tuple[BlockId, ...]


def kept_before(service: Place) -> KeptAnswer | None:
    """What the request that is being carried out kept before; None if it did not, or that was forgotten.

    Raises Refused where its key is that of another request.
    """
    done = carried_out(service)
    if isinstance(done, Rejected):
        raise Refused(*done.problems)
    if done is None:
        return None
    memory = service.memory()
    with memory.reading() as (_, base):
        facts = base.facts
        for line in made_in(memory, facts, done):
            known = facts.records.get(line.id)
            places = [each.place for each in known.record.sources] if known is not None else []
            citing = (BlockId(name) for place in places for name in facts.citing.get(place, ()))
            cited = tuple(dict.fromkeys(name for name in citing if name != line.id))
            return KeptAnswer(line.id, line.content, cited)
    return None


def keep_answer(
    service: Place, question: str, answer: str, cited: Sequence[str], used: Used
) -> tuple[str, tuple[Problem, ...]]:
    """The id of the record that an answer becomes, empty where it becomes none, and why it does not.

    An answer is delivered whether it is kept or not.
    """
    memory, day = service.memory(), day_of(service)
    made = Generated(
        memory.redact(question).text,
        memory.redact(answer).text,
        tuple(cited),
        When(day.year, day.month, day.day),
    )

    def plan(base: Snapshot) -> Edit | Rejected:
        changes = kept_answer(made, base.facts)
        wanted = tuple(each for each in changes if isinstance(each, CreateRecord))
        if len(wanted) < len(changes):
            return Rejected(tuple(each for each in changes if not isinstance(each, CreateRecord)))
        applied = apply_changes(base.tree, base.facts, wanted, {}, memory.today())
        if not isinstance(applied, Applied):
            return Rejected(applied)
        return Edit(applied.tree, kind="ask", subject="Keep an answer", trailers=used_trailers(used))

    try:
        done = memory.commit(plan, memory.rules(speaker(service)))
    except Refused as refused:
        return "", refused.problems
    if isinstance(done, Rejected):
        return "", done.problems
    return next(iter(done.report.created), ""), done.problems
