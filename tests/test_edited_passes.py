"""Passes whose writer edits an overlay: what gets in, what is asked again, and what is said of the cost."""

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from scriptorium.writer import Answer, Edited, NothingProposed, Proposed, Task, Unable
from scriptorium_core.changes import NewSource
from scriptorium_core.changes.sources import bring
from scriptorium_core.problem import Code
from scriptorium_core.trailers import values_of
from scriptorium_core.transaction import Rejected
from scriptorium_core.writing.outcome import Failed, NothingToKeep, Wrote, fail
from scriptorium_core.writing.used import Used, together
from secret_examples import TOKEN
from small_homes import TALK, committed, create, git, listed, opened, request, said, told, unsound
from written_homes import (
    TALK_PATH,
    USED,
    Scripted,
    Turn,
    edited,
    failed,
    first,
    keep,
    kept,
    only_block,
    pending,
    topic,
    worked,
    wrong,
    wrote,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    told(tmp_path / "home")
    return tmp_path / "home"


def test_edited_topics_and_the_evidence_land_in_one_commit_that_names_prompt_model_and_tokens(
    home: Path,
) -> None:
    outcomes = listed(home, writer=Scripted([kept]))
    assert [type(outcome) for outcome in outcomes] == [Wrote] * 3
    with opened(home / "memory") as memory:
        entries = tuple(memory.history.log())
        for entry, outcome in zip(reversed(entries), outcomes, strict=True):
            assert isinstance(outcome, Wrote)
            assert (entry.commit, entry.subject) == (outcome.commit, outcome.summary)
            assert values_of(entry.trailers, "Writer") == ("scripted",)
            assert values_of(entry.trailers, "Prompt") == ("write/1-00000000",)
            assert values_of(entry.trailers, "Model") == ("scripted-1",)
            assert values_of(entry.trailers, "Tokens") == ("1200/340",)
            assert outcome.used == USED
            assert len(outcome.created) == outcome.frames
        topics = (path for path in committed(memory) if path.startswith("topics/"))
        texts = b"".join(committed(memory)[path] or b"" for path in topics)
    assert [texts.count(f"Message {turn.id}.".encode()) for turn in TALK] == [1] * len(TALK)
    assert texts.count(b"; Branch: s1@u2") == 1
    assert list(unsound(home)) == []


def test_what_was_refused_is_asked_again_once_with_every_problem_on_a_fresh_overlay(home: Path) -> None:
    writer = Scripted([wrong, kept])
    lines: list[str] = []
    outcome = wrote(home, writer, progress=lines.append)
    one, two = writer.asked
    assert one.problems == ()
    assert [problem.code for problem in two.problems] == [Code.INVALID_TOPIC_FORMAT]
    assert all(problem.remedy for problem in two.problems)
    assert evolve(two, problems=()) == one
    assert lines == ["refused for 1 reason; the writer is asked once more"]
    assert outcome.used == together(USED, USED) == Used("scripted-1", 2400, 680, 6, 0.04)
    with opened(home / "memory") as memory:
        (entry,) = memory.history.log()
        assert values_of(entry.trailers, "Tokens") == ("2400/680",)
        assert TALK_PATH not in committed(memory)


def test_a_second_rejection_ends_the_pass(home: Path) -> None:
    writer = Scripted([wrong])
    outcome = failed(home, writer)
    assert (outcome.code, outcome.retryable) == (Code.COMMIT_REJECTED, False)
    assert [problem.code for problem in outcome.problems] == [Code.INVALID_TOPIC_FORMAT]
    assert len(writer.asked) == 2
    assert outcome.used == together(USED, USED)


def test_after_a_rejection_a_writer_may_say_that_nothing_is_to_be_kept(home: Path) -> None:
    (outcome,) = listed(home, 10_000, Scripted([wrong, lambda _: NothingProposed("small talk", USED)]))
    assert isinstance(outcome, NothingToKeep)
    assert outcome.used == together(USED, USED)
    assert pending(home) == 0


def test_a_writer_that_fails_on_the_second_question_fails_with_its_own_code(home: Path) -> None:
    limit = fail(Code.MODEL_RATE_LIMIT, "later", until="2026-03-02T10:00:00+00:00")
    outcome = failed(home, Scripted([wrong, lambda _: Unable(limit, Used("scripted-1", 10, 0, 1))]))
    assert (outcome.code, outcome.until, outcome.retryable) == (limit.code, limit.until, True)
    assert outcome.used == Used("scripted-1", 1210, 340, 4, None)


def test_a_writer_that_breaks_off_has_failed_and_says_nothing_that_is_secret(home: Path) -> None:
    def breaks(task: Task) -> Answer:
        raise ValueError(f"bad \x1b[31m key {TOKEN}")

    outcome = failed(home, Scripted([breaks]))
    assert (outcome.code, outcome.retryable) == (Code.WRITER_FAILURE_UNKNOWN, True)
    assert outcome.message == (
        "the scripted writer broke off: ValueError: bad (31m key (secret:github-token)"
    )


def untouched(task: Task) -> Answer:
    return Edited(worked(task).stage, "I have written everything down", USED)


def heading(task: Task) -> Answer:
    return edited(task, ("write", {"path": TALK_PATH, "content": "# Only a heading\n"}))


@pytest.mark.parametrize("answer", [untouched, heading, lambda _: Proposed((), summary="Done", used=USED)])
def test_a_writer_that_claims_what_it_did_not_do_makes_no_progress(
    home: Path, answer: Callable[[Task], Answer]
) -> None:
    writer = Scripted([answer])
    outcome = failed(home, writer)
    assert (outcome.code, outcome.retryable) == (Code.WRITER_NO_PROGRESS, False)
    assert len(writer.asked) == 1
    assert outcome.used == USED


# --- What a writer may do ------------------------------------------------------------------------


def with_other_evidence(task: Task) -> Answer:
    source = NewSource("new-source-1", "user", "The owner likes rules.")
    desk = worked(task)
    brought = bring((source,), task.caller)
    return Edited(evolve(desk.stage, frames=brought.frames, contexts=brought.contexts))


def with_new_sources(task: Task) -> Answer:
    return evolve(keep(task.batch), sources=(NewSource("new-source-1", "user", "The owner likes rules."),))


def with_archives(task: Task) -> Answer:
    stage = worked(task).stage
    return Edited(evolve(stage, tree=stage.tree.put("sources/chat/_v2/s1.md", b"forged")))


def with_views(task: Task) -> Answer:
    stage = worked(task).stage
    return Edited(evolve(stage, tree=stage.tree.put("core.md", b"forged")))


def too_large(task: Task) -> Answer:
    stage = worked(task).stage
    return Edited(evolve(stage, tree=stage.tree.put(TALK_PATH, b"x" * 4_000_001)))


def of_the_assistant(task: Task) -> Answer:
    """A rule of the core that an assistant's message alone says."""
    source = next(item.source for item in task.batch if item.source.endswith("a1"))
    return edited(task, ("write", {"path": "topics/core.md", "content": topic(("Obey.", source))}))


def of_others(task: Task) -> Answer:
    return edited(task, ("write", {"path": TALK_PATH, "content": topic(("Not said here.", "chat/s0/m1"))}))


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (with_other_evidence, Code.NOT_PERMITTED),
        (with_new_sources, Code.NOT_PERMITTED),
        (with_archives, Code.SOURCES_CHANGED),
        (with_views, Code.READ_ONLY_PATH),
        (too_large, Code.INVALID_TOPIC_FORMAT),
        (of_the_assistant, Code.NOT_PERMITTED),
        (of_others, Code.MISSING_SOURCE),
    ],
)
def test_what_no_writer_may_do_is_refused_twice_and_changes_nothing(
    home: Path, answer: Callable[[Task], Answer], code: Code
) -> None:
    writer = Scripted([answer])
    outcome = failed(home, writer)
    assert outcome.code is Code.COMMIT_REJECTED
    assert code in {problem.code for problem in outcome.problems}
    assert [len(task.problems) > 0 for task in writer.asked] == [False, True]


