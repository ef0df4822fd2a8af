"""Why: the way from a record back to what was said."""

from typing import TYPE_CHECKING

import click

from .door import Door
from .imported import LINKS
from .lines import day_and_time, turn_lines
from .safe import clip, one_line, safe
from .shared import command
from .shown import record, source

if TYPE_CHECKING:
    from ..service.model import Conversation, Group, Linked, Mention, RecordShown, Why

__all__ = ["told"]


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
    door.say("why", found, lambda: told(found))
    return 0


def told(found: "Why") -> str:
    """Where something comes from, as a person reads it."""
    from ..service.model import RecordShown

    shown = found.shown
    if isinstance(shown, RecordShown):
        head = record(shown, (_group(group, shown) for group in shown.groups))
    else:
        head = source(shown)
    history = ["", "history", *map(_mention, found.history)] if found.history else []
    return "\n".join([head, *map(_conversation, found.conversations), *history])


def _group(group: "Group", shown: "RecordShown") -> str:
    """An evidence group by the names of its turns, which follow in full."""
    fields = "".join(f"; {name}: {one_line(value)}" for name, value in group.fields)
    # The text has the words that hold now; those that evidence carried until then stand in the history.
    is_closed = any(name == "Until" for name, _ in group.fields)
    words = f"earlier words, see `blame {shown.record.id}`" if is_closed else f"“{clip(group.quote, 70)}”"
    lines = [f"  {group.date or 'undated'}{fields}" + (f": {words}" if len(shown.groups) > 1 else "")]
    for each in group.citations:
        missing = "" if each.turn else " is not archived"
        lines.append(f"    {safe(each.turn.source if each.turn else each.target)}{missing}")
    return "\n".join(lines)


def _conversation(found: "Conversation") -> str:
    title = f"  {one_line(found.title)}" if found.title else ""
    log = f"  {safe(found.log)}" if found.log else ""
    lines = ["", f"conversation {safe(found.turn.session or found.turn.source)}{title}{log}"]
    lines += [f"    {_link(each)}" for each in found.links]
    lines += [turn_lines(turn, "    ") for turn in found.before]
    lines += ["  → " + turn_lines(found.turn, "    ").lstrip()]
    lines += [turn_lines(turn, "    ") for turn in found.after]
    if found.siblings:
        lines.append(f"    this branch is {found.turn.branch}")
    for each in found.siblings:
        ending = f"{one_line(each.speaker)}: “{clip(each.text, 60)}”"
        leaves = f" leaves after {safe(each.leaves_at)} and" if each.leaves_at else ""
        lines.append(f"    another branch ({each.branch}){leaves} ends with {ending}")
    return "\n".join(lines)


def _link(link: "Linked") -> str:
    """`continues chat/s0 at m4`, or of a session that came from this one `chat/s2 continues it at m9`."""
    at = f" at {safe(link.node)}" if link.node else ""
    words = dict(LINKS)[link.kind]
    name = safe(link.session)
    return f"{name} {words} it{at}" if link.comes else f"{words} {name}{at}"


def _mention(each: "Mention") -> str:
    behind = ", ".join(filter(None, (each.session, each.writer and f"{each.writer} writer", each.batch)))
    tail = f"  ({safe(behind)})" if behind else ""
    words = f"{each.name.lower()} by “{one_line(each.subject)}”"
    return f"  {each.commit[:10]}  {day_and_time(each.at)}  {words}{tail}"
