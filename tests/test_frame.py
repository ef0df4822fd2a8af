"""Examples of single frames: their bytes, their labels, their coded header lines, what cannot be written."""

import base64
import json

import pytest

from scriptorium_core.names import SourceId
from scriptorium_core.problem import Code
from scriptorium_core.sources.frame import (
    Frame,
    Provenance,
    Tier,
    Trust,
    encode_frame,
    frame_problems,
    label,
    record_of,
)
from scriptorium_core.sources.header import (
    parse_provenance,
    parse_speaker,
    promoted_token,
    provenance_token,
    speaker_token,
)

M2 = SourceId("chat/s1/m2")
OWNER = Provenance("owner/install/01", "human", Tier.OWNER, Trust.TRUSTED)


def frame(content: str = "the text, verbatim", **further: object) -> Frame:
    return Frame(M2, "user", content, **further)  # type: ignore[arg-type]


def coded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def test_a_frame_is_written_as_the_format_shows_it() -> None:
    said = frame(at="2026-04-22T10:21:00+02:00", speaker_id="4402", speaker_name="Bo", provenance=OWNER)
    assert encode_frame(said) == (
        '<a id="source-3a024923909aea2f"></a>\n'
        "<!-- source-id:chat/s1/m2 -->\n"
        "<!-- speaker-id:4402 -->\n"
        "<!-- source-meta:eyJhdXRob3JpdHlfdGllciI6Im93bmVyIiwicHJpbmNpcGFsX2lkIjoib3duZXIvaW5zdGFsbC8wMSIs"
        "InNwZWFrZXJfa2luZCI6Imh1bWFuIiwidHJ1c3Rfc3RhdGUiOiJ0cnVzdGVkIiwidmVyc2lvbiI6MX0 -->\n"
        "<!-- record-lines:1 -->\n"
        "[2026-04-22T10:21:00+02:00] Bo (4402): the text, verbatim\n"
    )


def test_nobody_known_and_no_time_leave_their_lines_out() -> None:
    assert encode_frame(frame()).split("\n")[2:] == [
        "<!-- record-lines:1 -->",
        "[] user: the text, verbatim",
        "",
    ]


def test_a_display_name_alone_writes_an_empty_speaker_id() -> None:
    assert "<!-- speaker-id: -->\n" in encode_frame(frame(speaker_name="Bo"))


@pytest.mark.parametrize(
    ("name", "speaker", "expected"),
    [
        ("Bo", "4402", "Bo (4402)"),
        ("Bo", None, "Bo"),
        ("", "4402", "4402"),
        ("", None, "user"),
        (" Bo:\n [x]\t", "", "Bo： (x)"),
        ("N\x00UL\u200b\u2028two", None, "NUL two"),
        ("x" * 100, "y" * 100, "x" * 64 + " (" + "y" * 64 + ")"),
        ("\x00 \x00", "\x00", "user"),
    ],
)
def test_a_label_is_safe_inside_the_record_line(name: str, speaker: str | None, expected: str) -> None:
    assert label(frame(speaker_name=name, speaker_id=speaker)) == expected


def test_a_frame_without_even_a_role_is_said_by_unknown() -> None:
    assert record_of(Frame(M2, " ", "x")) == "[] unknown: x"


def test_record_lines_counts_lf_only() -> None:
    text = "a\r\nb\rc\u2028d\x85e\n"
    assert "<!-- record-lines:3 -->\n[] user: a\r\nb\rc\u2028d\x85e\n\n" in encode_frame(frame(text))


@pytest.mark.parametrize("speaker", ["owner/local", "a-b", "--", "~_.", "名", "a b%", ""])
def test_a_speaker_id_comes_back_and_holds_no_dash(speaker: str) -> None:
    assert "-" not in speaker_token(speaker)
    assert parse_speaker(speaker_token(speaker)) == speaker


