"""Which code of a problem gives which exit code: the one table of this door."""

from types import MappingProxyType

from scriptorium_core.problem import Code

from .endings import AGAIN, DISK, FOUND, MISSING, MODEL, REJECTED, USAGE

__all__ = ["EXITS", "exit_of"]

_OF: MappingProxyType[int, tuple[Code, ...]] = MappingProxyType(
    {
        FOUND: (
            Code.VIEW_STALE,
            Code.INDEX_STALE,
            Code.HISTORY_DAMAGED,
            Code.SECRET_FOUND,
            Code.SEAL_BROKEN,
        ),
        USAGE: (Code.INVALID_ARGUMENT, Code.PATH_OUTSIDE_WORKSPACE, Code.MISSING_SESSION_ID),
        REJECTED: (
            Code.INVALID_TOPIC_FORMAT,
            Code.MISSING_SOURCE,
            Code.SOURCE_PENDING,
            Code.SOURCES_CHANGED,
            Code.BLOCK_LOST,
            Code.LINK_DANGLING,
            Code.PATCH_CONFLICT,
            Code.APPEND_ONLY_REQUIRED,
            Code.NOT_PERMITTED,
            Code.TOO_MANY_DELETIONS,
            Code.COMMIT_REJECTED,
            Code.DRAFT_IN_THE_WAY,
            Code.READ_ONLY_PATH,
            Code.KEY_UNAVAILABLE,
        ),
        MISSING: (Code.MEMORY_NOT_FOUND, Code.FORGOTTEN, Code.SESSION_NODES_UNAVAILABLE),
        AGAIN: (Code.CONCURRENT_UPDATE,),
        DISK: (Code.GIT_UNAVAILABLE, Code.GIT_COMMIT_FAILED, Code.DISK_FAILED, Code.STORAGE_FAILED),
        MODEL: (
            Code.EMBEDDING_UNAVAILABLE,
            Code.WRITER_NO_PROGRESS,
            Code.WRITER_PRECONDITION_FAILED,
            Code.WRITER_FAILURE_UNKNOWN,
            *(code for code in Code if code.startswith("MODEL_")),
        ),
    }
)

EXITS = MappingProxyType({code: number for number, codes in _OF.items() for code in codes})


def exit_of(code: Code) -> int:
    """The exit code of a problem's code."""
    return EXITS[code]
