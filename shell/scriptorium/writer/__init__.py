"""Writers: what turns the unwritten part of a conversation into committed records."""

from .asking import Pass
from .passes import write_session
from .proposal import Answer, Edited, NothingProposed, Proposed, Task, Unable, Used, Writer

__all__ = [
    "Answer",
    "Edited",
    "NothingProposed",
    "Pass",
    "Proposed",
    "Task",
    "Unable",
    "Used",
    "Writer",
    "write_session",
]
