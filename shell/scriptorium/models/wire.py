"""The way to a provider: a client of HTTP with a limit for time and size, and what goes wrong on it.

The libraries are told never to try again: whether a pass is tried again is decided elsewhere, and once.
No redirect is followed, so that no key goes to an address that nobody named. The headers in which the
libraries tell of the computer, and those that they take from the environment, are left out.
"""

import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import cast

import httpx2
from attrs import frozen

from scriptorium_core.writing.faults import Fault

from .. import clock
from .providers import Endpoint

__all__ = ["BROKEN", "NO_KEY", "Fields", "client", "fault_of", "fields_of", "number", "unreadable"]

Fields = Mapping[str, object]

BROKEN = (
    *(httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, OSError, ssl.SSLError),
    ImportError,  # the environment names a proxy whose kind needs a package that is not there
)
"""What is raised where the way breaks, or cannot be gone."""

NO_KEY = "none"
"""What is sent as key to a server that needs none; the libraries want one."""

_SENT = frozenset(
    "host accept accept-encoding connection content-type content-length user-agent anthropic-version".split()
) | {"authorization", "x-api-key"}
_KEYS = MappingProxyType({"authorization": "Bearer ", "x-api-key": ""})
_HERE = frozenset({"127.0.0.1", "localhost", "::1"})
_MOST_BYTES = 32_000_000
_CONNECT = 15.0
_SHOWN = 2_000


@frozen
class _Bounded(httpx2.SyncByteStream):
    """The body of an answer that ends with an error when it takes too long or is too large."""

    body: httpx2.SyncByteStream
    until: float
    request: httpx2.Request

    def __iter__(self) -> Iterator[bytes]:
        left = _MOST_BYTES
        for piece in self.body:
            if clock.monotonic() > self.until:
                raise httpx2.ReadTimeout("the answer takes too long", request=self.request)
            left -= len(piece)
            if left < 0:
                raise httpx2.ReadError("the answer is too large", request=self.request)
            yield piece

    def close(self) -> None:
        self.body.close()


def client(endpoint: Endpoint) -> httpx2.Client:
    """A client for one answer, which takes no longer than the endpoint allows."""
    until = clock.monotonic() + endpoint.seconds

    def bounded(response: httpx2.Response) -> None:
        body = response.stream
        if isinstance(body, httpx2.SyncByteStream):
            response.stream = _Bounded(body, until, response.request)

    def bare(request: httpx2.Request) -> None:
        for name in [name for name in request.headers if name not in _SENT]:
            del request.headers[name]
        for name, head in _KEYS.items():
            if name in request.headers:
                request.headers[name] = f"{head}{endpoint.key or NO_KEY}"

    limit = httpx2.Timeout(endpoint.seconds, connect=min(endpoint.seconds, _CONNECT))
    hooks: dict[str, list[Callable[..., object]]] = {"request": [bare], "response": [bounded]}
    abroad = httpx2.URL(endpoint.base_url).host not in _HERE  # a proxy of the environment is for others
    verify = True if abroad else _known()
    return httpx2.Client(
        timeout=limit, event_hooks=hooks, follow_redirects=False, trust_env=abroad, verify=verify
    )


@cache
def _known() -> ssl.SSLContext:
    """What vouches for servers of this computer, read once: that takes longer than most of their answers."""
    return httpx2.create_ssl_context(trust_env=False)


def fault_of(error: Exception, endpoint: Endpoint) -> Fault:
    """What an error of a library, or of the way, means."""
    causes = tuple(_causes(error))
    if any(isinstance(each, httpx2.TimeoutException | TimeoutError) for each in causes):
        return Fault(kind="timeout", text=f"no answer within {endpoint.seconds:g} seconds")
    response = getattr(error, "response", None)
    if isinstance(response, httpx2.Response):
        return _said(error, response, endpoint)
    if any(isinstance(each, BROKEN) for each in causes):
        return Fault(kind="transport", text=_clean(f"{causes[-1]}", endpoint))
    if isinstance(body := getattr(error, "body", None), Mapping):  # an error in the midst of a stream
        fields = fields_of(body)
        return Fault(kind=_clean(_kind(fields), endpoint), text=_clean(_text(fields), endpoint))
    return unreadable(f"{type(error).__name__}: {error}", endpoint)


def unreadable(text: str, endpoint: Endpoint) -> Fault:
    """That what came is no answer in the provider's protocol."""
    return Fault(kind="unreadable", text=_clean(text, endpoint))


def fields_of(value: object) -> Fields:
    """The fields of an object, none where it is something else."""
    return cast(Fields, value) if isinstance(value, Mapping) else {}


def number(value: object) -> int:
    """A count, 0 where it is none."""
    return max(value, 0) if isinstance(value, int) and not isinstance(value, bool) else 0


def _said(error: Exception, response: httpx2.Response, endpoint: Endpoint) -> Fault:
    """What a provider said with its status; the body is an object, a text, or HTML of a proxy."""
    body = fields_of(getattr(error, "body", None))
    fields = fields_of(body.get("error")) or body
    text = _text(fields) or _text(body) or _body(response)
    headers = {name.lower(): value for name, value in response.headers.items()}
    # Anthropic breaks off a stream with an error under the status of the stream.
    status = response.status_code if response.status_code >= 300 else 0
    return Fault(status, _clean(_kind(fields), endpoint), _clean(text, endpoint), headers)


def _kind(fields: Fields) -> str:
    """The first of its names for the error that says more than that it is one."""
    for key in ("code", "type"):
        name = fields.get(key)
        if isinstance(name, str) and name not in ("error", "invalid_request_error", ""):
            return name
    return ""


def _text(fields: Fields) -> str:
    found = fields.get("message") or fields.get("error") or fields.get("detail")
    if isinstance(found, str):
        return found
    return json.dumps(found, ensure_ascii=False, default=str) if found else ""


def _body(response: httpx2.Response) -> str:
    kind = response.headers.get("content-type", "")
    try:
        return "" if "html" in kind else response.text
    except (httpx2.HTTPError, httpx2.StreamError):
        return ""


def _clean(text: str, endpoint: Endpoint) -> str:
    """The text without the key, wherever a server repeats it."""
    return (text.replace(endpoint.key, "[key]") if endpoint.key else text)[:_SHOWN]


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
