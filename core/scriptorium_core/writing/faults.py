"""What went wrong at a provider of models, as the failure of a pass.

A provider says so by an HTTP status, by a kind of its own (`overloaded_error`, `context_length_exceeded`) or
in words, each in other places; the kind is believed first, then the words where they alone tell one refusal
from another, then the status. Nothing here holds a key: whoever makes a `Fault` has taken it out.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from attrs import field, frozen

from ..problem import Code
from .outcome import Failed, fail
from .resets import lifted

__all__ = ["Fault", "cut_short", "failure_of", "lacks_form", "lacks_tools", "spoken_fault"]


@frozen
class Fault:
    """What came instead of an answer: the `status` of HTTP (0: none), and its `kind` in some words.

    The kind is the provider's, or of ours: `timeout`, `transport` (no connection, or one that broke),
    `unreadable` (no answer of its protocol). `headers` are those of the answer, in lower case.
    """

    status: int = 0
    kind: str = ""
    text: str = ""
    headers: Mapping[str, str] = field(factory=dict[str, str], hash=False)


_MOST = 300
_KINDS: Mapping[str, Code] = MappingProxyType(
    {
        "timeout": Code.MODEL_TIMEOUT,
        "transport": Code.MODEL_TRANSPORT,
        "unreadable": Code.MODEL_FAILURE_UNKNOWN,
        # Anthropic
        "authentication_error": Code.MODEL_AUTHENTICATION,
        "billing_error": Code.MODEL_AUTHORIZATION,
        "permission_error": Code.MODEL_AUTHORIZATION,
        "not_found_error": Code.MODEL_INVALID_REQUEST,
        "request_too_large": Code.MODEL_CONTEXT_LENGTH,
        "rate_limit_error": Code.MODEL_RATE_LIMIT,
        "overloaded_error": Code.MODEL_PROVIDER_INTERNAL,
        "api_error": Code.MODEL_PROVIDER_INTERNAL,
        "timeout_error": Code.MODEL_TIMEOUT,
        # OpenAI, and servers that speak as it does
        "invalid_api_key": Code.MODEL_AUTHENTICATION,
        "insufficient_quota": Code.MODEL_RATE_LIMIT,
        "rate_limit_exceeded": Code.MODEL_RATE_LIMIT,
        "context_length_exceeded": Code.MODEL_CONTEXT_LENGTH,
        "exceed_context_size_error": Code.MODEL_CONTEXT_LENGTH,
        "model_not_found": Code.MODEL_INVALID_REQUEST,
        "content_filter": Code.MODEL_CONTENT_POLICY,
        "content_policy_violation": Code.MODEL_CONTENT_POLICY,
        "server_error": Code.MODEL_PROVIDER_INTERNAL,
        "unavailable_error": Code.MODEL_PROVIDER_INTERNAL,
    }
)
_STATUSES: Mapping[int, Code] = MappingProxyType(
    {
        401: Code.MODEL_AUTHENTICATION,
        402: Code.MODEL_AUTHORIZATION,
        403: Code.MODEL_AUTHORIZATION,
        408: Code.MODEL_TIMEOUT,
        413: Code.MODEL_CONTEXT_LENGTH,
        429: Code.MODEL_RATE_LIMIT,
    }
)
_REFUSED = frozenset([400, 413, 422, 500])
_LONG = re.compile(
    r"prompt is too long|context (?:length|window|size)|maximum context|input is too long"
    r"|too many (?:input )?tokens|exceeds? the (?:available )?context",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"content (?:management )?policy|content[ _-]filter|usage polic|safety (?:system|filter)", re.IGNORECASE
)
_UNPAID = re.compile(r"credit balance is too low|insufficient (?:credits|balance|funds)", re.IGNORECASE)
_NO_TOOLS = re.compile(
    r"(?:does not|doesn't|do not|not) support (?:\w+ ){0,2}(?:tools?\b|function)"
    r"|(?:tools?|tool[ _]use|tool[ _]choice|tool calling|function calling)"
    r"[\w \"'`]{0,30}(?:not|un)[ -]?support"
    r"|support tool use|requires? --(?:jinja|enable-auto-tool-choice)"
    r"|unsupported (?:parameter|argument)\W+tools",
    re.IGNORECASE,
)
_ENDINGS: Mapping[str, Code] = MappingProxyType(
    {
        "length": Code.MODEL_TRUNCATED,
        "max_tokens": Code.MODEL_TRUNCATED,
        "refusal": Code.MODEL_CONTENT_POLICY,
        "content_filter": Code.MODEL_CONTENT_POLICY,
        "model_context_window_exceeded": Code.MODEL_CONTEXT_LENGTH,
    }
)

# An answer that is nothing but a provider's error: how it begins, all in all short.
_SHORT = 240
_LIMIT = (
    r"(?:[\w-]+ ){0,4}limit (?:has been |was |is )?(?:reached|exceeded|hit)\b"
    r"|you(?:'ve|’ve| have) (?:hit|reached|exceeded) your (?:[\w-]+ ){0,4}(?:limit|quota)\b"
    r"|(?:rate limited|too many requests|quota exceeded|you exceeded your current quota)\b"
)
_SPOKEN: tuple[tuple[re.Pattern[str], Code], ...] = tuple(
    (re.compile(rf"\W{{0,3}}(?:(?:api )?error\W{{1,3}})?(?:{words})", re.IGNORECASE), code)
    for words, code in (
        (_LIMIT, Code.MODEL_RATE_LIMIT),
        (
            r"(?:invalid|incorrect) api[ -]key|please run /login|not logged in\b|authentication_error\b",
            Code.MODEL_AUTHENTICATION,
        ),
        (r"(?:your )?credit balance is too low", Code.MODEL_AUTHORIZATION),
        (r"prompt is too long|context[ _]length[ _]exceeded", Code.MODEL_CONTEXT_LENGTH),
        (
            r"internal server error|service (?:is )?(?:temporarily )?unavailable|bad gateway"
            r"|overloaded(?:_error)?\W*$|the (?:model|server|engine) is (?:currently )?overloaded",
            Code.MODEL_PROVIDER_INTERNAL,
        ),
        (r"(?:request|gateway) timed? ?out", Code.MODEL_TIMEOUT),
    )
)
_STATUS_SAID = re.compile(
    r"\W{0,3}(?:api error|error(?: code)?)\W{1,3}(?:http )?([345]\d\d)\b", re.IGNORECASE
)


def failure_of(fault: Fault, now: datetime) -> Failed:
    """The failure of the pass; for a limit, with the time at which it is lifted if the provider tells it."""
    code = _code(fault)
    until = lifted(fault.headers, fault.text, now) if code is Code.MODEL_RATE_LIMIT else ""
    # A provider repeats a key that it refuses, or parts of it.
    said = "" if code is Code.MODEL_AUTHENTICATION else _line(fault.text)
    status = f"HTTP {fault.status}" if fault.status >= 300 else ""
    message = ": ".join(part for part in (status, said) if part)
    return fail(code, message or _line(fault.kind) or "the provider said nothing", until=until)


def cut_short(ending: str) -> Failed | None:
    """The failure that the provider's word for the end of an answer stands for; None if it is whole."""
    code = _ENDINGS.get(ending)
    return None if code is None else fail(code, f"the model ended its answer with {ending!r}")