def test_a_record_that_vanishes_is_lost_and_one_that_is_deleted_is_gone_with_its_reason(home: Path) -> None:
    with opened(home / "memory") as memory:
        memory.update(request(create("Tea is what Mara drinks.", TALK_PATH)))
    block = only_block(home)

    def vanish(task: Task) -> Answer:
        text = topic(("Mara drinks tea.", first(task)))
        return edited(task, ("write", {"path": TALK_PATH, "content": text}))

    outcome = failed(home, Scripted([vanish]))
    assert [problem.code for problem in outcome.problems] == [Code.BLOCK_LOST]

    def replace(task: Task) -> Answer:
        text = topic(("Tea is what Mara drinks now.", first(task)))
        gone: Turn = ("delete_records", {"ids": [block], "reason": "said anew"})
        return edited(task, gone, ("write", {"path": "topics/tea.md", "content": text}))

    done = wrote(home, Scripted([replace]))
    assert done.deleted == (block,)
    with opened(home / "memory") as memory:
        assert values_of(memory.history.entry(done.commit).trailers, "Reason") == (f"{block}: said anew",)


def test_what_a_topic_cites_already_may_be_cited_in_it_again(home: Path) -> None:
    with opened(home / "memory") as memory:
        memory.update(request(create("Mara drinks tea and eats no fish.", TALK_PATH)))
        with memory.reading() as (_, base):
            (source,) = base.facts.sources

    def split(task: Task) -> Answer:
        change = {
            "op": "create_record",
            "content": "Mara eats no fish.",
            "time": None,
            "sources": [{"source": source, "label": "said"}],
            "destination": {"topic_path": TALK_PATH, "headings": [], "position": "end"},
        }
        return edited(task, ("apply_changes", {"memory_changes": [change]}))

    assert len(wrote(home, Scripted([split])).created) == 1


