"""Where a record comes from: evidence, the turns around it, its branch and its commits."""

from pathlib import Path

import pytest

from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.model import RecordShown, SourceShown
from scriptorium.settings import Settings
from scriptorium_core.names import NodeId
from scriptorium_core.problem import Code
from scriptorium_core.recall import Query
from scriptorium_core.sessions.graph import Link
from scriptorium_core.sessions.siblings import Fork, siblings
from trips import TALK, TRAINS, a_talk, ask, at_noon, create, unpacked, written


def _id(service: Service, words: str) -> str:
    return service.search(Query(words, limit=1)).hits[0].id


def test_a_record_leads_to_its_turn_among_its_neighbours(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        why = service.why("^" + _id(service, "guest house"))
        assert isinstance(why.shown, RecordShown)
        (conversation,) = why.conversations
        assert conversation.turn.source == "native/trip/m5"
        assert conversation.turn.text == why.shown.record.content
        assert [turn.node for turn in conversation.before] == ["m1", "m2"]
        assert conversation.after[0].node == "m6"


def test_as_many_neighbours_as_are_asked_for(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        (conversation,) = service.why(TRAINS, around=1).conversations
        assert conversation.before == ()
        assert [turn.node for turn in conversation.after] == ["m2"]
        (alone,) = service.why(TRAINS, around=0).conversations
        assert (alone.before, alone.after) == ((), ())


def test_the_other_branches_are_named_where_they_leave(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        (conversation,) = service.why("native/trip/m5").conversations
        (sibling,) = conversation.siblings
        assert (sibling.tip, sibling.leaves_at, sibling.branch) == ("m4", "m2", "abandoned")
        assert sibling.text == "The harbour is lovely."
        (given_up,) = service.why("native/trip/m3").conversations
        assert given_up.turn.branch == "abandoned"
        assert [(other.tip, other.branch) for other in given_up.siblings] == [("m6", "live")]


def test_a_message_of_a_fork_stands_among_those_of_its_branch(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        (given_up,) = service.why("native/trip/m3").conversations
        assert [turn.node for turn in given_up.before] == ["m1", "m2"]
        assert [turn.node for turn in given_up.after] == ["m4"]


def test_tool_calls_between_two_messages_are_stepped_over(tmp_path: Path) -> None:
    lines = [*TALK[:2], {"id": "t1", "role": "tool", "text": "3 trains", "parent": "m2"}, *TALK[4:]]
    other = {"id": "m7", "parent": "t1", "role": "user", "text": "I prefer the early one.", "at": ""}
    with Service(tmp_path / "home", settings=Settings(), moment=at_noon) as service:
        service.import_paths([a_talk(tmp_path, *lines, other)])
        service.write(force=True)
        (conversation,) = service.why("native/trip/m7").conversations
        assert [turn.node for turn in conversation.before] == ["m1", "m2"]


def test_a_session_that_continues_another_leads_back_into_it(tmp_path: Path) -> None:
    more = {"id": "n1", "parent": "m4", "role": "user", "text": "I prefer the quay itself.", "at": ""}
    with written(tmp_path) as service:
        service.import_paths([a_talk(tmp_path, *TALK[:4], more, session="fork")])
        service.write(force=True)
        (conversation,) = service.why("native/fork/n1", around=3).conversations
        assert [turn.source for turn in conversation.before] == [f"native/trip/m{n}" for n in (2, 3, 4)]


def test_what_all_branches_share_has_no_siblings(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        (conversation,) = service.why(TRAINS).conversations
        assert conversation.known
        assert conversation.siblings == ()


def test_the_commit_that_created_a_record_tells_its_batch_and_writer(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        name = _id(service, "trains")
        (created,) = service.why(name).history
        assert (created.name, created.writer, created.session) == ("Created", "extractive", "native/trip")
        assert created.batch.startswith("b-")
        assert created.at == "2026-04-03T12:00:00+00:00"
        there = {"topic_path": "topics/travel.md", "headings": ["Travel"], "position": "end"}
        ask(service, {"op": "move_records", "memory_ids": [name], "destination": there})
        assert [mention.name for mention in service.why(name).history] == ["Created", "Moved"]


def test_links_lead_out_and_in(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        name = _id(service, "trains")
        ask(service, create(f"See [what they prefer](people/owner.md#^{name}) before booking."))
        (linking,) = service.recent(1).rows
        out, back = service.why(linking.record.id).shown, service.why(name).shown
        assert isinstance(out, RecordShown)
        assert isinstance(back, RecordShown)
        assert [line.id for line in out.links] == [name]
        assert [line.id for line in back.backlinks] == [linking.record.id]


def test_a_message_leads_to_the_records_that_cite_it(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        why = service.why(TRAINS)
        assert isinstance(why.shown, SourceShown)
        assert [record.content for record in why.shown.cited_by] == ["I prefer trains to planes, always."]


def test_without_the_session_store_the_archive_answers(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        service.sessions_path.unlink()
        (conversation,) = service.why(TRAINS).conversations
        assert not conversation.known
        assert [turn.node for turn in conversation.after] == ["m2", "m5"]


def test_a_topic_or_nothing_at_all_comes_from_nowhere(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        for name, code in (("people/owner", Code.INVALID_ARGUMENT), ("0000aaaa", Code.MEMORY_NOT_FOUND)):
            with pytest.raises(Refused) as refused:
                service.why(name)
            assert refused.value.problems[0].code is code


def test_an_alias_of_a_merged_record_leads_to_the_whole(tmp_path: Path) -> None:
    with Service(memory=unpacked("legacy", tmp_path), settings=Settings()) as service:
        one, other = service.why("pantry-1"), service.why("9c8b7a6d")
        assert one == other
        assert isinstance(one.shown, RecordShown)
        assert one.shown.aliases == ("pantry-1",)
        assert [conversation.turn.source for conversation in one.conversations][-1] == "D2:2"


def test_branches_that_share_nothing_leave_nowhere() -> None:
    links = [
        Link(NodeId("a"), None, True),
        Link(NodeId("b"), NodeId("a"), True),
        Link(NodeId("c"), None, True),
        Link(NodeId("d"), NodeId("a"), True),
    ]
    assert siblings(links, NodeId("b")) == (Fork(NodeId("c"), None), Fork(NodeId("d"), NodeId("a")))
    assert siblings(links, NodeId("a")) == (Fork(NodeId("c"), None),)
    assert siblings([], NodeId("a")) == ()
