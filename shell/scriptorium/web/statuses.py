"""Which code gives which status of HTTP: the one table of this door."""

from enum import StrEnum
from types import MappingProxyType

from scriptorium_core.problem import Code

__all__ = ["STATUSES", "Fault", "status_of"]


class Fault(StrEnum):
    """What only this door has to say, because it is about the request and not about memory."""

    BAD_REQUEST = "BAD_REQUEST"
    UNAUTHORIZED = "UNAUTHORIZED"
    ORIGIN_NOT_ALLOWED = "ORIGIN_NOT_ALLOWED"
    NO_SUCH_ROUTE = "NO_SUCH_ROUTE"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    REQUEST_TIMEOUT = "REQUEST_TIMEOUT"
    BODY_TOO_LARGE = "BODY_TOO_LARGE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    HOST_NOT_ALLOWED = "HOST_NOT_ALLOWED"
    PRECONDITION_REQUIRED = "PRECONDITION_REQUIRED"
    PROGRAM_FAULT = "PROGRAM_FAULT"
    MEMORY_DISABLED = "MEMORY_DISABLED"
    BUSY = "BUSY"


# One status stands in no table: 412, where what a request named in If-Match has changed, whatever the code.
_OF: MappingProxyType[int, tuple[Code | Fault, ...]] = MappingProxyType(
    {
        400: (
            Fault.BAD_REQUEST,
            Code.INVALID_ARGUMENT,
            Code.INVALID_TOPIC_FORMAT,
            Code.PATH_OUTSIDE_WORKSPACE,
            Code.MISSING_SOURCE,
            Code.SOURCE_PENDING,
            Code.SOURCES_CHANGED,
            Code.BLOCK_LOST,
            Code.LINK_DANGLING,
            Code.PATCH_CONFLICT,
            Code.TOO_MANY_DELETIONS,
            Code.COMMIT_REJECTED,
            Code.MISSING_SESSION_ID,
            Code.SECRET_FOUND,
        ),
        401: (Fault.UNAUTHORIZED,),
        403: (
            Fault.ORIGIN_NOT_ALLOWED,
            Code.NOT_PERMITTED,
            Code.APPEND_ONLY_REQUIRED,
            Code.READ_ONLY_PATH,
            Code.KEY_UNAVAILABLE,
        ),
        404: (Fault.NO_SUCH_ROUTE, Code.MEMORY_NOT_FOUND, Code.SESSION_NODES_UNAVAILABLE),
        405: (Fault.METHOD_NOT_ALLOWED,),
        408: (Fault.REQUEST_TIMEOUT,),
        409: (Code.CONCURRENT_UPDATE, Code.DRAFT_IN_THE_WAY),
        410: (Code.FORGOTTEN,),
        413: (Fault.BODY_TOO_LARGE,),
        415: (Fault.UNSUPPORTED_MEDIA_TYPE,),
        421: (Fault.HOST_NOT_ALLOWED,),
        428: (Fault.PRECONDITION_REQUIRED,),
        500: (Fault.PROGRAM_FAULT,),
        502: (
            Code.EMBEDDING_UNAVAILABLE,
            Code.WRITER_NO_PROGRESS,
            Code.WRITER_PRECONDITION_FAILED,
            Code.WRITER_FAILURE_UNKNOWN,
            *(code for code in Code if code.startswith("MODEL_")),
        ),
        503: (
            Fault.MEMORY_DISABLED,
            Fault.BUSY,
            Code.GIT_UNAVAILABLE,
            Code.GIT_COMMIT_FAILED,
            Code.DISK_FAILED,
            Code.VIEW_STALE,
            Code.INDEX_STALE,
            Code.HISTORY_DAMAGED,
            Code.SEAL_BROKEN,
            Code.STORAGE_FAILED,
        ),
    }
)

STATUSES = MappingProxyType({str(code): status for status, codes in _OF.items() for code in codes})


def status_of(code: Code | Fault) -> int:
    """The status of a code."""
    return STATUSES[code]
