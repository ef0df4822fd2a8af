"""The exit codes and what they mean."""

from types import MappingProxyType

__all__ = [
    "AGAIN",
    "DISK",
    "FAULT",
    "FOUND",
    "INTERRUPTED",
    "MEANINGS",
    "MISSING",
    "MODEL",
    "OK",
    "REJECTED",
    "USAGE",
]

OK, FOUND, USAGE, REJECTED, MISSING, AGAIN, DISK, MODEL = range(8)
FAULT = 70
INTERRUPTED = 130

MEANINGS = MappingProxyType(
    {
        OK: "done; a search that finds nothing says why",
        FOUND: "verify found problems",
        USAGE: "the command or its input is not of the right form",
        REJECTED: "the change was rejected; nothing was changed",
        MISSING: "there is no such record, topic, message, conversation, memory, secret or token",
        AGAIN: "somebody else is writing, or has changed the same; try again",
        DISK: "the disk or the git repository does not let us",
        MODEL: "the writer or its model failed",
        FAULT: "a fault of the program; please report it",
        INTERRUPTED: "interrupted; what was committed stays",
    }
)
