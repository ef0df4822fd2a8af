"""The agent at hand as writer: what it is given, what it hands in, and what becomes of that."""

import json
from pathlib import Path

import pytest

from agent_homes import agent, failed, keep, offered, talks, topic, unoffered, unwritten, wrote
from kept_homes import Clock, events
from scriptorium.refused import Refused
from scriptorium.service.leased import NoOffer
from scriptorium.writer.recorded import read_tape
from scriptorium_core.problem import Code
from scriptorium_core.writing.offering import LONGEST
from scriptorium_core.writing.outcome import NothingDue, NothingToKeep
from small_homes import committed, opened, unsound

TEA = ("I prefer tea to coffee.", "I drink it without sugar.")
SECRET = "sk_live_EXAMPLE0123456789abcdef"


def text(home: Path, path: str = "topics/tea.md") -> str:
    with opened(home / "memory") as memory:
        return (committed(memory).get(path) or b"").decode()


def test_an_agent_takes_a_batch_hands_it_in_and_it_is_written_and_marked(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock()) as service:
        given = offered(service)
        assert given.refs == ("chat/s1/s1.0", "chat/s1/s1.1")
        assert (given.session, given.attempts, given.until) == ("chat/s1", 2, "2026-04-03T12:10:00+00:00")
        lines = [json.loads(line) for line in given.messages.splitlines() if line.startswith("{")]
        assert [(line["ref"], line["content"]) for line in lines] == list(zip(given.refs, TEA, strict=True))
        assert given.messages.startswith("## 2026-03-01\n")
        assert "never an instruction" in given.rules
        assert "memory_write" in given.rules
        done = wrote(service.hand_in(given.batch, [keep(*given.refs)], summary="Mara drinks tea"))
        assert (done.topics, done.frames, done.summary) == (("topics/tea.md",), 2, "Mara drinks tea")
        assert unwritten(service) == 0
        assert unoffered(service).why is NoOffer.NOTHING
        entry = service.log(1)[0]
        kept = dict(entry.trailers)
        assert (entry.kind, entry.subject) == ("write", "Mara drinks tea")
        assert (kept["Writer"], kept["Agent"], kept["Batch"]) == ("agent", "agent", given.batch)
        assert kept["Prompt"].startswith("write-agent/")
        assert service.status().last.outcome == "success"
    assert list(unsound(tmp_path)) == []


def test_what_memory_holds_already_is_outlined(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock()) as service:
        first = offered(service)
        wrote(service.hand_in(first.batch, [keep(*first.refs)]))
        talks(tmp_path, s2=["Tea is what I drink at noon."])
        second = offered(service)
        assert '"topic": "topics/tea.md"' in second.outline
        assert "Mara drinks tea." in second.outline
        assert second.revision == service.memory().revision


@pytest.mark.parametrize("form", ["changes", "patch"])
def test_whole_topics_and_patches_are_taken_too(tmp_path: Path, form: str) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock()) as service:
        given = offered(service)
        content = topic(given.refs[0])
        lines = "".join(f"+{line}\n" for line in content.splitlines())
        count = len(content.splitlines())
        patch = f"--- /dev/null\n+++ b/topics/tea.md\n@@ -0,0 +1,{count} @@\n{lines}"
        changes = [{"path": "topics/tea.md", "action": "write", "content": content}]
        done = service.hand_in(given.batch, **{form: changes if form == "changes" else patch})  # type: ignore[arg-type]
        assert wrote(done).created
        assert "Mara drinks tea." in text(tmp_path)
    assert list(unsound(tmp_path)) == []


def test_nothing_to_keep_archives_and_marks(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock()) as service:
        given = offered(service)
        done = service.hand_in(given.batch, nothing_to_keep="small talk")
        assert isinstance(done.outcome, NothingToKeep)
        assert (done.outcome.reason, done.outcome.frames) == ("small talk", 2)
        assert done.commit == done.outcome.commit == service.memory().revision
        assert unwritten(service) == 0


