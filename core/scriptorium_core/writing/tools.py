"""The tools of a writer over a staged edit: pure, and total for any arguments.

A call gives the next desk and a text for whoever called. What cannot be done is told by its code, and leaves
the stage as it was. Nothing outside `topics/` is read or written; what is held is not shown, and not touched
by writing a whole topic.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from attrs import evolve, frozen

from ..changes import Caller
from ..changes.sources import place
from ..problem import Code, Problem, render_problem
from ..transaction import Snapshot, staging
from ..transaction.staging import Stage
from .arguments import Arguments, Misused, arguments_of
from .batch import Said
from .looking import list_topics, read_topic, search_topics, stands_held
from .toolset import TOOLS, TOOLS_VERSION, Tool

__all__ = ["TOOLS", "TOOLS_VERSION", "Desk", "Done", "Tool", "call", "desk_for"]

_MOST_TOLD = 20
LONGEST_TOPIC = 400_000
"""Characters of a topic that a tool may write."""


@frozen
class Done:
    """How a writer ended: a summary, or why there is nothing to keep; one of the two is empty."""

    summary: str = ""
    nothing: str = ""


@frozen
class Desk:
    """The stage as the calls so far have left it, how the writer ended (None: not yet), and refused calls."""

    stage: Stage
    done: Done | None = None
    refused: int = 0


def desk_for(base: Snapshot, caller: Caller, today: str, items: Sequence[Said] = ()) -> Desk:
    """The desk before the first call; `items` are the batch, whose messages can be cited already."""
    places: dict[str, str] = {item.source: place(item.source) for item in items}
    return Desk(staging.staged(base, caller, today, places))


def call(desk: Desk, name: str, arguments: object) -> tuple[Desk, str]:
    """The desk after a call of a tool, and what to tell; a call that was refused counts in `refused`."""
    try:
        if desk.done is not None:
            raise Misused("the work is finished", "call no more tools")
        if name not in _HANDLERS:
            raise Misused(f"there is no tool {name[:40]!r}", f"use one of {', '.join(_HANDLERS)}")
        return _HANDLERS[name](desk, arguments_of(arguments, _TOOL[name].keys))
    except Misused as misused:
        fault = Problem(Code.INVALID_ARGUMENT, misused.message, misused.place, remedy=misused.remedy)
        return _refused(desk, (fault,))


def _list(desk: Desk, given: Arguments) -> tuple[Desk, str]:
    return desk, list_topics(desk.stage, given.text("prefix", "topics/"))


def _read(desk: Desk, given: Arguments) -> tuple[Desk, str]:
    found = read_topic(desk.stage, given.text("path"), given.number("first", 1))
    return (desk, found) if isinstance(found, str) else _refused(desk, found)


def _search(desk: Desk, given: Arguments) -> tuple[Desk, str]:
    return desk, search_topics(desk.stage, given.text("text"), given.text("prefix", "topics/"))


def _write(desk: Desk, given: Arguments) -> tuple[Desk, str]:
    path, content = given.text("path"), _bounded(given.text("content"))
    if stands_held(desk.stage, path):
        message = "a part of this topic waits for the owner's consent and is not shown to you"
        remedy = "change single records with apply_changes, or passages with edit"
        return _refused(desk, (Problem(Code.NOT_PERMITTED, message, path, remedy=remedy),))
    return _staged(desk, staging.written(desk.stage, path, content), f"written: {path}")


def _edit(desk: Desk, given: Arguments) -> tuple[Desk, str]:
    path, old, new = given.text("path"), given.text("old"), _bounded(given.text("new", ""))
    return _staged(desk, _edited(desk.stage, path, old, new), f"edited: {path}")


def _edited(stage: Stage, path: str, old: str, new: str) -> Stage | tuple[Problem, ...]:
    outcome = staging.edited(stage, path, old, new)
    if isinstance(outcome, Stage) and len(outcome.tree.get(path) or b"") > 4 * LONGEST_TOPIC:
        raise Misused("the topic would be too long", "write the rest to another topic", "new")
    return outcome


def _move(desk: Desk, given: Arguments) -> tuple[Desk, str]:
    old, new = given.text("old"), given.text("new")
    return _staged(desk, staging.moved(desk.stage, old, new), f"moved: {old} is {new} now")


def _delete(desk: Desk, given: Arguments) -> tuple[Desk, str]:
    ids, reason = given.texts("ids"), given.text("reason")
    return _staged(desk, staging.without_records(desk.stage, ids, reason), f"deleted: {' '.join(ids)}")


def _apply(desk: Desk, given: Arguments) -> tuple[Desk, str]:
    changes = given.items("memory_changes")
    outcome = staging.applied(desk.stage, {"memory_changes": changes})
    return _staged(desk, outcome, f"carried out: {len(changes)} of {len(changes)} operations")


def _finish(desk: Desk, given: Arguments) -> tuple[Desk, str]:
    changed = bool(desk.stage.tree.differences())
    if given.flag("nothing_to_keep"):
        if changed:
            raise Misused(
                "topics were changed", "give a summary of what was changed instead", "nothing_to_keep"
            )
        return evolve(desk, done=Done(nothing=given.text("reason"))), "finished: nothing to keep"
    summary = given.text("summary")
    if not changed:
        remedy = "change something first, or finish with nothing_to_keep and a reason"
        raise Misused("nothing was changed", remedy, "summary")
    return evolve(desk, done=Done(summary=summary)), "finished"


def _bounded(text: str) -> str:
    if len(text) > LONGEST_TOPIC:
        remedy = "split it into several topics"
        raise Misused(f"the text has {len(text)} characters; at most {LONGEST_TOPIC} are taken", remedy)
    return text


def _staged(desk: Desk, outcome: Stage | tuple[Problem, ...], told: str) -> tuple[Desk, str]:
    if isinstance(outcome, Stage):
        return evolve(desk, stage=outcome), told[:2_000]
    return _refused(desk, outcome)


def _refused(desk: Desk, problems: Sequence[Problem]) -> tuple[Desk, str]:
    lines = [render_problem(problem)[:1_000] for problem in problems[:_MOST_TOLD]]
    more = len(problems) - len(lines)
    note = [f"… and {more} more"] if more else []
    return evolve(desk, refused=desk.refused + 1), "\n".join(["refused, nothing was changed:", *lines, *note])


_HANDLERS: Mapping[str, Callable[[Desk, Arguments], tuple[Desk, str]]] = MappingProxyType(
    {
        "list": _list,
        "read": _read,
        "search": _search,
        "write": _write,
        "edit": _edit,
        "move": _move,
        "delete_records": _delete,
        "apply_changes": _apply,
        "finish": _finish,
    }
)
_TOOL = MappingProxyType({tool.name: tool for tool in TOOLS})
