"""The model of the settings, asked for one thing beside the passes: allowed, within the day, costs kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from attrs import evolve

from scriptorium_core.policy.rules import Right
from scriptorium_core.problem import Code
from scriptorium_core.writing.cadence import spent
from scriptorium_core.writing.outcome import Failed, fail
from scriptorium_core.writing.schematic import Got
from scriptorium_core.writing.status import after_offer
from scriptorium_core.writing.used import NOTHING_USED, Used

from .. import tokens
from .outlook import pace_of
from .permitted import may_all
from .runtime import change_status, read_status
from .shaping import moment_text
from .writing import keep_cost

if TYPE_CHECKING:
    from scriptorium_core.writing.exchange import Question

    from ..layout import Layout
    from ..writer.stating import Read
    from .place import Place

__all__ = ["has_model", "modelled"]

T = TypeVar("T")


def has_model(service: Place) -> bool:
    """Whether a model is set that the actor may let work: its costs are for those who may write."""
    return bool(service.settings.api.model) and may_all(service, Right.WRITE, "*")


def modelled(
    service: Place, layout: Layout, question: Question, read: Read[T], about: str
) -> tuple[Got[T] | Failed, Used]:
    """What the model states, and what it took; a failure where the tokens of the day are spent."""
    from ..writer.stating import stated

    now = service.moment()
    stopped = spent(
        read_status(layout), evolve(pace_of(service.settings), costs=True), now.seconds, now.offset
    )
    if stopped is not None:
        until = moment_text(now._replace(seconds=stopped.until))
        return fail(Code.MODEL_RATE_LIMIT, "the tokens of the day are spent", until=until), NOTHING_USED
    chosen = service.settings.api
    found, used = stated(chosen, service.settings.prices.get(chosen.model), question, tokens.count, read)
    keep_cost(service, layout, used, about, 0)
    size = used.tokens_in + used.tokens_out
    change_status(layout, lambda status: after_offer(status, size, moment_text(now)))
    return found, used
