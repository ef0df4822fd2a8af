"""Scenarios that people reported, about logs: from the files that programs keep to what memory says."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from claude_records import answer, boundary, person, summary
from cli_example import ROOT, run, run_json
from codex_examples import CHILD, HARNESS, asked, back, copied, header, turn
from codex_examples import ROOT as PARENT
from residue import places_with
from scriptorium.conversations.store import open_store
from scriptorium.service import Service
from scriptorium_core.recall import Query
from secret_examples import STRIPE, TOKEN
from small_homes import service, unsound

FIXTURES = ROOT / "tests" / "fixtures"
FORMATS = ("chatgpt", "claude-ai", "claude-code", "codex", "openai", "openclaw", "pi", "transcript")
CENTS, ROUND, EURO = (
    "I decided that prices are in cents.",
    "I always round up at the end.",
    "I want a column in EUR, too.",
)


def written(file: Path, rows: Iterable[dict[str, Any]]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def _from(session: str, row: dict[str, Any]) -> dict[str, str]:
    return {"sessionId": session, "messageUuid": row["uuid"]}


def records(home: Service) -> list[tuple[str, tuple[str, ...]]]:
    """What the records say, and their days; sorted."""
    return sorted((row.record.content, row.record.dates) for row in home.recent().rows)


def archived(home: Service) -> list[str]:
    """The messages in the archive, by provider and words."""
    with home.memory().reading() as (_, base):
        return sorted(f"{name.split('/')[0]}: {each.text}" for name, each in base.facts.sources.items())


def in_store(home: Path) -> list[tuple[object, ...]]:
    """All that the session store holds, but for when it came."""
    with open_store(home / "sessions.sqlite3") as store:
        nodes = "SELECT s.provider, s.id, n.id, n.home, n.parent, n.at, n.text FROM nodes n JOIN sessions s"
        return [
            *store.rows("SELECT provider, id, title, head, live, turns FROM sessions ORDER BY num", ()),
            *store.rows(f"{nodes} ON s.num = n.session ORDER BY n.num", ()),
        ]


@pytest.mark.parametrize("format", [*FORMATS, ""])
def test_what_was_imported_is_not_imported_again(tmp_path: Path, format: str) -> None:
    """Each format by itself and all together; nothing is added the second time, nor if all is read anew."""
    logs, home = FIXTURES / format, tmp_path / "home"
    first = run_json("--home", home, "import", logs)["totals"]
    held = in_store(home)
    assert first["turns_new"] == sum(len(row) == 7 for row in held) > 0
    for more in ((), ("--again",)):
        again = run_json("--home", home, "import", logs, *more)["totals"]
        assert (again["turns_new"], again["sessions_new"], in_store(home)) == (0, 0, held)
    last = [
        line for line in run("--home", home, "import", logs).out.splitlines() if not line.startswith(" ")
    ][-1]
    assert last.endswith(("no new turns", "unchanged since it was read"))


def test_all_formats_at_once_are_written_and_sound(tmp_path: Path) -> None:
    """Written, nothing is broken, and no word of tools or of the harness is there."""
    home = tmp_path / "home"
    assert run("--home", home, "import", FIXTURES).code == 0
    assert run("--home", home, "write", "--all", "--force").code == 0
    with service(home) as opened:
        assert opened.status().pending == 0
        # A person may say "ok" again and again; what a fork copied is there once.
        twice = [text for text, count in Counter(archived(opened)).items() if count > 1]
        assert all(text.endswith(": ok") for text in twice), twice
    assert [line for line in unsound(home) if "fulltext" not in line] == []
    not_said = ("environment_context", "AGENTS.md", "session is being continued", "toolu_", "system-reminder")
    assert places_with(home / "memory" / "topics", *not_said) == []
    assert places_with(home / "memory" / "sources", *not_said) == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_fork_of_codex_brings_its_own_turn_alone(tmp_path: Path, order: Sequence[int]) -> None:
    """bc-001: in either order each fact is there once, on the day on which it was said."""
    parent = [header("10:00:00.000"), *turn("10:01", CENTS, "Noted."), *turn("10:05", ROUND, "Rounded.")]
    fork = [header("14:00:00.000", CHILD, forked_from_id=PARENT), *copied(parent, "14:00:00")]
    fork = [json.loads(json.dumps(row).replace("2026-06-01T14", "2026-06-09T14")) for row in fork]
    fork += [json.loads(json.dumps(row).replace("06-01", "06-09")) for row in turn("14:03", EURO, "Added.")]
    folder = tmp_path / "sessions"
    files = [
        written(folder / f"rollout-2026-06-01T10-00-00-{PARENT}.jsonl", parent),
        written(folder / f"rollout-2026-06-09T14-00-00-{CHILD}.jsonl", fork),
    ]
    with service(tmp_path / "home") as home:
        home.import_paths([files[order[0]]])
        home.write(force=True)
        home.import_paths([files[order[1]]])
        home.write(force=True)
        contents = [content for content, _ in records(home)]
        assert sorted(contents) == sorted({CENTS, ROUND, EURO})
        assert (EURO, ("2026-06-09",)) in records(home)
        assert len(archived(home)) == 6
        days = {day for content, dates in records(home) if content != EURO for day in dates}
        # Where the fork came first its copies have no day; they never have that of the fork.
        assert days <= {"2026-06-01"}
        assert home.verify().findings[1:] == ()


@pytest.mark.parametrize("order", [*permutations((0, 1, 2))])
def test_forks_and_continuations_of_claude_code_say_each_thing_once(
    tmp_path: Path, order: Sequence[int]
) -> None:
    """A session, its fork and its continuation, in every order; the summary was said by nobody."""
    base = [person("u1", None, CENTS), answer("a1", "u1"), person("u2", "a1", ROUND), answer("a2", "u2")]
    forked = [
        {"sessionId": "S2", "forkedFrom": {"sessionId": "S1", "messageUuid": row["uuid"]}} for row in base
    ]
    fork = [row | more for row, more in zip(base, forked, strict=True)]
    fork += [person("u3", "a2", EURO) | {"sessionId": "S2"}]
    after = [
        boundary("c1", "a2"),
        summary("c2", "c1"),
        person("u4", "c2", "I prefer one file for all of it."),
    ]
    after = [row | {"sessionId": "S3"} for row in after]
    rows = (base, fork, after)
    files = [written(tmp_path / "p" / f"S{number + 1}.jsonl", rows[number]) for number in order]
    with service(tmp_path / "home") as home:
        for file in files:
            home.import_paths([file])
        home.write(force=True)
        said = {CENTS, ROUND, EURO, "I prefer one file for all of it."}
        assert [content for content, _ in records(home)] == sorted(said)
        assert all(dates == ("2026-05-02",) for _, dates in records(home))
        assert len(archived(home)) == 6
        assert not any("continued" in text for text in archived(home))


def test_harness_rewinds_and_answers_make_no_records(tmp_path: Path) -> None:
    """bc-013, bc-027: what the harness said in the person's role, and what was taken back."""
    rows = [header("10:00:00.000")]
    rows += [asked("10:00:01.000", text) for text in HARNESS]
    rows += [*turn("10:01", "I decided to deploy to Frankfurt.", "I like Frankfurt.")]
    rows += [back("10:02:00.000", 1)]
    rows += [*turn("10:03", "I decided to deploy to Dublin.", "I like Dublin.")]
    with service(tmp_path / "home") as home:
        home.import_paths([written(tmp_path / f"rollout-2026-06-01T10-00-00-{PARENT}.jsonl", rows)])
        home.write(force=True)
        assert [content for content, _ in records(home)] == [
            "I decided to deploy to Dublin.",
            "I decided to deploy to Frankfurt.",
        ]
        current = [hit.content for hit in home.search(Query("deploy")).hits if not hit.is_abandoned]
        assert current == ["I decided to deploy to Dublin."]


