"""Searching by standing: every door finds only records that stand so, and says why where none does."""

from pathlib import Path

import pytest
from mcp import Client

from cli_example import run, run_json
from mcp_clients import called, here
from scriptorium import Memory
from scriptorium.service import Service
from scriptorium.workspace import Committed
from scriptorium_core.recall import Kind, Query, Why
from scriptorium_core.topics.standing import State
from scriptorium_core.when import parse_when
from small_homes import create, request, service
from web_homes import served

SAID = "The spare key hangs in the shed."
DISPUTED = "The spare key hangs in the cellar."


def filled(home: Path) -> None:
    """A home with a record that a person said, and one that is disputed."""
    with service(home) as made:
        made.change(request(create(SAID), says="The spare key? In the shed, it hangs there."))
        made.change(request(create(DISPUTED, "topics/cellar.md"), says=DISPUTED))
        path = made.root / "topics/cellar.md"
        path.write_text("".join(f"{line}{_noted(line)}\n" for line in path.read_text().splitlines()))
        made.adopt()


def _noted(line: str) -> str:
    return "; Status: disputed" if line.startswith("[^") else ""


def texts(home: Service, query: Query) -> list[str]:
    return [hit.content for hit in home.search(query).hits]


def test_only_records_that_stand_so_are_found(tmp_path: Path) -> None:
    filled(tmp_path)
    with service(tmp_path) as home:
        assert sorted(texts(home, Query("spare key"))) == sorted((SAID, DISPUTED))
        assert texts(home, Query("spare key", standing=(State.SUPPORTED,))) == [SAID]
        assert texts(home, Query("spare key", standing=(State.DISPUTED, State.VERIFIED))) == [DISPUTED]
        both = Query("spare key", standing=(State.DISPUTED, State.SUPPORTED))
        assert sorted(texts(home, both)) == sorted((SAID, DISPUTED))


def test_messages_have_no_standing(tmp_path: Path) -> None:
    filled(tmp_path)
    kinds = (Kind.RECORD, Kind.TURN)
    with service(tmp_path) as home:
        assert Kind.TURN in {hit.kind for hit in home.search(Query("spare key shed", kinds)).hits}
        found = home.search(Query("spare key shed", kinds, standing=(State.SUPPORTED,))).hits
        assert [(hit.kind, hit.content) for hit in found] == [(Kind.RECORD, SAID)]


def test_what_stands_so_is_found_behind_many_better_ones_that_do_not(tmp_path: Path) -> None:
    filled(tmp_path)
    with service(tmp_path) as home:
        better = [create(f"Spare key: spare key number {number}.") for number in range(80)]
        for some in (better[:40], better[40:]):
            done = home.change(request(*some, says="There are many spare keys."))
            assert isinstance(done, Committed), done
        assert DISPUTED not in texts(home, Query("spare key", limit=60))
        assert texts(home, Query("spare key", limit=1, standing=(State.DISPUTED,))) == [DISPUTED]


def test_an_empty_answer_says_that_nothing_stands_so(tmp_path: Path) -> None:
    filled(tmp_path)
    with service(tmp_path) as home:
        nothing = home.search(Query("spare key", standing=(State.VERIFIED, State.RETRACTED))).nothing
        assert nothing is not None
        assert nothing.why is Why.NO_MATCH
        said = "the words occur only in records that do not stand as verified or retracted"
        assert nothing.message == said
        told = home.search(Query("spare key", (Kind.TURN,), standing=(State.VERIFIED,))).nothing
        assert told is not None
        assert told.message == "messages have no standing: ask for records by it"
        kinds = (Kind.RECORD, Kind.TURN)
        mixed = home.search(Query("spare key", kinds, standing=(State.VERIFIED,))).nothing
        assert mixed is not None
        assert mixed.message == (
            "the words occur only in records that do not stand as verified; and messages have no standing"
        )
        then = parse_when("2020")
        both = home.search(Query("spare key", valid_at=then, standing=(State.VERIFIED,))).nothing
        assert both is not None
        assert "of which nothing held in 2020 or that do not stand as verified" in both.message


def test_every_door_takes_the_standing(tmp_path: Path) -> None:
    filled(tmp_path)
    asked = ("--home", tmp_path, "search", "spare key", "--standing", "disputed")
    assert [hit["content"] for hit in run_json(*asked)["hits"]] == [DISPUTED]
    assert len(run_json(*asked, "--standing", "supported")["hits"]) == 2
    assert run("--home", tmp_path, "search", "key", "--standing", "odd").code == 2
    with Memory.open(tmp_path / "memory") as memory:
        found = memory.search("spare key", standing=[State.DISPUTED]).hits
        assert [hit.content for hit in found] == [DISPUTED]
    with served(tmp_path) as client:
        hits = client.get("/search?q=spare+key&standing=disputed").json["hits"]
        assert [hit["content"] for hit in hits] == [DISPUTED]
        two = client.get("/search?q=spare+key&standing=disputed&standing=supported").json["hits"]
        assert len(two) == 2
        refused = client.get("/search?q=spare+key&standing=odd")
        assert refused.status == 400
        described = client.get("/openapi.json").json["paths"]["/api/memory/search"]["get"]["parameters"]
        assert any(each["name"] == "standing" and each["description"] for each in described)

    async def talk(client: Client) -> None:
        (hit,) = (await called(client, "memory_search", query="spare key", standing=["disputed"]))["hits"]
        assert hit["text"] == DISPUTED

    here(tmp_path, talk)


@pytest.mark.parametrize(
    ("words", "stage", "removed"),
    [
        (("--standing", "verified", "--standing", "disputed"), "standing (verified, disputed)", [SAID]),
        (("--valid-at", "2020", "--topic", "gate"), "valid_at (2020)", [SAID, DISPUTED]),
    ],
)
def test_an_explanation_names_what_the_facts_of_the_commit_took_away(
    tmp_path: Path, words: tuple[str, ...], stage: str, removed: list[str]
) -> None:
    filled(tmp_path)
    named = {hit["content"]: hit["id"] for hit in run_json("--home", tmp_path, "search", "spare key")["hits"]}
    asked = ("--home", tmp_path, "search", "spare key", *words, "--explain")
    stages = run_json(*asked)["explanation"]["filters"]
    told = {f"{each['filter']} ({each['wanted']})": each["removed"] for each in stages}
    assert sorted(told[stage]) == sorted(named[text] for text in removed)
    assert f"filter {stage} took away {len(removed)} document" in run(*asked).out
