"""What says the same is given once, unless where it holds, how it stands or who said it tells it apart."""

import json
from pathlib import Path
from typing import Any

from scriptorium.service import Service
from scriptorium.service.shown import RecordShown
from scriptorium_core.knowledge.offer import Part, Reason
from scriptorium_core.recall import Query
from small_homes import create, request, service


def update(made: Service, *changes: dict[str, Any], says: str = "I said so.") -> str:
    done = made.change(request(*changes, says=says))
    return done.report.created[0]  # type: ignore[union-attr]


def told(tmp_path: Path, *turns: dict[str, str]) -> Service:
    """A home in which these messages were written down."""
    log = tmp_path / "talk.jsonl"
    base = {"role": "user", "speaker": "Mara", "tier": "owner", "at": "2026-03-01T10:00:00Z"}
    log.write_text(
        "".join(json.dumps({"id": f"m{n}", **base, **turn}) + "\n" for n, turn in enumerate(turns))
    )
    made = service(tmp_path / "home")
    made.import_paths([log])
    for name in dict.fromkeys(turn["session"] for turn in turns):
        made.write([f"native/{name}"], force=True)
    return made


def test_the_same_words_in_two_projects_hold_in_each(tmp_path: Path) -> None:
    words = "I prefer tabs over spaces in the build scripts"
    turns = [
        {"session": f"p{name}", "scope": f"/w/{name}", "text": f"{words}{end}"} for name, end in ("a.", "b!")
    ]
    with told(tmp_path, *turns) as made:
        for scope in ("/w/a", "/w/b", "/w/b/src/"):
            given = made.context("tabs or spaces?", scope=scope)
            assert "tabs over spaces" in given.text, scope
            assert [each.scopes for each in made.search(Query("tabs", scope=scope)).hits] == [(scope[:4],)], (
                scope
            )


def test_a_project_is_found_where_another_one_has_more_to_say(tmp_path: Path) -> None:
    turns = [
        {"session": "pa", "scope": "/w/a", "text": f"I prefer deploy script tabs variant{n}."}
        for n in range(60)
    ]
    turns.append(
        {
            "session": "pb",
            "scope": "/w/b",
            "text": "I prefer to run the long deploy script on Monday mornings.",
        }
    )
    with told(tmp_path, *turns) as made:
        assert "Monday" in made.context("deploy script", scope="/w/b").text


def test_three_who_say_the_same_of_themselves_say_three_things(tmp_path: Path) -> None:
    turns = [
        {"session": f"s{name}", "speaker": name, "text": f"I prefer green tea over coffee{end}"}
        for name, end in (("Mara", "."), ("Bo", "."), ("Eve", "!"))
    ]
    with told(tmp_path, *turns) as made:
        text = made.context("Who prefers green tea?").text
        assert [name for name in ("Mara", "Bo", "Eve") if f"cites {name}" in text] == ["Mara", "Bo", "Eve"]


def test_what_is_disputed_or_past_takes_nothing_along_that_stands(tmp_path: Path) -> None:
    with service(tmp_path) as made:
        one = update(made, create("The gate code is nine.", "topics/gate.md"))
        other = update(made, create("the gate code is nine", "topics/doors.md"))
        given = made.context("gate code")
        assert [each.reason for each in given.left_out] == [Reason.DUPLICATE]
        assert {*(each.id for each in given.shown), *(each.id for each in given.left_out)} >= {one, other}
        shown = made.show(one)
        assert isinstance(shown, RecordShown)
        made.dispute(one, shown.seen)
        given = made.context("gate code")
        assert [each.id for each in given.shown if each.part is Part.RECORD] == [other]
        assert {each.id: each.reason for each in given.left_out}[one] is Reason.DISPUTED
        assert {each.id for each in made.search(Query("gate code")).hits} == {one, other}


def test_a_number_in_a_word_leads_to_no_month(tmp_path: Path) -> None:
    with service(tmp_path) as made:
        made.remember("The boiler is in the cellar.")
        day = made.search(Query("boiler")).hits[0].dates[0]
        for question in (f"python 3.{day[5:7]} segfault", f"ticket ABC-{day[5:7]}", f"room {day[5:7]}"):
            assert made.context(question).shown == (), question
