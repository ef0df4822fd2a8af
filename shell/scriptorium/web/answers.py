"""The two forms of an answer: an object of JSON, or an error that says what, where and what to do."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from starlette.responses import Response

from scriptorium_core.problem import Problem

from ..plain import error, plain, written
from .statuses import Fault, status_of

__all__ = ["Failure", "failed", "json_answer", "rendered", "said"]


class Failure(Exception):
    """A request ends here with what this door says of it; `problems` say more where there is more."""

    def __init__(
        self,
        fault: Fault,
        message: str,
        path: str = "",
        problems: Sequence[Problem] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.fault, self.message, self.path = fault, message, path
        self.problems, self.headers = tuple(problems), headers


def rendered(answer: Mapping[str, Any]) -> bytes:
    """The bytes of an object; what no UTF-8 can hold is escaped."""
    try:
        return orjson.dumps(answer)
    except TypeError:
        return written(answer, "ascii").encode()


def json_answer(data: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """The response with an object that is rendered already."""
    return Response(data, status, headers, "application/json")


def failed(problems: Sequence[Problem], status: int | None = None) -> Response:
    """The response for what the memory refused: the status of the first problem unless one is given."""
    body = rendered({"ok": False, "error": error(problems)})
    return json_answer(body, status_of(problems[0].code) if status is None else status)


def said(failure: Failure) -> Response:
    """The response for what this door refused."""
    told = {
        "code": str(failure.fault),
        "message": failure.message,
        "path": failure.path,
        "problems": plain(failure.problems),
    }
    return json_answer(rendered({"ok": False, "error": told}), status_of(failure.fault), failure.headers)