def test_a_first_rejection_names_all_problems_and_the_second_hand_in_may_mend_them(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    clock = Clock()
    with agent(tmp_path, clock) as service:
        given = offered(service)
        clock.now += 500
        wrong = [keep("chat/s1/nobody"), keep("chat/s1/s1.0", content="Two.\n\nParagraphs.")]
        outcome = failed(service.hand_in(given.batch, wrong), Code.COMMIT_REJECTED, attempts=1)
        assert outcome.problems
        assert all(problem.remedy for problem in outcome.problems)
        assert service.memory().revision is None
        assert service.status().last.outcome == ""
        clock.now += 500  # the lease began anew with the rejection
        assert offered(service).batch == given.batch
        assert offered(service).attempts == 1
        wrote(service.hand_in(given.batch, [keep(*given.refs)]))


def test_a_second_rejection_ends_it_as_it_does_for_other_writers(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock(), "owner") as service:
        given = offered(service)
        wrong = [keep("chat/s1/nobody")]
        failed(service.hand_in(given.batch, wrong), Code.COMMIT_REJECTED, attempts=1)
        last = failed(service.hand_in(given.batch, wrong), Code.COMMIT_REJECTED, attempts=0)
        assert not last.retryable
        assert unwritten(service) == 2
        status = service.status()
        assert status.last.failure is not None
        assert (status.last.failure.code, status.last.failure.session) == ("COMMIT_REJECTED", "chat/s1")
        assert [event["session"] for event in events(service)] == ["chat/s1"]
        # It is not offered over and over; who names it gets it, and so does everybody once something is said.
        assert unoffered(service).why is NoOffer.REFUSED
        again = offered(service, "chat/s1")
        assert (again.batch, again.attempts) == (given.batch, 2)
        wrote(service.hand_in(again.batch, [keep(*again.refs)]))


def test_what_changes_nothing_is_no_progress_and_can_be_mended(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock()) as service:
        first = offered(service)
        wrote(service.hand_in(first.batch, changes=[_whole(topic(first.refs[0]))]))
        talks(tmp_path, s2=["And milk?"])
        second = offered(service)
        same = [_whole(text(tmp_path))]
        failed(service.hand_in(second.batch, changes=same), Code.WRITER_NO_PROGRESS, attempts=1)
        assert isinstance(service.hand_in(second.batch, nothing_to_keep="a question").outcome, NothingToKeep)


def _whole(content: str) -> dict[str, str]:
    return {"path": "topics/tea.md", "action": "write", "content": content}


def test_an_agent_brings_no_evidence_of_its_own(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock()) as service:
        given = offered(service)
        other = failed(
            service.hand_in(given.batch, [keep("local/other/m1")]), Code.COMMIT_REJECTED, attempts=1
        )
        assert [problem.code for problem in other.problems] == [Code.MISSING_SOURCE]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"memory_changes": [], "nothing_to_keep": "why"},
        {"nothing_to_keep": "  "},
        {"patch": "x" * 4_000_001},
        {"memory_changes": [keep("chat/s1/s1.0")], "summary": 3},
    ],
)
def test_a_call_without_a_form_is_refused_and_costs_no_attempt(
    tmp_path: Path, given: dict[str, object]
) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock()) as service:
        batch = offered(service).batch
        with pytest.raises(Refused) as refused:
            service.hand_in(batch, **given)  # type: ignore[arg-type]
        assert {problem.code for problem in refused.value.problems} == {Code.INVALID_ARGUMENT}
        assert offered(service).attempts == 2


def test_secrets_are_neither_offered_nor_written(tmp_path: Path) -> None:
    talks(tmp_path, s1=[f"My key is {SECRET}, keep it."])
    with agent(tmp_path, Clock()) as service:
        given = offered(service)
        assert SECRET not in given.messages
        assert "My key is" in given.messages
        words = f"Mara's key is {SECRET} of all things."
        done = wrote(service.hand_in(given.batch, [keep(*given.refs, content=words)], summary=words))
        assert sum(done.redacted.values()) >= 2
        assert SECRET not in text(tmp_path)
        assert SECRET not in service.log(1)[0].subject
    assert SECRET.encode() not in (tmp_path / "memory" / ".scriptorium" / "leases.json").read_bytes()


def test_a_long_message_is_shown_in_part_and_archived_whole(tmp_path: Path) -> None:
    long = "I like tea. " * 4_000
    talks(tmp_path, s1=[long])
    with agent(tmp_path, Clock()) as service:
        given = offered(service)
        assert given.cut == given.refs
        assert len(given.messages) < LONGEST + 500
        assert "more characters]" in given.messages
        wrote(service.hand_in(given.batch, [keep(*given.refs)]))
        with service.memory().reading() as (_, base):
            assert f"{long}\n".encode() in (base.tree.get("sources/chat/_v2/s1.md") or b"")


def test_a_batch_is_no_larger_than_the_agent_wants(tmp_path: Path) -> None:
    talks(tmp_path, s1=["I like tea very much, thank you."] * 20)
    with agent(tmp_path, Clock()) as service:
        assert unoffered(service, force=False).why is NoOffer.BELOW
        small = offered(service, tokens=20)
        assert len(small.refs) < 5
        wrote(service.hand_in(small.batch, [keep(*small.refs)]))
        assert offered(service, tokens=10**9).refs[0] == f"chat/s1/s1.{len(small.refs)}"


def test_sessions_that_never_enter_are_not_offered(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA, s2=TEA)
    with agent(tmp_path, Clock(), "owner") as service:
        service.exclude_session("chat", "s1", "it is private")
        assert offered(service).session == "chat/s2"
        with pytest.raises(Refused, match="never enters"):
            service.pending("chat/s1")


def test_a_session_that_is_excluded_while_its_batch_is_out_is_not_written(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock(), "owner") as service:
        given = offered(service)
        service.exclude_session("chat", "s1", "it is private")
        failed(service.hand_in(given.batch, [keep(*given.refs)]), Code.CONCURRENT_UPDATE, attempts=0)
        assert service.memory().revision is None
        assert unoffered(service).why is NoOffer.NOTHING


def test_what_agents_hand_in_is_recorded_on_a_tape_that_plays(tmp_path: Path) -> None:
    talks(tmp_path / "a", s1=TEA, s2=["Coffee at noon."])
    tape = tmp_path / "tape.jsonl"
    with agent(tmp_path / "a", Clock(), "owner") as service:
        first = offered(service)
        wrote(service.hand_in(first.batch, [keep(*first.refs)], summary="tea", record=tape))
        second = offered(service)
        service.hand_in(second.batch, nothing_to_keep="small talk", record=tape)
        head = service.memory().revision
    assert [batch.refs for batch in read_tape(tape).batches] == [first.refs, second.refs]
    talks(tmp_path / "b", s1=TEA, s2=["Coffee at noon."])
    with agent(tmp_path / "b", Clock(), "owner") as service:
        outcomes = [outcome for each in service.replay(tape) for outcome in each.outcomes]
        assert not [outcome for outcome in outcomes if isinstance(outcome, NothingDue)]
        # The commits differ in nothing but the trailer that names the agent.
        assert text(tmp_path / "b") == text(tmp_path / "a")
        assert head is not None
