"""A memory as an actor may see it: reading gives less, and what is committed passes the policy."""

import contextlib
from collections.abc import Generator
from functools import lru_cache
from typing import Any

from attrs import define, field, fields

from scriptorium_core.facts.permitted import May
from scriptorium_core.policy import Actor, Right
from scriptorium_core.transaction import Rejected, Rules, Snapshot
from scriptorium_core.transaction.permitting import seen

from ..history.permitted import PermittedHistory
from ..index.permitted import PermittedIndex
from .committed import Committed
from .governing import gate_of
from .memory import Memory, Plan, Progress

__all__ = ["Permitted", "permitted"]


def _silent(done: int, total: int) -> None:
    pass


@define
class Permitted(Memory):
    """A memory without what one actor may not see; `whole` is the memory itself, which it does not close."""

    whole: Memory = field(kw_only=True)
    may: May = field(kw_only=True)

    @property
    def revision(self) -> str | None:
        """The commit that is read."""
        return self.whole.revision

    @contextlib.contextmanager
    def reading(self, progress: Progress = _silent) -> Generator[tuple[str | None, Snapshot]]:
        """A commit and what of it may be seen."""
        with self.whole.reading(progress) as (commit, base):
            yield commit, seen(base, self.may)

    def commit(self, plan: Plan, rules: Rules) -> Committed | Rejected:
        """Commit to the whole memory; the plan is made on what the caller of `rules` may see."""
        return self.whole.commit(plan, rules)

    def close(self) -> None:
        """Nothing: the whole memory stays open."""


def permitted(memory: Memory, present: Memory, actor: Actor, right: Right = Right.READ) -> Memory:
    """A memory as an actor sees it, by the policy of the `present` one; itself where that is everything."""
    gate = gate_of(present.history, present.revision, actor)
    shown = gate.may(right) if gate is not None else None
    if shown is None:
        return memory
    may = lru_cache(maxsize=None)(shown)
    history = PermittedHistory(memory.history, may)
    given: dict[str, Any] = {each.alias or each.name: getattr(memory, each.name) for each in fields(Memory)}
    given |= {"history": history, "index": PermittedIndex(memory.index, may, history.tells), "notices": ()}
    return Permitted(**given, whole=memory, may=may)
