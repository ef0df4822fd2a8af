"""Changing memory: structured changes from a file, and the edits of a person."""

import json
from typing import TYPE_CHECKING, Any

import click

from scriptorium_core.problem import Code, Problem

from .door import Door, Stop, said
from .givens import contents
from .lines import few, redacted
from .safe import safe
from .shared import command

if TYPE_CHECKING:
    from scriptorium_core.transaction import Rejected

    from ..workspace import Committed

__all__ = ["request_of"]


@command("change")
@click.argument("file")
def change_command(door: Door, file: str) -> int:
    """Carry out the structured changes of FILE (JSON; - for standard input).

    All of it becomes one commit, or nothing happens and every fault is named. For example:

    \b
    {"sources": [{"label": "new-source-1", "role": "user", "content": "Oats, please."}],
     "memory_changes": [{
       "op": "create_record", "content": "Mara has oats for breakfast.", "time": "2026-05-02",
       "sources": [{"source": "new-source-1", "label": "Mara"}],
       "destination": {"topic_path": "topics/food.md", "headings": ["Food"], "position": "end"}}]}

    The operations are create_record, update_record, delete_record and move_records. Instead of
    memory_changes a request may bring "changes": [{"path", "action": "write" or "delete", "content"}] for
    whole topics, or "patch": a unified diff over topics; "deleted": [ids] names the records that may go.
    """
    request = request_of(file)
    with door.service() as service:
        result = service.change(request)
    return _done(door, result)


@command("adopt")
@click.argument("topics", nargs=-1)
@click.option("--delete", is_flag=True, help="Records that vanished from the texts are deleted.")
def adopt_command(door: Door, topics: tuple[str, ...], delete: bool) -> int:
    """Take in topics that were edited by hand, through the same checks, as one commit.

    Without TOPICS, all that differ from what is committed. What does not pass stays as you wrote it.
    """
    with door.service() as service:
        result = service.adopt(topics or None, delete=delete)
    return _done(door, result)


def request_of(file: str) -> Any:
    """The JSON of a file, or of the standard input (`-`)."""
    try:
        return json.loads(contents(file, "name a file with one JSON object").decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        message, remedy = f"this is not JSON: {error}", "give one JSON object in UTF-8"
        raise Stop((Problem(Code.INVALID_ARGUMENT, message, file, remedy=remedy),)) from error


def _done(door: Door, result: "Committed | Rejected") -> int:
    from scriptorium_core.transaction import Rejected

    if isinstance(result, Rejected):
        raise Stop(result.problems)

    def people() -> str:
        if result.unchanged:
            same = f"nothing differs from what is committed; the memory is at {result.revision[:10]}"
            return "\n".join([same, *(f"  {said(problem)}" for problem in result.problems)])
        report = result.report
        names = ("created", "updated", "superseded", "moved", "deleted", "overruled", "archived")
        lines = [f"committed {result.revision[:10]}: {', '.join(map(safe, report.topics)) or 'no topic'}"]
        lines += [f"  {name} {few(map(safe, ids), 20)}" for name in names if (ids := getattr(report, name))]
        lines += [f"  {words}" for words in redacted(result.redacted)]
        lines += [f"  {said(problem)}" for problem in result.problems]
        lines += [f"  {safe(path)} was edited by hand and is left as it is" for path in result.drafts]
        return "\n".join(lines)

    door.say("change", result, people)
    return 0
