"""Examples of branches, from a log to what a person reads: abandoned, live, several live, linked sessions."""

import json
from pathlib import Path
from typing import Any

import pytest

from claude_records import answer, boundary, jsonl, person, summary
from scriptorium.cli.shown import hit, shown
from scriptorium.cli.why import told
from scriptorium.clock import Moment
from scriptorium.service import Service
from scriptorium.service.assessing import day_of
from scriptorium.service.model import FoundItem, RecordShown, Why
from scriptorium.service.scoped import core_in
from scriptorium.settings import Settings
from scriptorium_core.recall import Query

DARK, LIGHT = "I prefer the dark theme for the editor.", "I prefer the light theme for the editor."
FORK: tuple[dict[str, Any], ...] = (
    {"id": "m1", "role": "user", "text": "I always work in a small editor."},
    {"id": "m2", "parent": "m1", "role": "assistant", "text": "Which theme?"},
    {"id": "m3", "parent": "m2", "role": "user", "text": DARK},
    {"id": "m4", "parent": "m3", "role": "assistant", "text": "Dark it is."},
    {"id": "m5", "parent": "m2", "role": "user", "text": LIGHT},
)


def at_noon() -> Moment:
    return Moment(1_775_217_600)


def home(folder: Path, *rows: dict[str, Any], session: str = "s1") -> Service:
    """A home in which these lines were imported and written; called again, the lines are more of the log."""
    folder.mkdir(parents=True, exist_ok=True)
    service = Service(folder / "home", settings=Settings(), moment=at_noon)
    with (folder / f"{session}.jsonl").open("a") as log:
        log.writelines(json.dumps({"session": session, **row}) + "\n" for row in rows)
    service.import_paths([folder / f"{session}.jsonl"])
    service.write(force=True)
    return service


def found(service: Service, text: str) -> dict[str, FoundItem]:
    return {item.content: item for item in service.search(Query(text)).hits}


def explained(service: Service, block: str) -> Why:
    return service.why(block)


def in_topics(service: Service) -> str:
    return "".join(path.read_text() for path in sorted((service.root / "topics").rglob("*.md")))


def test_an_abandoned_branch_is_archived_and_never_poses_as_current(tmp_path: Path) -> None:
    """bc-013."""
    with home(tmp_path, *FORK) as service:
        themes = found(service, "theme")
        assert themes[DARK].is_abandoned
        assert not themes[LIGHT].is_abandoned
        assert "[abandoned branch: not current]" in hit(themes[DARK])
        assert not themes[DARK].alternatives
        assert not themes[LIGHT].alternatives
        why = told(explained(service, themes[LIGHT].id))
        assert "this branch is live" in why
        assert "another branch (abandoned) leaves after m2 and ends with assistant: “Dark it is.”" in why
        assert "this branch is abandoned" in told(explained(service, themes[DARK].id))


def test_an_abandoned_branch_stays_out_of_the_core(tmp_path: Path) -> None:
    with home(tmp_path, *FORK) as service:
        themes = found(service, "theme")
        for theme in (DARK, LIGHT):
            move = {"op": "move_records", "memory_ids": [themes[theme].id]}
            there = {"topic_path": "topics/core.md", "headings": ["Core"], "position": "end"}
            service.change({"memory_changes": [move | {"destination": there}]})
        core = service.core()
        assert (LIGHT in core.text, DARK in core.text) == (True, False)
        assert core.aside == (themes[DARK].id,)
        assert (service.root / "core.md").read_text() == core.text
    # The head moves to the other branch: so does what is current.
    with home(tmp_path, {"head": "m4"}) as service:
        core = service.core()
        assert (LIGHT in core.text, DARK in core.text) == (False, True)
        assert service.verify().holds


def test_two_live_branches_that_disagree_are_alternatives_side_by_side(tmp_path: Path) -> None:
    with home(tmp_path, *FORK, {"head": "m5", "live": ["m4"]}) as service:
        themes = found(service, "theme")
        assert [each.is_abandoned for each in themes.values()] == [False, False]
        assert themes[DARK].branches == ("s1@m3",)
        assert themes[LIGHT].branches == ("s1@m5",)
        (other,) = themes[DARK].alternatives
        assert (other.id, other.content, other.branches) == (themes[LIGHT].id, LIGHT, ("s1@m5",))
        text = hit(themes[DARK])
        assert "[on branch s1@m3]" in text
        assert f"    alternative on branch s1@m5:\n      {LIGHT}\n      ^{themes[LIGHT].id}" in text
        record = service.show(themes[LIGHT].id)
        assert isinstance(record, RecordShown)
        assert [each.id for each in record.alternatives] == [themes[DARK].id]
        assert "alternative on branch s1@m3" in shown(record)
        assert "; Branch: s1@m3 live\n" in in_topics(service)
        assert service.verify().holds


