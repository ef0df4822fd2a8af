"""What goes along with a prompt, and what went along: context, traces."""

from typing import TYPE_CHECKING

import click

from scriptorium_core.names import is_source_name
from scriptorium_core.topics.standing import LEAST

from .door import Door
from .lines import counted, day_and_time
from .safe import clip, one_line, safe
from .shared import CURRENT, SURE, command

if TYPE_CHECKING:
    from scriptorium_core.knowledge.offer import Left, Shown
    from scriptorium_core.knowledge.trace import Trace

__all__: list[str] = []

_QUESTION = 100


@command("context")
@click.argument("question")
@click.option("--budget", type=click.IntRange(1), help="How many tokens at most (default: by the settings).")
@click.option("--session", default="", help="The conversation it is asked in: its newest turns come along.")
@click.option("--scope", default="", help="Only what holds in this project directory.")
@click.option("--current", is_flag=True, help=CURRENT)
@click.option("--least", default=LEAST, show_default=True, type=click.FloatRange(0, 1), help=SURE)
@click.option("--why", is_flag=True, help="Say of everything that was considered what became of it.")
def context_command(
    door: Door,
    question: str,
    budget: int | None,
    session: str,
    scope: str,
    current: bool,
    least: float,
    why: bool,
) -> int:
    """Print what goes along with QUESTION: records with the turns that they cite, within a budget of tokens.

    The text is what `traces` remembers, character for character.
    """
    with door.service() as service:
        given = service.context(
            question, budget, session=session, scope=scope, current_required=current, least=least
        )

    def people() -> str:
        head = f"{given.tokens:,} / {given.budget:,} tokens ({given.counter})"
        named = "; --why names what was left out" if given.left_out and not (given.shown or why) else ""
        considered = _considered(given.shown, given.left_out) if why else ""
        return f"{safe(given.text)}{head}{named}\n{considered}"

    door.notices(given.notices)
    door.say("context", given, people)
    return 0


@command("traces")
@click.option("-n", "--limit", default=50, show_default=True, type=click.IntRange(1), help="How many.")
@click.option("--text", is_flag=True, help="Show what was delivered too.")
def traces_command(door: Door, limit: int, text: bool) -> int:
    """Show what was delivered to whom and why, the newest first."""
    with door.service() as service:
        found = service.traces(limit)

    def people() -> str:
        return "\n\n".join(_trace(each, text) for each in found) or "nothing was delivered yet"

    door.say("traces", found, people)
    return 0


def _trace(trace: "Trace", text: bool) -> str:
    who = f"{day_and_time(trace.at)}  {one_line(trace.door)} for {one_line(trace.actor)}"
    session = f", session {one_line(trace.session)}" if trace.session else ""
    question = "forgotten since: not shown" if trace.withheld else clip(trace.question, _QUESTION)
    many = f"{len(trace.delivered)} of {counted(trace.considered, 'thing')}"
    size = f"{trace.tokens:,} / {trace.budget:,} tokens, {many}"
    lines = [
        f"{who}{session}",
        *([f"  {question}"] if question else []),
        f"  {size}, at {trace.revision[:10] or '-'}",
    ]
    lines += [_considered(trace.delivered, trace.left_out)] if trace.considered else []
    return "\n".join([*lines, *([safe(trace.text)] if text and trace.text else [])])


def _considered(shown: "tuple[Shown, ...]", left: "tuple[Left, ...]") -> str:
    lines = [f"  {each.part} {_name(each.id)}" + (", shortened" if each.shortened else "") for each in shown]
    lines += [f"  {each.part} {_name(each.id)} left out: {each.reason}" for each in left]
    return "\n".join(lines)


def _name(name: str) -> str:
    return safe(name) if is_source_name(name) else f"^{safe(name)}"
