"""Scripted writers that edit an overlay, for examples of passes."""

from collections.abc import Callable, Sequence

from attrs import field, frozen

from scriptorium.writer import Answer, Edited, Proposed, Task, Used
from scriptorium_core.changes import CreateRecord
from scriptorium_core.changes.model import Destination, Position, SourceUse
from scriptorium_core.names import TopicPath
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.tools import Desk, call, desk_for

__all__ = ["USED", "Scripted", "Turn", "edited", "keep", "worked"]

Turn = tuple[str, dict[str, object]]
"""A call of a tool: its name and arguments."""

USED = Used("scripted-1", 1200, 340, 3, 0.02)


@frozen
class Scripted:
    """A writer that answers each task by the next of its answers, and remembers the tasks."""

    answers: Sequence[Callable[[Task], Answer]]
    asked: list[Task] = field(factory=list)
    name: str = "scripted"
    prompt: str = "write/1-00000000"

    def propose(self, task: Task) -> Answer:
        """The next answer; the last one again and again."""
        self.asked.append(task)
        return self.answers[min(len(self.asked), len(self.answers)) - 1](task)


def worked(task: Task, *turns: Turn) -> Desk:
    """The desk after some calls of tools; each must come to something."""
    with task.reading() as (_, base):
        desk = desk_for(base, task.caller, task.today, task.batch)
        for name, arguments in turns:
            desk, told = call(desk, name, arguments)
            assert not desk.refused, told
    return desk


def edited(task: Task, *turns: Turn, summary: str = "Keep it") -> Edited:
    """What comes of some calls of tools."""
    return Edited(worked(task, *turns).stage, summary, USED)


def keep(batch: Sequence[Said]) -> Proposed:
    """A record for each message, as operations."""
    place = Destination(TopicPath("topics/talk.md"), ("Talk",), Position.END)
    return Proposed(
        tuple(
            CreateRecord(
                f"Message {item.source.rpartition('/')[2]}.",
                item.when,
                (SourceUse(item.source, "said"),),
                place,
            )
            for item in batch
        )
    )
