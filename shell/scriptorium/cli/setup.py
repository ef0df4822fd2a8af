"""Choosing what writes memory: what is there, what it would cost, and the settings for it."""

import sys
from typing import TYPE_CHECKING

import click

from .door import Door
from .lines import table
from .safe import one_line, safe
from .shared import command
from .streams import out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..service.choosing import Choice

__all__: list[str] = []


@command("setup")
@click.option("--writer", metavar="NAME", help="Choose this one of those that are found, or `agent`.")
@click.option("--model", default="", metavar="NAME", help="With this model.")
@click.option("--yes", is_flag=True, help="Choose the first that is found, and ask nothing.")
def setup_command(door: Door, writer: str | None, model: str, yes: bool) -> int:
    """Find what could write memory here, and write the choice into settings.toml.

    Looks for servers on this computer (Ollama, llama.cpp, vLLM, LM Studio), programs (claude, codex, gemini,
    opencode) and keys by the names of their variables; a key is neither read nor stored. What stands in
    settings.toml stays. Without a choice nothing is changed.

    With --json: `found`, and what was `chosen`, null if nothing was.
    """
    from ..service.choosing import named

    with door.service() as service:
        found = service.choices()
        name = writer or (found[0].name if yes else "")
        if not name and not door.json and sys.stdin.isatty():
            out(_listed(found))
            name = click.prompt("which one", type=click.Choice([each.name for each in found]))
        if not name:
            hint = "choose one: `scriptorium setup --writer NAME`"
            told = {"found": found, "chosen": None, "settings": None}
            door.say("setup", told, lambda: f"{_listed(found)}\n\n{hint}")
            return 0
        chosen = named(found, name, model)
        path = service.settle(chosen)
    lines = _chosen(chosen, str(path))
    door.say("setup", {"found": found, "chosen": chosen, "settings": path}, lambda: "\n".join(lines))
    return 0


def _listed(found: "Sequence[Choice]") -> str:
    rows = [("writer", "what is there", "cost")]
    rows += [(each.name, one_line(each.found), each.pays) for each in found]
    nothing = "" if len(found) > 1 else "\nno model was found: no server here, no program, no key"
    return table(rows) + nothing


def _chosen(chosen: "Choice", path: str) -> list[str]:
    """What will happen from now on."""
    model = f", with {one_line(chosen.model)}" if chosen.model else ""
    lines = [f"{safe(path)}: {chosen.name} writes from now on{model}"]
    if chosen.writer == "extractive":
        lines.append("no model is asked: what people said is kept word for word, and nothing is summed up")
    else:
        lines.append(f"cost: {chosen.pays}")
    if chosen.goes_to:
        lines.append(f"what was said in the batches goes to {chosen.goes_to}; secrets are taken out before")
    lines.append("see what waits, and what it takes: `scriptorium write --all --force --estimate`")
    lines.append("nothing is written before `scriptorium write`, `scriptorium keep` or a hook says so")
    return lines
