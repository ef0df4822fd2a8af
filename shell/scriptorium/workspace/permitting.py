"""Preparing an edit for whoever asks, and telling them no more of what became of it than they may see."""

from collections.abc import Callable

from attrs import evolve

from scriptorium_core.transaction import Edit, Prepared, Rejected, Rules, Snapshot, prepare
from scriptorium_core.transaction.permitting import Gate, concealed, prepare_for, reported, seen

from ..clock import Moment
from ..index import Index
from . import strangers
from .committed import Committed
from .governing import gate_of

__all__ = ["gate_of", "planned", "told"]


def planned(
    index: Index,
    base: Snapshot,
    plan: Callable[[Snapshot], Edit | Rejected],
    rules: Rules,
    gate: Gate | None,
    now: Moment,
) -> tuple[Edit, Prepared] | Rejected:
    """The edit that a plan makes on what the asker sees of a base, and what is to be committed of it."""
    shown = base if gate is None else seen(base, gate.may())
    edit = strangers.admit(index, base, plan(shown), rules.caller, now)
    if isinstance(edit, Rejected):
        return edit
    prepared = prepare(base, edit, rules) if gate is None else prepare_for(gate, base, edit, rules)
    return prepared if isinstance(prepared, Rejected) else (edit, prepared)


def told(
    result: Committed | Rejected | None, base: Snapshot, edit: Edit, prepared: Prepared, gate: Gate | None
) -> Committed | Rejected | None:
    """What became of an edit that passed, for the asker."""
    may = gate.may() if gate is not None else None
    if may is None or result is None:
        return result
    if isinstance(result, Rejected):
        return Rejected(concealed(result.problems, may))
    edited = edit.tree.differences()
    return evolve(
        result,
        report=reported(result.report, edited, prepared.tree, base.tree, may),
        drafts=tuple(filter(may, result.drafts)),
        problems=tuple(each for each in result.problems if not each.path.startswith("topics/")),
    )
