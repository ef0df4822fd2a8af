"""Examples of what providers and programs say when they do not answer."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from scriptorium_core.problem import Code
from scriptorium_core.writing.complaints import Complaint, complaint, waits_until

NOW = datetime(2026, 4, 3, 14, 0, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Invalid API key · Please run /login", Code.MODEL_AUTHENTICATION),
        ("Not logged in · Please run /login", Code.MODEL_AUTHENTICATION),
        ("exceeded retry limit, last status: 401 Unauthorized", Code.MODEL_AUTHENTICATION),
        ("Please set an Auth method in your settings.json", Code.MODEL_AUTHENTICATION),
        ('API Error: 403 {"error":{"type":"forbidden"}}', Code.MODEL_AUTHORIZATION),
        ("API Error: 500 Internal server error", Code.MODEL_PROVIDER_INTERNAL),
        ('{"type":"overloaded_error"}', Code.MODEL_PROVIDER_INTERNAL),
        ("Prompt is too long", Code.MODEL_CONTEXT_LENGTH),
        ("API Error: violates our Usage Policy", Code.MODEL_CONTENT_POLICY),
        ("The model `gpt-9` does not exist", Code.MODEL_INVALID_REQUEST),
        ("connect ECONNREFUSED 127.0.0.1:11434", Code.MODEL_TRANSPORT),
        ("stream disconnected before completion", Code.MODEL_TRANSPORT),
        ("Request timed out.", Code.MODEL_TIMEOUT),
        ("error: unexpected argument '--ephemeral' found", Code.WRITER_PRECONDITION_FAILED),
    ],
)
def test_a_complaint_has_its_code(text: str, code: Code) -> None:
    assert complaint(text, NOW) == Complaint(code)


@pytest.mark.parametrize(
    ("text", "until"),
    [
        (
            "Claude usage limit reached. Your limit will reset at 9pm (Europe/Bucharest).",
            "2026-04-03T21:00:00+02:00",
        ),
        ("You've hit your limit · resets 9pm (Europe/Berlin)", "2026-04-03T21:00:00+02:00"),
        ("5-hour limit reached ∙ resets 1:30pm", "2026-04-04T13:30:00+02:00"),
        ("You've hit your usage limit. Upgrade, or try again at 6:44 PM.", "2026-04-03T18:44:00+02:00"),
        ("You've hit your usage limit. Try again in 2 days 3 hours 5 minutes.", "2026-04-05T17:05:00+02:00"),
        ("Claude AI usage limit reached|1775232000", "2026-04-03T18:00:00+02:00"),
        ('{"type":"usage_limit_reached","resets_in_seconds":60}', "2026-04-03T14:01:00+02:00"),
        ("Rate limit reached. Please try again in 20s.", "2026-04-03T14:00:20+02:00"),
        (
            "You have reached your API usage limits. You will regain access on 2026-04-05 at 00:00 UTC.",
            "2026-04-05T00:00:00+00:00",
        ),
        ("weekly limit reached, resets Apr 7, 9am", "2026-04-07T09:00:00+02:00"),
        ("429 Too Many Requests", ""),
        ("rate limit reached, resets at 31pm", ""),
    ],
)
def test_a_limit_says_until_when(text: str, until: str) -> None:
    assert complaint(text, NOW) == Complaint(Code.MODEL_RATE_LIMIT, until)


def test_a_time_that_has_passed_or_is_far_away_is_none() -> None:
    assert waits_until("limit reached|1275232000", NOW) == ""
    assert waits_until("retry-after: 99999999999", NOW) == ""
    assert waits_until("resets at 12:30 UTC", NOW) == datetime(2026, 4, 3, 12, 30, tzinfo=UTC).isoformat()


def test_what_complains_of_nothing_has_no_code() -> None:
    assert complaint("I have written three records about the trip to Lisbon.", NOW) is None
    assert complaint("", NOW) is None


@pytest.mark.parametrize(
    "text",
    ["try again at 2026-13-45T10:00:00Z", "resets at 25:00", "resets May 99, 9am", "try again at 13pm"],
)
def test_a_time_that_no_clock_shows_puts_nobody_off(text: str) -> None:
    assert waits_until(text, NOW) == ""


def test_a_day_of_the_year_that_is_over_is_that_of_the_next_year() -> None:
    assert (
        waits_until("resets Apr 5, 9am", datetime(2026, 4, 3, 14, 0, tzinfo=UTC))
        == "2026-04-05T09:00:00+00:00"
    )
    late = datetime(2026, 12, 31, 14, 0, tzinfo=UTC)
    assert waits_until("resets Jan 2, 9am", late) == "2027-01-02T09:00:00+00:00"
