"""What providers say when they fail: codes, times, and errors that arrive as answers."""

from datetime import datetime, timedelta, timezone

import pytest

from scriptorium_core.problem import Code
from scriptorium_core.writing.faults import (
    Fault,
    cut_short,
    failure_of,
    lacks_form,
    lacks_tools,
    spoken_fault,
)
from scriptorium_core.writing.resets import lifted

NOW = datetime(2026, 11, 30, 18, 30, 0, tzinfo=timezone(timedelta(hours=1)))


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Claude AI usage limit reached|1764570000", Code.MODEL_RATE_LIMIT),
        ("limit reached, resets at 9pm", Code.MODEL_RATE_LIMIT),
        ("5-hour limit reached ∙ resets 9pm", Code.MODEL_RATE_LIMIT),
        ("You've hit your usage limit. Try again in 3 days 4 hours.", Code.MODEL_RATE_LIMIT),
        ("You exceeded your current quota, please check your plan.", Code.MODEL_RATE_LIMIT),
        ("Error: Too many requests", Code.MODEL_RATE_LIMIT),
        ("API Error: 429 {}", Code.MODEL_RATE_LIMIT),
        ("API Error: 529 Overloaded", Code.MODEL_PROVIDER_INTERNAL),
        ("Error code: 500 - internal", Code.MODEL_PROVIDER_INTERNAL),
        ("Internal Server Error", Code.MODEL_PROVIDER_INTERNAL),
        ("Overloaded", Code.MODEL_PROVIDER_INTERNAL),
        ("Invalid API key · Please run /login", Code.MODEL_AUTHENTICATION),
        ("Credit balance is too low", Code.MODEL_AUTHORIZATION),
        ("Prompt is too long", Code.MODEL_CONTEXT_LENGTH),
        ("Request timed out.", Code.MODEL_TIMEOUT),
    ],
)
def test_an_error_that_arrives_as_an_answer_is_a_failure(said: str, code: Code) -> None:
    failed = spoken_fault(said, NOW)
    assert failed is not None
    assert failed.code is code


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Nothing here is worth keeping.",
        "Mara asked whether the rate limit of her server was reached; I keep that she runs one.",
        "The owner has reached the limit of his patience.",
        "I saved that the API error 500 was found by Ines.",
        "Ines was overloaded with work and wants to rest.",
        '{"memory_changes": [], "nothing_to_keep": "limit reached, resets at 9pm"}',
        "The invalid API key that Mara mentioned is no secret.",
        "Limit reached, she said. " + "And then she told the whole story of the trip to Porto. " * 6,
    ],
)
def test_an_answer_that_only_speaks_of_such_things_is_none(said: str) -> None:
    assert spoken_fault(said, NOW) is None


def test_a_limit_in_words_is_waited_for() -> None:
    failed = spoken_fault("limit reached, resets at 9pm", NOW)
    assert failed is not None
    assert failed.until == "2026-11-30T21:00:00+01:00"
    assert failed.retryable


# --- Until when ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "until"),
    [
        ({"retry-after": "90"}, "2026-11-30T18:31:30+01:00"),
        ({"retry-after-ms": "1500"}, "2026-11-30T18:30:02+01:00"),
        ({"retry-after": "Mon, 30 Nov 2026 18:00:00 GMT"}, "2026-11-30T19:00:00+01:00"),
        ({"anthropic-ratelimit-tokens-reset": "2026-11-30T17:45:00Z"}, "2026-11-30T18:45:00+01:00"),
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-11-30T17:31:00Z",
                "anthropic-ratelimit-tokens-remaining": "40000",
                "anthropic-ratelimit-tokens-reset": "2026-11-30T17:59:00Z",
            },
            "2026-11-30T18:31:00+01:00",
        ),
        ({"x-ratelimit-reset-tokens": "6m0s"}, "2026-11-30T18:36:00+01:00"),
        ({"x-ratelimit-reset-requests": "20ms"}, "2026-11-30T18:30:01+01:00"),
        ({"x-ratelimit-reset-requests": "1d2h3m4s"}, "2026-12-01T20:33:04+01:00"),
        ({"x-ratelimit-reset": "1796063400"}, "2026-11-30T19:30:00+01:00"),
        ({"x-ratelimit-reset": "1796063400000"}, "2026-11-30T19:30:00+01:00"),
        ({"retry-after": "10", "x-ratelimit-reset-tokens": "6m0s"}, "2026-11-30T18:30:10+01:00"),
    ],
)
def test_headers_tell_when_a_limit_is_lifted(headers: dict[str, str], until: str) -> None:
    assert lifted(headers, "", NOW) == until


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"retry-after": "soon"},
        {"retry-after": "-5"},
        {"retry-after": "0"},
        {"retry-after": "999999999999"},
        {"retry-after": "Mon, 31 Feb 2026 18:00:00 GMT"},
        {"retry-after": "Mon, 30 Nov 2020 18:00:00 GMT"},
        {"retry-after": "Mon, 30 Nix 2026 18:00:00 GMT"},
        {"x-ratelimit-reset-tokens": "a while"},
        {"anthropic-ratelimit-tokens-reset": "2026-13-45T00:00:00Z"},
        {"x-ratelimit-reset": "999999999999999"},
    ],
)
def test_headers_that_cannot_be_meant_tell_nothing(headers: dict[str, str]) -> None:
    assert lifted(headers, "", NOW) == ""


