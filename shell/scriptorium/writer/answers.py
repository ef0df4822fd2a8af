"""What can be done with an answer of a writer: freed of secrets, put onto HEAD as it is by then."""

from collections.abc import Iterable, Mapping

from attrs import evolve

from scriptorium_core.changes import Applied, CreateRecord, apply_changes, cleaned
from scriptorium_core.changes.sources import place
from scriptorium_core.names import SourceId
from scriptorium_core.problem import Problem
from scriptorium_core.sources.redact import Secret, totalled
from scriptorium_core.transaction import Edit, Rejected, Snapshot
from scriptorium_core.transaction.staging import edit_of, onto
from scriptorium_core.writing.admitting import brings_nothing, clean_stage, progress_fault, size_faults

from ..workspace import Memory
from ..workspace.rebasing import moved_meanwhile
from .proposal import Edited, NothingProposed, Proposed

__all__ = ["Kept", "cleaned_answer", "edit_from", "overtaken_by"]

Kept = Proposed | Edited | NothingProposed
"""An answer with which something can be done."""


def cleaned_answer(memory: Memory, answer: Kept) -> tuple[Kept, Mapping[Secret, int]]:
    """The answer without secrets: an old tape may hold one, and a program may have found one elsewhere."""
    redact = memory.redact
    if isinstance(answer, NothingProposed):
        reason = redact(answer.reason)
        return evolve(answer, reason=reason.text), reason.found
    summary = redact(answer.summary)
    if isinstance(answer, Edited):
        stage, found = clean_stage(answer.stage, redact)
        return evolve(answer, stage=stage, summary=summary.text), totalled((summary.found, found))
    clean = cleaned(answer.changes, answer.sources, redact)
    kept = evolve(answer, changes=clean.changes, sources=clean.sources, summary=summary.text)
    return kept, totalled((summary.found, clean.found))


def edit_from(
    answer: Kept, base: Snapshot, ids: Iterable[SourceId], today: str, kind: str, shown: int | None = None
) -> Edit | Rejected:
    """What the answer makes of HEAD; rejected where it makes nothing of it.

    `ids` are archived by the same commit; `shown` is how many records an organizer was shown.
    """
    match answer:
        case NothingProposed():
            return Edit(base.tree, kind=kind, shown=shown)
        case Edited():
            stage = onto(answer.stage, base)
            if isinstance(stage, tuple):
                return Rejected(stage)
            edit = edit_of(stage, kind, shown=shown)
            faults = brings_nothing(frame.id for frame in stage.frames) + size_faults(stage.tree)
        case Proposed():
            places: Mapping[str, str] = {source: place(source) for source in ids}
            applied = apply_changes(base.tree, base.facts, answer.changes, places, today)
            if not isinstance(applied, Applied):
                return Rejected(applied)
            edit = Edit(applied.tree, applied.deleted, kind=kind, shown=shown)
            faults = brings_nothing(source.label for source in answer.sources)
    problems = faults or progress_fault(base, edit.tree)
    return Rejected(problems) if problems else edit


def overtaken_by(memory: Memory, answer: Kept, seen: str | None, base: Snapshot) -> tuple[Problem, ...]:
    """That records which are to be changed stand in topics that were changed since the writer was asked."""
    changes = answer.changes if isinstance(answer, Proposed) else ()
    # A new record overwrites nothing, wherever it goes.
    over = [change for change in changes if not isinstance(change, CreateRecord)]
    if not over:
        return ()
    return moved_meanwhile(memory.history, seen, memory.index.commit, base, over, ())
