"""Finding exact text."""

from typing import TYPE_CHECKING

import click

from .door import Door
from .safe import one_line, safe
from .shared import command

if TYPE_CHECKING:
    from ..service.lines import TextLine

__all__: list[str] = []


@command("grep")
@click.argument("text")
@click.option("--topic", default="", help="Only topics whose path begins so (people, trips/lima).")
@click.option("-i", "--ignore-case", is_flag=True, help="Case does not matter.")
@click.option(
    "-n", "--limit", default=50, show_default=True, type=click.IntRange(1, 1000), help="How many lines."
)
def grep_command(door: Door, text: str, topic: str, ignore_case: bool, limit: int) -> int:
    """Find the lines of topics in which TEXT stands, letter by letter, without what is held.

    TEXT is taken as it is: no sign in it has a meaning of its own.
    """
    with door.service() as service, door.progress("looking") as progress:
        found = service.grep(text, topic=topic, ignore_case=ignore_case, limit=limit, progress=progress)

    def people() -> str:
        lines = [f"{safe(hit.path)}:{hit.line}: {one_line(hit.text)}{_record(hit)}" for hit in found.hits]
        more = ["… and more; give --limit, or a rarer text"] if found.more else []
        return "\n".join([*lines, *more]) or "nothing found"

    door.say("grep", found, people)
    return 0


def _record(hit: "TextLine") -> str:
    """The record that a line is of, unless the line says so itself, and what stands against it."""
    from scriptorium_core.knowledge.gate import marks

    found = hit.assessment
    doubts = f" [{'; '.join(marks(found))}]" if found is not None and found.is_doubted else ""
    if hit.evidence_of:
        return f"  evidence of ^{hit.evidence_of}"
    says_so = not hit.record or f"^{hit.record}" in hit.text.split()
    return f"{'' if says_so else f'  ^{hit.record}'}{doubts}"
