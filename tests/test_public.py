"""The library's front door."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scriptorium
from cli_example import DINNER, create, fresh_home, in_a_process, surroundings
from scriptorium import Code, Committed, Memory, Refused, Rejected
from scriptorium_core.recall import Kind


def test_what_is_named_is_there() -> None:
    assert all(getattr(scriptorium, name) for name in scriptorium.__all__)
    assert set(scriptorium.__all__) <= set(dir(scriptorium))
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        scriptorium.Nonsense  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = "dulwich tantivy sqlite3 toktok cattrs click scriptorium.service".split()
    code = f"import sys, scriptorium; print([name for name in {heavy!r} if name in sys.modules])"
    found = subprocess.check_output([sys.executable, "-c", code], env=surroundings(), text=True)
    assert found.strip() == "[]"


def test_a_memory_is_made_on_first_use(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "notes" / "memory") as memory:
        assert (memory.revision, memory.topics()) == (None, ())
        assert memory.search("anything").nothing is not None
    assert (tmp_path / "notes" / "memory").stat().st_mode & 0o777 == 0o700


def test_unless_it_must_be_there_already(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        Memory.open(tmp_path / "memory", make=False)
    assert [problem.code for problem in refused.value.problems] == [Code.MEMORY_NOT_FOUND]
    assert list(tmp_path.iterdir()) == []


def test_the_tilde_is_the_persons_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with Memory.open("~/notes/memory") as memory:
        assert memory.path == tmp_path / "notes" / "memory"


def test_a_memory_is_read(tmp_path: Path) -> None:
    with Memory.open(fresh_home(tmp_path) / "memory") as memory:
        (hit,) = memory.search("dinner on Saturday", limit=1).hits
        assert hit.id == DINNER
        assert [cited.turn.source for cited in hit.citations if cited.turn] == [
            "native/porto/m12",
            "native/porto/m6",
        ]
        assert memory.search("Hotel Azul", kinds=(Kind.TURN,), speaker="Mara").hits[0].id == "native/porto/m7"
        assert memory.show(DINNER).revision == memory.revision
        assert len(memory.why(DINNER).conversations) == 2
        assert [topic.records for topic in memory.topics("people")] == [2]
        assert memory.core().of == 3
        assert [day.date for day in memory.timeline().days] == ["2026-03-14", "2026-03-21"]
        assert len(memory.recent(3).rows) == 3
        assert len(memory.log()) == 1
        assert memory.status().records == 10
        assert memory.verify().holds


def test_a_change_is_committed_or_rejected_as_a_whole(tmp_path: Path) -> None:
    with Memory.open(fresh_home(tmp_path) / "memory") as memory:
        seen = memory.revision
        done = memory.update(base_revision=seen, **create("topics/food.md"))
        assert isinstance(done, Committed)
        assert done.revision == memory.revision != seen
        fault = memory.update(**create("topics/food.md", "See [nothing](x.md#^deadbeef)."))
        assert isinstance(fault, Rejected)
        assert [problem.code for problem in fault.problems] == [Code.LINK_DANGLING]
        assert memory.revision == done.revision


def test_a_source_comes_with_the_change_that_cites_it(tmp_path: Path) -> None:
    said = {"label": "new-source-1", "role": "user", "content": "Oats, please."}
    cited = create("topics/food.md", sources=[{"source": "new-source-1", "label": "Mara"}])
    with Memory.open(tmp_path / "memory") as memory:
        done = memory.update(sources=[said], **cited)
        assert isinstance(done, Committed)
        assert len(done.report.archived) == 1


def test_a_conversation_is_imported_and_written(tmp_path: Path) -> None:
    log = tmp_path / "talk.jsonl"
    log.write_text('{"session": "s", "id": "1", "role": "user", "text": "I prefer trains to planes."}\n')
    with Memory.open(tmp_path / "memory") as memory:
        assert [report.turns_new for report in memory.import_paths([log])] == [1]
        assert [each.pending for each in memory.sessions()] == [1]
        memory.write(force=True)
        assert [each.pending for each in memory.sessions()] == [0]
        assert memory.search("trains").hits


def test_a_hand_edit_is_taken_in(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    topic = home / "memory" / "topics" / "people" / "ines.md"
    topic.write_text(
        topic.read_text("utf-8").replace("allergic to shellfish", "allergic to all shellfish"), "utf-8"
    )
    with Memory.open(home / "memory") as memory:
        assert isinstance(memory.adopt(), Committed)
        assert "all shellfish" in memory.show("7f49a01d").record.content  # type: ignore[union-attr]


WRONG = (
    (lambda memory: memory.search(None), "text", "a text, not nothing"),
    (lambda memory: memory.search("x", topic=5), "topic", "a text, not a whole number"),
    (lambda memory: memory.search("x", limit="a"), "limit", "a whole number, not a text"),
    (lambda memory: memory.search("x", limit=True), "limit", "a whole number, not true or false"),
    (lambda memory: memory.search("x", limit=0), "limit", "1 or more, not 0"),
    (lambda memory: memory.search("x", least=1.5), "least", "from 0 to 1, not 1.5"),
    (lambda memory: memory.search("x", kinds=["record"]), "kinds[0]", "one of Kind, not a text"),
    (lambda memory: memory.context(None), "question", "a text, not nothing"),
    (lambda memory: memory.context("x", 0), "budget", "1 or more, not 0"),
    (lambda memory: memory.explain("x"), "query", "Query, not a text"),
    (lambda memory: memory.why("x", -1), "around", "0 or more, not -1"),
    (lambda memory: memory.remember(None), "text", "a text, not nothing"),
    (lambda memory: memory.remember("x", asks="why?"), "asks", "a list, not a text"),
    (lambda memory: memory.forget("zzz"), "names", "a list, not a text"),
    (lambda memory: memory.forget(["a", 5]), "names[1]", "a text, not a whole number"),
    (lambda memory: memory.restore("a", 5, since="HEAD"), "names[1]", "a text, not a whole number"),
    (lambda memory: memory.update([5]), "memory_changes[0]", "an object, not a whole number"),
    (lambda memory: memory.update({"op": "x"}), "memory_changes", "a list or nothing, not an object"),
    (lambda memory: memory.import_paths([b"x"]), "paths[0]", "a text or a path, not bytes"),
    (lambda memory: memory.at("HEAD").search("x"), "query", "Query, not a text"),
    (lambda _: Memory.unseal("here", 5), "home", "a text or a path, not a whole number"),  # type: ignore[arg-type]
    (lambda _: Memory.open(None), "path", "a text or a path, not nothing"),  # type: ignore[arg-type]
)


@pytest.mark.parametrize(("ask", "place", "words"), WRONG)
def test_what_is_of_another_kind_is_a_problem_with_its_place(
    tmp_path: Path, ask: Callable[[Any], object], place: str, words: str
) -> None:
    with Memory.open(tmp_path / "memory") as memory:
        memory.remember("The spare key hangs behind the blue door.")
        before = memory.revision
        with pytest.raises(Refused) as refused:
            ask(memory)
        assert memory.revision == before
    (problem,) = refused.value.problems
    assert (problem.code, problem.path) == (Code.INVALID_ARGUMENT, place)
    assert problem.message.endswith(words)
    assert "help(" in problem.remedy


def test_all_that_is_wrong_with_a_call_is_said_at_once(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory") as memory, pytest.raises(Refused) as refused:
        memory.search(5, "many", scope=7)  # type: ignore[arg-type]
    assert [problem.path for problem in refused.value.problems] == ["text", "limit", "scope"]


def test_what_no_call_can_mean_fails_as_it_does_everywhere(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory") as memory:
        with pytest.raises(TypeError, match="text"):
            memory.search()  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="most"):
            memory.search("x", most=3)  # type: ignore[call-arg]


CLOSED = (
    lambda memory: memory.search("key"),
    lambda memory: memory.remember("The shed has no lock."),
    lambda memory: memory.update([]),
    lambda memory: memory.export("notes"),
    lambda memory: memory.hook("prompt"),
    lambda memory: memory.revision,
    lambda memory: memory.vault,
    lambda memory: memory.before_commit,
    lambda memory: memory.__enter__(),
)


@pytest.mark.parametrize("ask", CLOSED)
def test_a_memory_that_is_closed_answers_nothing_and_keeps_nothing(
    tmp_path: Path, ask: Callable[[Any], object]
) -> None:
    memory = Memory.open(tmp_path / "memory")
    memory.remember("The spare key hangs behind the blue door.")
    memory.close()
    memory.close()
    with pytest.raises(Refused) as refused:
        ask(memory)
    (problem,) = refused.value.problems
    assert (problem.code, problem.path) == (Code.INVALID_ARGUMENT, "memory")
    assert memory.path == tmp_path / "memory"
    with Memory.open(tmp_path / "memory") as again:
        assert len(again.log()) == 1


def test_the_package_runs_as_a_module() -> None:
    assert in_a_process("--version").out.startswith("scriptorium, version ")


def test_the_history_of_a_record_is_within_reach(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory") as memory:
        memory.remember("The spare key hangs behind the blue door.")
        (block,) = [row.record.id for row in memory.recent().rows]
        (version,) = memory.blame(block).versions
        assert version.kind == "remember"
        assert [entry.commit for entry in memory.log(record=block)] == [version.commit]
        assert [step.deeds for step in memory.diff().steps] == [("created",)]
        assert memory.doctor().proof.holds
        with memory.at("HEAD") as past:
            assert past.show(block) is not None
