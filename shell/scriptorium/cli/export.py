"""The command that writes memory as plain files."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .door import Door
from .lines import counted
from .safe import one_line, safe
from .shared import command

if TYPE_CHECKING:
    from ..service.exporting import Exported

__all__: list[str] = []


@command("export")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--at", default="", metavar="REVISION", help="As of then: a date, HEAD~2, or a commit's id.")
@click.option("--topic", default="", help="Only topics whose path begins so, with the archives they cite.")
def export_command(door: Door, path: Path, at: str, topic: str) -> int:
    """Write memory as plain files to PATH, which must not be there yet (an empty folder may).

    \b
    scriptorium export notes          a folder: topics, sources and views
    scriptorium export notes.zip      the same in a zip
    scriptorium export notes.jsonl    a line a record, with the turns that it cites

    Another ending is refused. A folder, opened as a memory, is one with the same records. Views go along
    with the whole memory alone. In lines, what waits for consent is left out; what was forgotten is left out
    everywhere. The place gets all of it at the end, or nothing.
    """
    with door.service() as service, door.progress("exporting") as progress:
        done = service.export(path.expanduser(), at=at, topic=topic, progress=progress)
    door.say("exported", done, lambda: "\n".join(_people(done)))
    return 0


def _people(done: "Exported") -> Iterator[str]:
    kinds = ((done.topics, "topic"), (done.sources, "file of sources"), (done.views, "view"))
    what = ", ".join(_counted(number, one) for number, one in kinds if number)
    held = counted(done.records, "record") if done.form == "jsonl" else what or "nothing"
    yield f"{one_line(safe(str(done.path)))}: {held} of {done.revision[:10]}"
    if done.pending:
        why = "what they rest on waits for consent, or is not there"
        yield f"  {counted(done.pending, 'record')} left out: {why}"
    if done.forgotten:
        yield f"  {counted(done.forgotten, 'message')} left out that were forgotten"


def _counted(number: int, one: str) -> str:
    return counted(number, one, "files of sources" if one.startswith("file") else "")
