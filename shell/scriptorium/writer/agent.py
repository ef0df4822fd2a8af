"""The writer that is the agent at hand: it takes a batch under a lease, and hands in what it made of it.

No model is called here. A pass only says that batches wait for an agent. To topics is done what is safe
without a model.
"""

from attrs import frozen

from scriptorium_core.problem import Code
from scriptorium_core.writing.offering import versions
from scriptorium_core.writing.outcome import fail

from .extractive import Extractive
from .proposal import Answer, Task, Unable

__all__ = ["Agent"]


@frozen
class Agent:
    """Whoever is connected and takes a batch."""

    name: str = "agent"

    @property
    def prompt(self) -> str:
        """The version of what an agent is given to read."""
        return versions()

    def propose(self, task: Task) -> Answer:
        """Nothing for what was said: that is handed in; to topics, what is safe without a model."""
        if task.kind == "organize":
            return Extractive().propose(task)
        message = "the writer agent is not asked: an agent takes a batch and hands it in"
        return Unable(fail(Code.WRITER_PRECONDITION_FAILED, message))
