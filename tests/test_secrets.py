"""Secrets never enter memory: not its files, history, indexes or logs, nor what a writer is shown."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from cli_example import run, run_json
from residue import places_with
from scriptorium import Memory
from scriptorium.conversations.store import open_store
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.model import SourceShown
from scriptorium.service.trust import Remembered
from scriptorium.settings import Settings, load
from scriptorium.writer import NothingProposed
from scriptorium.writer.proposal import Task
from scriptorium_core.problem import Code
from scriptorium_core.recall import Kind, Query
from scriptorium_core.sources.archive import scan
from scriptorium_core.sources.frame import Origin
from scriptorium_core.writing.outcome import NothingDue, NothingToKeep, Wrote
from secret_examples import EXAMPLES, PEM, STRIPE, TOKEN, Example, a_home
from small_homes import listed, said, service, told
from trips import a_talk, ask, at_noon, create

# --- Conversations -------------------------------------------------------------------------------


def test_no_secret_of_a_conversation_is_anywhere_in_memory(tmp_path: Path) -> None:
    """bc-073: archive, topics, index, commit objects and logs hold a typed placeholder instead."""
    texts = [f"I decided: from now on I prefer {each.text}" for each in EXAMPLES]
    with a_home(tmp_path, *texts, "No API key in the build at all.") as home:
        home.search(Query("decided prefer", (Kind.RECORD, Kind.TURN)))
        assert home.verify().findings == ()
        with home.memory().reading() as (_, base):
            kept = [source.text for source in base.facts.sources.values()]
            assert len(base.facts.records) > len(EXAMPLES) // 2
    wanted = [f"I decided: from now on I prefer {each.redacted}" for each in EXAMPLES]
    assert sorted(kept) == sorted([*wanted, "No API key in the build at all."])
    long = [each.value for each in EXAMPLES if len(each.value) > 8]
    lines = [line for value in long for line in value.splitlines() if "-----" not in line]
    assert places_with(home.root, *long, *lines) == []


@pytest.mark.parametrize("example", EXAMPLES[:12], ids=lambda example: example.value[:24])
def test_an_archive_with_placeholders_still_parses(tmp_path: Path, example: Example) -> None:
    with a_home(tmp_path, f"{example.text}: (this) one", "And on we go.") as home:
        path = "sources/native/_v2/trip.md"
        archive = scan(path, (home.root / path).read_bytes())
        assert archive.complete
        assert [frame.text for frame in archive.frames] == [
            f"{example.redacted}: (this) one",
            "And on we go.",
        ]
        assert home.verify().findings[0].problem.code is not Code.SECRET_FOUND


def test_the_session_store_outside_of_memory_keeps_what_was_said(tmp_path: Path) -> None:
    with a_home(tmp_path, f"my token is {TOKEN}") as home:
        assert any("nodes" in place for place in places_with(home.home, TOKEN))
        assert [each.pending for each in home.sessions()] == [0]
        assert [each.outcomes for each in home.write(force=True)] == [(NothingDue(),)]


def test_the_report_says_how_many_of_which_kind(tmp_path: Path) -> None:
    log = a_talk(tmp_path, {"id": "a", "role": "user", "text": f"I prefer {TOKEN} to {STRIPE} and {TOKEN}."})
    home = tmp_path / "home"
    run("--home", home, "import", log)
    (outcome,) = run_json("--home", home, "write", "--all", "--force")["passes"][0]["outcomes"][:1]
    assert outcome["redacted"] == {"stripe-key": 1, "github-token": 2}
    run("--home", tmp_path / "other", "import", log)
    words = run("--home", tmp_path / "other", "write", "--force").out
    assert "3 secrets left out (1 stripe-key, 2 github-token)" in words


class Watching:
    """A writer that remembers what it was shown."""

    name = "watching"
    prompt = ""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def propose(self, task: Task) -> NothingProposed:
        self.seen += [item.text for item in task.batch]
        return NothingProposed("nothing to keep")


def test_no_writer_is_shown_a_secret_and_the_tokens_of_a_batch_are_those_of_what_was_said(
    tmp_path: Path,
) -> None:
    told(tmp_path, [said("u1", None, f"use {TOKEN}"), said("u2", "u1", PEM)])
    writer = Watching()
    (outcome,) = listed(tmp_path, goal=10_000, writer=writer)
    assert writer.seen == ["use [secret:github-token]", "[secret:private-key]"]
    assert isinstance(outcome, NothingToKeep)
    assert outcome.redacted == {"github-token": 1, "private-key": 1}
    assert outcome.tokens == len(f"use {TOKEN}{PEM}")


def test_messages_of_unknown_speakers_are_redacted_before_they_are_held(tmp_path: Path) -> None:
    guest = {"speaker_kind": "unknown", "authority_tier": "none", "trust_state": "pending"}
    told(tmp_path, [evolve(said("u1", None, f"take {TOKEN}"), metadata=guest)])
    listed(tmp_path)
    with service(tmp_path) as home:
        (message,) = home.held().messages
        assert message.turn.text == "take [secret:github-token]"
    assert places_with(tmp_path / "memory", TOKEN) == []


def test_what_a_tool_printed_is_never_archived_nor_shown(tmp_path: Path) -> None:
    """bc-074: tool output is not archived, with a secret or without; the writer never sees it."""
    nodes = [
        said("u1", None, "Read the .env file."),
        said("t1", "u1", f"AWS_SECRET_ACCESS_KEY=x\nTOKEN={TOKEN}\nPORT=8080", Origin.TOOL),
        said("a1", "t1", "The port is 8080.", Origin.ASSISTANT),
    ]
    told(tmp_path, nodes)
    writer = Watching()
    listed(tmp_path, goal=10_000, writer=writer)
    assert writer.seen == ["Read the .env file.", "The port is 8080."]
    assert places_with(tmp_path / "memory", TOKEN, "AWS_SECRET_ACCESS_KEY") == []


def test_a_tape_holds_no_secret_and_plays_to_the_same_commits(tmp_path: Path) -> None:
    log = a_talk(tmp_path, {"id": "a", "role": "user", "text": f"I prefer {TOKEN} for the build, always."})
    revisions, tape = [], tmp_path / "tape.jsonl"
    for name in ("one", "two", "three"):
        with Service(tmp_path / name, settings=Settings(), moment=at_noon) as home:
            home.import_paths([log])
            done = home.replay(tape) if tape.exists() else home.write(force=True, record=tape)
            assert isinstance(done[0].outcomes[0], Wrote), done
            revisions.append(home.memory().revision)
    assert TOKEN not in tape.read_text("utf-8")
    assert revisions[1] == revisions[2]


def test_our_own_context_comes_back_ten_times_and_stays_one_record_with_one_citation(tmp_path: Path) -> None:
    """bc-024: an injected block is no evidence, and an assistant's repetition adds none."""
    texts = ["I decided to move to Porto."]
    block = "<memory-context>\nI decided to move to Porto. [^s1]\n</memory-context>\n"
    nodes = [said("u0", None, texts[0])]
    for number in range(1, 11):
        nodes += [
            said(f"a{number}", nodes[-1].id, "You decided to move to Porto.", Origin.ASSISTANT),
            said(f"u{number}", f"a{number}", f"{block}And the weather today?"),
        ]
    told(tmp_path, nodes)
    listed(tmp_path, goal=10_000)
    with service(tmp_path) as home, home.memory().reading() as (_, base):
        (known,) = [each for each in base.facts.records.values() if "Porto" in each.record.content]
        (cited,) = known.record.sources
        assert base.facts.places[cited.place] == "chat/s1/u0"
        assert not any("memory-context" in source.text for source in base.facts.sources.values())


