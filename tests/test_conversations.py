"""The session store on a real disk."""

import sqlite3
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from attrs import evolve

from scriptorium.conversations.schema import VERSION
from scriptorium.conversations.store import Cursor, Session, Store, open_store
from scriptorium.conversations.unwritten import branch_state, count_pending, ends, mark, summaries, waiting
from scriptorium.refused import Refused
from scriptorium_core.names import NodeId, SessionId, WorkspaceId
from scriptorium_core.problem import Code
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.graph import CUT, Node
from scriptorium_core.sessions.pending import MARK, Waiting
from scriptorium_core.sources.frame import Origin
from talk_examples import node

OURS = WorkspaceId("w-00000001")
THEIRS = WorkspaceId("w-00000002")
NOW, LATER = "2026-03-01T10:00:00+00:00", "2026-03-02T10:00:00+00:00"
FORK = [node("u1"), node("a1", "u1"), node("u2", "a1"), node("u2b", "a1"), node("a2b", "u2b")]


def nothing(_source: str) -> bool:
    return False


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def session(store: Store) -> Session:
    return store.ensure("chat", "s1", NOW)


def fresh(store: Store, session: Session) -> Session:
    found = store.get(session.provider, session.id)
    assert found is not None
    return found


def names(items: Iterable[Waiting]) -> list[str]:
    return [item.node.id for item in items]


def test_nodes_come_back_as_they_went_in(store: Store, session: Session) -> None:
    turn = node(
        "n\x00\u2028",
        None,
        "<|endoftext|>\r\nnul\x00 \ufeff\u2028 </memory-context>",
        at="2026-04-22T10:21",
        speaker_id="4402",
        speaker_name="Bo",
        scope="/w/a",
        metadata={"caption": "a beach"},
    )
    store.add(session, [turn], NOW)
    assert list(store.nodes(session)) == [turn]
    assert store.lookup(session)(turn.id) == turn
    assert store.lookup(session)(NodeId("zzz")) is None


def test_adding_twice_adds_once(store: Store, session: Session) -> None:
    first, second = store.add(session, FORK, NOW), store.add(session, FORK, LATER)
    assert (len(first.new), first.known, len(second.new), second.known) == (5, 0, 0, 5)
    assert fresh(store, session).turns == 5
    assert fresh(store, session).updated_at == NOW


def test_a_known_id_never_changes_its_message(store: Store, session: Session) -> None:
    store.add(session, [node("n", text="first")], NOW)
    assert store.add(session, [node("n", text="second")], NOW).changed == ("n",)
    assert [found.text for found in store.nodes(session)] == ["first"]


def test_a_log_cannot_bring_a_mark(store: Store, session: Session) -> None:
    store.add(session, [node("n", metadata={MARK: OURS})], NOW)
    assert count_pending(store, session, OURS) == 1


def test_children_and_tips_show_the_tree(store: Store, session: Session) -> None:
    store.add(session, [*FORK, node("t", "u2", origin=Origin.TOOL)], NOW)
    assert store.children(session, NodeId("a1")) == ("u2", "u2b")
    assert store.tips(session) == ("u2", "a2b")


def test_what_stands_above_a_missing_parent_is_reached_by_the_order_of_the_log(
    store: Store, session: Session
) -> None:
    added = store.add(session, [node("a"), node("b", "never written"), node("c", "b")], NOW)
    store.set_head(session, NodeId("c"), NOW)
    assert added.gaps == ("never written",)
    assert names(waiting(store, fresh(store, session), OURS, nothing)) == ["a", "b", "c"]
    assert store.tips(session) == ("c",)


def test_a_circle_is_cut_and_reported(store: Store, session: Session) -> None:
    added = store.add(session, [node("a", "c"), node("b", "a"), node("c", "b"), node("d", "d")], NOW)
    assert added.cut == ("c", "d")
    found = store.lookup(session)(NodeId("c"))
    assert found is not None
    assert found.metadata == {CUT: "b"}
    assert store.add(session, [node("c", "b"), node("d", "d")], NOW).changed == ()
    assert sorted(names(waiting(store, session, OURS, nothing))) == ["a", "b", "c", "d"]


