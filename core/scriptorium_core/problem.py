"""What is wrong with an input, as a value: a closed code, a place, and what to do about it."""

from enum import StrEnum
from typing import NamedTuple

__all__ = ["Code", "Problem", "render_problem", "within"]


class Code(StrEnum):
    """The closed list of codes; doors map each to their own words exactly once."""

    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    INVALID_TOPIC_FORMAT = "INVALID_TOPIC_FORMAT"
    CONCURRENT_UPDATE = "CONCURRENT_UPDATE"
    PATH_OUTSIDE_WORKSPACE = "PATH_OUTSIDE_WORKSPACE"
    READ_ONLY_PATH = "READ_ONLY_PATH"
    MEMORY_NOT_FOUND = "MEMORY_NOT_FOUND"
    MISSING_SOURCE = "MISSING_SOURCE"
    SOURCE_PENDING = "SOURCE_PENDING"
    SOURCES_CHANGED = "SOURCES_CHANGED"
    BLOCK_LOST = "BLOCK_LOST"
    LINK_DANGLING = "LINK_DANGLING"
    PATCH_CONFLICT = "PATCH_CONFLICT"
    APPEND_ONLY_REQUIRED = "APPEND_ONLY_REQUIRED"
    NOT_PERMITTED = "NOT_PERMITTED"
    FORGOTTEN = "FORGOTTEN"
    TOO_MANY_DELETIONS = "TOO_MANY_DELETIONS"
    DRAFT_IN_THE_WAY = "DRAFT_IN_THE_WAY"
    GIT_UNAVAILABLE = "GIT_UNAVAILABLE"
    GIT_COMMIT_FAILED = "GIT_COMMIT_FAILED"
    DISK_FAILED = "DISK_FAILED"
    EMBEDDING_UNAVAILABLE = "EMBEDDING_UNAVAILABLE"
    COMMIT_REJECTED = "COMMIT_REJECTED"
    # Of a pass over conversations.
    MISSING_SESSION_ID = "MISSING_SESSION_ID"
    SESSION_NODES_UNAVAILABLE = "SESSION_NODES_UNAVAILABLE"
    WRITER_NO_PROGRESS = "WRITER_NO_PROGRESS"
    WRITER_PRECONDITION_FAILED = "WRITER_PRECONDITION_FAILED"
    MODEL_TRANSPORT = "MODEL_TRANSPORT"
    MODEL_RATE_LIMIT = "MODEL_RATE_LIMIT"
    MODEL_PROVIDER_INTERNAL = "MODEL_PROVIDER_INTERNAL"
    MODEL_AUTHENTICATION = "MODEL_AUTHENTICATION"
    MODEL_AUTHORIZATION = "MODEL_AUTHORIZATION"
    MODEL_INVALID_REQUEST = "MODEL_INVALID_REQUEST"
    MODEL_CONTEXT_LENGTH = "MODEL_CONTEXT_LENGTH"
    MODEL_CONTENT_POLICY = "MODEL_CONTENT_POLICY"
    MODEL_TIMEOUT = "MODEL_TIMEOUT"
    MODEL_TRUNCATED = "MODEL_TRUNCATED"
    MODEL_FAILURE_UNKNOWN = "MODEL_FAILURE_UNKNOWN"
    WRITER_FAILURE_UNKNOWN = "WRITER_FAILURE_UNKNOWN"
    # Of a proof of the whole directory.
    VIEW_STALE = "VIEW_STALE"
    INDEX_STALE = "INDEX_STALE"
    HISTORY_DAMAGED = "HISTORY_DAMAGED"
    SECRET_FOUND = "SECRET_FOUND"
    # Of a sealed library and its keys.
    SEAL_BROKEN = "SEAL_BROKEN"
    KEY_UNAVAILABLE = "KEY_UNAVAILABLE"
    STORAGE_FAILED = "STORAGE_FAILED"


class Problem(NamedTuple):
    """One fault of an input.

    `path` is a file relative to the memory directory, or a place inside a request
    (`memory_changes[3].destination`); `line` counts from 1, and 0 means the whole of it;
    `remedy` says what the caller can do.
    """

    code: Code
    message: str
    path: str = ""
    line: int = 0
    remedy: str = ""


def within(problem: Problem, prefix: str) -> Problem:
    """The same problem, its place put inside `prefix` (`[2].time` in `memory_changes`)."""
    if not problem.path:
        return problem._replace(path=prefix)
    joint = "" if problem.path.startswith("[") else "."
    return problem._replace(path=f"{prefix}{joint}{problem.path}")


def render_problem(problem: Problem) -> str:
    """One line for people: `CODE place:line: message. Remedy`."""
    place = problem.path + (f":{problem.line}" if problem.line else "")
    head = f"{problem.code} {place}: " if place else f"{problem.code}: "
    tail = f" ({problem.remedy})" if problem.remedy else ""
    return head + problem.message + tail
