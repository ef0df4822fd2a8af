"""What somebody may do who is not the owner: changes, the policy itself, traces, and doors that are shut."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hidden_homes import HIDDEN, OPEN, POLICY, as_, ids, plain_home, problems, refused, sure, with_hidden
from scriptorium.service import Service
from scriptorium_core.changes import Caller
from scriptorium_core.policy import AGENT, ANONYMOUS, LIBRARIAN, PAIRED, READER, Actor
from scriptorium_core.transaction import Edit
from small_homes import create, delete, git, move, request

__all__: list[str] = []

_ID = re.compile(r"\^[0-9a-f]{8}")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Service]:
    with with_hidden(tmp_path) as made:
        yield made


# --- Changes -------------------------------------------------------------------------------------------


def test_nothing_is_written_where_it_is_not_allowed(home: Service) -> None:
    seen, _ = ids(home)
    agent = as_(home, AGENT)
    sure(agent.change(request(create("She plays chess.", OPEN))))
    assert problems(agent.change(request(create("Mine.", HIDDEN)))) == [
        f"NOT_PERMITTED {HIDDEN}: agent may not write {HIDDEN} (ask the owner)"
    ]
    assert problems(agent.change(request(create("Mine.", "topics/private/new.md")))) == [
        "NOT_PERMITTED topics/private/new.md: agent may not write topics/private/new.md (ask the owner)"
    ]
    reader = as_(home, READER)
    assert "reader may not write" in problems(reader.change(request(create("Mine.", OPEN))))[0]
    assert "reader may not" in refused(lambda: reader.forget([seen]))[0]


def test_a_refusal_names_nothing_hidden(home: Service) -> None:
    seen, hidden = ids(home)
    agent = as_(home, AGENT)
    for change in (delete(hidden), move(hidden, topic=OPEN)):
        told = problems(agent.change(request(change)))
        assert [line.replace(hidden, "00000000") for line in told] == problems(
            agent.change(
                request(
                    delete("00000000") if change["op"] == "delete_record" else move("00000000", topic=OPEN)
                )
            )
        )
    told, nowhere = (
        problems(agent.change(request(create(f"See [it](../private/diary.md#^{block}).", OPEN))))
        for block in (hidden, "00000000")
    )
    assert [_ID.sub("^", line) for line in told] == [_ID.sub("^", line) for line in nowhere]
    # The hidden topic links to it: the change is refused, and not said why.
    assert problems(agent.change(request(delete(seen)))) == [
        "NOT_PERMITTED : the change meets something that is not for you to see (ask the owner to make it)"
    ]


def test_links_of_hidden_topics_follow_and_the_report_does_not_say_so(home: Service) -> None:
    seen, hidden = ids(home)
    done = sure(as_(home, AGENT).change(request(move(seen, topic="topics/friends.md"))))
    assert set(done.report.topics) == {OPEN, "topics/friends.md"}
    assert hidden not in str(done.report)
    home.actor = Actor("owner")
    assert [link.id for link in home.show(hidden).links] == [seen]  # type: ignore[union-attr]


def test_a_deletion_needs_to_be_allowed_to_forget(home: Service) -> None:
    lenient = POLICY.replace(', "forget"', "").replace('deny = ["read"]', 'deny = ["inject"]')
    sure(home.set_policy(lenient.encode()))
    seen, hidden = ids(home)
    agent = as_(home, AGENT)
    assert problems(agent.change(request(delete(hidden)))) == [
        f"NOT_PERMITTED {HIDDEN}: agent may not forget {HIDDEN} (ask the owner)"
    ]
    assert "may not forget" in refused(lambda: agent.forget([seen]))[0]


def test_what_an_agent_brings_carries_no_standing_instruction(home: Service) -> None:
    agent = as_(home, AGENT)
    told = problems(agent.change(request(create("Always use tabs.", "topics/core.md"))))
    assert any("needs the owner's own words" in line for line in told)
    done = sure(agent.change(request(create("She reads.", OPEN), says="She reads.")))
    (source,) = done.report.archived
    assert source.startswith("agent/")


def test_paired_only_adds_and_anonymous_nothing(tmp_path: Path) -> None:
    with plain_home(tmp_path) as service:
        sure(service.change(request(create("Mira likes tea.", OPEN))))
        (row,) = service.recent().rows
        paired = as_(service, PAIRED)
        sure(paired.change(request(create("Bo likes chess.", OPEN))))
        assert "NOT_PERMITTED" in problems(paired.change(request(delete(row.record.id))))[0]
        anonymous = as_(service, ANONYMOUS)
        assert problems(anonymous.change(request(create("Spam.", OPEN))))
        assert anonymous.topics() == ()
        # What a door says of a caller is no way around.
        stranger = Caller.unknown("tg/9", "Zed")
        assert problems(anonymous.change(request(create("Spam.", OPEN)), stranger))


def test_a_librarian_lets_held_messages_in(tmp_path: Path) -> None:
    with plain_home(tmp_path) as service:
        sure(service.change(request(create("Zed was here.", OPEN)), Caller.unknown("tg/9", "Zed")))
        assert "may not promote" in refused(as_(service, AGENT).held)[0]
        librarian = as_(service, LIBRARIAN)
        (held,) = librarian.held().messages
        assert sure(librarian.promote([held.turn.source])).report.promoted == (held.turn.source,)


# --- The policy itself ---------------------------------------------------------------------------------


def test_a_policy_that_cannot_hold_is_refused_and_the_old_one_stays(home: Service) -> None:
    for bad in (b"x", b'[[rules]]\nactors = ["owner"]\ndeny = ["read"]\n'):
        assert problems(home.set_policy(bad))
    assert home.policy().text == POLICY
    assert as_(home, AGENT).topics()


def test_the_planner_refuses_it_too(home: Service) -> None:
    memory = home.whole()
    locking = b'[[rules]]\nactors = ["owner"]\ndeny = ["read"]\n'
    result = memory.commit(lambda base: Edit(base.tree.put("policy.toml", locking)), memory.rules())
    assert "lock the owner out" in problems(result)[0]


def test_nobody_else_sets_a_policy_or_sees_it(home: Service) -> None:
    agent = as_(home, AGENT)
    for ask in (agent.policy, agent.set_policy, agent.verify, agent.doctor, agent.init, agent.adopt):
        assert "agent may not manage" in refused(ask)[0]
    assert "agent may not" in refused(agent.write)[0]
    assert "agent may not" in refused(lambda: list(agent.organize()))[0]


def test_a_bad_policy_that_another_hand_committed_opens_nothing(home: Service) -> None:
    root = home.root
    if not git(root, "--version"):
        pytest.skip("git is not installed")
    (root / "policy.toml").write_text("[[rules]\n")
    git(root, "add", "policy.toml")
    git(root, "commit", "-q", "-m", "A policy by hand")
    assert any("goes on" in each.message for each in home.status().broken)
    assert any("goes on" in each.problem.message for each in home.verify().findings)
    assert [topic.path for topic in as_(home, AGENT).topics()] == [OPEN]


def test_a_bad_policy_without_a_good_one_before_it_leaves_the_owner_alone(tmp_path: Path) -> None:
    with plain_home(tmp_path) as service:
        sure(service.change(request(create("Mira likes tea.", OPEN))))
        if not git(service.root, "--version"):
            pytest.skip("git is not installed")
        (service.root / "policy.toml").write_text('[[rules]]\nactors = ["owner"]\ndeny = ["read"]\n')
        git(service.root, "add", "policy.toml")
        git(service.root, "commit", "-q", "-m", "A policy by hand")
        assert any("only the owner" in each.message for each in service.status().broken)
        assert len(service.topics()) == 1
        assert as_(service, AGENT).topics() == ()


def test_a_policy_that_is_only_edited_does_not_hold_and_that_is_said(home: Service) -> None:
    (home.root / "policy.toml").write_text("version = 1\n")
    assert any(each.path == "policy.toml" for each in home.status().unsound)
    assert as_(home, AGENT).topics()
    home.actor = Actor("owner")
    sure(home.set_policy())
    assert as_(home, AGENT).topics() == ()


# --- Traces and hooks ----------------------------------------------------------------------------------


def test_a_trace_names_who_was_given_it_and_is_shown_to_nobody_else(home: Service) -> None:
    home.context("Mira tea")
    as_(home, AGENT).context("green tea")
    assert [(trace.actor, trace.question) for trace in home.traces()] == [("agent", "green tea")]
    home.actor = Actor("owner")
    assert [trace.actor for trace in home.traces()] == ["agent", "owner"]


def test_a_trace_of_what_was_hidden_since_is_not_shown(home: Service) -> None:
    open_ = POLICY.replace('deny = ["read"]', 'deny = ["organize"]')
    sure(home.set_policy(open_.encode()))
    assert "teapot" in as_(home, AGENT).context("the teapot").text
    assert len(home.traces()) == 1
    home.actor = Actor("owner")
    sure(home.set_policy(POLICY.encode()))
    assert as_(home, AGENT).traces() == ()


def test_a_hook_gives_the_files_of_the_memory_only_to_whom_all_of_it_may_be_given(home: Service) -> None:
    assert "may not inject" in as_(home, AGENT).hook("session-start", b"{}").fault
    home.actor = Actor("owner")
    assert home.hook("session-start", b"{}").fault == ""
