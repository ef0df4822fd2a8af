"""Requests with a key, as a service carries them out: once, and then the same answer again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from scriptorium_core.policy.actor import OWNER
from scriptorium_core.problem import Problem

from ..refused import Refused

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from scriptorium_core.facts import Facts
    from scriptorium_core.transaction import Rejected

    from ..workspace import Committed, Memory
    from .place import Place
    from .shown import RecordLine

__all__ = ["Once", "carried_out", "is_repeated", "made_in"]


class Once:
    """The part of a service that carries a request out once."""

    def once(self: Place, key: str, request: object) -> AbstractContextManager[None]:
        """What is changed in this block is one request, named by a key; an empty key is none.

        The first time, its commit claims the key. Each time later nothing is done, and what changes memory
        gives the answer of that commit; with another `request` (plain data) it is rejected.
        """
        return _claimed(self, key, request) if key else nullcontext()


def is_repeated(service: Place) -> bool:
    """Whether the request that is being carried out was carried out before."""
    return carried_out(service) is not None


def carried_out(service: Place) -> Committed | Rejected | None:
    """What the request that is being carried out did before; None if it has not, or has no key."""
    from ..workspace.once import repeated

    memory = service.whole()
    if memory.claim is None:
        return None
    with memory.reading() as (head, _):
        return repeated(memory.history, memory.index, head, memory.claim, None)


def made_in(memory: Memory, facts: Facts, done: Committed) -> tuple[RecordLine, ...]:
    """The records that a commit made, as it made them, without those that were forgotten since."""
    from scriptorium_core.topics import parse_topic

    from .shaping import line_of

    tree = memory.history.base(done.revision)
    texts = ((path, tree.get(path)) for path in done.report.topics)
    topics = (parse_topic(path, data)[0] for path, data in texts if data is not None)
    made = {block for block in done.report.created if block not in facts.forgotten}
    return tuple(line_of(each) for topic in topics for each in topic.records if each.id in made)


@contextmanager
def _claimed(service: Place, key: str, request: object) -> Iterator[None]:
    from scriptorium_core.facts.once import claim_of

    claim = claim_of(service.actor, key, request)
    if isinstance(claim, Problem):
        raise Refused(claim)
    memory = service.whole(make=service.actor == OWNER)
    memory.claim = claim
    try:
        yield
    finally:
        memory.claim = None
