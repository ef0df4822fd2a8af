"""Leases of batches: ten minutes by the clock, one a batch, whoever else writes meanwhile."""

from datetime import timedelta
from pathlib import Path

import pytest

from agent_homes import MINUTES, agent, failed, keep, offered, talks, unoffered, unwritten, wrote
from kept_homes import Clock
from scriptorium.conversations.store import open_store
from scriptorium.lock import held
from scriptorium.refused import Refused
from scriptorium.service.leased import NoOffer
from scriptorium_core.names import NodeId
from scriptorium_core.problem import Code
from scriptorium_core.writing.cadence import Why
from scriptorium_core.writing.outcome import NothingDue, NothingToKeep, Wrote
from small_homes import TALK, talk_of, told, unsound

TEA = ("I prefer tea to coffee.", "I drink it without sugar.")


def test_the_same_agent_that_asks_again_gets_the_same_batch_until_the_same_time(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA, s2=TEA)
    clock = Clock()
    with agent(tmp_path, clock) as service:
        first = offered(service)
    clock.now += 100
    with agent(tmp_path, clock) as restarted:
        assert offered(restarted) == first
        wrote(restarted.hand_in(first.batch, [keep(*first.refs)]))
        assert offered(restarted).session == "chat/s2"


def test_two_agents_get_batches_of_different_sessions_and_a_third_one_is_told_until_when(
    tmp_path: Path,
) -> None:
    talks(tmp_path, s1=TEA, s2=TEA)
    clock = Clock()
    with (
        agent(tmp_path, clock, "owner") as first,
        agent(tmp_path, clock, "agent") as second,
        agent(tmp_path, clock, "librarian") as third,
    ):
        mine = offered(first)
        clock.now += 60
        other = offered(second)
        assert (mine.session, other.session) == ("chat/s1", "chat/s2")
        none = unoffered(third)
        assert (none.why, none.tokens, none.until) == (NoOffer.TAKEN, 0, mine.until)
        wrote(second.hand_in(other.batch, [keep(*other.refs)]))
        wrote(first.hand_in(mine.batch, [keep(*mine.refs)]))
    assert list(unsound(tmp_path)) == []


