"""What a model is given for a batch: the system text, the text of the task, and the versions of both."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from ..problem import Problem
from .batch import Said, render_batch
from .datalines import data_line
from .prompts import ORGANIZE, ORGANIZE_SCHEMA, REPAIR, TEMPLATES, WRITE, WRITE_SCHEMA, Template
from .toolset import TOOLS_VERSION

__all__ = ["Kind", "Mode", "differences", "prompts_of", "repair_text", "system_text", "task_text"]

Kind = Literal["write", "organize"]
Mode = Literal["tools", "schema"]

_TEMPLATES: Mapping[tuple[Kind, Mode], Template] = MappingProxyType(
    {
        ("write", "tools"): WRITE,
        ("write", "schema"): WRITE_SCHEMA,
        ("organize", "tools"): ORGANIZE,
        ("organize", "schema"): ORGANIZE_SCHEMA,
    }
)


def system_text(kind: Kind, mode: Mode = "tools") -> str:
    """What a model is told before it sees any data."""
    return _TEMPLATES[kind, mode].text


def prompts_of(kind: Kind, mode: Mode = "tools") -> str:
    """The versions of all that a model is given, as they go into the commit and onto a tape."""
    tools = (TOOLS_VERSION,) if mode == "tools" else ()
    return " ".join((_TEMPLATES[kind, mode].version, REPAIR.version, *tools))


def task_text(items: Sequence[Said], outline: str, today: str, problems: Sequence[Problem] = ()) -> str:
    """The task itself: the day (`YYYY-MM-DD`), the outline, the batch, and what was wrong the first time."""
    held = outline or "Nothing that could matter here.\n"
    parts = [f"Today is {today}.\n", f"# What memory holds already\n\n{held}"]
    if items:
        parts.append(f"# What was said\n\n{render_batch(items)}")
    return "\n".join([*parts, *([repair_text(problems)] if problems else [])])


def repair_text(problems: Sequence[Problem]) -> str:
    """What is said after a rejection: every problem on a line of its own, each with what to do."""
    return "\n".join((REPAIR.text, *map(_problem_line, problems), ""))


def differences(prompts: str) -> tuple[str, ...]:
    """In which prompts and tools this version differs from `prompts`, which went onto a tape once."""
    now = {_name(version): version for version in (*(each.version for each in TEMPLATES), TOOLS_VERSION)}
    told: list[str] = []
    for version in prompts.split():
        if _name(version) not in now:
            told.append(f"{version} is no prompt of this version")
        elif now[_name(version)] != version:
            told.append(f"{version} is {now[_name(version)]} now")
    return tuple(told)


def _name(version: str) -> str:
    return version.partition("/")[0]


def _problem_line(problem: Problem) -> str:
    row: dict[str, object] = {"code": str(problem.code), "problem": problem.message}
    if problem.path:
        row["where"] = problem.path + (f":{problem.line}" if problem.line else "")
    return data_line(row | ({"remedy": problem.remedy} if problem.remedy else {}))