def test_words_tell_it_where_no_header_does() -> None:
    assert lifted({}, "Please try again in 20s.", NOW) == "2026-11-30T18:30:20+01:00"
    assert lifted({"retry-after": "60"}, "Please try again in 20s.", NOW) == "2026-11-30T18:31:00+01:00"
    assert lifted({}, "Please wait.", NOW) == ""


# --- Codes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault(418), Code.MODEL_INVALID_REQUEST),
        (Fault(504), Code.MODEL_PROVIDER_INTERNAL),
        (Fault(504, "timeout_error"), Code.MODEL_TIMEOUT),
        (Fault(413), Code.MODEL_CONTEXT_LENGTH),
        (Fault(400, "", "Input is too long for requested model"), Code.MODEL_CONTEXT_LENGTH),
        (Fault(500, "", "Requested tokens (4097) exceed context window of 2048"), Code.MODEL_CONTEXT_LENGTH),
        (Fault(401, "", "context window"), Code.MODEL_AUTHENTICATION),
        (Fault(429, "insufficient_quota"), Code.MODEL_RATE_LIMIT),
        (Fault(0, "overloaded_error"), Code.MODEL_PROVIDER_INTERNAL),
        (Fault(0, "transport"), Code.MODEL_TRANSPORT),
        (Fault(), Code.MODEL_FAILURE_UNKNOWN),
    ],
)
def test_the_kind_counts_first_then_the_words_then_the_status(fault: Fault, code: Code) -> None:
    assert failure_of(fault, NOW).code is code


def test_what_a_provider_says_of_a_key_is_not_repeated() -> None:
    failed = failure_of(Fault(401, "", "Incorrect API key provided: sk-live-...zyx"), NOW)
    assert failed.message == "HTTP 401"


def test_what_a_provider_says_is_cut_to_one_line() -> None:
    failed = failure_of(Fault(500, "", "first\n\x1b[31msecond" + "x" * 1000), NOW)
    assert "\n" not in failed.message
    assert "\x1b" not in failed.message
    assert len(failed.message) < 400


@pytest.mark.parametrize("ending", ["", "stop", "end_turn", "tool_calls", "tool_use", "stop_sequence"])
def test_an_answer_that_came_to_its_end_is_whole(ending: str) -> None:
    assert cut_short(ending) is None


@pytest.mark.parametrize(
    ("said", "without_tools"),
    [
        ("tools are not supported by this model", True),
        ("This model does not support function calling", True),
        ("No endpoints found that support tool use", True),
        ("Unsupported parameter: 'tools'", True),
        ("`tool_choice` is not supported for this model", True),
        ("the tool result is too long", False),
        ("model not found", False),
    ],
)
def test_that_a_model_knows_no_tools_is_read_from_the_refusal(said: str, without_tools: bool) -> None:
    assert lacks_tools(Fault(400, "", said)) is without_tools
    assert not lacks_tools(Fault(0, "", said))


def test_another_form_is_asked_for_only_where_that_may_help() -> None:
    assert lacks_form(Fault(400, "", "response_format is not supported"))
    assert lacks_form(Fault(500))
    assert not lacks_form(Fault(401))
    assert not lacks_form(Fault(400, "context_length_exceeded"))
    assert not lacks_form(Fault(529, "overloaded_error"))