def test_what_stands_above_the_fork_is_no_alternative(tmp_path: Path) -> None:
    with home(tmp_path, *FORK, {"head": "m5", "live": ["m4"]}) as service:
        (item,) = found(service, "small").values()
        assert not item.branches
        assert not item.alternatives


def test_what_speaks_of_something_else_is_no_alternative(tmp_path: Path) -> None:
    rows = [*FORK[:4], {**FORK[4], "text": "I moved to a house by the river."}]
    with home(tmp_path, *rows, {"head": "m5", "live": ["m4"]}) as service:
        (item,) = found(service, "river").values()
        assert item.branches == ("s1@m5",)
        assert not item.alternatives


def test_a_branch_that_becomes_live_later_is_noted_and_one_that_is_given_up_no_more(tmp_path: Path) -> None:
    home(tmp_path, *FORK[:4]).close()
    with home(tmp_path, FORK[4], {"head": "m5", "live": ["m4"]}) as service:
        assert found(service, "theme")[DARK].alternatives
    with home(tmp_path, {"head": "m5", "live": []}) as service:
        themes = found(service, "theme")
        assert themes[DARK].is_abandoned
        assert not any(item.alternatives or item.branches for item in themes.values())
        assert " live\n" not in in_topics(service)
    with home(tmp_path, {"head": "m5", "live": ["m4"]}) as service:
        assert found(service, "theme")[LIGHT].alternatives
        before = service.memory().revision
        service.write(force=True)
        assert service.memory().revision == before


def test_branches_of_a_branch_are_alternatives_to_each_other_and_to_the_first(tmp_path: Path) -> None:
    green = "I prefer the green theme for the editor."
    more = {"id": "m6", "parent": "m4", "role": "user", "text": green}
    other = {"id": "m7", "parent": "m4", "role": "user", "text": "I prefer the grey theme for the editor."}
    with home(tmp_path, *FORK, more, other, {"head": "m5", "live": ["m6", "m7"]}) as service:
        themes = found(service, "theme")
        assert themes[green].branches == ("s1@m3", "s1@m6")
        assert {each.content for each in themes[green].alternatives} == {LIGHT, other["text"]}
        assert {each.content for each in themes[DARK].alternatives} == {LIGHT}
        assert {each.content for each in themes[LIGHT].alternatives} == {DARK, green, other["text"]}


def test_alternatives_among_the_hits_stand_next_to_each_other(tmp_path: Path) -> None:
    rest = [
        {"id": f"n{n}", "parent": f"n{n - 1}" if n else "m5", "role": "user", "text": text}
        for n, text in enumerate(
            ["I prefer a light lamp.", "I prefer light and easy reading.", "I prefer light boots."]
        )
    ]
    with home(tmp_path, *FORK, *rest, {"head": "n2", "live": ["m4"]}) as service:
        contents = list(found(service, "I prefer light"))
        assert len(contents) == 5
        assert abs(contents.index(DARK) - contents.index(LIGHT)) == 1


def test_a_summary_that_became_the_head_adds_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "logs" / "-home-p-app"
    folder.mkdir(parents=True)
    log = folder / "S1.jsonl"
    talk = [person("u1", None, "I prefer tabs to spaces."), answer("a1", "u1")]
    log.write_text(jsonl(*talk, boundary("c1", "a1"), summary("c2", "c1")))
    with Service(tmp_path / "home", settings=Settings(), moment=at_noon) as service:
        service.import_paths([log])
        service.write(force=True)
        (item,) = service.search(Query("tabs")).hits
        assert not item.is_abandoned
        assert service.status().sources == 2
        for path in service.root.rglob("*.*"):
            if path.is_file() and ".git" not in path.parts and ".scriptorium" not in path.parts:
                assert "being continued from a previous" not in path.read_text()


