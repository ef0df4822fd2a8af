"""The format `claude-code`: trees, heads, retries, compactions, and what is broken."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from claude_records import (
    NOW,
    Row,
    answer,
    boundary,
    call,
    error,
    held,
    jsonl,
    links,
    node,
    parents,
    person,
    progress,
    record,
    result,
    summary,
    take,
    words,
)
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Store, open_store
from scriptorium_core.sources.frame import Origin


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "S1.jsonl"


# --- trees and heads --------------------------------------------------------------------------------


def test_a_record_is_a_node_with_its_id_time_model_and_directory(store: Store, log: Path) -> None:
    report = take(store, log, person("u1", None, "Use pnpm here.", "09:00:01"), answer("a1", "u1", "OK."))
    assert (report.format, report.sessions, report.turns_new) == ("claude-code", ("claude-code/S1",), 2)
    asked, answered = node(store, "u1"), node(store, "a1")
    assert (asked.role, asked.origin, asked.text) == ("user", Origin.HUMAN, "Use pnpm here.")
    assert (asked.at, asked.scope, asked.parent) == ("2026-05-02T09:00:01.000Z", "/home/p/app", None)
    assert (answered.role, answered.origin, answered.text) == ("assistant", Origin.ASSISTANT, "OK.")
    assert (answered.parent, answered.metadata) == ("u1", {"model": "claude-x"})


def test_an_edited_message_is_another_branch_and_the_newest_one_is_live(store: Store, log: Path) -> None:
    report = take(
        store, log,
        person("u1", None, at="09:00:00"), answer("a1", "u1", at="09:00:03"),
        person("u2", "a1", at="09:01:00"), person("u2b", "a1", at="09:05:00"),
        boundary("c1", "u2b", at="10:00:00"), summary("c2", "c1", at="10:00:01"),
    )  # fmt: skip
    assert (held(store).head, report.branches, report.gaps) == ("c2", 2, 0)
    assert words(store) == [
        ("says u1", "live"), ("answers a1", "live"), ("says u2b", "live"), ("says u2", "abandoned"),
    ]  # fmt: skip


def test_the_newest_message_has_the_head_wherever_it_stands(store: Store, log: Path) -> None:
    take(
        store, log,
        person("u1", None, at="09:00:00"), person("new", "u1", at="09:09:00"),
        person("old", "u1", at="09:01:00"),
    )  # fmt: skip
    assert held(store).head == "new"
    take(store, log, answer("late", "old", at="09:02:00"))
    assert held(store).head == "new"
    take(store, log, answer("later", "late", at="09:10:00"))
    assert held(store).head == "later"


def test_of_two_messages_of_one_time_the_last_has_the_head(store: Store, log: Path) -> None:
    take(store, log, person("u1", None, at="09:00:00"), person("b", "u1"), person("c", "u1"))
    assert held(store).head == "c"


def test_what_goes_on_from_the_head_is_the_head_though_a_clock_was_set_back(store: Store, log: Path) -> None:
    take(store, log, person("u1", None, at="09:00:00"), record("system", "s1", "u1", "08:59:00"))
    take(store, log, answer("a1", "s1", at="08:00:00"), person("u2", "a1", at="08:01:00"))
    assert held(store).head == "u2"


@pytest.mark.parametrize("late", ["p2", "a2"])
def test_what_a_hook_was_at_makes_no_branch_and_no_head(store: Store, log: Path, late: str) -> None:
    """bc-005: the records of hooks hang below a message, and are sometimes the newest."""
    at = {"p2": "09:00:05", "a2": "09:00:06"} if late == "a2" else {"p2": "09:09:00", "a2": "09:00:06"}
    report = take(
        store, log,
        person("u1", None, at="09:00:00"), answer("a1", "u1", at="09:00:01"),
        progress("p1", "a1", "09:00:02"), person("u2", "a1", at="09:00:03"),
        answer("a2", "u2", at=at["a2"]), progress("p2", "p1", at["p2"]),
    )  # fmt: skip
    assert (held(store).head, report.branches, store.tips(held(store))) == ("a2", 1, ("a2",))
    assert [text for text, branch in words(store) if branch == "live"] == [
        "says u1", "answers a1", "says u2", "answers a2",
    ]  # fmt: skip


def test_errors_in_place_of_an_answer_make_no_branches(store: Store, log: Path) -> None:
    errors = [error(f"e{number}", "u1", f"09:00:{number:02}") for number in range(20)]
    report = take(store, log, person("u1", None, "Deploy."), *errors, answer("a1", "u1", "Done.", "09:00:30"))
    assert (report.branches, held(store).head) == (1, "a1")
    assert words(store) == [("Deploy.", "live"), ("Done.", "live")]


def test_errors_alone_leave_the_question_as_the_one_tip(store: Store, log: Path) -> None:
    report = take(store, log, person("u1", None), *[error(f"e{number}", "u1") for number in range(20)])
    assert (report.branches, held(store).head) == (1, "u1")


def test_a_message_that_is_sent_again_is_one_message_and_what_follows_stands_below_it(
    store: Store, log: Path
) -> None:
    take(store, log, person("u1", None, "Hi."), answer("a1", "u1", "Hello.", "09:00:01"))
    take(store, log, person("u2", "a1", "Deploy.", "09:00:02"), error("e1", "u2", "09:00:03"))
    take(store, log, person("u2b", "a1", "Deploy.", "09:00:04"), error("e2", "u2b", "09:00:05"))
    report = take(
        store, log, person("u2c", "a1", "Deploy.", "09:00:06"), answer("a2", "u2c", "Done.", "09:00:07")
    )
    assert words(store) == [("Hi.", "live"), ("Hello.", "live"), ("Deploy.", "live"), ("Done.", "live")]
    assert (report.branches, held(store).head) == (1, "a2")
    assert (node(store, "u2b").parent, node(store, "u2c").parent) == ("u2", "u2")


def test_equal_words_below_different_messages_are_two_messages(store: Store, log: Path) -> None:
    take(store, log, person("u1", None, "ok"), answer("a1", "u1"), person("u2", "a1", "ok"))
    assert [text for text, _ in words(store)] == ["ok", "answers a1", "ok"]


def test_an_answer_in_several_lines_is_one_node_a_line_whenever_they_come(store: Store, log: Path) -> None:
    more = {"message_id": "msg_1"}
    thinks = answer("a1", "u1", at="09:00:01", **more)
    thinks["message"]["content"] = [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]
    take(store, log, person("u1", None), thinks, answer("a2", "a1", "I look.", at="09:00:01", **more))
    take(store, log, call("a3", "a2", at="09:00:02", **more), result("r1", "a3", at="09:00:03"))
    take(store, log, answer("a4", "r1", "It is there.", at="09:00:04"))
    assert [(node(store, name).origin, node(store, name).text) for name in ("a1", "a2", "a3", "r1")] == [
        (Origin.ASSISTANT, ""), (Origin.ASSISTANT, "I look."), (Origin.TOOL, ""), (Origin.TOOL, ""),
    ]  # fmt: skip
    assert words(store) == [("says u1", "live"), ("I look.", "live"), ("It is there.", "live")]


def test_results_of_parallel_calls_may_come_in_any_order(store: Store, log: Path) -> None:
    report = take(
        store, log, person("u1", None), call("a1", "u1", "09:00:01"), call("a2", "a1", "09:00:02"),
        result("r2", "a2", at="09:00:03"), result("r1", "a1", at="09:00:04"),
        answer("a3", "r1", at="09:00:05"),
    )  # fmt: skip
    assert (report.branches, held(store).head) == (1, "a3")
    assert words(store) == [("says u1", "live"), ("answers a3", "live")]


def test_a_parent_that_was_never_written_is_bridged_and_counted(store: Store, log: Path) -> None:
    """bc-004: walking up from the newest record, nothing above the gap is lost."""
    rows = [person("n1", None, at="09:00:01")]
    rows += [answer(f"n{i}", f"n{i - 1}" if i != 7 else "zzz", at=f"09:00:{i:02}") for i in range(2, 13)]
    report = take(store, log, *rows)
    assert (report.turns_new, report.gaps, report.branches, held(store).head) == (12, 1, 1, "n12")
    assert [branch for _, branch in words(store)] == ["live"] * 12
    assert (node(store, "n7").parent, node(store, "n7").after) == ("zzz", "n6")


def test_a_snapshot_of_files_that_names_a_message_is_no_copy_of_it(store: Store, log: Path) -> None:
    snapshot = {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {"messageId": "u1"}}
    report = take(store, log, snapshot, person("u1", None), answer("a1", "u1"))
    assert (report.turns_new, report.turns_known, dict(report.skipped)) == (2, 0, {})


# --- compactions ------------------------------------------------------------------------------------


def test_after_a_compaction_the_conversation_goes_on_below_what_was_summarised(
    store: Store, log: Path
) -> None:
    report = take(
        store, log, person("u1", None), answer("a1", "u1", at="09:00:01"),
        boundary("c1", "a1", "09:00:02"), summary("c2", "c1", "09:00:03"),
        person("u2", "c2", at="09:00:04"), answer("a2", "u2", at="09:00:05"),
    )  # fmt: skip
    assert (report.branches, report.gaps) == (1, 0)
    assert words(store) == [
        ("says u1", "live"), ("answers a1", "live"), ("says u2", "live"), ("answers a2", "live"),
    ]  # fmt: skip
    assert (node(store, "c2").origin, node(store, "c2").text) == (Origin.SUMMARY, "")


def test_a_log_that_goes_on_from_another_one_is_linked_to_it(store: Store, tmp_path: Path) -> None:
    take(store, tmp_path / "S1.jsonl", person("u1", None), answer("a1", "u1", at="09:00:01"))
    more = {"sessionId": "S2"}
    report = take(
        store, tmp_path / "S2.jsonl", boundary("c1", "a1", "09:00:02", **more),
        summary("c2", "c1", "09:00:03", **more), person("u2", "c2", at="09:00:04", **more),
    )  # fmt: skip
    assert report.gaps == 0  # the parent stands in the other log
    assert [(link.kind, link.other, link.node) for link in links(store, "S2")] == [("continues", "S1", "a1")]
    assert words(store, "S2") == [("says u2", "live")]


def test_what_a_log_goes_on_from_may_come_after_it(store: Store, tmp_path: Path) -> None:
    later = tmp_path / "S2.jsonl"
    rows = (boundary("c1", "a1", sessionId="S2"), person("u2", "c1", sessionId="S2"))
    assert take(store, later, *rows).gaps == 1
    assert links(store, "S2") == ()
    take(store, tmp_path / "S1.jsonl", person("u1", None), answer("a1", "u1"))
    take(store, later)
    assert [(link.kind, link.other) for link in links(store, "S2")] == [("continues", "S1")]


# --- what is broken ---------------------------------------------------------------------------------


def test_half_a_record_at_the_end_waits_and_is_then_left_out(store: Store, log: Path) -> None:
    """bc-008: after a loss of power the log goes on behind the torn line."""
    rows = [person("n1", None), *[answer(f"n{i}", f"n{i - 1}") for i in range(2, 301)]]
    report = take(store, log, *rows, '{"type":"assistant","uuid":"x","mess')
    assert (report.turns_new, report.torn, dict(report.skipped)) == (300, 301, {})
    report = take(store, log, "\n", answer("n301", "n300"))
    assert (report.turns_new, report.turns_known, report.torn) == (1, 0, 0)
    assert (report.skipped, report.places) == ({"not JSON": 1}, ((301, "not JSON"),))


def test_a_record_that_was_cut_and_written_again_is_taken_once(store: Store, log: Path) -> None:
    """bc-009: the first sixty bytes of a record, and the whole of it on the next line."""
    thinks = answer("a1", "u1")
    rows: list[Row] = [person("u1", None), jsonl(thinks)[:60] + "\n", thinks, answer("a2", "a1")]
    report = take(store, log, *rows)
    assert (report.turns_new, report.gaps, report.places) == (3, 0, ((2, "not JSON"),))


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("[1]\n", "not an object"),
        ({"sessionId": "S1", "uuid": "x"}, "a record without a type"),
        ({"type": 7}, "a record without a type"),
        (person("", None), "no uuid"),
        (person("x", "u1", 7), "a message without content"),
        (record("assistant", "x", "u1"), "a message without content"),
        ({"type": "hologram", "sessionId": "S1"}, "an unknown record type 'hologram'"),
        (record("hologram", "x", "u1"), "an unknown record type 'hologram'"),
    ],
)
def test_what_is_not_known_is_counted_and_does_not_break_the_tree(
    store: Store, log: Path, bad: Row, reason: str
) -> None:
    report = take(store, log, person("u1", None), bad, answer("a1", "u1", at="09:00:01"))
    assert (dict(report.skipped), report.places) == ({reason: 1}, ((2, reason),))
    assert words(store) == [("says u1", "live"), ("answers a1", "live")]


def test_a_record_of_an_unknown_type_keeps_its_place_in_the_tree(store: Store, log: Path) -> None:
    report = take(store, log, person("u1", None), record("hologram", "h1", "u1"), answer("a1", "h1"))
    assert (report.gaps, parents(store)) == (0, {"u1": None, "h1": "u1", "a1": "h1"})


@pytest.mark.parametrize(
    "first",
    [
        {"type": "summary", "summary": "Pnpm", "leafUuid": "u1"},
        {"type": "queue-operation", "operation": "dequeue", "timestamp": "", "sessionId": "S1"},
        {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}},
        {"type": "permission-mode", "permissionMode": "default", "sessionId": "S1"},
        {"type": "hologram", "sessionId": "S1"},
        "{broken\n",
    ],
)
def test_a_log_is_known_by_its_first_record(store: Store, log: Path, first: Row) -> None:
    assert take(store, log, first, person("u1", None)).format == "claude-code"


def test_a_first_record_that_is_still_being_written_is_no_list_of_messages(store: Store, log: Path) -> None:
    log.write_text(jsonl(person("u1", None))[:-20])
    report = import_path(store, log, now=NOW)
    assert (report.format, report.torn) == ("claude-code", 1)
