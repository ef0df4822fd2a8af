"""Asking memory: what it has is gathered and settled, a model answers where one may, all of it traced.

Nothing is open while a model thinks. What it was shown is looked at once more when it has answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.knowledge.answering import Answer, answer_question, answer_read
from scriptorium_core.knowledge.asking import (
    Decision,
    Ground,
    Settled,
    Way,
    generated,
    settle,
    unanswered,
)
from scriptorium_core.knowledge.context import Context, pack
from scriptorium_core.knowledge.offer import Offer, Part
from scriptorium_core.knowledge.question import question_fault
from scriptorium_core.knowledge.trace import Trace
from scriptorium_core.names import BlockId
from scriptorium_core.problem import Problem
from scriptorium_core.topics.questions import NORMALISER
from scriptorium_core.writing.outcome import Failed
from scriptorium_core.writing.schematic import Got
from scriptorium_core.writing.used import NOTHING_USED, Used

from .. import clock, tokens
from ..refused import Refused
from .asked import Answered
from .assessing import day_of
from .counting import counting
from .gathering import Considered, gather
from .searching import ready
from .tracing import redacting, traced

if TYPE_CHECKING:
    from ..layout import Layout
    from .contexts import Wish
    from .place import Place
    from .searching import Ready

__all__ = ["View", "ask"]

_RECORDS = (Part.RECORD, Part.SUBJECT)


@frozen
class _Found:
    """What is known after looking: nothing of it is open any more."""

    layout: Layout
    revision: str | None
    considered: Considered
    settled: Settled
    context: Context | None
    notices: tuple[Problem, ...]


@frozen
class _Said:
    """What a model said, or why it said nothing, and what that took."""

    settled: Settled
    answer: str = ""
    failure: Problem | None = None
    used: Used = NOTHING_USED


@frozen
class View:
    """The memory that is asked: how it is looked at, and which records are no longer to be given by now."""

    look: Callable[[], AbstractContextManager[Ready]]
    gone: Callable[[Sequence[str]], bool]


def ask(
    service: Place,
    question: str,
    budget: int | None,
    wish: Wish,
    keep: bool,
    model: bool,
    view: View | None = None,
) -> Answered:
    """The decision for a question; `keep` makes a generated answer a record, `model` lets one answer.

    Without a `view` the present memory is asked.
    """
    view = view or View(lambda: ready(service, action="inject"), lambda ids: _gone(service, ids))
    if fault := question_fault(question):
        raise Refused(fault)
    limit = service.settings.context_tokens if budget is None else budget
    found = _look(service, view, question, limit, wish)
    said, kept = (_again(service, found) if keep else None) or (
        _model(service, view, found, question, model),
        "",
    )
    troubles: tuple[Problem, ...] = ()
    if keep and not kept and said.settled.decision is Decision.GENERATED:
        from .answers import keep_answer

        kept, troubles = keep_answer(service, question, said.answer, said.settled.records, said.used)
        # Of two requests with one key at once, the answer of the one that was kept is that of both.
        first = _again(service, found) if kept else None
        said = evolve(first[0], used=said.used) if first is not None else said
    answer = said.answer or _reused(found, said.settled)
    return _delivered(service, found, said, question, answer, limit, kept, troubles)


def _again(service: Place, found: _Found) -> tuple[_Said, str] | None:
    """What was said when this request came first, and the record that it was kept as; no model is asked."""
    from .answers import kept_before

    before = kept_before(service)
    if before is None:
        return None
    settled = generated(evolve(found.settled, way=Way.CONTEXT), before.cited)
    return _Said(settled, before.answer), before.record


def _look(service: Place, view: View, question: str, limit: int, wish: Wish) -> _Found:
    with view.look() as found:
        considered = gather(service, found, question, wish)
        settled, made = settle(considered.gathered), None
        if settled.decision is Decision.MISS:
            with counting(found.layout) as count:
                made = pack((), considered.context, count, limit, found.revision or "")
            shown = tuple(BlockId(each.id) for each in made.shown if each.part in _RECORDS)
            settled = settle(evolve(considered.gathered, context=shown))
        notices = tuple(dict.fromkeys((*found.notices, *considered.notices)))
        return _Found(found.layout, found.revision, considered, settled, made, notices)


def _model(service: Place, view: View, found: _Found, question: str, wanted: bool) -> _Said:
    """Let a model answer where memory itself does not, and one is set."""
    settled = found.settled
    if settled.decision is not Decision.PROVIDER_REQUIRED or found.context is None:
        return _Said(settled)
    from .modelled import has_model, modelled

    if not service.settings.api.model:
        return _Said(settled)
    if not wanted or not has_model(service):
        return _Said(unanswered(settled, Ground.NOT_ASKED))
    shown = settled.records
    asked = answer_question(redacting(service)(question), found.context.text, str(day_of(service)))
    reply, used = modelled(
        service,
        found.layout,
        asked,
        lambda exchange, reply: answer_read(exchange, reply, shown, clock.now()),
        "ask",
    )
    return _heard(service, view, settled, reply, used)


def _heard(service: Place, view: View, settled: Settled, reply: Got[Answer] | Failed, used: Used) -> _Said:
    if isinstance(reply, Failed):
        until = f"try again after {reply.until}" if reply.until else "answer from the context"
        failure = Problem(reply.code, reply.message, "model", remedy=until)
        return _Said(unanswered(settled, Ground.MODEL_FAILED), failure=failure, used=used)
    answer = reply.value
    if not answer.text:
        return _Said(unanswered(settled, Ground.NOT_IN_MEMORY), used=used)
    if view.gone(settled.records):
        return _Said(unanswered(settled, Ground.CHANGED), used=used)
    return _Said(generated(settled, answer.cited), redacting(service)(answer.text), used=used)


def _gone(service: Place, ids: Sequence[str]) -> bool:
    """Whether one of these records is not there any more, for whoever asks."""
    with service.memory().reading() as (_, base):
        return any(name not in base.facts.records for name in ids)


def _reused(found: _Found, settled: Settled) -> str:
    """The words of the records that are reused; of several that say the same, each on its own."""
    if settled.decision is not Decision.REUSE:
        return ""
    records = found.considered.named(settled.records)
    several = settled.way is Way.SUBJECT
    texts = [record.content for record in records]
    return "\n\n".join(texts if several else texts[:1])


def _delivered(
    service: Place,
    found: _Found,
    said: _Said,
    question: str,
    answer: str,
    limit: int,
    kept: str,
    troubles: tuple[Problem, ...],
) -> Answered:
    """The answer with what it rests on, within the budget, and its trace."""
    settled = said.settled
    silent = settled.decision in (Decision.MISS, Decision.REJECT)
    with counting(found.layout) as count:
        head = f"{answer}\n\n" if answer else ""
        room = max(limit - (count(head) if head else 0), 0)
        made = found.context if found.context is not None and not answer else None
        if made is None:
            made = pack((), _offers(found, settled.records), count, room, found.revision or "")
        # An answer is never cut; what it rests on goes along as far as there is room.
        body = made.text if made.shown or not answer else ""
        text = "" if silent else f"{head}{body}".rstrip("\n") + "\n"
        size = count(text) if text else 0
        counter = tokens.counter_name() if made.counted else tokens.ESTIMATE
    shown = () if silent or not body else made.shown
    if text:
        trace = Trace(
            door="ask",
            text=text,
            tokens=size,
            budget=limit,
            question=question,
            revision=found.revision or "",
            counter=counter,
            delivered=shown,
            left_out=made.left_out,
        )
        traced(service, found.layout, trace)
    return Answered(
        found.revision,
        question,
        settled.decision,
        settled.way,
        tuple(map(str, settled.reasons)),
        answer,
        found.considered.named(settled.records),
        settled.rivals,
        text,
        size,
        limit,
        counter,
        shown,
        made.left_out,
        kept,
        said.failure,
        said.used,
        (*found.notices, *troubles),
        NORMALISER,
    )


def _offers(found: _Found, ids: Iterable[str]) -> tuple[Offer, ...]:
    known = found.considered.offers
    return tuple(known[name]._replace(similarity=1.0) for name in ids if name in known)
