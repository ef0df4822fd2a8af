"""A model asked under a limit: what each answer costs is counted, what it says is told as it comes."""

from collections.abc import Callable
from typing import Protocol

from attrs import define, field

from scriptorium_core.budget import Count
from scriptorium_core.problem import Code
from scriptorium_core.writing.exchange import Asked, Question, Reply, Turn
from scriptorium_core.writing.faults import Fault
from scriptorium_core.writing.outcome import Failed, fail
from scriptorium_core.writing.used import NOTHING_USED, Used, together

from ..models import Model
from ..settings import Api, Price

__all__ = ["Meter", "Work"]

_LINE = 100
_MILLION = 1_000_000


class Work(Protocol):
    """What a model is asked for: who counts tokens, and who is told how it gets on."""

    @property
    def count(self) -> Count:
        """Counts tokens."""
        ...

    @property
    def progress(self) -> Callable[[str], None]:
        """Takes one short line at a time for people."""
        ...


@define
class Meter:
    """Asks the model for a task; `used` is what all answers so far have cost."""

    model: Model
    settings: Api
    price: Price | None
    task: Work
    used: Used = NOTHING_USED
    _line: str = field(default="", init=False)

    def ask(self, question: Question) -> Reply | Fault | Failed:
        """One answer; a failure where it might cost more than what is left."""
        going_in = sum(map(self.task.count, _texts(question)))
        limit, spent = self.settings.max_cost, self._cost(going_in, 0)
        if limit is not None and (self.used.cost or 0.0) + (spent or 0.0) >= limit:
            message = f"the next answer would cost more than max_cost allows: {limit:g} US dollars a batch"
            return fail(Code.WRITER_NO_PROGRESS, message)
        self.task.progress(f"asking {self.settings.model}, answer {self.used.calls + 1}")
        reply = self.model.ask(question, self._hear)
        self._flush()
        if isinstance(reply, Reply):
            tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
            if not (tokens_in or tokens_out):  # the server does not count
                tokens_in, tokens_out = going_in, sum(map(self.task.count, _words(reply)))
            cost = self._cost(tokens_in, tokens_out)
            used = Used(self.settings.model, tokens_in, tokens_out, 1, cost)
            self.used = together(self.used, used) if self.used.calls else used
        return reply

    def _cost(self, tokens_in: int, tokens_out: int) -> float | None:
        if self.price is None:
            return None
        return (tokens_in * self.price.input + tokens_out * self.price.output) / _MILLION

    def _hear(self, piece: str) -> None:
        """Tell what comes in, a line at a time."""
        *lines, self._line = (self._line + piece).split("\n")
        for line in lines:
            self._tell(line)
        if len(self._line) > _LINE:
            self._flush()

    def _flush(self) -> None:
        line, self._line = self._line, ""
        self._tell(line)

    def _tell(self, line: str) -> None:
        shown = " ".join("".join(char if char.isprintable() else " " for char in line).split())
        if shown:
            self.task.progress(shown if len(shown) <= _LINE else f"{shown[: _LINE - 1]}…")


def _texts(question: Question) -> list[str]:
    """All that a question sends."""
    tools = [f"{tool.name} {tool.description} {tool.schema}" for tool in question.tools]
    return [question.system, *tools, *(text for turn in question.turns for text in _words(turn))]


def _words(turn: Turn) -> list[str]:
    match turn:
        case Asked(text):
            return [text]
        case Reply(text, calls):
            return [text, *(f"{call.name} {call.arguments}" for call in calls)]
    return [result.text for result in turn.results]
