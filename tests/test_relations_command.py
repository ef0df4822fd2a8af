"""What links to what, as it is asked for: of the whole memory, of a topic, of a record, and as of then."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_example import DINNER, INES, PORTO, fresh_home, run, run_json
from hidden_homes import as_, ids, refused, with_hidden
from scriptorium import Memory
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.workspace import Committed
from scriptorium_core.policy import AGENT
from small_homes import create, delete, move, request, service

__all__: list[str] = []

ALLERGY, TRIP = "7f49a01d", "b13732f2"
HUB = "topics/hub.md"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Service]:
    with service(tmp_path / "small") as made:
        yield made


def added(memory: Service, *contents: str, topic: str = "topics/keys.md") -> tuple[str, ...]:
    done = memory.change(request(*(create(content, topic) for content in contents)))
    assert isinstance(done, Committed), done
    return done.report.created


def hub(memory: Service, spokes: int) -> str:
    """A record to which as many others link."""
    (middle,) = added(memory, "The hub.", topic=HUB)
    added(memory, *(f"Spoke {number} of the [hub](hub.md#^{middle})." for number in range(spokes)))
    return middle


# --- The whole memory ----------------------------------------------------------------------------


def test_without_a_name_each_topic_is_there_with_the_number_of_its_links(home: Path) -> None:
    lines = [line.split() for line in run("--home", home, "relations").out.splitlines()]
    assert lines == [
        ["topics/people/ines.md", "0", "links", "linked", "from", "2"],
        ["topics/trips/porto.md", "3", "links", "linked", "from", "1"],
    ]
    answer = run_json("--home", home, "relations")
    assert [(each["links"], each["backlinks"]) for each in answer["topics"]] == [(0, 2), (3, 1)]
    assert (answer["of"], answer["records"], answer["asked"]) == (2, [], "")


def test_the_list_of_topics_is_cut_and_says_how_to_see_the_rest(home: Path) -> None:
    lines = run("--home", home, "relations", "-n", "1").out.splitlines()
    assert lines[1:] == ["… 1 more topic: `scriptorium relations -n 2` shows all"]
    assert run_json("--home", home, "relations", "-n", "1")["of"] == 2


def test_where_nothing_links_it_is_said(memory: Service) -> None:
    (alone,) = added(memory, "The key is blue.")
    assert (memory.relations().topics, memory.relations().of) == ((), 0)
    shown = run("--home", memory.home, "relations", alone).out
    assert "links to nothing, and nothing links to it" in shown
    told = run("--home", memory.home, "relations").out
    assert "nothing links to anything yet: a model makes links, or you do" in told
    assert "nothing in keys links" in run("--home", memory.home, "relations", "keys").out


# --- A record, and a topic -----------------------------------------------------------------------


def test_a_record_comes_with_both_its_sides_each_with_its_words_and_its_assessment(home: Path) -> None:
    (ines,) = run_json("--home", home, "relations", f"^{INES}")["records"]
    assert (ines["line"]["record"]["id"], ines["links"]) == (INES, [])
    (trip,) = ines["backlinks"]
    assert (trip["record"]["id"], trip["record"]["topic_path"], trip["trusted"]) == (TRIP, PORTO, True)
    assert trip["assessment"]["decision"] == "reuse"
    shown = run("--home", home, "relations", DINNER).out
    _, below = shown.split("links to\n")
    assert "Ines is allergic to shellfish.\n" in below
    assert f"^{ALLERGY}  2026-03-14  topics/people/ines.md:7  [supported 0.75]" in below


def test_a_topic_shows_those_of_its_records_that_have_relations(home: Path) -> None:
    for name in (PORTO, "trips/porto"):
        answer = run_json("--home", home, "relations", name)
        assert answer["of"] == len(answer["records"])
        assert {TRIP, DINNER} <= {each["line"]["record"]["id"] for each in answer["records"]}
        assert all(each["of_links"] or each["of_backlinks"] for each in answer["records"])


def test_a_message_has_none_and_what_is_not_there_is_said(home: Path) -> None:
    for name, code in (("native/porto/m5", "INVALID_ARGUMENT"), ("0badc0de", "MEMORY_NOT_FOUND")):
        error = run_json("--home", home, "relations", name)["error"]
        assert error["code"] == code
        assert error["problems"][0]["remedy"]


def test_long_lists_are_cut_counted_and_shown_in_full_on_demand(memory: Service) -> None:
    middle = hub(memory, 9)
    (found,) = memory.relations(middle, 4).records
    assert (len(found.backlinks), found.of_backlinks) == (4, 9)
    shown = run("--home", memory.home, "relations", middle, "-n", "4").out
    assert "linked from 9\n" in shown
    assert shown.splitlines()[-1] == f"  … 5 more records: `scriptorium relations ^{middle}` shows all"
    brief = run("--home", memory.home, "relations", "hub").out
    assert brief.splitlines()[-1] == f"  … 4 more records: `scriptorium relations ^{middle}` shows all"
    assert run("--home", memory.home, "relations", middle).out.count("Spoke") == 9
    added(memory, *(f"More of the [hub](hub.md#^{middle}), {number}." for number in range(50)))
    assert (
        f"54 more records: `scriptorium relations ^{middle} -n 59` shows all"
        in run("--home", memory.home, "relations", "hub").out
    )
    cut = run("--home", memory.home, "relations", "keys", "-n", "2").out.splitlines()
    assert cut[-1] == "… 57 more records: `scriptorium relations keys -n 59` shows all"


def test_links_follow_a_record_that_moves_and_go_with_one_that_goes(memory: Service) -> None:
    middle = hub(memory, 2)
    assert next((each.path, each.backlinks) for each in memory.relations().topics) == (HUB, 2)
    memory.change(request(move(middle, topic="topics/new.md")))
    topics = {each.path: (each.links, each.backlinks) for each in memory.relations().topics}
    assert topics == {"topics/keys.md": (2, 0), "topics/new.md": (0, 2)}
    spoke = memory.relations(middle).records[0].backlinks[0].record.id
    memory.change(request(delete(spoke)))
    assert memory.relations(middle).records[0].of_backlinks == 1


# --- Who asks, and of when -----------------------------------------------------------------------


def test_what_may_not_be_read_is_at_neither_end(tmp_path: Path) -> None:
    with with_hidden(tmp_path) as made:
        seen, hidden = ids(made)
        assert [each.record.id for each in made.relations(seen).records[0].backlinks] == [hidden]
        assert len(made.relations().topics) == 2
        agent = as_(made, AGENT)
        (found,) = agent.relations(seen).records
        assert (found.backlinks, found.of_backlinks) == ((), 0)
        assert (agent.relations().topics, agent.relations().of) == ((), 0)
        told = refused(lambda: agent.relations(hidden))
        nowhere = refused(lambda: agent.relations("00000000"))
        assert [line.replace(hidden, "00000000") for line in told] == nowhere


def test_what_was_retracted_is_marked_at_both_ends(memory: Service) -> None:
    middle = hub(memory, 1)
    memory.retract(middle)
    (found,) = memory.relations("keys").records
    assert found.links[0].assessment.decision == "reject"
    assert "reject: retracted" in run("--home", memory.home, "relations", "keys").out


def test_as_of_then_links_are_those_of_then(memory: Service) -> None:
    middle = hub(memory, 3)
    with memory.at("HEAD~1") as past:
        assert past.relations().topics == ()
        assert past.relations(middle).records[0].of_backlinks == 0
    command = ["--home", memory.home, "at", "HEAD", "relations", middle]
    assert run(*command).out.count("Spoke") == 3


def test_the_library_asks_the_same(home: Path) -> None:
    with Memory.open(home / "memory") as memory:
        assert [each.path for each in memory.relations(limit=1).topics] == ["topics/people/ines.md"]
        assert memory.relations(INES).revision == memory.revision
        with pytest.raises(Refused):
            memory.relations("nowhere")
