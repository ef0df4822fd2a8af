"""Records that a person corrects, adds to, retracts and decides about: by id, by title, by a clear search."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.correcting import Corrected
from scriptorium.service.shown import RecordShown
from scriptorium_core.changes import Caller
from scriptorium_core.problem import Code
from scriptorium_core.transaction import Rejected
from small_homes import create, request, service


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Service]:
    with service(tmp_path) as made:
        yield made


def said(memory: Service, *contents: str, topic: str = "topics/keys.md") -> list[str]:
    """Records that rest on what the owner said in a conversation; their ids."""
    done = memory.change(request(*(create(content, topic) for content in contents), says="I said so."))
    assert not isinstance(done, Rejected), done
    return [str(block) for block in done.report.created]


def shown(memory: Service, block: str) -> RecordShown:
    found = memory.show(f"^{block}")
    assert isinstance(found, RecordShown)
    return found


def done(result: Corrected | Rejected) -> Corrected:
    assert isinstance(result, Corrected), result
    return result


def fields(memory: Service, block: str) -> list[tuple[str, str]]:
    return [field for group in shown(memory, block).groups for field in group.fields]


def key_of(memory: Service, block: str) -> str:
    target = done(memory.append(block, shown(memory, block).record.content)).target
    assert target is not None
    return target.seen


def test_a_correction_stands_and_the_old_evidence_is_closed(memory: Service) -> None:
    (block,) = said(memory, "The spare key hangs in the shed.")
    result = done(memory.correct(f"^{block}", "The spare key hangs in the cellar."))
    assert result.target is not None
    assert result.target.record.content == "The spare key hangs in the cellar."
    assert result.replaced == "The spare key hangs in the shed."
    assert fields(memory, block) == [("Until", "2023-11-14"), ("Status", "verified 0.95")]
    again = done(memory.correct(block, "The spare key hangs in the cellar."))
    assert again.committed is not None
    assert again.committed.unchanged
    assert again.replaced == ""


def test_the_same_words_saved_again_leave_a_correction_alone(memory: Service) -> None:
    saved = memory.remember("My bike is red.")
    assert not isinstance(saved, Rejected)
    done(memory.correct(saved.records[0].id, "My bike is blue."))
    again = memory.remember("My bike is red.")
    assert not isinstance(again, Rejected)
    assert again.known
    assert [line.content for line in again.records] == ["My bike is blue."]


def test_a_correction_keeps_how_fast_a_record_grows_old_and_drops_the_old_check(memory: Service) -> None:
    saved = memory.remember("My bike is red.")
    assert not isinstance(saved, Rejected)
    block = saved.records[0].id
    topic = memory.root / saved.records[0].topic_path
    topic.write_text(
        topic.read_text().replace("; Status: verified 0.95", "; Status: verified 0.95; Fresh: dynamic")
    )
    memory.adopt()
    done(memory.validate(block, key_of(memory, block)))
    done(memory.correct(block, "My bike is blue."))
    assert fields(memory, block)[-2:] == [("Status", "verified 0.95"), ("Fresh", "dynamic")]


def test_words_are_added_once(memory: Service) -> None:
    (block,) = said(memory, "The spare key hangs in the shed.")
    done(memory.append(block, "It is the brass one."))
    result = done(memory.append(block, "It is the brass one."))
    assert result.committed is not None
    assert result.committed.unchanged
    assert shown(memory, block).record.content == "The spare key hangs in the shed. It is the brass one."
    assert len(shown(memory, block).groups) == 2
    assert fields(memory, block) == []


def test_words_for_a_record_are_one_paragraph(memory: Service) -> None:
    (block,) = said(memory, "The spare key hangs in the shed.")
    for bad in ("", "One.\n\nTwo."):
        result = memory.correct(block, bad)
        assert isinstance(result, Rejected)
        assert [(each.code, each.path) for each in result.problems] == [(Code.INVALID_ARGUMENT, "text")]


def test_an_exact_title_and_a_clear_search_name_a_record(memory: Service) -> None:
    (tea,) = said(memory, "Tea is at six.", topic="topics/tea-time.md")
    (key,) = said(memory, "The spare key hangs in the shed.")
    for target in ("Tea is at six", "tea time", "topics/tea-time.md", "when is tea"):
        result = done(memory.append(target, "Tea is at six."))
        assert result.target is not None, target
        assert result.target.record.id == tea
    result = done(memory.retract("spare key shed"))
    assert result.target is not None
    assert result.target.record.id == key
    assert fields(memory, key) == [("Status", "retracted")]


def test_what_is_not_clear_is_never_guessed(memory: Service) -> None:
    said(memory, *(f"The key of room {number} hangs on hook {number}." for number in range(12)))
    before = memory.memory().revision
    for target in ("key of room", "topics/keys.md", "keys"):
        result = done(memory.correct(target, "There are no keys any more."))
        assert result.committed is None
        assert result.target is None
        assert len(result.candidates) == 8
        assert len({each.record.id for each in result.candidates}) == 8
    assert memory.memory().revision == before


def test_what_is_not_there_and_what_was_forgotten_is_said(memory: Service) -> None:
    (block,) = said(memory, "The spare key hangs in the shed.")
    with pytest.raises(Refused) as nothing:
        memory.correct("zebras", "They are striped.")
    assert nothing.value.problems[0].code is Code.MEMORY_NOT_FOUND
    memory.forget([block])
    with pytest.raises(Refused) as gone:
        memory.retract(f"^{block}")
    assert gone.value.problems[0].code is Code.FORGOTTEN


def test_only_a_positive_check_renews_the_clock(memory: Service) -> None:
    (block,) = said(memory, "The spare key hangs in the shed.")
    seen = key_of(memory, block)
    done(memory.dispute(block, seen))
    assert fields(memory, block) == [("Status", "disputed")]
    done(memory.validate(block, seen))
    assert fields(memory, block) == [("Status", "verified 0.95"), ("Checked", "2023-11-14")]
    done(memory.dispute(f"^{block}", seen))
    assert fields(memory, block) == [("Status", "disputed"), ("Checked", "2023-11-14")]
    done(memory.discard(block, seen))
    assert fields(memory, block) == [("Status", "retracted"), ("Checked", "2023-11-14")]
    assert [change.kind for change in memory.standing_history(block).changes] == [
        "discard",
        "dispute",
        "validate",
        "dispute",
    ]


def test_a_verdict_is_on_the_text_that_was_seen(memory: Service) -> None:
    (block,) = said(memory, "The spare key hangs in the shed.")
    seen = key_of(memory, block)
    done(memory.correct(block, "The spare key hangs in the cellar."))
    for verdict in (memory.validate, memory.dispute, memory.approve, memory.discard):
        result = verdict(block, seen)
        assert isinstance(result, Rejected)
        (problem,) = [each for each in result.problems if each.path == "seen"]
        assert problem.code is Code.CONCURRENT_UPDATE
        assert "in the cellar" in problem.message


def test_what_does_not_wait_is_neither_approved_nor_discarded(memory: Service) -> None:
    (block,) = said(memory, "The spare key hangs in the shed.")
    for verdict in (memory.approve, memory.discard):
        result = verdict(block, key_of(memory, block))
        assert isinstance(result, Rejected)
        assert [each.code for each in result.problems] == [Code.INVALID_ARGUMENT]


def test_what_is_held_is_let_in_by_its_approval(memory: Service) -> None:
    memory.memory(make=True)
    held = memory.change(request(create("Bo brings wine.")), Caller.unknown("4402", "Bo"))
    assert not isinstance(held, Rejected)
    (block,) = held.report.created
    result = done(memory.approve(block, key_of_held(memory, block)))
    assert result.committed is not None
    assert result.committed.report.promoted == held.report.archived
    assert fields(memory, block) == [("Status", "supported 0.75")]


def key_of_held(memory: Service, block: str) -> str:
    (item,) = memory.review().items
    assert item.records[0].shown.record.id == block
    return item.records[0].shown.seen


def test_a_line_that_two_records_cite_says_nothing_new_of_the_other(memory: Service) -> None:
    one, two = said(memory, "The spare key hangs in the shed.", "The shed is green.")
    topic = memory.root / "topics/keys.md"
    labels = [group.evidence for block in (one, two) for group in shown(memory, block).groups]
    topic.write_text(topic.read_text().replace(f"[^{labels[1]}] ^", f"[^{labels[0]}] ^"))
    memory.adopt()
    assert shown(memory, one).groups[0].evidence == shown(memory, two).groups[0].evidence
    done(memory.dispute(one, key_of(memory, one)))
    assert fields(memory, one) == [("Status", "disputed")]
    assert fields(memory, two) == []
    assert [each for each in memory.verify().findings if each.level == "problem"] == []
