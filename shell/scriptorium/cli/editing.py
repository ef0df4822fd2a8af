"""Editing a topic in one's own editor, and going back: restore and undo."""

import sys
from typing import TYPE_CHECKING

import click

from scriptorium_core.problem import Code, Problem

from .door import Door, Stop, said
from .lines import few, record_lines
from .safe import safe
from .shared import command
from .streams import err

if TYPE_CHECKING:
    from scriptorium_core.transaction import Rejected

    from ..service.editing import Draft, Editing
    from ..workspace import Committed

__all__: list[str] = []


@command("edit")
@click.argument("topic")
@click.option("--delete", is_flag=True, help="Records that vanish from the text are deleted, unasked.")
@click.option("--fresh", is_flag=True, help="Begin with what is committed, not with a draft that was kept.")
def edit_command(door: Door, topic: str, delete: bool, fresh: bool) -> int:
    """Edit TOPIC in $VISUAL or $EDITOR, as a draft that is committed if it passes the checks.

    A draft that is rejected is kept, and the next edit takes it up. A topic that is not there yet is made.
    """
    with door.service() as service:
        editing = service.edit(topic, fresh=fresh)
        _begun(door, editing.draft)
        _edit(editing.draft)
        return _done(door, editing.finish(delete or _confirmed(door, editing)))


@command("restore")
@click.argument("names", nargs=-1, required=True, metavar="ID…|TOPIC")
@click.option("--from", "since", required=True, metavar="REVISION", help="HEAD~2, a commit, or a date.")
@click.option("--delete", is_flag=True, help="Let go of the records that a topic got since.")
def restore_command(door: Door, names: tuple[str, ...], since: str, delete: bool) -> int:
    """Bring back records (^id), or a whole topic, as they were at an earlier revision.

    It becomes a new commit, through the same checks. What was forgotten does not come back.
    """
    with door.service() as service:
        return _done(door, service.restore(names, since, delete=delete))


@command("undo")
@click.argument("commit")
def undo_command(door: Door, commit: str) -> int:
    """Take back what COMMIT did to topics, as a new commit.

    Later changes stay. Where they meet those of the commit, nothing happens and each place is named.
    Archived messages are never removed.
    """
    with door.service() as service:
        return _done(door, service.undo(commit))


def _begun(door: Door, draft: "Draft") -> None:
    """What the person should know before the editor opens."""
    if door.json:
        return
    if draft.taken_up:
        more = ", with what was committed since" if draft.merged else ""
        err(f"note: the draft that was kept is taken up{more}")
    if draft.aside is not None:
        err(f"note: the draft that was kept is now in {safe(str(draft.aside))}")


def _edit(draft: "Draft") -> None:
    try:
        click.edit(filename=str(draft.path))
    except click.ClickException as error:
        message, remedy = error.format_message(), "set $EDITOR to an editor that waits until you are done"
        problem = Problem(Code.INVALID_ARGUMENT, message, str(draft.path), remedy=remedy)
        raise Stop((problem,)) from error


def _confirmed(door: Door, editing: "Editing") -> bool:
    """Whether a person says that the records which vanished are to be deleted."""
    lost = editing.vanished()
    if not lost or door.json or not sys.stdin.isatty():
        return False
    err("these records are not in the text any more:")
    err("\n".join(map(record_lines, lost)))
    return click.confirm("delete them?", err=True)


def _done(door: Door, result: "Committed | Rejected") -> int:
    from scriptorium_core.transaction import Rejected

    if isinstance(result, Rejected):
        raise Stop(result.problems)

    def people() -> str:
        if result.unchanged:
            return f"nothing differs from what is committed; the memory is at {result.revision[:10]}"
        report = result.report
        lines = [f"committed {result.revision[:10]}: {', '.join(map(safe, report.topics)) or 'no topic'}"]
        for name in ("created", "updated", "superseded", "moved", "deleted"):
            if ids := getattr(report, name):
                lines.append(f"  {name} {few(map(safe, ids), 20)}")
        return "\n".join(lines + [f"  {said(problem)}" for problem in result.problems])

    door.say("change", result, people)
    return 0
