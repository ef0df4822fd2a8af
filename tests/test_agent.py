"""The loop of a model with tools, one reply at a time."""

import json
from datetime import datetime, timedelta, timezone

import pytest
from attrs import evolve

from memory_example import memory, snapshot
from operations import create
from scriptorium_core.changes import Caller
from scriptorium_core.names import SourceId
from scriptorium_core.problem import Code
from scriptorium_core.sources.frame import Origin
from scriptorium_core.transaction import Snapshot
from scriptorium_core.writing.agent import MOST_MISUSED, Going, Kept, Nothing, Step, answered, summary_of
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.exchange import Asked, Call, Question, Reply, Results
from scriptorium_core.writing.outcome import Failed
from scriptorium_core.writing.tools import TOOLS, desk_for

NOW = datetime(2026, 11, 30, 18, 30, tzinfo=timezone(timedelta(hours=1)))
SAID = Said(SourceId("chat/s9/m1"), "Bo", Origin.HUMAN, "The key hangs in the hall.", "2026-03-02T10:00:00Z")


@pytest.fixture
def base() -> Snapshot:
    return snapshot(memory())


@pytest.fixture
def going(base: Snapshot) -> Going:
    desk = desk_for(base, Caller(), "2026-11-01", [SAID])
    return Going(desk, Question("Rules.", (Asked("The batch."),), TOOLS), turns=10)


def called(name: str, **arguments: object) -> Reply:
    return Reply(calls=(Call("c1", name, json.dumps(arguments)),), ending="tool_use")


def keeps() -> Reply:
    record = create("The key hangs in the hall.") | {"sources": [{"source": SAID.source, "label": "Bo"}]}
    return called("apply_changes", memory_changes=[record])


def goes_on(step: Step) -> Going:
    assert isinstance(step, Going), step
    return step


def failed(step: Step) -> Failed:
    assert isinstance(step, Failed), step
    return step


def test_the_exchange_grows_by_what_was_said_and_what_came_of_it(going: Going, base: Snapshot) -> None:
    reply = called("list")
    after = goes_on(answered(going, reply, base, NOW))
    *_, said, results = after.question.turns
    assert said == reply
    assert isinstance(results, Results)
    assert "topics/keys.md" in results.results[0].text
    assert (after.turns, after.called, after.misused) == (9, True, 0)


def test_an_end_with_a_change_is_kept_and_one_without_needs_a_reason(going: Going, base: Snapshot) -> None:
    after = goes_on(answered(going, keeps(), base, NOW))
    kept = answered(after, called("finish", summary="The key"), base, NOW)
    assert isinstance(kept, Kept)
    assert kept.summary == "The key"
    assert list(kept.stage.tree.differences()) == ["topics/keys.md"]
    nothing = answered(going, called("finish", nothing_to_keep=True, reason="small talk"), base, NOW)
    assert nothing == Nothing("small talk")


def test_what_a_model_says_of_itself_is_no_change(going: Going, base: Snapshot) -> None:
    claim = Reply("I have kept everything.", ending="end_turn")
    step = going
    for _ in range(MOST_MISUSED):
        step = goes_on(answered(step, claim, base, NOW))
        assert isinstance(step.question.turns[-1], Asked)
    ended = failed(answered(step, claim, base, NOW))
    assert ended.code is Code.WRITER_NO_PROGRESS
    assert "I have kept everything." in ended.message
    changed = goes_on(answered(going, keeps(), base, NOW))
    assert isinstance(answered(changed, claim, base, NOW), Kept)


def test_a_call_that_is_carried_out_forgives_what_was_wrong_before(going: Going, base: Snapshot) -> None:
    step = going
    for _ in range(3):
        step = goes_on(answered(step, called("shell"), base, NOW))
    assert step.misused == 3
    assert goes_on(answered(step, called("list"), base, NOW)).misused == 0
    assert failed(answered(step, called("shell"), base, NOW)).code is Code.WRITER_NO_PROGRESS


def test_an_error_in_words_is_a_failure_only_before_the_first_call(going: Going, base: Snapshot) -> None:
    error = Reply("Usage limit reached, resets at 9pm", ending="stop")
    first = failed(answered(going, error, base, NOW))
    assert (first.code, first.until) == (Code.MODEL_RATE_LIMIT, "2026-11-30T21:00:00+01:00")
    later = goes_on(answered(going, called("list"), base, NOW))
    assert goes_on(answered(later, error, base, NOW)).misused == 1


def test_nothing_of_an_answer_that_was_cut_off_is_carried_out(going: Going, base: Snapshot) -> None:
    cut = evolve(keeps(), ending="length")
    step = going
    for _ in range(MOST_MISUSED):
        step = goes_on(answered(step, cut, base, NOW))
        assert not step.desk.stage.tree.differences()
        assert step.question.turns[-2] == evolve(cut, calls=())
    assert failed(answered(step, cut, base, NOW)).code is Code.MODEL_TRUNCATED
    assert failed(answered(going, evolve(cut, ending="refusal"), base, NOW)).code is Code.MODEL_CONTENT_POLICY


def test_before_the_last_turn_the_model_is_told_to_end(going: Going, base: Snapshot) -> None:
    step = goes_on(answered(evolve(going, turns=2), called("list"), base, NOW))
    results = step.question.turns[-1]
    assert isinstance(results, Results)
    assert "end now with `finish`" in results.results[-1].text
    ended = failed(answered(step, called("list"), base, NOW))
    assert ended.code is Code.WRITER_NO_PROGRESS
    assert "turns" in ended.message


def test_more_calls_at_once_than_anybody_needs_are_not_carried_out(going: Going, base: Snapshot) -> None:
    many = Reply(calls=tuple(Call(f"c{n}", "list", "{}") for n in range(100)), ending="tool_use")
    results = goes_on(answered(going, many, base, NOW)).question.turns[-1]
    assert isinstance(results, Results)
    assert [result.failed for result in results.results] == [False] * 64 + [True] * 36


def test_a_topic_that_somebody_else_changed_meanwhile_ends_the_loop(going: Going, base: Snapshot) -> None:
    step = goes_on(answered(going, keeps(), base, NOW))
    moved = evolve(base, tree=base.tree.put("topics/keys.md", b"# Keys\n"))
    ended = failed(answered(step, called("list"), moved, NOW))
    assert (ended.code, ended.retryable) == (Code.CONCURRENT_UPDATE, True)


def test_a_summary_is_one_line_that_a_commit_can_bear() -> None:
    assert summary_of("\n  Tea\x1b[0m is kept \nand more") == "Tea [0m is kept"
    assert len(summary_of("x" * 1000)) == 200
    assert summary_of(" \n") == ""


def test_arguments_that_are_no_object_are_none() -> None:
    for arguments in ("", "[1]", '{"a": ', "7", "{" * 5000):
        assert Call("c", "list", arguments).fields == {}
    assert Call("c", "list", '{"a": 1}').fields == {"a": 1}