def test_what_waits_comes_head_branch_first_with_the_state_of_its_branch(
    store: Store, session: Session
) -> None:
    store.add(session, FORK, NOW)
    store.set_head(session, NodeId("a2b"), NOW)
    found = waiting(store, fresh(store, session), OURS, nothing)
    assert [(item.node.id, item.branch) for item in found] == [
        ("u1", "live"),
        ("a1", "live"),
        ("u2b", "live"),
        ("a2b", "live"),
        ("u2", "abandoned"),
    ]


def test_a_listed_node_is_live_beside_the_head(store: Store, session: Session) -> None:
    store.add(session, FORK, NOW)
    store.set_head(session, NodeId("a2b"), NOW, [NodeId("u2")])
    assert {item.branch for item in waiting(store, fresh(store, session), OURS, nothing)} == {"live"}


def test_a_node_below_marked_ones_that_is_on_the_heads_path_is_live(store: Store, session: Session) -> None:
    store.add(session, [node("a"), node("c", "b")], NOW)
    store.set_head(session, NodeId("c"), NOW)
    mark(store, session, store.nodes(session), OURS)
    store.add(session, [node("b", "a"), node("x", "b")], NOW)
    found = waiting(store, fresh(store, session), OURS, nothing)
    assert [(item.node.id, item.branch) for item in found] == [("b", "live"), ("x", "abandoned")]


def test_the_state_is_unknown_where_the_head_is(store: Store, session: Session) -> None:
    store.add(session, FORK, NOW)
    assert branch_state(store, session)(NodeId("u2")) == "unknown"


def test_marking_a_batch_touches_these_nodes_alone_and_no_time(store: Store, session: Session) -> None:
    store.add(session, FORK, NOW)
    mark(store, session, FORK[:2], OURS)
    assert [found.id for found in store.nodes(session) if found.metadata.get(MARK) == OURS] == ["u1", "a1"]
    assert fresh(store, session).updated_at == NOW
    assert ends(store, session, OURS) == ("a2b", "u2")
    mark(store, session, FORK, OURS)
    assert waiting(store, session, OURS, nothing) == ()


def test_the_mark_of_another_workspace_does_not_count(store: Store, session: Session) -> None:
    store.add(session, FORK, NOW)
    mark(store, session, FORK, THEIRS)
    assert len(waiting(store, session, OURS, nothing)) == 5
    mark(store, session, FORK, OURS)
    assert [count_pending(store, session, workspace) for workspace in (OURS, THEIRS)] == [0, 5]


def test_sessions_are_listed_with_the_talk_that_is_pending(store: Store, session: Session) -> None:
    store.add(session, [*FORK, node("t", "a2b", origin=Origin.TOOL)], NOW)
    mark(store, session, FORK[:1], OURS)
    listed = summaries(store, OURS)
    assert [(item.session.id, item.session.turns, item.pending) for item in listed] == [("s1", 6, 4)]


def test_a_fork_that_copies_messages_keeps_their_identity_and_their_marks(
    store: Store, session: Session
) -> None:
    store.add(session, FORK[:3], NOW)
    mark(store, session, FORK[:2], OURS)
    fork = store.ensure("chat", "s2", NOW)
    copies = [evolve(found, session=SessionId("s2")) for found in FORK[:3]]
    own = evolve(node("u3", "u2"), session=SessionId("s2"))
    assert store.add(fork, [*copies, own], NOW).copies == 3
    store.set_head(fork, own.id, NOW)
    found = waiting(store, fresh(store, fork), OURS, nothing)
    assert [source_of(item.node) for item in found] == ["chat/s1/u2", "chat/s2/u3"]
    mark(store, fork, [item.node for item in found], OURS)
    assert waiting(store, session, OURS, nothing) == ()
    assert [turn.text for turn in store.nodes(fork)] == ["says u1", "says a1", "says u2", "says u3"]


