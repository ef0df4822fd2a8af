"""A batch as a writer sees it."""

import json

import pytest

from demo_play import batches, whole
from scriptorium_core.names import NodeId, SessionId, SourceId
from scriptorium_core.sources.frame import Branch, Context, Frame, Origin, Provenance, Tier, Trust
from scriptorium_core.when import When
from scriptorium_core.writing.batch import Said, batch_key, render_batch, said_in

OWNERS = Provenance("p", "owner", Tier.OWNER, Trust.TRUSTED)


def said(text: str, at: str = "", branch: Branch = "live", source: str = "chat/s1/m1") -> Said:
    return Said(SourceId(source), "Mara", Origin.HUMAN, text, at, branch=branch)


def context(origin: Origin = Origin.HUMAN) -> Context:
    return Context(SourceId("chat/s1/m1"), origin, SessionId("s1"), NodeId("m1"))


def test_messages_are_json_lines_under_the_headings_of_their_days() -> None:
    items = [said("one", "2026-03-02T09:00"), said("two", "2026-03-02T10:00"), said("three", "2026-03-03")]
    assert render_batch(items) == (
        '## 2026-03-02\n\n{"ref": "chat/s1/m1", "speaker": "Mara", "content": "one"}\n'
        '{"ref": "chat/s1/m1", "speaker": "Mara", "content": "two"}\n\n'
        '## 2026-03-03\n\n{"ref": "chat/s1/m1", "speaker": "Mara", "content": "three"}\n'
    )


def test_an_abandoned_branch_and_an_unknown_day_have_headings_of_their_own() -> None:
    text = render_batch([said("a"), said("b", branch="abandoned")])
    assert [line for line in text.split("\n") if line.startswith("#")] == [
        "## undated",
        "## undated, abandoned branch",
    ]


def test_no_batch_is_no_text() -> None:
    assert render_batch([]) == ""


@pytest.mark.parametrize(
    "text", ["a\u2028b", "a\u2029b", "a\x85b", "## 2026-03-02\n\n```", '"}\n{"ref": "x"']
)
def test_a_line_is_a_line_whatever_the_content_holds(text: str) -> None:
    lines = render_batch([said(text)]).splitlines()
    assert len(lines) == 3
    assert json.loads(lines[2])["content"] == text


@pytest.mark.parametrize(
    ("frame", "origin", "speaker"),
    [
        (Frame(SourceId("chat/s1/m1"), "user", "x", provenance=OWNERS), Origin.HUMAN, "Owner"),
        (Frame(SourceId("chat/s1/m1"), "user", "x"), Origin.HUMAN, "user"),
        (Frame(SourceId("chat/s1/m1"), "assistant", "x", provenance=OWNERS), Origin.ASSISTANT, "assistant"),
        (Frame(SourceId("chat/s1/m1"), "user", "x", speaker_id="4402"), Origin.HUMAN, "4402"),
        (
            Frame(SourceId("chat/s1/m1"), "user", "x", speaker_id="4402", speaker_name="Bo"),
            Origin.HUMAN,
            "Bo",
        ),
    ],
)
def test_a_speaker_is_named_as_far_as_the_log_does(frame: Frame, origin: Origin, speaker: str) -> None:
    assert [item.speaker for item in said_in([frame], [context(origin)])] == [speaker]


def test_what_waits_for_consent_is_not_trusted() -> None:
    pending = Frame(SourceId("chat/s1/m1"), "user", "x", provenance=Provenance("p", "x", None, Trust.PENDING))
    assert [item.trusted for item in said_in([pending], [context()])] == [False]


def test_a_message_knows_its_day() -> None:
    assert said("x", "2026-03-02T23:30:00-05:00").when == When(2026, 3, 2)
    assert said("x").when is None


def test_the_key_of_a_batch_follows_from_its_messages_and_their_order() -> None:
    keys = {
        batch_key(refs) for refs in (["a/b/1", "a/b/2"], ["a/b/2", "a/b/1"], ["a/b/1"], [], ["a/b/1a/b/2"])
    }
    assert len(keys) == 5
    assert batch_key(["a/b/1", "a/b/2"]) == "b-23c2ac753e657e06"


def test_the_demo_is_one_batch_or_one_for_each_branch() -> None:
    live, aside = batches()
    assert whole().refs == (*live.refs, *aside.refs)
    assert (len(live.refs), len(aside.refs)) == (14, 2)
    assert {context.branch for context in aside.contexts} == {"abandoned"}