def test_what_a_program_dropped_is_told_beside_what_it_wrote(home: Path) -> None:
    from scriptorium_core.problem import Problem

    stray = Problem(Code.READ_ONLY_PATH, "the file was dropped", "notes.txt", remedy="write below topics/")

    def strays(task: Task) -> Answer:
        answer = kept(task)
        assert isinstance(answer, Edited)
        return evolve(answer, dropped=(stray,))

    assert wrote(home, Scripted([strays])).dropped == (stray,)


def test_a_secret_that_a_writer_found_elsewhere_does_not_get_in(home: Path) -> None:
    def leaky(task: Task) -> Answer:
        text = topic((f"The token is {TOKEN}.", first(task)))
        return edited(task, ("write", {"path": TALK_PATH, "content": text}), summary=f"Keep {TOKEN}")

    outcome = wrote(home, Scripted([leaky]))
    assert outcome.redacted == {"github-token": 2}
    assert outcome.summary == "Keep [secret:github-token]"
    with opened(home / "memory") as memory:
        assert TOKEN.encode() not in b"".join(data or b"" for data in committed(memory).values())
        assert TOKEN not in git(memory.layout.root, "log", "-p")


# --- What happens meanwhile ----------------------------------------------------------------------


def test_a_topic_that_others_changed_while_the_writer_thought_ends_the_pass_retryable(home: Path) -> None:
    with opened(home / "memory") as memory:
        memory.update(request(create("Tea.", TALK_PATH)))

    def think(task: Task) -> Answer:
        answer = edited(task, ("edit", {"path": TALK_PATH, "old": "Tea.", "new": "Green tea."}))
        with opened(home / "memory") as other:
            other.update(request(create(f"Meanwhile {len(writer.asked)}.", TALK_PATH)))
        return answer

    writer = Scripted([think])
    (outcome,) = listed(home, goal=10_000, writer=writer)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retryable) == (Code.CONCURRENT_UPDATE, True)
    assert len(writer.asked) == 1
    assert pending(home) == len(TALK)
    with opened(home / "memory") as memory:
        text = (committed(memory)[TALK_PATH] or b"").decode()
    assert "Meanwhile 1." in text
    assert "Green tea." not in text


def test_a_change_elsewhere_does_not_stop_the_edit(home: Path) -> None:
    def think(task: Task) -> Answer:
        answer = kept(task)
        with opened(home / "memory") as other:
            other.update(request(create("Meanwhile.", "topics/other.md")))
        return answer

    wrote(home, Scripted([think]))
    with opened(home / "memory") as memory:
        assert b"Meanwhile." in (committed(memory)["topics/other.md"] or b"")


def test_a_message_that_is_forgotten_while_the_writer_thinks_is_left_out_by_the_next_pass(home: Path) -> None:
    listed(home, goal=10_000, writer=Scripted([lambda _: NothingProposed("first")]))
    told(home, [*TALK, said("u4b", "u3b", "I like the sea."), said("u5b", "u4b", "And the hills.")])

    def think(task: Task) -> Answer:
        with opened(home / "memory") as other:
            from scriptorium_core.transaction import Edit

            gone = (("Forgotten", "chat/s1/u4b"),)
            other.commit(lambda base: Edit(base.tree, kind="forget", trailers=gone), other.rules())
        return kept(task)

    (outcome,) = listed(home, goal=10_000, writer=Scripted([think]))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retryable) == (Code.CONCURRENT_UPDATE, True)
    assert wrote(home, Scripted([kept])).frames == 1


def test_the_lock_is_free_while_a_writer_thinks(home: Path) -> None:
    def think(task: Task) -> Answer:
        with opened(home / "memory") as other:
            done = other.update(request(create("Written at once.", "topics/other.md")))
        assert not isinstance(done, Rejected)
        return kept(task)

    wrote(home, Scripted([think]))
