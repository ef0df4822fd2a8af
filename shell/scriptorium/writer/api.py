"""The writer that is a model: it is asked over an interface, and works with tools or under a schema."""

from attrs import evolve, frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction.staging import Stage
from scriptorium_core.writing.agent import Going, Kept, Nothing, answered
from scriptorium_core.writing.datalines import data_line
from scriptorium_core.writing.exchange import Asked, Question, Reply, Results
from scriptorium_core.writing.faults import Fault, failure_of, lacks_form, lacks_tools
from scriptorium_core.writing.looking import read_topic
from scriptorium_core.writing.outcome import Failed, fail
from scriptorium_core.writing.outline import outline
from scriptorium_core.writing.prompting import Mode, prompts_of, system_text, task_text
from scriptorium_core.writing.structured import Changes, Stated, answer_schema, stated
from scriptorium_core.writing.tools import TOOLS, Desk, desk_for

from .. import clock
from ..settings import Api as Settings
from ..settings import Price
from .metering import Meter
from .proposal import Answer, Edited, NothingProposed, Proposed, Task, Unable
from .stating import model_of

__all__ = ["Api"]


@frozen
class Api:
    """Asks the model of the settings; `price` is what it costs, None if nobody knows."""

    settings: Settings
    price: Price | None = None
    name: str = "api"

    @property
    def prompt(self) -> str:
        """The versions of all that the model may be given: prompts for both kinds of task, and the tools."""
        modes: tuple[Mode, ...] = ("tools", "schema")
        chosen = modes if self.settings.mode == "auto" else [m for m in modes if m == self.settings.mode]
        versions = [prompts_of(kind, mode).split() for mode in chosen for kind in ("write", "organize")]
        return " ".join(dict.fromkeys(version for each in versions for version in each))

    def propose(self, task: Task) -> Answer:
        """What the model makes of the task; it is never asked more than the settings allow."""
        model = model_of(self.settings, self.price)
        if isinstance(model, Problem):
            message = f"{model.message}; {model.remedy}"
            return Unable(fail(model.code, message, problems=(model,)))
        meter = Meter(model, self.settings, self.price, task)
        answer: Answer | None = None
        if self.settings.mode != "schema":
            answer = _with_tools(meter, task, may_fall_back=self.settings.mode == "auto")
        if answer is None:
            answer = _under_schema(meter, task)
        return evolve(answer, used=meter.used)


def _with_tools(meter: Meter, task: Task, may_fall_back: bool) -> Answer | None:
    """The answer of a model with tools; None where it knows or uses none, and may fall back."""
    desk, question = _begun(task, "tools")
    going = Going(desk, question, meter.settings.max_turns)
    while True:
        reply = meter.ask(going.question)
        if isinstance(reply, Fault) and may_fall_back and not going.called and lacks_tools(reply):
            task.progress("the model knows no tools; it is asked for changes under a schema")
            return None
        if not isinstance(reply, Reply):
            return Unable(_failure(reply))
        with task.reading() as (_, base):
            step = answered(going, reply, base, clock.now())
        match step:
            case Going():
                going = _told(task, reply, step)
            case Kept(stage, summary):
                return Edited(stage, summary)
            case Nothing(reason):
                return NothingProposed(reason)
            case Failed(code=Code.WRITER_NO_PROGRESS) if may_fall_back and not going.called:
                task.progress("the model uses no tools; it is asked for changes under a schema")
                return None
            case Failed():
                return Unable(step)


def _under_schema(meter: Meter, task: Task) -> Answer:
    """The answer of a model that gives all changes at once; forms that the server refuses are left out."""
    _, question = _begun(task, "schema")
    forms = list(meter.model.forms)
    asked = Stated(evolve(question, form=forms.pop(0)))
    while True:
        reply = meter.ask(asked.question)
        if isinstance(reply, Fault) and forms and lacks_form(reply):
            asked = evolve(asked, question=evolve(asked.question, form=forms.pop(0)))
            continue
        if not isinstance(reply, Reply):
            return Unable(_failure(reply))
        match stated(asked, reply, clock.now()):
            case Stated() as again:
                task.progress("the answer was cut off or of another form; the model is told, once")
                asked = again
            case Changes(changes, summary):
                return Proposed(changes, summary=summary)
            case Nothing(reason):
                return NothingProposed(reason)
            case Failed() as failed:
                return Unable(failed)


def _failure(reply: Fault | Failed) -> Failed:
    return failure_of(reply, clock.now()) if isinstance(reply, Fault) else reply


def _begun(task: Task, mode: Mode) -> tuple[Desk, Question]:
    """The desk before the first call, and the first question."""
    with task.reading() as (_, base):
        desk = desk_for(base, task.caller, task.today, task.batch)
        known = _portion(desk.stage, task) if task.portion else outline(base.facts, task.batch, task.count)
    given = task_text(task.batch, known, task.today, task.problems)
    tools, schema = (TOOLS, None) if mode == "tools" else ((), answer_schema())
    return desk, Question(system_text(task.kind, mode), (Asked(given),), tools, schema)


def _portion(stage: Stage, task: Task) -> str:
    """The topics that an organizer is shown, a line of JSON each."""
    texts = ((path, read_topic(stage, path, 1)) for path in task.portion)
    rows = ({"topic": path, "text": text} for path, text in texts if isinstance(text, str))
    return "".join(f"{data_line(row)}\n" for row in rows)


def _told(task: Task, reply: Reply, step: Going) -> Going:
    """Tell what the model has called, and what of it was refused."""
    last = step.question.turns[-1]
    results = last.results if isinstance(last, Results) else ()
    for call, result in zip(reply.calls, results, strict=False):
        task.progress(f"{call.name[:40]}{' (refused)' if result.failed else ''}")
    return step
