"""Reading as of then: any question at an earlier revision."""

import shutil
from pathlib import Path

import pytest

from histories import as_dictionaries
from scriptorium.layout import Layout
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.model import RecordShown, SourceShown, TopicShown
from scriptorium.service.past import Past
from scriptorium.workspace import earlier
from scriptorium_core.problem import Code
from scriptorium_core.recall import Kind, Query
from stories import BLUE, GREEN, HOUSE, NOTES, Story, delete, forget, story, update
from trips import create

OTHER = "native/trip/m5"


@pytest.fixture
def told(tmp_path: Path) -> Story:
    return story(tmp_path)


def _refused(question: object) -> Code:
    with pytest.raises(Refused) as refused:
        question()  # type: ignore[operator]
    return refused.value.problems[0].code


def _kept(told: Story) -> list[str]:
    layout: Layout = told.service.memory().layout
    return sorted(path.name for path in (layout.runtime / "at").iterdir())


def test_a_record_is_shown_as_it_was(told: Story) -> None:
    told.ask(delete(told.record))
    with told.service.at("2026-04-04") as past:
        shown = past.show(told.record)
        assert isinstance(shown, RecordShown)
        assert (shown.record.content, shown.revision) == (BLUE, told.commits[1])
        assert shown.groups[0].citations[0].turn is not None
    with told.service.at("2026-04-05T13:00:00+00:00") as past:
        shown = past.show(told.record)
        assert isinstance(shown, RecordShown)
        assert shown.record.content == GREEN


def test_every_reading_is_of_that_day(told: Story) -> None:
    with told.service.at("2026-04-04") as past:
        assert [topic.path for topic in past.topics()] == [NOTES, "topics/people/owner.md"]
        topic = past.show("notes")
        assert isinstance(topic, TopicShown)
        assert BLUE in topic.text
        assert past.recent(1).rows[0].record.content == BLUE
        assert [row.quote for row in past.timeline("2026-04-03").rows] == [BLUE]
        assert past.timeline("2026-04-05").rows == ()
        assert past.core().text == ""
        assert [mention.commit for mention in past.why(told.record).history] == [told.commits[1]]
        assert [entry.commit for entry in past.log()] == told.commits[1::-1]
        assert [version.commit for version in past.blame(told.record).versions] == [told.commits[1]]
        assert past.diff().new == told.commits[1]


def test_a_search_finds_the_words_of_then(told: Story) -> None:
    with told.service.at(told.commits[1]) as past:
        found = past.search(Query("blue door"))
        assert [hit.content for hit in found.hits] == [BLUE]
        assert found.revision == found.indexed == told.commits[1]
        turns = past.search(Query("harbour", (Kind.TURN,)))
        assert {hit.kind for hit in turns.hits} == {Kind.TURN}
        assert past.search(Query("the")).nothing is not None
    assert [hit.content for hit in told.service.search(Query("key door")).hits] == [GREEN]


@pytest.mark.parametrize("name", ["HEAD", "HEAD~0", "2026-04-06", "2027"])
def test_the_present_revision_answers_as_the_present_does(told: Story, name: str) -> None:
    def answers(service: Service | Past) -> list[object]:
        return [
            service.search(Query("key", tuple(Kind), 20)),
            service.search(Query("hotel guest trains", tuple(Kind), 20)),
            service.show(told.record),
            service.show(HOUSE),
            service.show(OTHER),
            service.topics(),
            service.core(),
            service.timeline(),
            service.timeline("2026"),
            service.recent(),
            service.why(told.record),
            service.log(),
            service.blame(told.record),
            service.diff(),
        ]

    present = answers(told.service)
    with told.service.at(name) as past:
        assert answers(past) == present


def test_a_day_before_the_first_commit_says_where_the_memory_begins(told: Story) -> None:
    with pytest.raises(Refused) as refused:
        told.service.at("2026-04-02")
    (problem,) = refused.value.problems
    assert problem.code is Code.MEMORY_NOT_FOUND
    assert "2026-04-03" in problem.message
    assert told.commits[0][:10] in problem.message


def test_what_was_forgotten_since_is_not_shown_and_that_is_said(told: Story) -> None:
    told.ask(create("Mara sleeps late.", source=OTHER))
    forget(told, HOUSE, told.record, OTHER)
    for revision in (told.commits[1], told.commits[3], told.commits[4]):
        with told.service.at(revision) as past:
            assert _refused(lambda past=past: past.show(told.record)) is Code.FORGOTTEN
            assert _refused(lambda past=past: past.show(OTHER)) is Code.FORGOTTEN
            for path in (HOUSE, NOTES):
                if path in {topic.path for topic in past.topics()}:
                    assert "key" not in repr(past.show(path))
            found = past.search(Query("spare key guest house late", tuple(Kind), 50))
            words = " ".join(hit.content for hit in found.hits)
            assert not {"key", "late", "guest"} & set(words.split())
            assert "key" not in repr(past.timeline("2026")) + repr(past.recent())
            assert past.notices[0].code is Code.FORGOTTEN
    with told.service.at("HEAD") as past:
        past.topics()
        assert past.notices == ()


