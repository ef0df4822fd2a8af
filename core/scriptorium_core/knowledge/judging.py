"""What a person decides about a record that they have seen: that it holds, that it does not, that it stays.

| verdict | state and confidence | last check |
|---|---|---|
| validate | verified, at least 0.95 | the day of the decision |
| dispute | disputed | stays |
| approve | what is below supported: supported 0.75; held messages that it cites are let in | stays |
| discard, retract | retracted | stays |

Approve and discard are for what waits for a decision: what is below supported, held or disputed. Freshness
and policy stay as they are. A verdict is addressed to the text that was seen, by its key: if the record says
something else by now, nothing is decided.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import assert_never

from attrs import evolve

from ..changes.model import Caller
from ..changes.working import Working, find
from ..facts.model import Facts
from ..names import BlockId, SourceId
from ..policy import Action, withheld
from ..problem import Code, Problem
from ..recall.grounds import grounds
from ..topics.records import Record
from ..topics.standing import Noted, State
from ..transaction import Edit, Rejected, Snapshot
from ..when import When
from .gate import standing_in
from .restating import noted_of, restated
from .versions import said

__all__ = ["TARGET", "Verdict", "all_judged", "judged", "overtaken", "text_key", "waiting"]

TARGET = "Target"
"""The trailer that names the record of a decision."""

_KEY = 16
_SURE, _FAIR = 0.95, 0.75
_BELOW = (State.UNVERIFIED, State.PLAUSIBLE)


class Verdict(StrEnum):
    """What is decided."""

    VALIDATE = "validate"
    DISPUTE = "dispute"
    APPROVE = "approve"
    DISCARD = "discard"
    RETRACT = "retract"


def text_key(record: Record) -> str:
    """The key of what a record says, 16 hex digits; where it stands and what it rests on is not in it."""
    return sha256(said(record).encode("utf-8", "surrogatepass")).hexdigest()[:_KEY]


def judged(
    base: Snapshot, verdict: Verdict, name: str, seen: str, today: When, caller: Caller
) -> Edit | Rejected:
    """The edit that a verdict on a record (id or alias) is, or why it cannot be given."""
    found = find(Working(base.tree, base.facts, {}, ""), BlockId(name.strip().removeprefix("^")))
    problems = withheld(caller.tier, Action.STAND)
    if isinstance(found, Problem):
        return Rejected((*problems, found._replace(path="id")))
    topic, record = found
    problems += (*overtaken(record, seen), *_unfit(base.facts, record, verdict))
    if problems:
        return Rejected(problems)
    promoted = waiting(base.facts, record) if verdict is Verdict.APPROVE else ()
    noted = _noted(base.facts, record, verdict, today)
    work = restated(Working(base.tree, base.facts, {}, ""), topic, record, noted)
    subject = f"{verdict.capitalize()} ^{record.id}"
    trailers = ((TARGET, record.id),)
    return Edit(work.result(), kind=verdict, subject=subject, trailers=trailers, promoted=promoted)


def all_judged(
    base: Snapshot, verdicts: Sequence[tuple[Verdict, str, str]], today: When, caller: Caller
) -> Edit | Rejected:
    """Several verdicts, each with an id and the key of what was seen, as one edit: all of them or none."""
    made = Edit(base.tree, kind="review")
    problems: tuple[Problem, ...] = ()
    for verdict, name, seen in verdicts:
        step = judged(Snapshot(made.tree, base.facts), verdict, name, seen, today, caller)
        if isinstance(step, Rejected):
            problems += step.problems
            continue
        trailers, promoted = (*made.trailers, *step.trailers), (*made.promoted, *step.promoted)
        alone = len(verdicts) == 1
        kind, subject = (step.kind, step.subject) if alone else (made.kind, f"Review {len(verdicts)} records")
        made = evolve(made, tree=step.tree, kind=kind, subject=subject, trailers=trailers, promoted=promoted)
    return Rejected(problems) if problems else made


def overtaken(record: Record, seen: str) -> tuple[Problem, ...]:
    """That a record says something else than what was seen; nothing if it does not."""
    key = text_key(record)
    if seen.strip().lower() == key:
        return ()
    message = f"^{record.id} has changed since it was seen, it now says: {said(record)[:200]}"
    remedy = f"read it again; what it says now has the key {key}"
    return (Problem(Code.CONCURRENT_UPDATE, message, "seen", remedy=remedy),)


def waiting(facts: Facts, record: Record) -> tuple[SourceId, ...]:
    """The messages that a record cites and that are held."""
    sources = (each.source for each in grounds(facts, record))
    return tuple(source.id for source in sources if source is not None and not source.trusted)


def _unfit(facts: Facts, record: Record, verdict: Verdict) -> Iterator[Problem]:
    if verdict not in (Verdict.APPROVE, Verdict.DISCARD) or waiting(facts, record):
        return
    state = standing_in(facts, record).state
    if state in _BELOW or (verdict is Verdict.DISCARD and state in (State.DISPUTED, State.RETRACTED)):
        return
    message = f"^{record.id} is {state}, and does not wait for a decision"
    remedy = "validate it" if verdict is Verdict.APPROVE else "retract it, or forget it"
    yield Problem(Code.INVALID_ARGUMENT, message, "id", remedy=remedy)


def _noted(facts: Facts, record: Record, verdict: Verdict, today: When) -> Noted:
    """How the standing is written after a verdict."""
    noted = noted_of(record)
    match verdict:
        case Verdict.VALIDATE:
            sure = max(noted.confidence or 0.0, _SURE) if noted.state is State.VERIFIED else _SURE
            return noted._replace(state=State.VERIFIED, confidence=sure, checked=today)
        case Verdict.DISPUTE:
            return noted._replace(state=State.DISPUTED, confidence=None)
        case Verdict.APPROVE:
            below = standing_in(facts, record).state in _BELOW
            return noted._replace(state=State.SUPPORTED, confidence=_FAIR) if below else noted
        case Verdict.DISCARD | Verdict.RETRACT:
            return noted._replace(state=State.RETRACTED, confidence=None)
    assert_never(verdict)