def test_messages_of_two_sessions_that_merely_share_an_id_stay_two(store: Store, session: Session) -> None:
    store.add(session, [node("1", text="Hello", at="2026-01-01T10:00:00Z")], NOW)
    other = store.ensure("chat", "s2", NOW)
    theirs = [node("1", text="Hello", at="2026-01-02T10:00:00Z"), node("2", "1", text="Bye")]
    assert store.add(other, theirs, NOW).copies == 0
    assert store.add(store.ensure("chat", "s3", NOW), [node("1", text="Hi")], NOW).copies == 0


def test_a_copy_without_a_time_is_still_a_copy(store: Store, session: Session) -> None:
    store.add(session, [node("1", at="2026-01-01T10:00:00Z")], NOW)
    assert store.add(store.ensure("chat", "s2", NOW), [node("1")], NOW).copies == 1


def test_a_session_is_found_by_its_id_or_with_its_provider(store: Store) -> None:
    first, second = store.ensure("chat", "s1", NOW), store.ensure("other", "s1", NOW, title="Beans")
    assert store.find("s1") == (first, second)
    assert store.find("other/s1") == (second,)
    assert store.find("zzz") == ()


def test_a_title_stays_until_another_comes(store: Store) -> None:
    store.ensure("chat", "s1", NOW, title="Beans")
    assert store.ensure("chat", "s1", NOW).title == "Beans"
    assert store.ensure("chat", "s1", NOW, title="Peas").title == "Peas"


def test_moving_the_head_to_where_it_is_changes_nothing(store: Store, session: Session) -> None:
    store.set_head(session, NodeId("n"), NOW)
    store.set_head(fresh(store, session), NodeId("n"), LATER)
    assert fresh(store, session).updated_at == NOW
    store.set_head(fresh(store, session), NodeId("m"), LATER)
    assert (fresh(store, session).head, fresh(store, session).updated_at) == ("m", LATER)


def test_a_cursor_comes_back(store: Store) -> None:
    cursor = Cursor("/logs/a.jsonl", "native", 120, 3, "print", "state")
    store.set_cursor(cursor)
    assert (store.cursor("/logs/a.jsonl"), store.cursor("/logs/b.jsonl")) == (cursor, None)


def test_a_transaction_that_fails_leaves_nothing(store: Store, session: Session) -> None:
    def broken() -> Iterator[Node]:
        yield node("n")
        raise KeyError

    with pytest.raises(KeyError):
        store.add(session, broken(), NOW)
    assert list(store.nodes(session)) == []


def test_the_store_outlives_its_process_with_mode_0600(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    with open_store(path) as store:
        store.add(store.ensure("chat", "s1", NOW), FORK, NOW)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with open_store(path) as store:
        assert [session.turns for session in store.sessions()] == [5]


def refusal(path: Path) -> Code:
    with pytest.raises(Refused) as caught:
        open_store(path)
    assert all(problem.remedy for problem in caught.value.problems)
    return caught.value.problems[0].code


def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    path.write_bytes(b"not a database, but a person's own notes\n" * 40)
    before = path.read_bytes()
    assert refusal(path) is Code.SESSION_NODES_UNAVAILABLE
    assert path.read_bytes() == before


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    open_store(path).close()
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {VERSION + 1}")
    assert refusal(path) is Code.SESSION_NODES_UNAVAILABLE


def test_a_link_or_a_missing_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").touch()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert refusal(tmp_path / "link") is Code.SESSION_NODES_UNAVAILABLE
    assert refusal(tmp_path / "missing" / "sessions.sqlite3") is Code.SESSION_NODES_UNAVAILABLE


def test_a_store_that_another_program_holds_is_refused_as_such(
    store: Store, session: Session, tmp_path: Path
) -> None:
    store.database.execute("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(tmp_path / "sessions.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Refused) as caught:
        store.add(session, FORK, NOW)
    other.execute("ROLLBACK")
    other.close()
    assert caught.value.problems[0].code is Code.CONCURRENT_UPDATE


def test_a_store_that_became_unwritable_is_refused_as_such(store: Store, session: Session) -> None:
    store.database.execute("PRAGMA query_only = ON")
    with pytest.raises(Refused) as caught:
        store.add(session, FORK, NOW)
    assert caught.value.problems[0].code is Code.READ_ONLY_PATH
