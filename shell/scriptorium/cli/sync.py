"""The command that meets another copy of the memory."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from .door import Door
from .lines import counted, few
from .safe import one_line, safe
from .shared import command

if TYPE_CHECKING:
    from ..service.syncing import Synced

__all__: list[str] = []


@command("sync")
@click.argument("remote", default="")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and change no memory.")
@click.option("--init", "make", is_flag=True, help="Make a folder that is not there a bare repository first.")
@click.option("--replace", is_flag=True, help="Replace a history that holds what was erased here.")
def sync_command(door: Door, remote: str, dry_run: bool, make: bool, replace: bool) -> int:
    """Take in what another copy of the memory has, and give it what it has not.

    REMOTE is a bare git repository: a folder, an address of file, ssh or https, or a name that git knows
    in the memory directory. Without it the setting `remote` counts. An empty repository becomes a copy; an
    empty memory becomes a copy of the repository.

    Records that one side changed are taken as they are. Where both changed one, both texts stay, side by
    side, until one of them is changed or deleted. What was forgotten on one side stays forgotten. A history
    of another memory, or one that was rewritten, is refused and kept aside; no file is ever replaced by it.

    After an erasure, --replace gives the repository this history in the place of its own, unless commits
    would be lost that are not here. The other copies are then told to erase the same.
    """
    with door.service() as service, door.progress("syncing") as progress:
        done = service.sync(remote, dry_run=dry_run, make=make, replace=replace, progress=progress)
    door.say("synced", done, lambda: "\n".join(_lines(done)))
    return 0


def _lines(done: "Synced") -> Iterator[str]:
    would = "would be " if done.dry_run else ""
    words = {
        "nothing": "nothing new on either side",
        "taken": f"what is new there {would or 'was '}taken in",
        "pushed": f"what is new here {would or 'was '}given to it",
        "replaced": f"its history {would or 'was '}replaced by this one",
        "united": f"both sides {would or 'were '}united",
    }
    at = f" ({done.revision[:10]})" if done.revision and not done.dry_run else ""
    yield f"{one_line(done.remote)}: {words[done.did]}{at}"
    if done.did == "replaced" and not done.dry_run:
        yield "  what nothing names any more lies there until git clears it away (`git gc --prune=now`)"
    for title, ids in (("new", done.created), ("changed", done.updated), ("gone", done.deleted)):
        if ids:
            yield f"  {title}: {few((f'^{safe(block)}' for block in ids), 20)}"
    if done.archived:
        yield f"  {counted(len(done.archived), 'message')} archived"
    for kept, beside in done.alternatives:
        yield f"  two texts of one record: ^{safe(kept)} and ^{safe(beside)}; keep one, or both"
    for path in done.kept:
        yield f"  {one_line(path)} was changed on both sides; that of the older history stands"
    for path in done.drafts:
        yield f"  {one_line(path)} is edited by hand and was left alone"
    if not done.projected:
        yield "  the files could not follow; the next opening ends it"
