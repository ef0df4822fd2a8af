"""Why: the way from a record back to what was said."""

from typing import TYPE_CHECKING

import click

from .door import Door, command
from .lines import day_and_time, turn_lines
from .safe import clip, one_line, safe
from .shown import shown

if TYPE_CHECKING:
    from ..service.model import Conversation

__all__: list[str] = []


@command("why")
@click.argument("name")
@click.option(
    "--around", default=2, show_default=True, type=click.IntRange(0, 20), help="Turns before and after."
)
def why_command(door: Door, name: str, around: int) -> int:
    """Show where a record (or a message) comes from.

    The record, its evidence, each cited turn among its neighbours, the branch that it stands on, and the
    commits that made and changed it.
    """
    with door.service() as service:
        found = service.why(name, around)

    def people() -> str:
        lines = [shown(found.shown)]
        lines += [_conversation(each) for each in found.conversations]
        if found.history:
            lines += ["", "history"]
        for each in found.history:
            behind = ", ".join(
                filter(None, (each.session, each.writer and f"{each.writer} writer", each.batch))
            )
            tail = f"  ({safe(behind)})" if behind else ""
            lines.append(
                f"  {each.commit[:10]}  {day_and_time(each.at)}  {each.name}: {one_line(each.subject)}{tail}"
            )
        return "\n".join(lines)

    door.say("why", found, people)
    return 0


def _conversation(found: "Conversation") -> str:
    title = f"  {one_line(found.title)}" if found.title else ""
    lines = ["", f"conversation {safe(found.turn.session or found.turn.source)}{title}"]
    lines += [turn_lines(turn, "    ") for turn in found.before]
    lines += ["  →" + turn_lines(found.turn, "    ")[3:]]
    lines += [turn_lines(turn, "    ") for turn in found.after]
    for each in found.siblings:
        said = f"{one_line(each.speaker)}: {clip(each.text, 60)}"
        lines.append(f"  other branch ({each.branch}), leaves at {safe(each.leaves_at)}, ends with {said}")
    return "\n".join(lines)