def test_what_cites_only_a_forgotten_message_goes_with_it(told: Story) -> None:
    gone = told.ask(create("Mara sleeps late.", source=OTHER)).report.created[0]
    told.ask(delete(gone))
    extra = told.ask(create("An aside.", HOUSE)).report.created[0]
    forget(told, HOUSE, extra, OTHER)
    with told.service.at(told.commits[4]) as past:
        assert _refused(lambda: past.show(gone)) is Code.MEMORY_NOT_FOUND
        assert past.why("native/trip/m6").conversations[0].before
        assert OTHER not in repr(past.why("native/trip/m6").conversations)


def test_a_message_that_is_not_forgotten_is_shown_in_full(told: Story) -> None:
    with told.service.at(told.commits[0]) as past:
        shown = past.show(OTHER)
        assert isinstance(shown, SourceShown)
        assert shown.turn.text == "I prefer a small guest house in the old town."


def test_nothing_of_the_past_can_be_changed(told: Story) -> None:
    before = told.service.memory().revision
    with told.service.at("HEAD~1") as past:
        memory = past.earlier
        assert (
            _refused(lambda: memory.update({"memory_changes": [delete(told.record)]})) is Code.NOT_PERMITTED
        )
        assert _refused(memory.adopt) is Code.NOT_PERMITTED
        assert not {"change", "adopt", "write", "forget", "promote", "doctor"} & set(dir(past))
    assert told.service.memory().revision == before


def test_an_earlier_state_is_indexed_once_and_the_newest_few_are_kept(
    told: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(earlier, "_KEPT", 2)
    for revision in told.commits:
        with told.service.at(revision) as past:
            past.topics()
    assert _kept(told) == sorted(told.commits[-2:])
    with told.service.at(told.commits[-1]) as past:
        assert past.earlier.index.commit == told.commits[-1]


def test_room_is_made_where_earlier_states_are_large(told: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    for revision in told.commits[:3]:
        with told.service.at(revision) as past:
            past.search(Query("key"))
    monkeypatch.setattr(earlier, "_BYTES", 0)
    with told.service.at(told.commits[3]) as past:
        past.topics()
    assert _kept(told) == [told.commits[3]]


def test_the_indexes_of_earlier_states_may_be_deleted_or_damaged(told: Story) -> None:
    with told.service.at(told.commits[1]) as past:
        first = past.search(Query("key"))
    folder = told.service.memory().layout.runtime / "at"
    for path in folder.rglob("*"):
        if path.is_file():
            path.write_bytes(b"rubbish")
    with told.service.at(told.commits[1]) as past:
        assert past.recent().rows
    shutil.rmtree(folder)
    with told.service.at(told.commits[1]) as past:
        assert past.search(Query("key")) == first


def test_a_later_retraction_is_known_to_states_that_were_indexed_before(told: Story) -> None:
    with told.service.at(told.commits[3]) as past:
        assert past.search(Query("key")).hits
    forget(told, HOUSE, told.record)
    with told.service.at(told.commits[3]) as past:
        assert past.search(Query("key")).hits == ()
    assert all(name != told.commits[3] for name in _kept(told))


def test_the_present_goes_on_while_the_past_is_read(told: Story) -> None:
    with told.service.at("HEAD") as past:
        past.topics()
        told.ask(update(told.record, "The spare key is lost."))
        shown = past.show(told.record)
        assert isinstance(shown, RecordShown)
        assert shown.record.content == GREEN


def test_a_copy_that_followed_says_what_an_index_built_anew_says(told: Story) -> None:
    told.ask(create("Mara sleeps late.", source=OTHER))
    told.ask(create("Rain, see [the key](house.md#^" + told.record + ").", "topics/weather.md"))
    forget(told, NOTES, told.ask(create("An aside.")).report.created[0], OTHER)
    for revision in told.commits:
        with told.service.at(revision) as past, past.earlier.reading() as (_, base):
            copied = as_dictionaries(base.facts)
        shutil.rmtree(past.earlier.folder)
        with told.service.at(revision) as past:
            past.earlier.index.rebuild()
            with past.earlier.reading() as (_, base):
                assert as_dictionaries(base.facts) == copied
