"""The loop of a writer that is a model with tools, one reply at a time, and pure.

Each reply gives the next question or an end. What the model says that it did counts for nothing: an end
with a changed stage is `Kept`, one without a change needs the tool that says that nothing is to be kept.

Misuse (an unknown tool, arguments that are no JSON, words instead of calls, an answer that was cut off) is
told to the model, at most `MOST_MISUSED` times in a row.
"""

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve, frozen

from ..problem import Code, Problem
from ..transaction import Snapshot
from ..transaction.staging import Stage, onto
from .exchange import Asked, Question, Reply, Result, Results, Turn
from .faults import cut_short, spoken_fault
from .outcome import Failed, fail
from .tools import Desk, call

__all__ = ["MOST_MISUSED", "Going", "Kept", "Nothing", "Step", "answered", "summary_of"]

MOST_MISUSED = 3
_MOST_CALLS = 64
_LONGEST_SUMMARY = 200
_USE_TOOLS = """\
Words change nothing. Call the tools: change topics and then call `finish` with a summary, or call `finish`
with nothing_to_keep and a reason."""
_CUT = "Your answer was cut off and none of it was carried out. Make smaller calls, one after the other."
_LAST = "\n\n[This was the last call but one: end now with `finish`.]"


@frozen
class Going:
    """The exchange goes on: the desk, what is asked next, and how it went so far.

    `turns` are the answers that are left; `called` is whether the model has used any tool.
    """

    desk: Desk
    question: Question
    turns: int
    misused: int = 0
    called: bool = False


@frozen
class Kept:
    """The end: topics were changed."""

    stage: Stage
    summary: str = ""


@frozen
class Nothing:
    """The end: the model says by its tool that nothing is worth keeping."""

    reason: str


Step = Going | Kept | Nothing | Failed


def answered(going: Going, reply: Reply, base: Snapshot, now: datetime) -> Step:
    """What follows from a reply; `base` is a fresh snapshot, on which the calls are carried out."""
    if (cut := cut_short(reply.ending)) is not None:
        # What was said before it may stand in the exchange, a half call may not.
        said = evolve(reply, calls=(), raw=None)
        return _told(going, said, _CUT, cut) if cut.code is Code.MODEL_TRUNCATED else cut
    if not reply.calls:
        return _without_calls(going, reply, now)
    stage = onto(going.desk.stage, base)
    if not isinstance(stage, Stage):
        return _overtaken(stage)
    desk, results = _carried_out(evolve(going.desk, stage=stage), reply)
    if desk.done is not None:
        return Nothing(desk.done.nothing) if desk.done.nothing else Kept(desk.stage, desk.done.summary)
    in_vain = all(result.failed for result in results)
    misused = going.misused + 1 if in_vain else 0
    if misused > MOST_MISUSED:
        message = f"every call of the model was refused, {misused} times in a row: {results[-1].text}"
        return fail(Code.WRITER_NO_PROGRESS, _line(message))
    if going.turns == 2:
        results = (*results[:-1], evolve(results[-1], text=results[-1].text + _LAST))
    return _next(evolve(going, desk=desk, misused=misused, called=True), reply, Results(results))


def summary_of(text: str) -> str:
    """The first line of a text, in a length that a commit's subject may have."""
    lines = [line for line in text.splitlines() if line.strip()]
    return _line(lines[0])[:_LONGEST_SUMMARY] if lines else ""


def _without_calls(going: Going, reply: Reply, now: datetime) -> Step:
    if not going.called and (failed := spoken_fault(reply.text, now)) is not None:
        return failed
    if going.desk.stage.tree.differences():
        return Kept(going.desk.stage)
    words = f": {summary_of(reply.text)}" if reply.text.strip() else ""
    message = f"the model answered in words and changed nothing{words}"
    return _told(going, reply, _USE_TOOLS, fail(Code.WRITER_NO_PROGRESS, message))


def _told(going: Going, reply: Reply, told: str, failed: Failed) -> Step:
    """The model is told what was wrong, or the end if it was told often enough."""
    if going.misused >= MOST_MISUSED:
        return failed
    return _next(evolve(going, misused=going.misused + 1), reply, Asked(told))


def _next(going: Going, reply: Reply, turn: Turn) -> Step:
    if going.turns <= 1:
        return fail(Code.WRITER_NO_PROGRESS, "the model did not come to an end within the turns that it has")
    question = evolve(going.question, turns=(*going.question.turns, reply, turn))
    return evolve(going, question=question, turns=going.turns - 1)


def _carried_out(desk: Desk, reply: Reply) -> tuple[Desk, tuple[Result, ...]]:
    results: list[Result] = []
    for position, each in enumerate(reply.calls):
        if position >= _MOST_CALLS:
            results.append(Result(each.id, "not carried out: too many calls at once", failed=True))
            continue
        after, told = call(desk, each.name, each.arguments)
        results.append(Result(each.id, told, failed=after.refused > desk.refused))
        desk = after
    return desk, tuple(results)


def _overtaken(problems: Sequence[Problem]) -> Failed:
    message = "somebody else changed a topic while the model was writing it"
    return fail(Code.CONCURRENT_UPDATE, message, problems=tuple(problems))


def _line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())[:400]
