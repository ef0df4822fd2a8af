"""What somebody sees who is not the owner: lists, counts, searches, links, and what has happened."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from hidden_homes import HIDDEN, OPEN, POLICY, as_, ids, refused, sure, with_hidden
from scriptorium.service import Service
from scriptorium.service.shown import RecordShown
from scriptorium_core.knowledge.asking import Decision
from scriptorium_core.policy import AGENT, READER, Actor
from scriptorium_core.recall import Kind, Query
from small_homes import create, move, request

__all__: list[str] = []


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Service]:
    with with_hidden(tmp_path) as made:
        yield made


# --- Views ---------------------------------------------------------------------------------------------


def test_a_hidden_record_is_answered_exactly_as_one_that_is_not_there(home: Service) -> None:
    _, hidden = ids(home)
    agent = as_(home, AGENT)
    asks: tuple[Callable[[str], object], ...] = (agent.show, agent.why, agent.blame, agent.excerpt)
    for ask in asks:
        told = refused(partial(ask, hidden))
        assert [line.replace(hidden, "00000000") for line in told] == refused(partial(ask, "00000000"))
    for ask in asks[::3]:
        told = refused(partial(ask, HIDDEN))
        nowhere = refused(partial(ask, "topics/no/no.md"))
        assert [line.replace(HIDDEN, "topics/no/no.md") for line in told] == nowhere


def test_no_list_and_no_count_holds_what_is_hidden(home: Service) -> None:
    agent = as_(home, AGENT)
    assert [topic.path for topic in agent.topics()] == [OPEN]
    assert [row.record.topic_path for row in agent.recent().rows] == [OPEN]
    assert [(day.date, day.records) for day in agent.timeline().days] == [("2026-04", 1)]
    status = agent.status()
    assert (status.topics, status.records) == (1, 1)


def test_a_hidden_word_finds_nothing_and_counts_for_nothing(home: Service) -> None:
    agent = as_(home, AGENT)
    assert agent.search(Query("teapot")).hits == ()
    (hit,) = agent.search(Query("Mira tea")).hits
    assert hit.path == OPEN
    assert agent.grep("teapot").hits == ()
    explained = agent.explain(Query("Mira"))
    assert "teapot" not in str(explained)
    assert HIDDEN not in str(explained)
    assert "teapot" not in agent.context("What is the gift for Mira?").text.replace(
        "The gift is a teapot.", ""
    )


def test_links_and_citations_lead_to_nothing_hidden(home: Service) -> None:
    seen, hidden = ids(home)
    agent = as_(home, AGENT)
    shown = agent.show(seen)
    assert shown.backlinks == ()  # type: ignore[union-attr]
    (source,) = (row for row in agent.search(Query("teapot", (Kind.TURN,))).hits)
    assert source.cited_by == ()
    assert hidden not in str(agent.show(source.id))


def test_what_may_not_be_searched_may_still_be_read_and_only_what_may_be_injected_is_given(
    home: Service,
) -> None:
    quiet = POLICY.replace('deny = ["read"]', 'deny = ["search", "inject"]')
    sure(home.set_policy(quiet.encode()))
    _, hidden = ids(home)
    agent = as_(home, AGENT)
    assert "teapot" in str(agent.show(hidden))
    assert agent.search(Query("teapot")).hits == ()
    assert agent.grep("teapot").hits == ()
    assert hidden not in str(agent.context("teapot gift").shown)


def test_of_a_message_that_may_not_be_read_only_the_citation_is_left(home: Service) -> None:
    seen, _ = ids(home)
    reader = as_(home, READER)
    shown = reader.show(seen)
    assert isinstance(shown, RecordShown)
    assert shown.trusted
    (citation,) = shown.groups[0].citations
    assert citation.turn is not None
    source = citation.turn.source
    assert (citation.turn.text, citation.turn.speaker) == ("", "")
    (hit,) = reader.search(Query("green tea")).hits
    assert hit.id == seen
    assert reader.search(Query("likes tea", (Kind.TURN,))).hits == ()
    assert "MEMORY_NOT_FOUND" in refused(lambda: reader.show(source))[0]
    assert reader.why(seen).conversations == ()


def test_the_owner_sees_everything_whatever_the_policy_says(home: Service) -> None:
    _, hidden = ids(home)
    assert "teapot" in str(home.show(hidden))
    assert len(home.topics()) == 2


def test_nobody_without_a_rule_sees_anything(home: Service) -> None:
    seen, _ = ids(home)
    stranger = as_(home, Actor("stranger"))
    assert stranger.topics() == ()
    assert stranger.recent().rows == ()
    assert "MEMORY_NOT_FOUND" in refused(lambda: stranger.show(seen))[0]
    assert stranger.log() == ()


# --- History -------------------------------------------------------------------------------------------


def test_history_tells_only_of_what_may_be_read(home: Service) -> None:
    sure(home.change(request(create("Another secret.", HIDDEN)) | {"commit_message": "About the diary"}))
    both = request(create("Two.", OPEN), create("Three.", HIDDEN)) | {"commit_message": "Diary and Mira"}
    sure(home.change(both))
    agent = as_(home, AGENT)
    log = agent.log(None)
    assert [entry.subject for entry in log if "diary" in entry.subject.casefold()] == []
    assert log[0].subject == "a change that you see in part"
    assert all("secret" not in str(entry) for entry in log)
    assert agent.log(None, topic="private") == ()
    assert HIDDEN not in str(agent.diff())
    assert "Three" not in str(agent.diff())
    assert "Three" not in agent.patch()
    assert HIDDEN not in agent.patch("HEAD~1")


def test_a_record_that_came_out_of_a_hidden_topic_was_made_where_it_came_to(home: Service) -> None:
    _, hidden = ids(home)
    sure(home.change(request(move(hidden, topic=OPEN))))
    agent = as_(home, AGENT)
    (version,) = agent.blame(hidden).versions
    assert version.step.deeds == ("created",)
    assert "private" not in str(agent.why(hidden).history)


def test_a_record_that_went_into_a_hidden_topic_is_gone(home: Service) -> None:
    seen, _ = ids(home)
    sure(home.change(request(move(seen, topic=HIDDEN))))
    agent = as_(home, AGENT)
    assert agent.blame(seen).versions[0].step.deeds == ("deleted",)
    assert HIDDEN not in str(agent.blame(seen))


def test_the_past_is_seen_by_the_policy_of_today(home: Service) -> None:
    _, hidden = ids(home)
    with as_(home, AGENT).at("HEAD~1") as past:
        assert [topic.path for topic in past.topics()] == [OPEN]
        assert past.search(Query("teapot")).hits == ()
        assert past.explain(Query("teapot")).explanation.proposed == 0
        assert (past.grep("teapot").hits, len(past.grep("tea").hits)) == ((), 1)
        assert not past.context("Which teapot is the gift?").shown
        assert past.ask("What do you know about the gift?").decision is Decision.MISS
        assert [each.path for each in past.digest()] == [OPEN]
        assert "MEMORY_NOT_FOUND" in refused(lambda: past.show(hidden))[0]
