"""Writers that organize as they are told, and what the examples about organizing share."""

from collections.abc import Callable, Iterator

from attrs import define, field

from scriptorium.organizer import Asking, Portion
from scriptorium.workspace import Memory
from scriptorium.writer import Answer, NothingProposed, Task
from scriptorium.writer.extractive import Extractive
from scriptorium_core.names import TopicPath
from scriptorium_core.writing.outcome import Outcome
from small_homes import count, create, request
from small_memory import sure

__all__ = ["BO", "KEYS", "Scripted", "asking", "made", "nothing", "only", "outcomes"]

KEYS, BO = TopicPath("topics/keys.md"), TopicPath("topics/bo.md")


@define
class Scripted:
    """A writer that answers as it is told, and remembers what it was asked."""

    answer: Callable[[Task], Answer]
    name: str = "scripted"
    prompt: str = "organize/1"
    asked: list[Task] = field(factory=list[Task])

    def propose(self, task: Task) -> Answer:
        self.asked.append(task)
        return self.answer(task)


def made(memory: Memory, *contents: str, topic: str = KEYS, says: str = "I said so.") -> tuple[str, ...]:
    return sure(memory.update(request(*(create(each, topic) for each in contents), says=says))).report.created


def asking(memory: Memory, answer: Callable[[Task], Answer] | None = None, goal: int = 100_000) -> Asking:
    return Asking(memory, Scripted(answer) if answer else Extractive(), count, goal)


def nothing(task: Task) -> Answer:
    return NothingProposed(f"{task.portion[0]} is in order")


def outcomes(portions: Iterator[Portion]) -> list[Outcome]:
    return [portion.outcome for portion in portions]


def only(portions: Iterator[Portion]) -> Outcome:
    (outcome,) = outcomes(portions)
    return outcome