def test_the_links_of_a_session_go_along_with_the_evidence(tmp_path: Path) -> None:
    folder = tmp_path / "logs" / "-home-p-app"
    folder.mkdir(parents=True)
    talk = [person("u1", None, "I prefer tabs to spaces."), answer("a1", "u1")]
    (folder / "S1.jsonl").write_text(jsonl(*talk))
    forked = [
        {**row, "sessionId": "S2", "forkedFrom": {"sessionId": "S1", "messageUuid": row["uuid"]}}
        for row in talk
    ]
    new = person("u2", "a1", "I prefer short functions.", sessionId="S2")
    (folder / "S2.jsonl").write_text(jsonl(*forked, new))
    with Service(tmp_path / "home", settings=Settings(), moment=at_noon) as service:
        service.import_paths([folder])
        service.write(force=True)
        (functions,) = service.search(Query("functions")).hits
        assert "forked from claude-code/S1" in told(explained(service, functions.id))
        (tabs,) = service.search(Query("tabs")).hits
        assert "claude-code/S2 forked from it" in told(explained(service, tabs.id))
        links = {each.session.id: [link.kind for link in each.links] for each in service.sessions()}
        assert links == {"S1": [], "S2": ["forked_from"]}


@pytest.mark.parametrize("says_so", [True, False])
def test_a_fork_in_a_session_of_its_own_is_a_live_branch(tmp_path: Path, says_so: bool) -> None:
    """Older programs copied the records of a session without saying so."""
    folder = tmp_path / "logs" / "-home-p-app"
    folder.mkdir(parents=True)
    start = [person("u1", None, "I always work in a small editor."), answer("a1", "u1")]
    (folder / "S1.jsonl").write_text(jsonl(*start, person("u2", "a1", DARK)))
    with Service(tmp_path / "home", settings=Settings(), moment=at_noon) as service:
        service.import_paths([folder])
        service.write(force=True)
        assert not found(service, "theme")[DARK].branches
        origin = {"forkedFrom": {"sessionId": "S1", "messageUuid": "a1"}} if says_so else {}
        forked = [{**row, "sessionId": "S2", **origin} for row in start]
        (folder / "S2.jsonl").write_text(jsonl(*forked, person("u3", "a1", LIGHT, sessionId="S2")))
        service.import_paths([folder])
        service.write(force=True)
        themes = found(service, "theme")
        assert themes[DARK].branches == ("S1@u2",)
        assert themes[LIGHT].branches == ("S1@u3",)
        assert [each.content for each in themes[LIGHT].alternatives] == [DARK]
        assert not any(item.is_abandoned for item in themes.values())
        assert not found(service, "small")["I always work in a small editor."].branches
        before = service.memory().revision
        service.write(force=True)
        assert service.memory().revision == before


def test_a_rule_of_one_project_does_not_hold_in_another(tmp_path: Path) -> None:
    """bc-039."""
    for name, text in (("a", "Never use tabs here."), ("b", "Always use tabs here.")):
        rule = {"id": f"{name}1", "role": "user", "text": text, "scope": f"/w/{name}"}
        home(tmp_path, rule, session=name).close()
    with home(
        tmp_path, {"id": "c1", "role": "user", "text": "I always use a ruler."}, session="c"
    ) as service:
        rules = found(service, "use tabs ruler")
        assert rules["Never use tabs here."].scopes == ("/w/a",)
        assert "[in /w/a]" in hit(rules["Never use tabs here."])
        assert rules["I always use a ruler."].scopes == ()
        there = {"topic_path": "topics/core.md", "headings": ["Core"], "position": "end"}
        for item in rules.values():
            move = {"op": "move_records", "memory_ids": [item.id], "destination": there}
            service.change({"memory_changes": [move]})
        for scope, never, always in (("/w/a/", 1, 0), ("/w/a/src", 1, 0), ("/w/b", 0, 1), ("", 1, 1)):
            text = service.core(scope).text
            held = [rule in text for rule in ("Never use tabs here.", "Always use tabs here.")]
            assert (held, "ruler" in text) == ([bool(never), bool(always)], True)
        for directory, kept in (("/w/a", [True, False]), ("/w/b", [False, True]), ("", [True, True])):
            core, today = (service.root / "core.md").read_text(), day_of(service)
            text = core_in(service.memory().layout, core, directory, today, 2_000).text
            assert [rule in text for rule in ("Never use tabs here.", "Always use tabs here.")] == kept
            assert "ruler" in text
        assert list(found_in(service, "/w/a")) == ["Never use tabs here."]
        assert not found_in(service, "/w")


def found_in(service: Service, scope: str) -> dict[str, FoundItem]:
    return {item.content: item for item in service.search(Query("use tabs", scope=scope)).hits}
