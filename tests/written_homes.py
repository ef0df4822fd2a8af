"""Scripted writers that edit an overlay, and passes with them, for examples."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from scriptorium.conversations.store import open_store
from scriptorium.conversations.unwritten import count_pending
from scriptorium.writer import Answer, Edited, Proposed, Task, Used
from scriptorium_core.changes import CreateRecord
from scriptorium_core.changes.model import Destination, Position, SourceUse
from scriptorium_core.names import TopicPath
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.outcome import Failed, Wrote
from scriptorium_core.writing.tools import Desk, call, desk_for
from small_homes import TALK, listed, opened, talk_of, unsound

__all__ = [
    "TALK_PATH",
    "USED",
    "Scripted",
    "Turn",
    "edited",
    "failed",
    "first",
    "keep",
    "kept",
    "only_block",
    "pending",
    "topic",
    "worked",
    "wrong",
    "wrote",
]

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


# --- Answers and passes -----------------------------------------------------------------------------

TALK_PATH = "topics/talk.md"


def topic(*rows: tuple[str, str], head: str = "# Talk\n") -> str:
    """A topic with a record for each pair of words and a message."""
    parts = [
        f"{words}[^e{n}]\n\n[^e{n}]: Time: `2026-03-01`; Sources: [said]({source})\n"
        for n, (words, source) in enumerate(rows, 1)
    ]
    return "\n".join([head, *parts])


def kept(task: Task) -> Answer:
    """A topic for each batch, with a record for each of its messages."""
    rows = [(f"Message {item.source.rpartition('/')[2]}.", item.source) for item in task.batch]
    name = task.batch[0].source.rpartition("/")[2]
    write: Turn = ("write", {"path": f"topics/{name}.md", "content": topic(*rows)})
    return edited(task, write, summary=f"Keep {name}")


def first(task: Task) -> str:
    """The first message of the batch."""
    return str(task.batch[0].source)


def wrong(task: Task) -> Answer:
    """A topic of which one paragraph cites nothing."""
    return edited(task, ("write", {"path": TALK_PATH, "content": "# Talk\n\nUncited.\n"}))


def pending(home: Path) -> int:
    """How many messages are unwritten."""
    with opened(home / "memory") as memory, open_store(home / "sessions.sqlite3") as store:
        return count_pending(store, talk_of(store), memory.workspace)


def failed(home: Path, writer: Scripted, **more: Any) -> Failed:
    """The failure of a pass that leaves memory and marks as they were."""
    with opened(home / "memory") as memory:
        before = memory.revision
    (outcome,) = listed(home, goal=10_000, writer=writer, **more)
    assert isinstance(outcome, Failed)
    with opened(home / "memory") as memory:
        assert memory.revision == before
    assert pending(home) == len(TALK)
    return outcome


def wrote(home: Path, writer: Scripted, **more: Any) -> Wrote:
    """What one pass wrote, after which nothing waits and nothing is broken."""
    (outcome,) = listed(home, goal=10_000, writer=writer, **more)
    assert isinstance(outcome, Wrote), outcome
    assert pending(home) == 0
    assert list(unsound(home)) == []
    return outcome


def only_block(home: Path) -> str:
    """The id of the one record that a memory holds."""
    with opened(home / "memory") as memory, memory.reading() as (_, base):
        (block,) = base.facts.records
    return block
