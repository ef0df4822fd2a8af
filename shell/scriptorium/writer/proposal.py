"""What every writer is asked, and what it may answer."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from attrs import frozen

from scriptorium_core.budget import Count
from scriptorium_core.changes import Caller, Change, NewSource
from scriptorium_core.names import TopicPath
from scriptorium_core.problem import Problem
from scriptorium_core.transaction import Snapshot
from scriptorium_core.transaction.staging import Stage
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.outcome import Failed
from scriptorium_core.writing.used import NOTHING_USED, Used

__all__ = [
    "Answer",
    "Edited",
    "NothingProposed",
    "Proposed",
    "Reading",
    "Task",
    "Unable",
    "Used",
    "Writer",
    "quiet",
]

Reading = Callable[[], AbstractContextManager[tuple[str | None, Snapshot]]]
"""A fresh snapshot of the memory; let go of before anything slow is done."""


def quiet(line: str) -> None:
    """Tell nobody how a writer gets on."""
    del line


@frozen
class Proposed:
    """Changes to the memory, the new sources that they bring, and what they are about in a few words."""

    changes: tuple[Change, ...]
    sources: tuple[NewSource, ...] = ()
    summary: str = ""
    used: Used = NOTHING_USED


@frozen
class Edited:
    """What tools or a program made of an overlay; `dropped` is what of it was not taken, and why."""

    stage: Stage
    summary: str = ""
    used: Used = NOTHING_USED
    dropped: tuple[Problem, ...] = ()


@frozen
class NothingProposed:
    """Nothing in the batch is worth keeping, and why."""

    reason: str
    used: Used = NOTHING_USED


@frozen
class Unable:
    """The writer could not do its work."""

    outcome: Failed
    used: Used = NOTHING_USED


Answer = Proposed | Edited | NothingProposed | Unable


@frozen
class Task:
    """What a writer is asked.

    `batch` is what was said, `reading` gives fresh snapshots, `caller` is for whom it writes, `today` is
    `YYYY-MM-DD`. `problems` are those of the first rejection, to be mended on a fresh overlay of HEAD.
    `portion` are the topics that an organizer is shown. `progress` takes one short line at a time for people.
    """

    kind: Literal["write", "organize"]
    batch: tuple[Said, ...]
    reading: Reading
    caller: Caller
    today: str
    count: Count
    problems: tuple[Problem, ...] = ()
    portion: tuple[TopicPath, ...] = ()
    progress: Callable[[str], None] = quiet


class Writer(Protocol):
    """One way of writing; `name` is that of the setting and goes into the commit.

    `prompt` names the prompts that it gives a model with their version, empty for a writer without any.
    """

    @property
    def name(self) -> str:
        """The name of the writer."""
        ...

    @property
    def prompt(self) -> str:
        """The prompts and their version."""
        ...

    def propose(self, task: Task) -> Answer:
        """What should be kept of a batch. The memory is not changed by it."""
        ...
