"""The format `codex`: which thread a file is, its forks, sub-agents, and what is left out."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import zstandard

from codex_examples import (
    CHILD,
    FORK,
    OURS,
    PARENT,
    ROOT,
    back,
    branches,
    copied,
    head_text,
    header,
    held,
    links,
    nodes,
    rollout,
    texts,
    turn,
    written,
)
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Store, open_store
from scriptorium.conversations.unwritten import mark
from scriptorium_core.sources.frame import Origin

FIXTURES = Path(__file__).parent / "fixtures" / "codex"
Write = Callable[..., Path]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return partial(written, tmp_path)


# --- a whole archive ----------------------------------------------------------------------------


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_thread_its_fork_and_its_sub_agent_come_in_any_order(store: Store, order: tuple[int, ...]) -> None:
    files = sorted(FIXTURES.glob("sessions/**/*.jsonl"))
    reports = [import_path(store, files[index]) for index in order]
    parent, sub, child = (path.stem[-36:] for path in files)
    assert {report.format for report in reports} == {"codex"}
    assert [dict(report.skipped) for report in reports] == [{}] * 3
    assert texts(store, parent) == [
        "Prices are stored in cents.",
        "I will look at the schema first.",
        "Noted: `price_cents` holds cents.",
        "Round half up when you show them.",
        "Done: half up.",
        "Put the total in the footer.",
        "Put the total in the header.",
        "It is in the header now.",
    ]
    assert texts(store, child)[:5] == texts(store, parent)[:5]
    assert texts(store, child)[5:] == ["Also add a EUR column.", "There is a EUR column now."]
    assert branches(store, parent)["Put the total in the footer."] == "abandoned"
    assert {node.at[:10] for node in nodes(store, parent)} == {"2026-05-31"}
    assert [node.scope for node in nodes(store, parent)] == ["/w/shop"] * 5 + ["/w/shop/web"] * 3
    assert [node.origin for node in nodes(store, sub)] == [Origin.AGENT, Origin.ASSISTANT]
    assert sum(report.turns_new - report.copies for report in reports) == 12


def test_the_index_of_titles_names_threads_that_are_known(store: Store) -> None:
    for path in sorted(FIXTURES.glob("sessions/**/*.jsonl")):
        import_path(store, path)
    report = import_path(store, FIXTURES / "session_index.jsonl")
    assert (report.format, dict(report.skipped)) == ("codex", {})
    assert [session.title for session in store.sessions()] == ["Prices in the shop", "", "A EUR column"]


# --- identity, forks and sub-agents -------------------------------------------------------------


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_fork_that_was_stamped_anew_shares_its_parents_turns(
    store: Store, write: Write, order: tuple[int]
) -> None:
    """bc-001: parent and fork in either order."""
    files = [write(PARENT), write(FORK, CHILD)]
    reports = [import_path(store, files[index]) for index in order]
    people = {node.id: node for name in (ROOT, CHILD) for node in nodes(store, name) if node.role == "user"}
    assert [node.text for node in people.values()] == [
        "Prices are in cents.",
        "Round up.",
        "Add a EUR column.",
    ]
    assert sum(report.turns_new - report.copies for report in reports) == 6
    assert [node.at for node in nodes(store, CHILD)] == [
        "2026-06-01T10:01:00.010Z", "2026-06-01T10:01:03.000Z", "2026-06-01T10:05:00.010Z",
        "2026-06-01T10:05:03.000Z", "2026-06-01T14:03:00.010Z", "2026-06-01T14:03:03.000Z",
    ]  # fmt: skip
    mark(store, held(store), nodes(store), OURS)
    assert list(branches(store, CHILD)) == ["Add a EUR column.", "Added."]
    assert links(store) == [("forked_from", ROOT)]


def test_the_moment_of_a_fork_is_no_time_of_what_it_copied(store: Store, write: Write) -> None:
    """bc-001: no fact is dated 14:00, also where the parent's file is gone."""
    import_path(store, write(FORK, CHILD))
    assert [node.at[11:16] for node in nodes(store, CHILD)] == ["", "", "", "", "14:03", "14:03"]