def test_a_conversation_has_the_day_on_which_it_was_held_and_not_that_of_the_import(tmp_path: Path) -> None:
    """Years of chats come in on one day; one whose last answer has no time has that of the message before."""
    home = tmp_path / "home"
    run("--home", home, "import", FIXTURES / "chatgpt")
    days = {
        each["session"]["id"]: each["said_at"][:10]
        for each in run_json("--home", home, "sessions")["sessions"]
    }
    assert days == dict.fromkeys(("conv-paint", "conv-port", "conv-tea"), "2026-01-01")
    undated = written(
        tmp_path / "talk.jsonl", [{"session": "s1", "id": "m1", "role": "user", "text": "Hello."}]
    )
    run("--home", home, "import", undated)
    assert "unknown" in run("--home", home, "sessions").out.splitlines()[-1]


def test_what_an_editor_shows_beside_the_words_takes_none_of_them_away(tmp_path: Path) -> None:
    """bc-027: in a block of its own, or in front of the words in one text; alone it is nobody's message."""
    opened, chosen = (f"<ide_{name}>I prefer {name}.</ide_{name}>" for name in ("opened_file", "selection"))
    blocks = [{"type": "text", "text": opened}, {"type": "text", "text": CENTS}]
    rows = [
        person("u1", None, blocks),
        person("u2", "u1", f"{opened}\n{chosen}\n{ROUND}"),
        person("u3", "u2", opened),
    ]
    with service(tmp_path / "home") as home:
        home.import_paths([written(tmp_path / "p" / "S1.jsonl", rows)])
        home.write(force=True)
        assert archived(home) == [f"claude-code: {ROUND}", f"claude-code: {CENTS}"]


def test_a_wrong_file_is_a_wrong_file_each_time(tmp_path: Path) -> None:
    """A project of Claude.ai holds no conversation; naming it again does not make it one that is known."""
    file = tmp_path / "projects.json"
    file.write_text('[{"uuid": "p", "name": "Garden", "prompt_template": "", "docs": []}]')
    ran = [run("--home", tmp_path / "home", "import", file) for _ in range(2)]
    assert [(each.code, "not a conversation" in each.err) for each in ran] == [(2, True), (2, True)]


def test_a_secret_beside_the_words_stays_out_as_well(tmp_path: Path) -> None:
    """bc-073: in the name of a directory, of a person and of a conversation."""
    row = person("u1", None, "I always deploy on Friday.") | {"cwd": f"/home/p/{TOKEN}"}
    title = {"type": "custom-title", "customTitle": f"About {STRIPE}", "sessionId": "S1"}
    logs = [written(tmp_path / "p" / "S1.jsonl", [row, title])]
    named = {"session": "s1", "id": "m1", "role": "user", "speaker": f"Mara {TOKEN}", "text": "I like tea."}
    logs.append(written(tmp_path / "talk.jsonl", [named]))
    home = tmp_path / "home"
    with service(home) as opened:
        opened.import_paths(logs)
        opened.write(force=True)
        assert len(records(opened)) == 2
        assert opened.verify().findings[1:] == ()
        assert [each.session.title for each in opened.sessions()] == ["About [secret:stripe-key]", ""]
    assert places_with(home / "memory", TOKEN, STRIPE, TOKEN.casefold()) == []
