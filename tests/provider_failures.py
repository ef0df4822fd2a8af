"""Every way in which a provider, or the way to it, fails a writer: what is sent, and the code it ends in."""

from collections.abc import Sequence

from attrs import frozen

from provider_server import Answer
from scriptorium_core.problem import Code
from wire_formats import FORMATS, Called, Format, error, events

__all__ = ["FAILURES", "Failure", "of_openai"]

ANTHROPIC, OPENAI, LLAMACPP, OLLAMA, VLLM = FORMATS


@frozen
class Failure:
    """What a server of a format answers, the code, and a part of the message; settings beside the usual."""

    name: str
    form: Format
    answers: Sequence[Answer]
    code: Code
    told: str = ""
    mode: str = "tools"
    timeout: int = 20
    max_turns: int = 24


def _of_anthropic(kind: str, message: str) -> object:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_011"}


def of_openai(message: str, kind: str = "invalid_request_error", code: str | None = None) -> object:
    """An error as OpenAI writes it."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _of_vllm(message: str, status: int) -> object:
    return {"object": "error", "message": message, "type": "BadRequestError", "param": None, "code": status}


def _html(status: int) -> Answer:
    page = b"<html><head><title>502 Bad Gateway</title></head><body><hr>nginx</body></html>"
    return Answer((page,), status, "text/html")


def _in_the_midst(form: Format, *, breaks: bool) -> Answer:
    whole = form.say("I keep that Mara prefers tea.", Called("list", {"prefix": "topics/"}))
    return Answer(whole.pieces[:-6], breaks=breaks)


_SAID_LIMIT = "Claude usage limit reached. Your limit will reset at 9pm."
_OVERLOADED = _of_anthropic("overloaded_error", "Overloaded")
_LONG = "This model's maximum context length is 8192 tokens. However, you requested 9211 tokens."

FAILURES = (
    # Who may not ask
    Failure(
        "401 of Anthropic",
        ANTHROPIC,
        [error(401, _of_anthropic("authentication_error", "invalid x-api-key"))],
        Code.MODEL_AUTHENTICATION,
        "HTTP 401",
    ),
    Failure(
        "401 of OpenAI",
        OPENAI,
        [
            error(
                401,
                of_openai(
                    "Incorrect API key provided: sk-live-51TESTkey0987654321zyx.", code="invalid_api_key"
                ),
            )
        ],
        Code.MODEL_AUTHENTICATION,
        "HTTP 401",
    ),
    Failure(
        "403",
        ANTHROPIC,
        [error(403, _of_anthropic("permission_error", "Your key may not use claude-x"))],
        Code.MODEL_AUTHORIZATION,
        "may not use claude-x",
    ),
    Failure(
        "credit used up",
        ANTHROPIC,
        [
            error(
                400,
                _of_anthropic("invalid_request_error", "Your credit balance is too low to access the API"),
            )
        ],
        Code.MODEL_AUTHORIZATION,
        "credit balance",
    ),
    Failure(
        "402",
        LLAMACPP,
        [error(402, {"error": {"message": "Insufficient credits", "code": 402}})],
        Code.MODEL_AUTHORIZATION,
        "Insufficient credits",
    ),
    # How much may be asked
    Failure(
        "429 of Anthropic",
        ANTHROPIC,
        [error(429, _of_anthropic("rate_limit_error", "over the limit"), {"retry-after": "90"})],
        Code.MODEL_RATE_LIMIT,
        "over the limit",
    ),
    Failure(
        "429 of OpenAI",
        OPENAI,
        [
            error(
                429,
                of_openai("Rate limit reached. Please try again in 6m0s.", "tokens", "rate_limit_exceeded"),
                {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"},
            )
        ],
        Code.MODEL_RATE_LIMIT,
        "Rate limit reached",
    ),
    Failure("429 in HTML", OPENAI, [_html(429)], Code.MODEL_RATE_LIMIT, "HTTP 429"),
    Failure(
        "a limit in words", ANTHROPIC, [ANTHROPIC.say(_SAID_LIMIT)], Code.MODEL_RATE_LIMIT, "reset at 9pm"
    ),
    Failure(
        "a limit in words instead of JSON",
        OLLAMA,
        [OLLAMA.say(_SAID_LIMIT)],
        Code.MODEL_RATE_LIMIT,
        "reset at 9pm",
        mode="schema",
    ),
    # What is asked
    Failure(
        "400",
        OPENAI,
        [error(400, of_openai("Unknown parameter: 'strange'.", code="unknown_parameter"))],
        Code.MODEL_INVALID_REQUEST,
        "Unknown parameter",
    ),
    Failure(
        "404",
        OLLAMA,
        [error(404, of_openai('model "qwen" not found, try pulling it first', "not_found_error"))],
        Code.MODEL_INVALID_REQUEST,
        "not found",
    ),
    Failure(
        "a redirect",
        ANTHROPIC,
        [Answer((), 302, "text/html", {"location": "http://127.0.0.1:9/v1"})],
        Code.MODEL_INVALID_REQUEST,
        "HTTP 302",
    ),
    Failure(
        "too long for OpenAI",
        OPENAI,
        [error(400, of_openai(_LONG, code="context_length_exceeded"))],
        Code.MODEL_CONTEXT_LENGTH,
        "8192 tokens",
    ),
    Failure(
        "too long for vLLM",
        VLLM,
        [error(400, _of_vllm(_LONG, 400))],
        Code.MODEL_CONTEXT_LENGTH,
        "8192 tokens",
    ),
    Failure(
        "too long for Anthropic",
        ANTHROPIC,
        [
            error(
                400,
                _of_anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
            )
        ],
        Code.MODEL_CONTEXT_LENGTH,
        "prompt is too long",
    ),
    Failure(
        "too long for llama.cpp",
        LLAMACPP,
        [
            error(
                400,
                {
                    "error": {
                        "code": 400,
                        "message": "the request exceeds the available context size",
                        "type": "exceed_context_size_error",
                    }
                },
            )
        ],
        Code.MODEL_CONTEXT_LENGTH,
        "available context size",
    ),
    Failure(
        "the window is full",
        ANTHROPIC,
        [ANTHROPIC.say("I", ending="model_context_window_exceeded")],
        Code.MODEL_CONTEXT_LENGTH,
    ),
    # The provider's own faults
    Failure(
        "500",
        OPENAI,
        [error(500, of_openai("The server had an error", "server_error"))],
        Code.MODEL_PROVIDER_INTERNAL,
        "HTTP 500",
    ),
    Failure("502 in HTML", VLLM, [_html(502)], Code.MODEL_PROVIDER_INTERNAL, "HTTP 502"),
    Failure(
        "503 while loading",
        LLAMACPP,
        [error(503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}})],
        Code.MODEL_PROVIDER_INTERNAL,
        "Loading model",
    ),
    Failure("529", ANTHROPIC, [error(529, _OVERLOADED)], Code.MODEL_PROVIDER_INTERNAL, "Overloaded"),
    Failure(
        "overloaded in the midst",
        ANTHROPIC,
        [
            Answer(
                (*ANTHROPIC.say("I keep that Mara prefers tea.").pieces[:4], *events(("error", _OVERLOADED)))
            )
        ],
        Code.MODEL_PROVIDER_INTERNAL,
        "Overloaded",
    ),
    Failure(
        "an error in the midst",
        OPENAI,
        [
            Answer(
                (
                    *OPENAI.say("I keep that Mara prefers tea.").pieces[:4],
                    b'data: {"error": {"message": "engine died", "type": "server_error"}}\n\n',
                )
            )
        ],
        Code.MODEL_PROVIDER_INTERNAL,
        "engine died",
    ),
    Failure(
        "an error in words",
        LLAMACPP,
        [LLAMACPP.say("API Error: 529 overloaded")],
        Code.MODEL_PROVIDER_INTERNAL,
    ),
    # The way
    Failure(
        "no answer in time",
        OPENAI,
        [Answer((b": wait\n\n",), pause=30)],
        Code.MODEL_TIMEOUT,
        "1 seconds",
        timeout=1,
    ),
    Failure(
        "an answer that drips",
        ANTHROPIC,
        [Answer((b": wait\n\n",) * 400, pause=0.1)],
        Code.MODEL_TIMEOUT,
        "1 seconds",
        timeout=1,
    ),
    Failure("408", OPENAI, [error(408, {})], Code.MODEL_TIMEOUT),
    Failure(
        "reset in the midst, Anthropic",
        ANTHROPIC,
        [_in_the_midst(ANTHROPIC, breaks=True)],
        Code.MODEL_TRANSPORT,
    ),
    Failure("reset in the midst, OpenAI", OPENAI, [_in_the_midst(OPENAI, breaks=True)], Code.MODEL_TRANSPORT),
    Failure(
        "closed in the midst, Anthropic",
        ANTHROPIC,
        [_in_the_midst(ANTHROPIC, breaks=False)],
        Code.MODEL_TRANSPORT,
    ),
    Failure(
        "closed in the midst, OpenAI", OPENAI, [_in_the_midst(OPENAI, breaks=False)], Code.MODEL_TRANSPORT
    ),
    # What cannot be read
    Failure(
        "JSON that is cut off, OpenAI",
        OPENAI,
        [Answer((b'data: {"choices": [{"del\n\n',))],
        Code.MODEL_FAILURE_UNKNOWN,
    ),
    Failure(
        "JSON that is cut off, Anthropic",
        ANTHROPIC,
        [Answer((b'event: message_start\ndata: {"type": "mes\n\n',))],
        Code.MODEL_FAILURE_UNKNOWN,
    ),
    Failure("a page of HTML", OPENAI, [_html(200)], Code.MODEL_FAILURE_UNKNOWN),
    Failure("nothing at all, OpenAI", OPENAI, [Answer()], Code.MODEL_FAILURE_UNKNOWN),
    Failure("nothing at all, Anthropic", ANTHROPIC, [Answer()], Code.MODEL_FAILURE_UNKNOWN),
    Failure(
        "JSON of another shape",
        OPENAI,
        [Answer((b"data: [1, 2]\n\n", b'data: {"choices": 7}\n\n'))],
        Code.MODEL_FAILURE_UNKNOWN,
    ),
)
"""One row a failure; a server goes on with its last answer."""
