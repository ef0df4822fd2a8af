"""A model asked for one object under a schema, and told once what is wrong; what it costs is counted."""

from collections.abc import Callable
from typing import TypeVar

from attrs import evolve, frozen

from scriptorium_core.budget import Count
from scriptorium_core.problem import Code, Problem
from scriptorium_core.writing.exchange import Question, Reply
from scriptorium_core.writing.faults import Fault, failure_of, lacks_form
from scriptorium_core.writing.outcome import Failed, fail
from scriptorium_core.writing.schematic import Exchange, Got
from scriptorium_core.writing.used import NOTHING_USED, Used

from .. import clock
from ..models import Endpoint, Model, connected, endpoint_of
from ..settings import Api, Price, variable
from .metering import Meter
from .proposal import quiet

__all__ = ["Read", "model_of", "stated"]

T = TypeVar("T")
Read = Callable[[Exchange, Reply], Exchange | Got[T] | Failed]
"""What follows from a reply."""


@frozen
class _Work:
    """What a meter is told."""

    count: Count
    progress: Callable[[str], None] = quiet


def model_of(chosen: Api, price: Price | None) -> Model | Problem:
    """The model of the settings, with the key that its variable holds now; nothing is sent yet."""
    if chosen.max_cost is not None and price is None:
        message = f"max_cost is set, and nobody knows what {chosen.model} costs"
        remedy = f'give [prices."{chosen.model}"], or leave max_cost out'
        return Problem(Code.WRITER_PRECONDITION_FAILED, message, "api.max_cost", remedy=remedy)
    endpoint = endpoint_of(
        chosen.model, chosen.base_url, chosen.key_env, variable, chosen.timeout, chosen.max_tokens
    )
    return connected(endpoint) if isinstance(endpoint, Endpoint) else endpoint


def stated(
    chosen: Api, price: Price | None, question: Question, count: Count, read: Read[T]
) -> tuple[Got[T] | Failed, Used]:
    """What a model states, or why it states nothing, and what its answers took.

    Forms of an answer that its server refuses are left out one after the other.
    """
    model = model_of(chosen, price)
    if isinstance(model, Problem):
        message = f"{model.message}; {model.remedy}"
        return fail(model.code, message, problems=(model,)), NOTHING_USED
    meter = Meter(model, chosen, price, _Work(count))
    forms = list(model.forms)
    asked = Exchange(evolve(question, form=forms.pop(0)))
    while True:
        reply = meter.ask(asked.question)
        if isinstance(reply, Fault) and forms and lacks_form(reply):
            asked = evolve(asked, question=evolve(asked.question, form=forms.pop(0)))
            continue
        if not isinstance(reply, Reply):
            return failure_of(reply, clock.now()) if isinstance(reply, Fault) else reply, meter.used
        step = read(asked, reply)
        if not isinstance(step, Exchange):
            return step, meter.used
        asked = step
