"""Examples of what each door says of a record's worth: as it grows old, is disputed, checked, or misspelt."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

import mcp_clients
import web_homes
from cli_example import run, run_json
from mcp_clients import called, here
from page_homes import visited
from scriptorium.cli.shown import record as shown_lines
from scriptorium.clock import Moment
from scriptorium.service import Service
from scriptorium.service.shown import RecordShown
from scriptorium_core.knowledge.assess import Decision, Doubt
from scriptorium_core.problem import Code
from scriptorium_core.recall import Query
from small_homes import NOW, create, request, service
from web_homes import served

THEN = ("--clock", "2023-11-15T12:00:00+00:00")
LATER = Moment(NOW.seconds + 40 * 86_400, NOW.offset)
KEY = "The spare key hangs in the shed."


def filled(home: Path, *fields: str, topic: str = "topics/keys.md") -> str:
    """A home with one record of November 2023, whose definition a person gives these fields, one by one."""
    with service(home) as made:
        done = made.change(request(create(KEY, topic) | {"time": "2023-11-10"}, says=KEY))
        for each in fields:
            written(made, each, topic)
        return done.report.created[0]  # type: ignore[union-attr]


def written(home: Service, fields: str, topic: str = "topics/keys.md") -> None:
    """Put fields into the one definition of a topic by hand, instead of those that stand there."""
    path = home.root / topic
    lines = path.read_text().splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("[^"))
    lines[place] = lines[place].split("); ")[0].removesuffix(")") + f"){fields}"
    path.write_text("\n".join([*lines, ""]))
    home.adopt()


def shown(home: Service, name: str) -> RecordShown:
    found = home.show(name)
    assert isinstance(found, RecordShown)
    assert found.assessment is not None
    return found


# --- Time passes -------------------------------------------------------------------------------------


def test_what_turns_stale_while_a_server_runs_is_stale_in_the_very_next_answer_over_http(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = filled(tmp_path, "; Fresh: dynamic")
    targets: dict[str, Callable[[Any], Any]] = {
        "/search?q=spare+key": lambda answer: answer["hits"][0]["assessment"],
        f"/records/{key}": lambda answer: answer["assessment"],
        f"/why/{key}": lambda answer: answer["shown"]["assessment"],
        "/recent": lambda answer: answer["rows"][0]["assessment"],
        "/timeline/2023": lambda answer: answer["rows"][0]["assessment"],
        "/context?q=spare+key": lambda answer: answer["shown"][0]["assessment"],
    }
    with served(tmp_path) as client:
        for reasons, moment in (([], NOW), (["stale"], LATER)):
            monkeypatch.setattr(web_homes, "NOW", moment)
            for target, of in targets.items():
                assert of(client.get(target).json)["reasons"] == reasons, target
        assert "revalidate: stale" in client.get("/context?q=spare+key").json["text"]


def test_what_turns_stale_while_an_agent_talks_is_stale_in_its_very_next_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = filled(tmp_path, "; Fresh: dynamic; Reuse: revalidate", topic="topics/core.md")

    async def talk(client: Client) -> None:
        before = await called(client, "memory_search", query="spare key")
        assert before["hits"][0]["assessment"]["decision"] == "reuse"
        assert f"^{key}" in (await called(client, "memory_browse", what="core"))["text"]
        monkeypatch.setattr(mcp_clients, "NOW", LATER)
        after = await called(client, "memory_search", query="spare key")
        assert after["hits"][0]["assessment"]["reasons"] == ["stale"]
        got = await called(client, "memory_get", id=f"^{key}")
        assert got["record"]["assessment"] == after["hits"][0]["assessment"]
        context = await called(client, "memory_context", question="Where is the spare key?")
        assert [each["reason"] for each in context["left_out"] if each["id"] == f"^{key}"] == ["stale"]
        core = await called(client, "memory_browse", what="core")
        assert f"^{key}" not in core["text"]
        assert [each["reason"] for each in core["left_out"]] == ["stale"]

    here(tmp_path, talk)


def test_a_question_for_current_data_is_answered_by_what_needs_a_check(tmp_path: Path) -> None:
    filled(tmp_path)
    plainly = run_json("--home", tmp_path, *THEN, "search", "spare key")["hits"][0]["assessment"]
    assert (plainly["decision"], plainly["reasons"]) == ("reuse", [])
    asked = run_json("--home", tmp_path, *THEN, "search", "spare key", "--current", "--least", "0.9")
    doubts = ["confidence-below-threshold", "current-data-requested"]
    assert asked["hits"][0]["assessment"]["reasons"] == doubts
    context = run("--home", tmp_path, *THEN, "context", "spare key", "--current").out
    assert "supported 0.75; revalidate: current-data-requested" in context


# --- Standing changes ----------------------------------------------------------------------------------


def test_what_is_disputed_is_shown_to_people_and_goes_along_nowhere(tmp_path: Path) -> None:
    key = filled(tmp_path, "; Status: disputed 0.3", topic="topics/core.md")
    with service(tmp_path) as home:
        (hit,) = home.search(Query("spare key")).hits
        assert hit.assessment is not None
        assert (hit.assessment.decision, hit.assessment.reasons) == (Decision.REJECT, (Doubt.DISPUTED,))
        assert "disputed 0.3; reject: disputed" in shown_lines(shown(home, key), ())
        assert key not in (home.root / "core.md").read_text()
        core = home.core()
        assert (core.shown, [(each.id, each.reason) for each in core.left_out]) == ((), [(key, "disputed")])
        assert home.context("spare key").shown == ()
        assert "left out: 1 disputed" in home.context("spare key").text
    out = run("--home", tmp_path, "search", "spare key").out
    assert "[disputed 0.3; reject: disputed]" in out
    assert f"left out: ^{key} disputed" in run("--home", tmp_path, "core").out


def test_the_history_of_a_standing_is_that_of_its_line(tmp_path: Path) -> None:
    key = filled(tmp_path, "; Status: plausible", "; Status: verified; Checked: 2023-11-12", "")
    with service(tmp_path) as home:
        found = home.standing_history(f"^{key}")
        assert [(each.standing.before, each.standing.after) for each in found.changes] == [
            ("Status: verified; Checked: 2023-11-12", ""),
            ("Status: plausible", "Status: verified; Checked: 2023-11-12"),
            ("", "Status: plausible"),
        ]
        assert [each.commit for each in found.changes] == [each.commit for each in home.log(3)]
        deeds = [each.step.deeds for each in home.blame(key).versions]
        assert deeds == [("standing",), ("standing",), ("standing",), ("created",)]
    out = run("--home", tmp_path, "blame", key).out
    assert "standing: Status: plausible -> Status: verified; Checked: 2023-11-12" in out
    assert "standing: by default -> Status: plausible" in out
    assert len(run_json("--home", tmp_path, "blame", key)["versions"]) == 4


def test_only_a_check_renews_the_clock(tmp_path: Path) -> None:
    key = filled(tmp_path, "; Fresh: dynamic")
    with Service(tmp_path, moment=lambda: LATER) as home:
        assert shown(home, key).assessment.stale  # type: ignore[union-attr]
        home.change(request({"op": "update_record", "memory_id": key, "content": f"{KEY} Since May."}))
        assert shown(home, key).assessment.stale  # type: ignore[union-attr]
        written(home, "; Fresh: dynamic; Checked: 2023-12-20")
        assert not shown(home, key).assessment.stale  # type: ignore[union-attr]


# --- What cannot be read ---------------------------------------------------------------------------------


def test_what_cannot_be_read_stays_is_named_and_counts_as_the_least_that_it_could_mean(
    tmp_path: Path,
) -> None:
    wrong = "; Status: verifed 0.95; Fresh: monthly; Reuse: allways; Checked: soon"
    key = filled(tmp_path, wrong)
    with service(tmp_path) as home:
        assert wrong in (home.root / "topics/keys.md").read_text()
        found = shown(home, key)
        assert found.assessment is not None
        assert (found.assessment.state, found.assessment.confidence) == ("unverified", 0.0)
        assert (found.assessment.fresh, found.assessment.policy) == ("volatile", "never-direct")
        assert [(each.code, each.path) for each in found.problems] == [
            (Code.INVALID_TOPIC_FORMAT, "topics/keys.md")
        ] * 4
        told = [each for each in home.verify().findings if "Status is 'verifed 0.95'" in each.problem.message]
        assert [each.level for each in told] == ["information"]
        # An edit of something else leaves the line as it is.
        home.change(request({"op": "update_record", "memory_id": key, "content": "It hangs in the barn."}))
        assert wrong in (home.root / "topics/keys.md").read_text()
    assert json.dumps(run_json("--home", tmp_path, "show", key)).count("INVALID_TOPIC_FORMAT") == 4


def test_what_turns_stale_while_the_page_is_served_is_stale_on_the_very_next_one(tmp_path: Path) -> None:
    key = filled(tmp_path, "; Fresh: dynamic")
    addresses = (
        f"/records/{key}",
        "/recent",
        "/search?q=spare+key",
        "/timeline/2023-11-10",
        "/topics/keys.md",
    )
    present = [NOW]
    with visited(tmp_path, moment=lambda: present[-1]) as visitor:
        for moment, stale in ((NOW, False), (LATER, True)):
            present.append(moment)
            for address in addresses:
                shown = "supported 0.75, stale (stale)" in visitor.text(address)
                assert shown == stale, address


def test_lines_and_topics_that_are_read_say_what_stands_against_their_records(tmp_path: Path) -> None:
    key = filled(tmp_path, "; Status: disputed 0.3")
    told = f"^{key} [disputed 0.3; reject: disputed]"
    assert told in run("--home", tmp_path, "grep", "spare key").out
    (line,) = run_json("--home", tmp_path, "grep", "spare key")["hits"]
    assert line["assessment"]["decision"] == "reject"

    async def talk(client: Client) -> None:
        (hit,) = (await called(client, "memory_grep", text="spare key"))["hits"]
        assert hit["assessment"]["reasons"] == ["disputed"]
        (topic,) = (await client.read_resource("memory://topics/keys.md")).contents
        assert f"[^{key}; disputed 0.3; reject: disputed]" in topic.text  # type: ignore[union-attr]

    here(tmp_path, talk)