def test_a_lease_that_runs_out_returns_the_batch_to_anyone(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    clock = Clock()
    with agent(tmp_path, clock, "owner") as owner, agent(tmp_path, clock) as other:
        given = offered(owner)
        clock.now += MINUTES - 1
        assert (unoffered(other).why, unoffered(other).until) == (NoOffer.TAKEN, given.until)
        clock.now += 1
        late = failed(owner.hand_in(given.batch, [keep(*given.refs)]), Code.CONCURRENT_UPDATE, attempts=0)
        assert late.retryable
        assert "ran out" in late.message
        again = offered(other)
        assert again.batch == given.batch
        taken = failed(owner.hand_in(given.batch, [keep(*given.refs)]), Code.CONCURRENT_UPDATE, attempts=0)
        assert "another agent" in taken.message
        assert taken.until == again.until
        wrote(other.hand_in(again.batch, [keep(*again.refs)]))
        assert owner.hand_in(given.batch, [keep(*given.refs)]).already


def test_a_clock_that_was_set_back_frees_the_batch(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    clock = Clock()
    with agent(tmp_path, clock, "owner") as owner, agent(tmp_path, clock) as other:
        given = offered(owner)
        clock.now -= 1
        assert offered(other).batch == given.batch


def test_the_same_batch_handed_in_twice_is_written_once(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock()) as service:
        given = offered(service)
        done = service.hand_in(given.batch, [keep(*given.refs)])
        head = service.memory().revision
        again = service.hand_in(given.batch, [keep(*given.refs)])
        assert (again.already, again.outcome, again.commit) == (True, NothingDue(), done.commit)
        assert service.memory().revision == head == done.commit


def test_a_batch_of_which_nobody_knows_is_told_to_be_asked_for(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock()) as service:
        lost = failed(service.hand_in("b-0", nothing_to_keep="x"), Code.CONCURRENT_UPDATE, attempts=0)
        assert lost.problems[0].remedy.startswith("ask for the next batch")
        offered(service)
        (service.root / ".scriptorium" / "leases.json").write_bytes(b"{half")
        assert offered(service).attempts == 2


def test_leases_are_one_agents_and_no_parameter_says_whose(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    clock = Clock()
    with agent(tmp_path, clock, "owner") as owner, agent(tmp_path, clock) as other:
        given = offered(owner)
        failed(other.hand_in(given.batch, nothing_to_keep="x"), Code.CONCURRENT_UPDATE, attempts=0)
        assert unwritten(owner) == 2
        (lease,) = owner.status().outlook.leases
        assert (lease.holder, lease.batch, lease.until) == ("owner", given.batch, given.until)


def test_whoever_may_not_write_is_offered_nothing(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    clock = Clock()
    with agent(tmp_path, clock, "reader") as reader:
        with pytest.raises(Refused) as refused:
            reader.pending()
        assert [problem.code for problem in refused.value.problems] == [Code.NOT_PERMITTED]
        assert reader.memory().revision is None


# --- Other writers -------------------------------------------------------------------------------


def test_a_pass_leaves_a_session_to_the_agent_that_has_a_batch_of_it(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA, s2=TEA)
    clock = Clock()
    with agent(tmp_path, clock, "owner") as service:
        given = offered(service)
        first, second = service.write()
        assert first.outcomes == (NothingDue(given.tokens, holder="owner", until=given.until),)
        assert second.outcomes == (NothingDue(given.tokens),)
        first, second = service.write(force=True)
        assert first.outcomes == (NothingDue(given.tokens, holder="owner", until=given.until),)
        assert [type(outcome) for outcome in second.outcomes] == [Wrote]
        wrote(service.hand_in(given.batch, [keep(*given.refs)]))


def test_messages_that_a_fork_shares_are_with_one_agent_alone(tmp_path: Path) -> None:
    told(tmp_path)
    with open_store(tmp_path / "sessions.sqlite3") as store:
        fork = store.ensure("chat", "fork", "2026-03-01T12:00:00+00:00")
        store.add(fork, TALK[:3], "2026-03-01T12:00:00+00:00")
        store.set_head(fork, NodeId("u2"), "2026-03-01T12:00:00+00:00")
    clock = Clock()
    with agent(tmp_path, clock, "owner") as owner, agent(tmp_path, clock) as other:
        given = offered(owner)
        assert {"chat/s1/u1", "chat/s1/a1"} <= set(given.refs)
        assert unoffered(other).why is NoOffer.TAKEN
        assert [each.outcomes[0] for each in other.write(force=True)] == [
            NothingDue(given.tokens, holder="owner", until=given.until)
        ] * 2
        wrote(owner.hand_in(given.batch, [keep("chat/s1/u1")]))
        assert unoffered(other).why is NoOffer.NOTHING
    assert list(unsound(tmp_path)) == []


def test_a_pass_may_take_the_batch_over(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock(), "owner") as service:
        given = offered(service)
        (done,) = service.write(force=True, take_over=True)
        assert [type(outcome) for outcome in done.outcomes] == [Wrote]
        head = service.memory().revision
        late = service.hand_in(given.batch, [keep(*given.refs)])
        assert (late.already, late.outcome) == (True, NothingDue())
        assert service.memory().revision == head
    assert list(unsound(tmp_path)) == []


def test_while_a_pass_runs_no_batch_is_given_and_one_that_is_out_can_be_handed_in(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA, s2=TEA)
    with agent(tmp_path, Clock(), "owner") as service:
        given = offered(service)
        with held(service.root / ".scriptorium" / "pass.lock"):
            with pytest.raises(Refused) as refused:
                service.pending()
            assert [problem.code for problem in refused.value.problems] == [Code.CONCURRENT_UPDATE]
            wrote(service.hand_in(given.batch, [keep(*given.refs)]))


def test_a_keeper_whose_writer_is_the_agent_asks_nobody_and_says_what_waits(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA, s2=TEA)
    clock = Clock()
    with agent(tmp_path, clock, "owner", writer="agent") as service:
        done = service.keep_once()
        assert [(each.session, each.outcomes) for each in done.passes] == [
            (name, (NothingDue(agent=True),)) for name in ("chat/s1", "chat/s2")
        ]
        (first, _) = service.write(force=True)
        assert first.outcomes == (NothingDue(offered(service).tokens, agent=True),)
        assert [(each.session, each.why) for each in service.status().outlook.waits] == [
            ("chat/s1", Why.LEASED),
            ("chat/s2", Why.AGENT),
        ]
        assert service.memory().revision is None


def test_of_topics_is_done_what_is_safe_without_a_model_and_nothing_is_filled_up(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA, s2=TEA)
    with agent(tmp_path, Clock(), "owner", writer="agent") as service:
        for _ in range(2):
            given = offered(service)
            wrote(service.hand_in(given.batch, [keep(*given.refs)]))
        ((_, outcome),) = [(portion, portion.outcome) for portion in service.organize()]
        assert isinstance(outcome, Wrote)
        assert len(outcome.updated) == 2
        assert service.status().records == 1
        with pytest.raises(Refused, match="no archived messages again"):
            list(service.backfill())


def test_a_keeper_leaves_a_leased_session_until_its_lease_is_over(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    clock = Clock()
    with agent(tmp_path, clock, "owner") as service:
        given = offered(service)
        assert service.keep_once().passes == ()
        (wait,) = service.status().outlook.waits
        assert (wait.why, wait.at) == (Why.LEASED, given.until)
        clock.now += MINUTES
        (done,) = service.keep_once().passes
        assert [type(outcome) for outcome in done.outcomes] == [Wrote]


def test_what_agents_are_given_counts_against_the_day(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA, s2=TEA)
    clock = Clock()
    with agent(tmp_path, clock, "owner", daily_tokens=12) as service:
        given = offered(service)
        assert service.status().outlook.offered == given.tokens >= 12
        wrote(service.hand_in(given.batch, [keep(*given.refs)]))
        assert service.status().outlook.offered == given.tokens
        spent = unoffered(service)
        assert (spent.why, spent.until) == (NoOffer.SPENT, "2026-04-04T00:00:00+00:00")
        clock.now += int(timedelta(days=1).total_seconds())
        assert offered(service).session == "chat/s2"


# --- What changed meanwhile ----------------------------------------------------------------------


def test_a_conversation_that_goes_on_is_no_hindrance(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock()) as service:
        given = offered(service)
        talks(tmp_path, s1=[*TEA, "And green tea at noon."])
        wrote(service.hand_in(given.batch, [keep(*given.refs)]))
        assert unwritten(service) == 1
        assert offered(service).refs == ("chat/s1/s1.2",)


def test_a_conversation_whose_head_moved_to_another_branch_is_offered_anew(tmp_path: Path) -> None:
    told(tmp_path)
    with agent(tmp_path, Clock()) as service:
        given = offered(service)
        with open_store(tmp_path / "sessions.sqlite3") as store:
            store.set_head(talk_of(store), NodeId("u2"), "2026-03-01T11:00:00+00:00")
        moved = failed(service.hand_in(given.batch, nothing_to_keep="x"), Code.CONCURRENT_UPDATE, attempts=0)
        assert "gone on in another way" in moved.message
        again = offered(service)
        assert sorted(again.refs) == sorted(given.refs)
        assert again.refs != given.refs
        assert "abandoned branch" in again.messages
        assert len(again.refs) == len(TALK)


def test_a_record_that_somebody_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA)
    with agent(tmp_path, Clock(), "owner") as service:
        first = offered(service)
        (block,) = wrote(service.hand_in(first.batch, [keep(*first.refs)])).created
        talks(tmp_path, s2=["I gave tea up."])
        given = offered(service)
        seen = service.memory().revision
        service.change({"memory_changes": [_update(block, "Mara drinks green tea.", first.refs[0])]})
        late = [_update(block, "Mara gave tea up.", given.refs[0])]
        done = failed(service.hand_in(given.batch, late), Code.CONCURRENT_UPDATE, attempts=2)
        assert str(seen) in done.problems[0].message
        assert str(service.memory().revision) in done.problems[0].message
        # Who has read it again says so, or asks for the batch once more, and hands in.
        wrote(service.hand_in(given.batch, late, base_revision=service.memory().revision))


def _update(block: str, content: str, ref: str) -> dict[str, object]:
    sources = [{"source": ref, "label": "Owner"}]
    return {
        "op": "update_record",
        "memory_id": block,
        "content": content,
        "time": "2026-03-01",
        "sources": sources,
    }


def test_a_message_that_is_forgotten_meanwhile_is_not_written(tmp_path: Path) -> None:
    talks(tmp_path, s1=TEA, s2=["Nothing."])
    with agent(tmp_path, Clock(), "owner") as service:
        first = offered(service, "chat/s2")
        assert isinstance(service.hand_in(first.batch, nothing_to_keep="x").outcome, NothingToKeep)
        given = offered(service)
        service.forget(["chat/s2/s2.0"])
        wrote(service.hand_in(given.batch, [keep(*given.refs)]))
        assert unwritten(service) == 0
