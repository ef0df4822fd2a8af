"""The doctor: what is wrong, what could be better, and the mending of what follows from the commits."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .door import Door, said
from .lines import counted, few, mark
from .safe import safe
from .shared import command

if TYPE_CHECKING:
    from ..service.doctor import Diagnosis

__all__: list[str] = []


@command("doctor")
@click.option(
    "--repair",
    is_flag=True,
    help="Make projections and indexes anew; topics, evidence and drafts are never touched.",
)
@click.option("--history", is_flag=True, help="Look for secrets in every commit too.")
@click.option(
    "--secrets",
    is_flag=True,
    help="Look for secrets everywhere: commits, drafts, indexes, conversations, traces, logs.",
)
@click.option(
    "--also",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="With --secrets, look into this file or folder too, as a tape; may be repeated.",
)
def doctor_command(door: Door, repair: bool, history: bool, secrets: bool, also: tuple[Path, ...]) -> int:
    """Verify the whole directory, and say what could be better and what to do about it.

    A secret is named by its kind and its place, never by what it is, with the command that takes it away.
    With --repair, --secrets puts placeholders into the session store and the traces.
    """
    with door.service() as service, door.progress("examining") as progress:
        found = service.doctor(repair, progress, history=history, secrets=secrets, also=also)
    wrong = [each.problem for each in found.proof.findings if each.level == "problem"]
    door.say("doctor", found, lambda: "\n".join(_told(found)), [*wrong, *found.failed])
    return 0 if found.holds else 1


def _told(found: "Diagnosis") -> Iterator[str]:
    for each in found.mended:
        where = f" ({few(map(safe, each.paths))})" if each.paths else ""
        yield f"mended  {each.what}: {safe(each.message)}{where}"
    for problem in found.failed:
        yield f"✗ not mended: {said(problem)}"
    for finding in found.proof.findings:
        yield f"{mark(finding.level != 'problem')} {said(finding.problem)}"
    for advice in found.advice:
        place = f" {safe(advice.path)}:" if advice.path else ""
        yield f"· {advice.about}:{place} {safe(advice.message)} ({safe(advice.remedy)})"
    seen = found.proof.counted
    word = "nothing is broken" if found.holds else "there are problems"
    yield f"{word}: {counted(seen.records, 'record')}, {counted(seen.sources, 'message')}"
    yield "sizes: " + ", ".join(f"{name} {_bytes(size)}" for name, size in found.sizes.items() if size)


def _bytes(size: int) -> str:
    return f"{size / 1024:,.0f} KiB" if size < 1024 * 1024 else f"{size / 1024 / 1024:,.1f} MiB"