@pytest.mark.parametrize("token", ["a-b", "%2d", "%41", "%", "%ff", "a b", "名", "\ud800"])
def test_a_speaker_id_in_another_than_its_one_form_is_malformed(token: str) -> None:
    assert parse_speaker(token) is None


def test_a_provenance_comes_back() -> None:
    pending = Provenance("名", "human", None, Trust.PENDING)
    assert parse_provenance(provenance_token(pending)) == pending
    assert parse_provenance(provenance_token(OWNER)) == OWNER


def test_blank_names_in_a_provenance_are_written_as_unknown() -> None:
    assert parse_provenance(provenance_token(Provenance("", ""))) == Provenance()


FIELDS = {"version": 1, "trust_state": "trusted", "speaker_kind": "human", "principal_id": "p"}


@pytest.mark.parametrize(
    ("further", "tier"),
    [
        ({}, None),
        ({"authority_tier": None, "later": [1]}, None),
        ({"authority_tier": "paired"}, Tier.PAIRED),
        ({"origin_scope": {"origin": "local-owner", "capabilities": []}}, Tier.OWNER),
        ({"origin_scope": {"origin": "legacy-unknown"}}, None),
        ({"origin_scope": "local-owner"}, None),
        ({"origin_scope": {"origin": "local-owner"}, "authority_tier": None}, None),
    ],
)
def test_older_and_newer_metadata_is_read(further: dict[str, object], tier: Tier | None) -> None:
    assert parse_provenance(coded({**FIELDS, **further})) == Provenance("p", "human", tier, Trust.TRUSTED)


@pytest.mark.parametrize(
    "token",
    [
        "",
        "e",
        "e30=",
        "e30+",
        "{}",
        coded([]),
        coded(None),
        coded({}),
        coded({**FIELDS, "version": 2}),
        coded({**FIELDS, "trust_state": "perhaps"}),
        coded({**FIELDS, "trust_state": ["trusted"]}),
        coded({**FIELDS, "authority_tier": "king"}),
        coded({**FIELDS, "authority_tier": {}}),
        coded({**FIELDS, "principal_id": None}),
        coded({**FIELDS, "speaker_kind": 1}),
        coded({**FIELDS, "principal_id": "\ud800"}),
        base64.urlsafe_b64encode(b"\xff\xfe").decode().rstrip("="),
        base64.urlsafe_b64encode(json.dumps(FIELDS).encode("utf-16")).decode().rstrip("="),
        base64.urlsafe_b64encode(b"[" * 100_000).decode().rstrip("="),
        base64.urlsafe_b64encode(b'{"version":' + b"1" * 5_000 + b"}").decode().rstrip("="),
    ],
)
def test_malformed_metadata_is_none(token: str) -> None:
    assert parse_provenance(token) is None


def test_raising_the_trust_of_a_token_keeps_its_other_keys() -> None:
    older = {**FIELDS, "trust_state": "pending", "origin_scope": {"origin": "x"}}
    raised = promoted_token(coded(older))
    assert json.loads(base64.urlsafe_b64decode(raised + "==")) == {**older, "trust_state": "trusted"}


def test_all_that_cannot_be_written_is_said_at_once() -> None:
    bad = Frame(SourceId("no-id"), "user", "\ud800", "[2026]", "\udfff", "", Provenance("\ud800", "\ud800"))
    problems = frame_problems(bad)
    assert [problem.code for problem in problems] == [Code.INVALID_ARGUMENT] * 3
    assert "content, speaker id, principal, speaker kind" in problems[2].message
    assert all(problem.remedy for problem in problems)


@pytest.mark.parametrize("at", ["2026\n", "]", "a[b"])
def test_a_time_that_would_break_the_record_line_is_refused(at: str) -> None:
    assert [problem.code for problem in frame_problems(frame(at=at))] == [Code.INVALID_ARGUMENT]


def test_a_frame_in_order_has_no_problems() -> None:
    assert frame_problems(frame(at="2026-04-22", provenance=OWNER)) == ()
