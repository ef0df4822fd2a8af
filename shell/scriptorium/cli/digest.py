"""What each topic is about, in one line for people."""

import click

from .door import Door
from .lines import counted
from .safe import one_line, safe
from .shared import command

__all__: list[str] = []


@command("digest")
@click.argument("prefix", default="")
def digest_command(door: Door, prefix: str) -> int:
    """Say in one line what each topic is about: all of them, or those whose path begins with PREFIX.

    It is made anew each time, of the first words of the newest records, and is nothing to cite.
    """
    with door.service() as service:
        found = service.digest(prefix)

    def people() -> str:
        lines = []
        for each in found:
            dates = f", {each.first} to {each.last}" if each.first else ""
            lines.append(f"{safe(each.path)}  {counted(each.records, 'record')}{dates}")
            lines.append(f"  {one_line(each.line)}")
        return "\n".join(lines) or "there is no topic yet"

    door.say("topics", found, people)
    return 0
