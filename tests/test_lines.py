"""Topics by their lines: what stands in them letter by letter, and parts of them, without what is held."""

from pathlib import Path

import pytest

from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium_core.changes import Caller
from scriptorium_core.problem import Code
from scriptorium_core.sources.frame import Tier
from scriptorium_core.transaction import Rejected
from small_homes import create, request, service

STRANGER = Caller(speaker_name="Stranger", tier=None)
PAIRED = Caller(speaker_name="Paula", tier=Tier.PAIRED)


def filled(home: Path) -> Service:
    made = service(home)
    keys = [create("The spare key hangs in the shed."), create("The code is 100%_done, not 100 done.")]
    made.change(request(*keys))
    made.change(request(create("Trains leave at 7.", "topics/trips/lisbon.md")))
    return made


def held(made: Service) -> None:
    """What a stranger said, which waits for the owner."""
    result = made.change(request(create("The key of a stranger.", "topics/keys.md"), says="Hi!"), STRANGER)
    assert not isinstance(result, Rejected)


def test_a_text_is_found_as_it_stands_with_the_record_that_it_is_of(tmp_path: Path) -> None:
    with filled(tmp_path) as made:
        (hit,) = made.grep("100%_done").hits
        shown = made.show(hit.record)
    assert (hit.path, hit.text[:11]) == ("topics/keys.md", "The code is")
    assert shown.record.content == "The code is 100%_done, not 100 done."  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "topic", "ignore", "found"),
    [
        ("spare KEY", "", False, 0),
        ("spare KEY", "", True, 1),
        ("100.*done", "", False, 0),
        ("leave at", "trips", False, 1),
        ("leave at", "topics/trips/", False, 1),
        ("leave at", "keys", False, 0),
        ("# Keys", "", False, 2),
    ],
)
def test_no_sign_has_a_meaning_and_case_counts_unless_it_shall_not(
    tmp_path: Path, text: str, topic: str, ignore: bool, found: int
) -> None:
    with filled(tmp_path) as made:
        assert len(made.grep(text, topic=topic, ignore_case=ignore).hits) == found


def test_no_more_lines_than_asked_for_and_it_is_said_that_there_are_more(tmp_path: Path) -> None:
    with filled(tmp_path) as made:
        answer = made.grep("e", limit=2)
        whole = made.grep("e", limit=500)
    assert (len(answer.hits), answer.more, whole.more) == (2, True, False)
    assert whole.hits[:2] == answer.hits


def test_a_long_line_is_cut_around_the_place(tmp_path: Path) -> None:
    with filled(tmp_path) as made:
        made.change(request(create("word " * 400 + "needle " + "word " * 400 + "end.")))
        (hit,) = made.grep("NEEDLE", ignore_case=True).hits
    assert "needle" in hit.text
    assert len(hit.text) < 410


def test_what_is_held_is_not_found_and_not_shown_until_it_is_let_in(tmp_path: Path) -> None:
    with filled(tmp_path) as made:
        held(made)
        before = made.grep("stranger"), made.excerpt("topics/keys.md").text
        waiting = [message.turn.source for message in made.held().messages]
        made.promote(waiting)
        after = made.grep("of a stranger"), made.excerpt("topics/keys.md").text
    assert before[0].hits == ()
    assert "stranger" not in before[1].casefold()
    assert "[held: waits for the owner's consent]" in before[1]
    assert [hit.path for hit in after[0].hits] == ["topics/keys.md"]
    assert "of a stranger" in after[1]


def test_a_topic_in_which_all_is_held_is_not_there(tmp_path: Path) -> None:
    with filled(tmp_path) as made:
        made.change(request(create("A secret plan.", "topics/plan.md"), says="Hi!"), STRANGER)
        with pytest.raises(Refused) as refused:
            made.excerpt("topics/plan.md")
    assert refused.value.problems[0].code is Code.MEMORY_NOT_FOUND


def test_a_topic_is_read_in_parts_that_join_to_the_whole(tmp_path: Path) -> None:
    with filled(tmp_path) as made:
        whole = made.excerpt("keys")
        parts, first = "", 1
        while first <= whole.of:
            part = made.excerpt("keys", first, room=60)
            parts, first = parts + part.text, part.last + 1
        committed = made.show("keys").text  # type: ignore[union-attr]
    assert parts == whole.text == committed
    assert {line.content[:8] for line in whole.records} == {"The spar", "The code"}


@pytest.mark.parametrize("name", ["^deadbeef", "nowhere", "../secret", "topics/../../x", ""])
def test_what_is_no_topic_is_not_found(tmp_path: Path, name: str) -> None:
    with filled(tmp_path) as made, pytest.raises(Refused) as refused:
        made.excerpt(name)
    assert refused.value.problems[0].code is Code.MEMORY_NOT_FOUND


def test_all_that_is_wrong_with_a_question_is_said_at_once(tmp_path: Path) -> None:
    with filled(tmp_path) as made, pytest.raises(Refused) as refused:
        made.grep("  \n ", limit=0)
    assert [problem.path for problem in refused.value.problems] == ["text", "limit"]
    with filled(tmp_path) as made, pytest.raises(Refused, match="no line 99"):
        made.excerpt("keys", 99)


def test_progress_counts_the_topics(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    with filled(tmp_path) as made:
        made.grep("no such words", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (1, 2)


def test_a_hit_and_a_record_say_how_far_they_may_be_relied_on(tmp_path: Path) -> None:
    from scriptorium_core.recall import Query

    with filled(tmp_path) as made:
        made.remember("The cellar floods in spring.")
        said, saved = (made.search(Query(words)).hits[0] for words in ("spare key", "cellar floods"))
        shown = made.show(saved.id)
    assert said.assessment is not None
    assert (said.assessment.state, said.assessment.confidence) == ("supported", 0.75)
    assert saved.assessment is not None
    assert saved.assessment.state == "verified"
    assert shown.assessment == saved.assessment  # type: ignore[union-attr]