# --- What is brought on purpose ------------------------------------------------------------------


def test_words_that_are_saved_on_purpose_are_redacted_and_known_again(tmp_path: Path) -> None:
    with Service(tmp_path, settings=Settings(), moment=at_noon) as home:
        first = home.remember(f"The build uses {TOKEN} for now.")
        again = home.remember(f"The build uses {TOKEN} for now.")
        assert isinstance(first, Remembered)
        assert isinstance(again, Remembered)
        assert first.committed.redacted == {"github-token": 1}
        assert (first.known, again.known, again.source) == (False, True, first.source)
        assert [record.content for record in first.records] == [
            "The build uses [secret:github-token] for now."
        ]
        shown = home.show(first.source)
        assert isinstance(shown, SourceShown)
        assert shown.turn.text == "The build uses [secret:github-token] for now."
    assert places_with(tmp_path, TOKEN) == []


def test_what_a_request_brings_is_redacted_in_sources_contents_and_message(tmp_path: Path) -> None:
    with a_home(tmp_path, "Hello.") as home:
        source = {"label": "new-source-1", "role": "user", "content": f"It is {TOKEN}."}
        change = create(f"The token is {TOKEN}.", source="new-source-1")
        done = ask(home, change, sources=[source], commit_message=f"Keep {TOKEN}")
        assert done.redacted == {"github-token": 3}
        again = ask(home, change, sources=[source], commit_message=f"Keep {TOKEN}")
        assert again.report.archived == ()
    assert places_with(home.root, TOKEN) == []


def test_a_program_and_a_person_hear_of_it(tmp_path: Path) -> None:
    request = {
        "sources": [{"label": "new-source-1", "role": "user", "content": f"It is {TOKEN}."}],
        "memory_changes": [create("Mara has a token.", source="new-source-1")],
    }
    (tmp_path / "r.json").write_text(json.dumps(request))
    ran = run("--home", tmp_path / "home", "change", tmp_path / "r.json")
    assert "1 secret left out (1 github-token)" in ran.out
    ran = run("--home", tmp_path / "home", "remember", f"token {STRIPE}")
    assert "1 secret left out (1 stripe-key)" in ran.out


# --- The library, the ids, and the way out -----------------------------------------------------


def test_the_setting_is_a_truth_value_and_true_by_default(tmp_path: Path) -> None:
    assert load(tmp_path).redact
    (tmp_path / "settings.toml").write_text('redact = "no"\n')
    with pytest.raises(Refused, match="true or false"):
        load(tmp_path)


def test_the_library_redacts_like_every_door(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory") as memory:
        memory.remember(f"token {TOKEN}")
    assert places_with(tmp_path, TOKEN) == []


def test_marks_are_set_and_ids_stay_those_of_the_messages(tmp_path: Path) -> None:
    told(tmp_path, [said("u1", None, f"use {TOKEN}")])
    listed(tmp_path)
    with service(tmp_path) as home, home.memory().reading() as (_, base):
        assert list(base.facts.sources) == ["chat/s1/u1"]
        with open_store(tmp_path / "sessions.sqlite3") as store:
            (session,) = store.sessions()
            assert [node.text for node in store.nodes(session)] == [f"use {TOKEN}"]


def test_other_branches_and_titles_are_redacted_on_the_way_out_of_the_session_store(tmp_path: Path) -> None:
    nodes = [
        said("u1", None, "I prefer trains to planes, always."),
        said("u2", "u1", f"use {TOKEN}"),
        said("u3", "u1", "I prefer boats."),
    ]
    told(tmp_path, nodes)
    listed(tmp_path)
    with service(tmp_path) as home:
        found = home.why("chat/s1/u3")
        (sibling,) = found.conversations[0].siblings
        assert sibling.text == "use [secret:github-token]"
        assert TOKEN not in repr(found)
