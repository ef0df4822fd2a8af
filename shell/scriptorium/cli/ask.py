"""Asking memory a question."""

from typing import TYPE_CHECKING

import click

from scriptorium_core.topics.standing import LEAST

from .door import Door
from .lines import counted, prose
from .safe import one_line, safe
from .shared import CURRENT, SURE, command
from .shown import brief
from .worded import unicode_of

if TYPE_CHECKING:
    from ..service.asked import Answered, AskedRecord

__all__: list[str] = []


@command("ask")
@click.argument("question")
@click.option("--keep", is_flag=True, help="Keep what a model answers, as an unverified record.")
@click.option("--no-model", is_flag=True, help="Let no model answer, also if one is set.")
@click.option("--semantic", is_flag=True, help="Know questions that are alike: loads a model of meanings.")
@click.option("--budget", type=click.IntRange(1), help="How many tokens at most (default: by the settings).")
@click.option("--scope", default="", help="Only what holds in this project directory.")
@click.option("--current", is_flag=True, help=CURRENT)
@click.option("--least", default=LEAST, show_default=True, type=click.FloatRange(0, 1), help=SURE)
def ask_command(
    door: Door,
    question: str,
    keep: bool,
    no_model: bool,
    semantic: bool,
    budget: int | None,
    scope: str,
    current: bool,
    least: float,
) -> int:
    """Answer QUESTION out of memory, and say whether the answer may be relied on.

    A record that carries the very question answers it, or one whose question is alike; "what do you know
    about X" lists what there is. Else what bears on it is given, and the model of the settings answers out of
    that.

    A person sees the answer and the records behind it. What goes along with it for a model, with the turns
    that are cited, is `text` with --json, and what `context` prints.
    """
    unicode_of(question, "question")
    with door.service() as service:
        service.by_meaning = True if semantic else service.by_meaning
        found = service.ask(
            question,
            budget,
            scope=scope,
            current_required=current,
            least=least,
            keep=keep,
            model=not no_model,
        )
    door.notices(found.notices)
    door.say("answered", found, lambda: _people(found))
    return 0


def _people(found: "Answered") -> str:
    reasons = f": {', '.join(found.reasons)}" if found.reasons else ""
    way = "" if found.way == "none" else f" ({found.way})"
    lines = [f"{found.decision}{way}{reasons}"]
    lines += [one_line(f"{found.failure.code}: {found.failure.message}")] if found.failure is not None else []
    listed = not found.answer or found.way == "broad-subject"  # the records themselves are the answer
    lines += ["", safe(found.answer).rstrip()] if not listed else []
    lines += _words(found.records) if listed else ["", *map(_record, found.records)]
    if found.rivals:
        names = ", ".join(f"^{safe(name)}" for name in found.rivals)
        lines.append(f"{counted(len(found.rivals), 'record')} carry this question: {names}")
    lines += [f"kept as ^{safe(found.kept)}, unverified"] if found.kept else []
    if found.decision == "miss" and found.left_out:
        left = counted(len(found.left_out), "record")
        lines.append(f"{left} left out: `scriptorium context … --why` says why")
    return "\n".join(lines)


def _words(records: "tuple[AskedRecord, ...]") -> list[str]:
    """Records with what they say, each apart from the others."""
    lines: list[str] = []
    for record in records:
        words = [prose(brief(record.content, record.id))] if record.content else []
        lines += ["", *words, f"  {_record(record)}" if words else _record(record)]
    return lines


def _record(record: "AskedRecord") -> str:
    held = record.assessment
    reasons = f"; {held.decision}: {', '.join(held.reasons)}" if held.reasons else ""
    return f"^{safe(record.id)} {one_line(record.path)}, {held.state} {held.confidence:g}{reasons}"
