"""Words that are saved, put in order by a model: what it proposes is checked; what falls stays verbatim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.names import SourceId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.frame import Origin
from scriptorium_core.writing.batch import OWNER, Said
from scriptorium_core.writing.outcome import Failed
from scriptorium_core.writing.remembering import Wish
from scriptorium_core.writing.rewording import remember_question, remember_read, taken
from scriptorium_core.writing.used import NOTHING_USED, Used

from .. import clock, tokens

if TYPE_CHECKING:
    from .place import Place

__all__ = ["Organized", "proposed"]


@frozen
class Organized:
    """What a model proposed and was taken: a topic, a title (empty: none), and whether the words are its own.

    `refused` is why the rest was not taken; `failure` why there was no proposal; `used` what it took.
    """

    topic: str = ""
    title: str = ""
    reworded: bool = False
    refused: tuple[str, ...] = ()
    failure: Problem | None = None
    used: Used = NOTHING_USED


def proposed(service: Place, wish: Wish) -> tuple[Wish, Organized]:
    """The wish with what is taken of a model's proposal; as it is where there is none."""
    from .modelled import has_model, modelled

    memory = service.memory(make=True)
    if not has_model(service):
        return wish, Organized(failure=_no_model())
    said = (Said(SourceId("remembered"), OWNER, Origin.HUMAN, wish.text, wish.at),)
    with memory.reading() as (_, base):
        question = remember_question(wish.text, base.facts, said, tokens.count)
    found, used = modelled(
        service,
        memory.layout,
        question,
        lambda exchange, reply: remember_read(exchange, reply, clock.now()),
        "remember",
    )
    if isinstance(found, Failed):
        remedy = "the words are saved as they are"
        return wish, Organized(failure=Problem(found.code, found.message, "model", remedy=remedy), used=used)
    with memory.reading() as (_, base):
        kept = taken(found.value, wish.text, base.facts)
    done = Organized(kept.topic or "", kept.title, bool(kept.records), kept.refused, None, used)
    return evolve(wish, proposed=kept), evolve(done, topic="") if wish.topic else done


def _no_model() -> Problem:
    message = "no model is set that may put words in order; they are saved as they are"
    remedy = 'give [api] with model = "provider:model" in settings.toml'
    return Problem(Code.WRITER_PRECONDITION_FAILED, message, "model", remedy=remedy)
