"""A model is asked one thing at a time: what it said, what that took, or that the run cannot go on.

Limits, breaks on the way and faults of the server are met by waiting, three times. What is the matter with
the one question (it is too long, or the provider's policy is against it) is its result; after anything
else the run stops, and goes on when it is started again.
"""

import time
from collections.abc import Mapping

from attrs import define, evolve, field, frozen

from scriptorium import clock
from scriptorium.models import Endpoint, Model, connected, endpoint_of
from scriptorium.settings import Api, variable
from scriptorium_core.problem import Code, Problem
from scriptorium_core.writing.exchange import Asked, Question, Reply
from scriptorium_core.writing.faults import failure_of, lacks_form
from scriptorium_core.writing.schematic import object_in

__all__ = ["Asker", "Said", "Stopped", "asker_of", "verdict_in"]

_PAUSES = (1.0, 5.0, 20.0)
_WAITED = frozenset(
    {Code.MODEL_RATE_LIMIT, Code.MODEL_PROVIDER_INTERNAL, Code.MODEL_TRANSPORT, Code.MODEL_TIMEOUT}
)
_OF_THE_QUESTION = frozenset({Code.MODEL_CONTEXT_LENGTH, Code.MODEL_CONTENT_POLICY})


class Stopped(Exception):
    """Why a run cannot go on now."""


@frozen
class Said:
    """What a model said, why it ended there, and its tokens and milliseconds; or why it could not (`failed`).

    `form` is how it was held to a schema, empty where it was not.
    """

    text: str = ""
    ending: str = ""
    form: str = ""
    failed: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    milliseconds: float = 0.0


@define
class Asker:
    """A model at an address, and the forms of a schema that its server has not refused."""

    endpoint: Endpoint
    model: Model
    forms: list[str] = field()

    @property
    def name(self) -> str:
        """The model as the settings name it."""
        return f"{self.endpoint.provider}:{self.endpoint.model}"

    @forms.default
    def _all(self) -> list[str]:
        return list(self.model.forms)

    def ask(self, told: tuple[str, str], schema: Mapping[str, object] | None = None) -> Said:
        """Its answer to a system prompt and a question; raises Stopped if there is none to be had now."""
        system, text = told
        question = Question(system, (Asked(text),), schema=schema)
        pauses = list(_PAUSES)
        while True:
            form = self.forms[0] if schema is not None else ""
            begun = time.perf_counter()
            reply = self.model.ask(evolve(question, form=form or question.form), lambda _: None)
            taken = round((time.perf_counter() - begun) * 1_000, 1)
            if isinstance(reply, Reply):
                used = reply.tokens_in, reply.tokens_out
                return Said(reply.text.strip(), reply.ending, form, "", *used, taken)
            if form and len(self.forms) > 1 and lacks_form(reply):
                del self.forms[0]
                continue
            failed = failure_of(reply, clock.now())
            if failed.code in _OF_THE_QUESTION:
                return Said(form=form, failed=f"{failed.code}: {failed.message}", milliseconds=taken)
            if failed.code not in _WAITED or not pauses:
                raise Stopped(f"{self.name}: {failed.code}: {failed.message}")
            time.sleep(pauses.pop(0))


def asker_of(chosen: Api) -> Asker | Problem:
    """The model that is chosen, with the key that its variable holds; nothing is sent yet."""
    endpoint = endpoint_of(
        chosen.model, chosen.base_url, chosen.key_env, variable, chosen.timeout, chosen.max_tokens
    )
    if isinstance(endpoint, Problem):
        return endpoint
    model = connected(endpoint)
    return model if isinstance(model, Problem) else Asker(endpoint, model)


def verdict_in(text: str) -> bool | None:
    """Whether a judge says that an answer is right; None if that cannot be read."""
    found = object_in(text, "right")
    right = found["right"] if found is not None else None
    return right if isinstance(right, bool) else None
