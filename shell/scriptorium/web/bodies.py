"""The body of a request: an object of JSON or a form, bounded in bytes, depth and the time that it takes."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import orjson
from starlette.requests import ClientDisconnect, Request

from .answers import Failure
from .statuses import Fault

__all__ = ["LONGEST", "body_of", "decoded", "form_of"]

LONGEST = 8 * 1024 * 1024
"""Bytes of a body: 64 topics of twice the size at which a topic is cut."""

_DEEPEST = 32
_SECONDS = 30
# What follows on the connection may be the rest of a body that was not read.
_CLOSE = MappingProxyType({"Connection": "close"})


async def body_of(request: Request) -> bytes:
    """The bytes of a body of JSON. Raises Failure for another kind, too many bytes, or too slow ones."""
    return await _body(request, "application/json", "send JSON, with Content-Type: application/json")


async def form_of(request: Request) -> bytes:
    """The bytes of a form of a page; the same is raised."""
    return await _body(request, "application/x-www-form-urlencoded", "send the form as the page does")


async def _body(request: Request, wanted: str, message: str) -> bytes:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != wanted:
        raise Failure(Fault.UNSUPPORTED_MEDIA_TYPE, message, "Content-Type", headers=_CLOSE)
    announced = request.headers.get("content-length", "0")
    if not announced.isascii() or not announced.isdigit() or int(announced[:20]) > LONGEST:
        raise _too_large()
    try:
        async with asyncio.timeout(_SECONDS):
            return await _read(request)
    except TimeoutError as error:
        message = f"the body did not arrive within {_SECONDS} seconds"
        raise Failure(Fault.REQUEST_TIMEOUT, message, headers=_CLOSE) from error
    except ClientDisconnect as error:
        raise Failure(Fault.BAD_REQUEST, "the body ended too early", headers=_CLOSE) from error


def decoded(data: bytes) -> Mapping[str, Any]:
    """The object that a body holds; takes time for a large one. Raises Failure where it holds none."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise Failure(Fault.BAD_REQUEST, f"the body is no JSON: {error}", "body") from error
    if not isinstance(value, dict):
        raise Failure(Fault.BAD_REQUEST, "the body must be an object: {…}", "body")
    if _depth(value) > _DEEPEST:
        raise Failure(Fault.BAD_REQUEST, f"the body is nested deeper than {_DEEPEST} levels", "body")
    return value


async def _read(request: Request) -> bytes:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > LONGEST:
            raise _too_large()
    return bytes(data)


def _too_large() -> Failure:
    message = f"the body is larger than {LONGEST:,} bytes"
    return Failure(Fault.BODY_TOO_LARGE, message, "body", headers=_CLOSE)


def _depth(value: object) -> int:
    """How deep lists and objects are nested, counted no further than is allowed."""
    level, depth = [value], 0
    while level and depth <= _DEEPEST:
        inner = [each for each in level if isinstance(each, dict | list)]
        depth += bool(inner)
        level = [part for each in inner for part in (each.values() if isinstance(each, dict) else each)]
    return depth