def spoken_fault(text: str, now: datetime) -> Failed | None:
    """The failure that an answer stands for which is a provider's error in plain words.

    Only a short answer that begins with such an error is taken for one; never ask it of one that calls.
    """
    said = text.strip()
    if not said or len(said) > _SHORT:
        return None
    status = _STATUS_SAID.match(said)
    code = _code(Fault(int(status[1]), "", said)) if status else None
    code = code or next((code for pattern, code in _SPOKEN if pattern.match(said)), None)
    if code is None:
        return None
    until = lifted({}, said, now) if code is Code.MODEL_RATE_LIMIT else ""
    return fail(code, f"instead of an answer came: {_line(said)}", until=until)


def lacks_tools(fault: Fault) -> bool:
    """Whether the request failed because the model, or how it is served, knows no tools."""
    return fault.status >= 400 and _NO_TOOLS.search(fault.text) is not None


def lacks_form(fault: Fault) -> bool:
    """Whether another form of the answer may do: the request as such was refused, or broke the server."""
    return fault.status in (400, 422, 500, 501) and _code(fault) in (
        Code.MODEL_INVALID_REQUEST,
        Code.MODEL_PROVIDER_INTERNAL,
    )


def _code(fault: Fault) -> Code:
    if (known := _KINDS.get(fault.kind)) is not None:
        return known
    if fault.status in _REFUSED:
        for pattern, code in (
            (_LONG, Code.MODEL_CONTEXT_LENGTH),
            (_POLICY, Code.MODEL_CONTENT_POLICY),
            (_UNPAID, Code.MODEL_AUTHORIZATION),
        ):
            if pattern.search(fault.text):
                return code
    if fault.status in _STATUSES:
        return _STATUSES[fault.status]
    if fault.status >= 500:
        return Code.MODEL_PROVIDER_INTERNAL
    return Code.MODEL_INVALID_REQUEST if fault.status >= 300 else Code.MODEL_FAILURE_UNKNOWN


def _line(text: str) -> str:
    """What a provider said on one line, of a length that can be shown."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _MOST else f"{line[: _MOST - 1]}…"
