"""The answers of the command line: conversations, reading, changing, and the first run."""

import json
from pathlib import Path

import pytest

from cli_example import (
    DINNER,
    HOTEL,
    INES,
    PORTO,
    ROOT,
    change,
    create,
    fresh_home,
    in_a_process,
    run,
    run_json,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return fresh_home(tmp_path)


# --- Conversations -----------------------------------------------------------------------------------


def test_a_conversation_is_imported_written_found_and_explained(tmp_path: Path) -> None:
    log = tmp_path / "talk.jsonl"
    lines = [
        {"session": "s", "id": "1", "role": "user", "text": "I prefer trains to planes.", "at": "2026-05-02"},
        {"session": "s", "id": "2", "role": "assistant", "text": "Noted."},
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (report,) = run_json("--home", tmp_path, "import", log)["reports"]
    assert (report["format"], report["turns_new"], report["sessions"]) == ("native", 2, ["native/s"])
    (waiting,) = run_json("--home", tmp_path, "sessions")["sessions"]
    assert (waiting["session"]["id"], waiting["pending"]) == ("s", 2)
    (done,) = run_json("--home", tmp_path, "write", "--force")["passes"]
    assert (done["session"], done["outcomes"][0]["outcome"]) == ("native/s", "Wrote")
    (hit,) = run_json("--home", tmp_path, "search", "trains")["hits"]
    assert hit["citations"][0]["turn"]["text"] == "I prefer trains to planes."
    told = run("--home", tmp_path, "why", f"^{hit['id']}").out
    assert "→ " in told
    assert "Noted." in told
    assert f"created by “{run_json('--home', tmp_path, 'log')['log'][0]['subject']}”" in told
    again = run_json("--home", tmp_path, "write", "--all", "--force")["passes"]
    nothing = {"outcome": "NothingDue", "waiting": 0, "marked": 0, "agent": False, "holder": "", "until": ""}
    assert again[0]["outcomes"] == [nothing]


def test_less_than_a_batch_waits_for_force(tmp_path: Path) -> None:
    run("--home", tmp_path, "import", ROOT / "examples" / "demo.jsonl")
    told = run("--home", tmp_path, "write").out
    assert "less than a batch (--force writes them)" in told
    assert "1 session" not in run("--home", tmp_path, "status").out
    assert "1 with less wait for `--force`" in run("--home", tmp_path, "status").out


def test_a_dry_run_takes_nothing(tmp_path: Path) -> None:
    told = run("--home", tmp_path, "import", "--dry-run", ROOT / "examples" / "demo.jsonl").out
    assert "would take 16 new turns" in told
    assert run_json("--home", tmp_path, "sessions")["sessions"] == []


def test_what_a_writer_did_is_recorded_and_played_back_to_the_same_commit(tmp_path: Path) -> None:
    log, tape = ROOT / "examples" / "demo.jsonl", tmp_path / "tape.jsonl"
    heads = []
    for name, words in (("a", ["write", "--force", "--record", tape]), ("b", ["replay", tape])):
        home = ["--home", tmp_path / name, "--clock", "2026-05-02T10:00:00+02:00"]
        run(*home, "import", log)
        assert run(*home, *words).code == 0
        heads.append(run_json(*home, "topics"))
    assert heads[0] == heads[1]


def test_names_and_all_are_not_given_together(tmp_path: Path) -> None:
    assert run("--home", tmp_path, "write", "s", "--all").code == 2


# --- Reading -----------------------------------------------------------------------------------------


def test_a_long_record_is_cut_in_a_list_of_hits_and_shown_whole_alone(home: Path) -> None:
    words = "Porridge " * 2_000 + "at last."
    assert change(home, create("topics/food.md", words)).code == 0
    (hit,) = run_json("--home", home, "search", "porridge")["hits"]
    told = run("--home", home, "search", "porridge").out
    assert "at last." not in told
    assert f"(18,008 characters: `scriptorium show ^{hit['id']}` shows all of them)" in " ".join(told.split())
    assert "at last." in run("--home", home, "show", f"^{hit['id']}").out


def test_a_hit_comes_with_the_turn_that_it_cites(home: Path) -> None:
    told = run("--home", home, "search", "dinner on Saturday", "-n", "1").out
    assert told.startswith("Dinner is at Casa Oliva on Saturday 9 May at eight")
    assert f"^{DINNER}  2026-03-21  {PORTO} > Porto, May 2026 > Plan" in told
    assert "Mara, 2026-03-21 09:30  (native/porto/m12)" in told


def test_a_search_that_finds_nothing_says_why(home: Path) -> None:
    ran = run("--home", home, "search", "zzzz")
    assert (ran.code, ran.out.split(":")[0]) == (0, "nothing found")
    assert run_json("--home", home, "search", "zzzz")["hits"] == []


def test_a_search_is_narrowed(home: Path) -> None:
    def found(*words: str) -> list[str]:
        return [hit["id"] for hit in run_json("--home", home, "search", "Mara Ines Porto", *words)["hits"]]

    assert INES in found()
    assert INES not in found("--topic", "trips")
    assert found("--since", "2026-04") == found("--until", "2025") == found("--speaker", "Bo") == []
    assert found("--source", "native/porto") == found()
    assert all("/" in each for each in found("--kind", "turn"))


@pytest.mark.parametrize("text", ['"', "100%_done", "NEAR(", "*", "a AND", "(" * 50, "x" * 10_000, "--"])
def test_no_sign_in_a_search_has_a_meaning_of_its_own(home: Path, text: str) -> None:
    assert run("--home", home, "search", "--", text).code == 0


@pytest.mark.parametrize("name", [PORTO, "trips/porto.md", "trips/porto", "topics/trips/porto"])
def test_a_topic_is_shown_by_any_form_of_its_path(home: Path, name: str) -> None:
    text = (home / "memory" / PORTO).read_text("utf-8")
    assert run("--home", home, "show", name).out.strip() == text.strip()
    answer = run_json("--home", home, "show", name)
    assert (answer["kind"], answer["text"]) == ("topic", text)


def test_a_record_is_shown_with_its_evidence_and_its_neighbours(home: Path) -> None:
    told = run("--home", home, "show", f"^{INES}").out
    assert "I want to surprise her with a weekend in Porto." in told
    assert "linked from" in told
    assert run_json("--home", home, "show", INES)["kind"] == "record"


def test_why_leads_to_the_turn_among_its_neighbours_and_to_the_other_branch(home: Path) -> None:
    told = run("--home", home, "why", f"^{HOTEL}").out
    assert "[abandoned branch: not current]" in told
    assert "→ Mara, 2026-03-14 18:10  [abandoned branch]  (native/porto/m7)" in told
    assert "another branch (live) leaves after m6" in told
    assert "created by “Write 10 changes from porto”" in told
    found = run_json("--home", home, "why", HOTEL)["conversations"][0]
    near = [[turn["node"] for turn in found[side]] for side in ("before", "after")]
    assert near == [["m5", "m6"], ["m8"]]


def test_why_of_a_topic_names_its_records_instead(home: Path) -> None:
    ran = run("--home", home, "why", PORTO)
    assert ran.code == 2
    assert "name one of its records" in ran.err


def test_the_core_says_what_it_costs(home: Path) -> None:
    assert run("--home", home, "core").out.startswith("253 / 2,000 tokens, 3 of 3 records")


def test_the_timeline_counts_and_then_tells(home: Path) -> None:
    assert run("--home", home, "timeline").out.split() == "2026-03-14 7 records 2026-03-21 3 records".split()
    assert run("--home", home, "timeline", "2026-03-21").out.count("2026-03-21  ^") == 3
    assert run("--home", home, "timeline", "2025").out.strip() == "nothing is dated 2025"


def test_a_long_commit_is_told_in_short(home: Path) -> None:
    told = run("--home", home, "log").out
    assert "created: abc27c32 b96dde76 f1124edd f785be39 7f49a01d b13732f2 … and 4 more" in told
    assert "kind:" not in told


# --- Changing ----------------------------------------------------------------------------------------


def test_a_change_is_one_commit(home: Path, tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    request.write_text(json.dumps(create("topics/food.md")))
    told = run("--home", home, "change", request).out
    assert told.startswith("committed ")
    assert "topics/food.md" in told
    assert len(run_json("--home", home, "log")["log"]) == 2
    assert "oats" in run("--home", home, "show", "food").out


def test_the_example_in_the_help_of_change_works(tmp_path: Path) -> None:
    text = run("change", "--help").out
    request = tmp_path / "request.json"
    request.write_text(text[text.index('{"sources"') : text.index("}}]}") + 4])
    assert run_json("--home", tmp_path, "change", request)["memory_committed"] is True
    assert run("--home", tmp_path, "verify").code == 0


def test_a_change_comes_from_a_pipe_too(home: Path) -> None:
    ran = in_a_process("--home", home, "change", "-", input=json.dumps(create("topics/food.md")))
    assert ran.code == 0, ran.err


def test_the_same_clock_gives_the_same_commit(tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    request.write_text(json.dumps(create("topics/food.md")))
    homes = [fresh_home(tmp_path / name) for name in "ab"]
    first, second = (
        run_json("--home", home, "--clock", "2026-05-02T10:00:00+02:00", "change", request) for home in homes
    )
    assert first["revision"] == second["revision"]


@pytest.mark.parametrize(
    "time", ["1969-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"]
)
def test_a_time_that_no_commit_can_hold_is_refused(time: str, tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    ran = run("--home", home, "--clock", time, "remember", "The kettle is blue.")
    assert ran.code == 2
    assert "1970" in ran.err


def test_a_file_by_hand_that_can_be_no_topic_is_named_with_the_reason(home: Path) -> None:
    topic = home / "memory" / "topics" / "at 10:30.md"
    topic.write_text("Mine.\n", "utf-8")
    ran = run("--home", home, "adopt")
    assert "topics/at 10:30.md" in ran.out
    assert "colon" in ran.out
    assert run_json("--home", home, "adopt")["problems"][0]["path"] == "topics/at 10:30.md"
    assert topic.read_text("utf-8") == "Mine.\n"


def test_a_file_by_hand_without_a_record_is_named_with_the_reason(home: Path) -> None:
    topic = home / "memory" / "topics" / "ideas.md"
    topic.write_text("# Ideas\n", "utf-8")
    answer = run_json("--home", home, "adopt")
    assert answer["unchanged"] is True
    assert [problem["path"] for problem in answer["problems"]] == ["topics/ideas.md"]
    assert "no record" in run("--home", home, "adopt").out
    assert topic.read_text("utf-8") == "# Ideas\n"


def test_an_edit_by_hand_is_seen_and_taken_in(home: Path) -> None:
    topic = home / "memory" / "topics" / "people" / "ines.md"
    topic.write_text(topic.read_text("utf-8").replace("shellfish", "all shellfish"), "utf-8")
    assert (
        "topics/people/ines.md was edited by hand: `scriptorium adopt`" in run("--home", home, "status").out
    )
    assert run_json("--home", home, "adopt")["report"]["updated"] == ["7f49a01d"]
    assert run_json("--home", home, "adopt")["unchanged"] is True


# --- First run ---------------------------------------------------------------------------------------


def test_a_home_is_made_once(tmp_path: Path) -> None:
    first, second = (run_json("--home", tmp_path / "h", "init") for _ in range(2))
    assert (first["created"], second["created"]) == (True, False)
    assert first["workspace"] == second["workspace"]
    assert run("--home", tmp_path / "h", "verify").code == 0


def test_damage_that_verify_finds_is_named_and_gives_its_own_exit_code(home: Path) -> None:
    view = home / "memory" / "core.md"
    view.write_text("something else\n")
    ran = run("--home", home, "verify")
    assert ran.code == 1
    assert "core.md" in ran.out
    assert run("--home", home, "verify", "--json").json["error"]["code"]