def test_a_fork_of_a_fork_shares_the_turns_of_both(store: Store, write: Write) -> None:
    grandchild = "0199d5b4-cccc-7a02-8c00-0000000000cc"
    rows = [header("16:00:00.000", grandchild, forked_from_id=CHILD), *copied(FORK, "16:00:00")]
    rows += turn("16:05", "And GBP.", "Added too.")
    reports = [
        import_path(store, path) for path in (write(rows, grandchild), write(FORK, CHILD), write(PARENT))
    ]
    assert [(report.turns_new, report.copies) for report in reports] == [(8, 0), (6, 6), (4, 4)]
    assert [node.at[11:16] for node in nodes(store, grandchild)[3:6]] == ["10:05", "14:03", "14:03"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_fork_that_keeps_the_roots_header_has_the_id_of_its_file(
    store: Store, write: Write, order: tuple[int]
) -> None:
    """bc-003: two sessions, neither replaces the other, both stay importable again without change."""
    fork = [header("14:00:00.000"), *copied(PARENT[1:]), *turn("14:03", "Add a EUR column.", "Added.")]
    files = [write(PARENT), write(fork, f"{ROOT}_{CHILD}")]
    for index in order:
        import_path(store, files[index])
    assert texts(store, ROOT) == ["Prices are in cents.", "Noted.", "Round up.", "Done."]
    assert texts(store, CHILD) == [*texts(store, ROOT), "Add a EUR column.", "Added."]
    assert links(store) == [("forked_from", ROOT)]
    again = [import_path(store, path, again=True) for path in files]
    assert [(report.turns_new, report.turns_known) for report in again] == [(0, 4), (0, 6)]
    assert (head_text(store, ROOT), head_text(store, CHILD)) == ("Done.", "Added.")


def test_a_fork_may_leave_its_parent_at_any_turn(store: Store, write: Write) -> None:
    fork = [header("14:00:00.000", CHILD, forked_from_id=ROOT), *copied(PARENT[:7])]
    import_path(store, write(PARENT))
    report = import_path(store, write([*fork, *turn("14:03", "Round down.", "Done.")], CHILD))
    assert (report.turns_new, report.copies) == (4, 2)
    assert branches(store, CHILD) == dict.fromkeys(
        ["Prices are in cents.", "Noted.", "Round down.", "Done."], "live"
    )


def test_threads_that_begin_with_the_same_words_are_two(store: Store, write: Write) -> None:
    import_path(store, write([header("10:00:00.000"), *turn("10:01", "hi", "Hello.")]))
    report = import_path(store, write([header("11:00:00.000", CHILD), *turn("11:01", "hi", "Hello.")], CHILD))
    assert (report.turns_new, report.copies) == (2, 0)
    assert {node.id for node in nodes(store)}.isdisjoint(node.id for node in nodes(store, CHILD))


def test_a_file_of_another_name_has_the_id_of_its_header(store: Store, tmp_path: Path) -> None:
    (tmp_path / "copy.jsonl").write_text(rollout(PARENT))
    import_path(store, tmp_path / "copy.jsonl")
    assert len(nodes(store)) == 4


def test_a_file_without_header_has_the_id_of_its_name(store: Store, write: Write, tmp_path: Path) -> None:
    broken = write([], tail=rollout(PARENT)[5:])
    report = import_path(store, broken)
    assert (len(nodes(store)), dict(report.skipped)) == (4, {"not JSON": 1})
    (tmp_path / "part.jsonl").write_text(rollout(PARENT[1:]))
    import_path(store, tmp_path / "part.jsonl")
    assert len(nodes(store, "part")) == 4


SPAWNED = {"subagent": {"thread_spawn": {"parent_thread_id": ROOT, "depth": 1, "agent_type": "explorer"}}}


def test_the_words_of_a_parent_agent_are_no_persons(store: Store, write: Write) -> None:
    rows = [header("14:00:00.000", CHILD, source=SPAWNED), *turn("14:00", "Always answer in JSON.", "{}")]
    import_path(store, write(rows, CHILD))
    assert [node.origin for node in nodes(store, CHILD)] == [Origin.AGENT, Origin.ASSISTANT]
    assert list(branches(store, CHILD)) == ["{}"]
    assert links(store) == [("spawned_by", ROOT)]


def test_what_a_sub_agent_was_given_of_its_parents_talk_is_left_to_the_parent(
    store: Store, write: Write
) -> None:
    rows = [
        header("14:00:00.000", CHILD, source=SPAWNED),
        *copied(PARENT),
        *turn("14:03", "Look at it.", "Seen."),
    ]
    report = import_path(store, write(rows, CHILD))
    import_path(store, write(PARENT))
    assert texts(store, CHILD) == ["Look at it.", "Seen."]
    assert dict(report.skipped) == {
        "a sub-agent's copy of its parent's talk, which stands in the parent's own file": 4
    }
    assert [node.origin for node in nodes(store)] == [Origin.HUMAN, Origin.ASSISTANT] * 2


@pytest.mark.parametrize(
    "source", [{"internal": "memory_consolidation"}, {"subagent": "memory_consolidation"}]
)
def test_sessions_of_codex_itself_are_left_out(store: Store, write: Write, source: dict[str, str]) -> None:
    rows = [header("10:00:00.000", source=source), *turn("10:01", "Consolidate.", "Done.")]
    report = import_path(store, write(rows))
    assert store.sessions() == ()
    assert dict(report.skipped) == {"a session that Codex ran for itself, not for a person": 1}


def test_a_session_that_is_not_to_be_remembered_is_left_out(store: Store, write: Write) -> None:
    path = write([header("10:00:00.000", memory_mode="disabled"), *turn("10:01", "My PIN is 1234.", "OK.")])
    report = import_path(store, path)
    assert dict(report.skipped) == {"a session that is not to be remembered (its memory_mode is disabled)": 1}
    with path.open("a") as file:
        file.write(rollout(turn("10:02", "And 5678.", "OK.")))
    assert dict(import_path(store, path).skipped) == {}
    assert store.sessions() == ()


def test_from_the_moment_at_which_memory_is_turned_off_nothing_is_taken(store: Store, write: Write) -> None:
    rows = [
        header("10:00:00.000"),
        *turn("10:01", "Dublin.", "OK."),
        header("10:02:00.000", memory_mode="disabled"),
    ]
    rows += [
        *turn("10:03", "My PIN is 1234.", "OK."),
        back("10:03:30.000", 1),
        header("10:04:00.000", memory_mode="enabled"),
    ]
    report = import_path(store, write([*rows, *turn("10:05", "Cork.", "OK.")]))
    assert texts(store) == ["Dublin.", "OK.", "Cork.", "OK."]
    assert dict(report.skipped) == {"a session that is not to be remembered (its memory_mode is disabled)": 1}


def test_copies_that_were_stamped_in_one_moment_stay_as_many_as_they_are(store: Store, write: Write) -> None:
    talk = [*turn("10:01", "Go on.", "OK."), *turn("10:02", "Go on.", "OK.")]
    parent, moment = [header("10:00:00.000"), *talk], "2026-06-01T14:00:00.000Z"
    fork = [
        header("14:00:00.000", CHILD, forked_from_id=ROOT),
        *({**row, "timestamp": moment} for row in parent),
    ]
    import_path(store, write(fork, CHILD))
    assert texts(store, CHILD) == ["Go on.", "OK.", "Go on.", "OK."]
    assert (
        import_path(store, write(parent)).copies,
        {node.at for node in nodes(store, CHILD)} & {"", moment},
    ) == (4, set())


def test_a_compressed_rollout_is_the_thread_of_its_name(store: Store, write: Write) -> None:
    fork = [
        header("14:00:00.000"),
        *copied(PARENT[1:]),
        *turn("14:03", "In cents.", "OK."),
        back("14:04:00.000", 2),
    ]
    plain = write(fork, f"{ROOT}_{CHILD}")
    packed = plain.with_name(plain.name + ".zst")
    packed.write_bytes(zstandard.compress(plain.read_bytes()))
    report = import_path(store, packed)
    assert (report.format, report.turns_new, links(store)) == ("codex", 6, [("forked_from", ROOT)])
    assert (report.problems, head_text(store, CHILD)) == ((), "Noted.")
    again = import_path(store, plain)
    assert (again.turns_new, again.turns_known) == (0, 6)
