"""Words of the owner that change one record: put in its place, or added to it.

What was said is archived as a source. A correction closes the evidence that was there before, which stays
as the history of the record, and is verified as the owner's own words are; how fast the record grows old and
when it may be reused stay as they were. What is added leaves the standing alone.
"""

from attrs import evolve, frozen

from ..changes import Applied, Caller, NewSource, SourceUse, UpdateRecord, apply_changes, bring
from ..changes.content import unfit
from ..changes.working import Working, find
from ..names import BlockId
from ..policy import Action, withheld
from ..problem import Code, Problem
from ..sizes import SPLIT, too_large
from ..terms import same_text
from ..topics.standing import State
from ..transaction import Edit, Rejected, Snapshot
from ..when import When, render_when
from ..writing.harmless import plain_label
from ..writing.remembering import paragraphs, verbatim
from .judging import TARGET, overtaken
from .likeness import holds
from .restating import noted_of, restated

__all__ = ["Words", "added", "corrected"]

_LABEL = "new-source-1"


@frozen
class Words:
    """What the owner says of a record (by id) whose text they saw (by its key), and when (ISO 8601)."""

    id: BlockId
    seen: str
    text: str
    day: When
    at: str


def corrected(base: Snapshot, words: Words, caller: Caller) -> Edit | Rejected:
    """The edit that puts the words in the place of what the record says."""
    return _edit(base, words, caller, add=False)


def added(base: Snapshot, words: Words, caller: Caller) -> Edit | Rejected:
    """The edit that adds the words to what the record says; what it says already is not added."""
    return _edit(base, words, caller, add=True)


def _edit(base: Snapshot, words: Words, caller: Caller, add: bool) -> Edit | Rejected:
    start = Working(base.tree, base.facts, {}, "")
    problems = (*withheld(caller.tier, Action.REMEMBER), *_faults(words.text))
    found = find(start, words.id)
    if isinstance(found, Problem):
        return Rejected((*problems, found._replace(path="target")))
    record = found[1]
    if problems := (*problems, *overtaken(record, words.seen)):
        return Rejected(problems)
    kind = "append" if add else "correct"
    subject, trailers = f"{kind.capitalize()} ^{record.id}", ((TARGET, record.id),)
    nothing = Edit(base.tree, kind=kind, subject=subject, trailers=trailers)
    text = verbatim(words.text.strip())
    if holds(record.content, text) if add else same_text(record.content) == same_text(text):
        return nothing
    brought = bring((NewSource(_LABEL, "user", words.text, words.at),), caller)
    label = f"{plain_label(caller.speaker_name) or 'Owner'}, {render_when(words.day)}"
    content = f"{record.content} {text}" if add else text
    change = UpdateRecord(
        record.id,
        content,
        words.day,
        (SourceUse(brought.frames[0].id, label),),
        supersede=not add and not record.legacy,
        add=add,
    )
    today = render_when(words.day)
    applied = apply_changes(base.tree, base.facts, (change,), brought.places, today)
    if not isinstance(applied, Applied):
        return Rejected(applied)
    tree = applied.tree
    if not add:
        noted = noted_of(record)._replace(state=State.VERIFIED, confidence=0.95, checked=None)
        after = Working(tree, base.facts, brought.places, today)
        now = find(after, record.id)
        assert not isinstance(now, Problem)  # it was updated just now
        tree = restated(after, *now, noted).result()
    return evolve(nothing, tree=tree, frames=brought.frames, contexts=brought.contexts)


def _faults(text: str) -> tuple[Problem, ...]:
    if large := too_large(text):
        return (Problem(Code.INVALID_ARGUMENT, f"the text {large}", "text", remedy=SPLIT),)
    parts = paragraphs(text)
    if len(parts) > 1:
        message = f"the words are {len(parts)} paragraphs, and a record is one"
        return (Problem(Code.INVALID_ARGUMENT, message, "text", remedy="say it in one; remember the others"),)
    fault = unfit(verbatim(parts[0])) if parts else unfit("")
    if fault is None:
        return ()
    return (Problem(Code.INVALID_ARGUMENT, f"the text {fault.words}", "text", remedy=fault.remedy),)
