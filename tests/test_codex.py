"""The format `codex`: rollouts, their forks and rewinds, and histories that were written more than once."""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from codex_examples import (
    CHILD,
    ROOT,
    answer,
    asked,
    back,
    header,
    record,
    reply,
    rollout,
    shown,
    turn,
)  # fmt: skip
from scriptorium.conversations.formats.codex_thread import Seen
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.linking import links_from
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium.conversations.unwritten import mark, waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

OURS = WorkspaceId("w-1")
FIXTURES = Path(__file__).parent / "fixtures" / "codex"
Write = Callable[..., Path]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(rows: list[dict[str, Any]], name: str = ROOT, tail: str = "") -> Path:
        path = tmp_path / f"rollout-2026-06-01T10-00-00-{name}.jsonl"
        path.write_text(rollout(rows) + tail)
        return path

    return written


def held(store: Store, session: str = ROOT) -> Session:
    found = store.get("codex", session)
    assert found is not None
    return found


def nodes(store: Store, session: str = ROOT) -> list[Node]:
    return list(store.nodes(held(store, session)))


def texts(store: Store, session: str = ROOT) -> list[str]:
    return [node.text for node in nodes(store, session)]


def branches(store: Store, session: str = ROOT) -> dict[str, str]:
    found = waiting(store, held(store, session), OURS, lambda _: False)
    return {item.node.text: item.branch for item in found if item.write}


def links(store: Store) -> list[tuple[str, str]]:
    return [(link.kind, link.other) for link in links_from(store, held(store, CHILD))]


def head_text(store: Store, session: str = ROOT) -> str:
    head = held(store, session).head
    return next(node.text for node in nodes(store, session) if node.id == head)


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


# --- what is talk -------------------------------------------------------------------------------


def test_a_message_in_both_forms_is_one(store: Store, write: Write) -> None:
    rows = [header("10:00:00.000"), *turn("10:01", "Use pnpm.", "OK."), *turn("10:02", "Use pnpm.", "OK.")]
    report = import_path(store, write(rows))
    assert texts(store) == ["Use pnpm.", "OK.", "Use pnpm.", "OK."]
    assert (report.turns_new, report.turns_known, dict(report.skipped)) == (4, 0, {})
    assert [node.parent for node in nodes(store)] == [None, *(node.id for node in nodes(store)[:-1])]


@pytest.mark.parametrize("forms", ["event", "item", "event first", "item first"])
def test_whichever_form_a_message_comes_in_it_has_the_same_id(store: Store, write: Write, forms: str) -> None:
    pairs = [[shown("10:01:00.000", "Hi."), asked("10:01:00.001", "Hi.")], [answer("10:01:02.000", "Yes?")]]
    pairs[1].append(reply("10:01:02.001", "Yes?"))
    kept = {"event": slice(0, 1), "item": slice(1, 2)}.get(forms, slice(None))
    rows = [row for pair in pairs for row in (pair[::-1] if forms == "item first" else pair)[kept]]
    import_path(store, write([header("10:00:00.000"), *rows]))
    assert [node.id for node in nodes(store)] == [
        "m-d03022aee73dbba7af995874c3e50a0e",
        "m-7d73c3f69be236bd0e7d784469053622",
    ]


def test_an_event_whose_item_was_lost_is_taken(store: Store, write: Write) -> None:
    torn = rollout([asked("10:02:00.000", "And Cork.")])[:-30] + "\n"
    tail = torn + rollout([shown("10:02:00.001", "And Cork."), reply("10:02:03.000", "Both.")])
    report = import_path(store, write([header("10:00:00.000"), *turn("10:01", "Dublin.", "OK.")], tail=tail))
    assert texts(store) == ["Dublin.", "OK.", "And Cork.", "Both."]
    assert dict(report.skipped) == {"not JSON": 1}


HARNESS = [
    "<environment_context>\n  <cwd>/w/shop</cwd>\n</environment_context>",
    "# AGENTS.md instructions for /w/shop\n\n<INSTRUCTIONS>\nYou are Marlow.\n</INSTRUCTIONS>",
    "<user_instructions>\n\nYou are Marlow, " + "a terse engineer. " * 900 + "\n\n</user_instructions>",
    "<turn_aborted>\nThe user interrupted the turn.\n</turn_aborted>",
    "<skill>\n<name>deploy</name>\nRun it.\n</skill>",
    '<subagent_notification>\n{"agent_id": "x"}\n</subagent_notification>',
    '<hook_prompt hook_run_id="7">Check it.</hook_prompt>',
    "<user_shell_command>\n<command>ls</command>\n</user_shell_command>",
    "Another language model started to solve this problem and produced a summary of its thinking process.",
]


def test_what_the_harness_says_in_the_users_role_is_no_talk(store: Store, write: Write) -> None:
    """bc-027: project instructions, the environment and a long persona come before the person's words."""
    rows = [header("10:00:00.000"), asked("10:00:00.001", "Permissions.", role="developer")]
    rows += [asked("10:00:00.002", text) for text in HARNESS]
    rows += [
        asked("10:01:00.000", *HARNESS[:2], "hi, fix the footer"),
        shown("10:01:00.001", "hi, fix the footer"),
    ]
    report = import_path(store, write(rows))
    assert [(node.text, node.origin) for node in nodes(store)] == [("hi, fix the footer", Origin.HUMAN)]
    assert dict(report.skipped) == {}


@pytest.mark.parametrize(
    "text", ["<div>Make this red.</div>", "# AGENTS.md is missing", "a <b_c>d</b_c>", "<x_y>"]
)
def test_what_a_person_says_about_such_text_is_talk(store: Store, write: Write, text: str) -> None:
    import_path(store, write([header("10:00:00.000"), asked("10:01:00.000", text)]))
    assert texts(store) == [text]


def test_of_a_message_from_an_editor_the_request_is_taken(store: Store, write: Write) -> None:
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nRename it.\n"
    import_path(
        store, write([header("10:00:00.000"), asked("10:01:00.000", text), shown("10:01:00.001", text)])
    )
    assert texts(store) == ["Rename it.\n"]


def test_tools_reasoning_and_summaries_of_compactions_add_nothing(store: Store, write: Write) -> None:
    old = asked("", "Dublin.")["payload"]
    rows = [
        header("10:00:00.000"),
        *turn("10:01", "Dublin.", "OK."),
        record(
            "10:02:00.000", "response_item", type="reasoning", summary=[{"type": "summary_text", "text": "x"}]
        ),
        record("10:02:01.000", "response_item", type="compaction", encrypted_content="gAAA"),
        record(
            "10:02:02.000", "compacted", message="The person likes Dublin.", replacement_history=[old, old]
        ),
        record("10:02:03.000", "event_msg", type="context_compacted"),
        record("10:02:04.000", "world_state", full=True),
        record("10:02:05.000", "inter_agent_communication", content="Do it."),
        *turn("10:03", "Dublin.", "Still OK."),
    ]
    report = import_path(store, write(rows))
    assert texts(store) == ["Dublin.", "OK.", "Dublin.", "Still OK."]
    assert dict(report.skipped) == {}


def test_an_image_alone_is_a_turn_without_words(store: Store, write: Write) -> None:
    image = record("10:01:00.000", "response_item", type="message", role="user", content=[
        {"type": "input_text", "text": "<image name=[Image #1]>"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        {"type": "input_text", "text": "</image>"},
    ])  # fmt: skip
    event = record("10:01:00.001", "event_msg", type="user_message", message="", local_images=["/tmp/a.png"])
    rows = [header("10:00:00.000"), image, event, reply("10:01:02.000", "A cat."), back("10:02:00.000", 1)]
    import_path(store, write([*rows, *turn("10:03", "A dog?", "No.")]))
    assert texts(store) == ["", "A cat.", "", "A dog?", "No."]
    assert branches(store) == {"A cat.": "abandoned", "A dog?": "live", "No.": "live"}


def test_unknown_records_are_counted(store: Store, write: Write) -> None:
    rows = [
        header("10:00:00.000"),
        record("10:00:01.000", "hologram", x=1),
        record("10:00:01.000", "response_item", type="telepathy"),
        record("10:00:01.000", "event_msg", type="applause"),
        record("10:00:01.000", "response_item", type="message", role="wizard", content=[]),
        *turn("10:01", "Dublin.", "OK."),
    ]
    report = import_path(store, write(rows, tail='7\n{"a": 1}\n'))
    assert dict(report.skipped) == {
        "an unknown record type 'hologram'": 1,
        "an unknown kind of item 'telepathy'": 1,
        "an unknown kind of event 'applause'": 1,
        "an unknown role": 1,
        "not an object": 1,
        "not a record of a Codex rollout": 1,
    }
    assert texts(store) == ["Dublin.", "OK."]


def test_model_phase_folder_and_title_stand_beside_the_words(store: Store, write: Write) -> None:
    said = reply("10:01:03.000", "OK.")
    said["payload"]["phase"] = "commentary"
    context = record("10:01:00.000", "turn_context", cwd="/w/other", model="gpt-x")
    name = record(
        "10:01:04.000", "event_msg", type="thread_name_updated", thread_id=ROOT, thread_name="Towns"
    )
    import_path(store, write([header("10:00:00.000"), asked("10:00:30.000", "Dublin."), context, said, name]))
    first, second = nodes(store)
    assert (first.scope, dict(first.metadata)) == ("/w/shop", {})
    assert (second.scope, dict(second.metadata)) == ("/w/other", {"model": "gpt-x", "phase": "commentary"})
    assert (second.at, held(store).title) == ("2026-06-01T10:01:03.000Z", "Towns")


# --- identity, forks and sub-agents -------------------------------------------------------------

PARENT = [
    header("10:00:00.000"),
    *turn("10:01", "Prices are in cents.", "Noted."),
    *turn("10:05", "Round up.", "Done."),
]


def copied(rows: list[dict[str, Any]], at: str = "14:00:00") -> list[dict[str, Any]]:
    return [{**row, "timestamp": f"2026-06-01T{at}.{n:03}Z"} for n, row in enumerate(rows, 1)]


FORK = [
    header("14:00:00.000", CHILD, forked_from_id=ROOT),
    *copied(PARENT),
    record("14:00:00.500", "event_msg", type="thread_settings_applied"),
    *turn("14:03", "Add a EUR column.", "Added."),
]


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


# --- rewinds ------------------------------------------------------------------------------------


def test_turns_that_are_taken_back_are_an_abandoned_branch(store: Store, write: Write) -> None:
    rows = [*PARENT, *turn("10:06", "In Frankfurt.", "OK."), back("10:07:00.000", 2)]
    import_path(store, write([*rows, *turn("10:08", "Round down.", "Fine.")]))
    assert branches(store) == {
        "Prices are in cents.": "live", "Noted.": "live", "Round down.": "live", "Fine.": "live",
        "Round up.": "abandoned", "Done.": "abandoned", "In Frankfurt.": "abandoned", "OK.": "abandoned",
    }  # fmt: skip
    assert nodes(store)[-2].parent == nodes(store)[1].id


def test_a_rewind_at_the_end_moves_the_head(store: Store, write: Write) -> None:
    import_path(store, write([*PARENT, back("10:07:00.000", 1)]))
    assert head_text(store) == "Noted."
    assert branches(store) == {
        "Prices are in cents.": "live", "Noted.": "live", "Round up.": "abandoned", "Done.": "abandoned",
    }  # fmt: skip


@pytest.mark.parametrize("turns", [2, 9])
def test_a_whole_talk_can_be_taken_back(store: Store, write: Write, turns: int) -> None:
    path = write([*PARENT, back("10:07:00.000", turns)])
    import_path(store, path)
    assert set(branches(store).values()) == {"abandoned"}
    with path.open("a") as file:
        file.write(rollout(turn("10:08", "In francs.", "OK.")))
    import_path(store, path)
    assert [text for text, state in branches(store).items() if state == "live"] == ["In francs.", "OK."]


def test_a_rewind_goes_back_over_what_an_earlier_import_brought(store: Store, write: Write) -> None:
    path = write(PARENT)
    import_path(store, path)
    with path.open("a") as file:
        file.write(rollout([*turn("10:06", "In Cork.", "OK."), back("10:07:00.000", 2)]))
    import_path(store, path)
    assert head_text(store) == "Noted."


def test_the_same_words_after_a_rewind_are_the_same_turn_with_another_answer(
    store: Store, write: Write
) -> None:
    rows = [*PARENT, back("10:07:00.000", 1), *turn("10:08", "Round up.", "Now to full euros.")]
    import_path(store, write(rows))
    assert texts(store) == ["Prices are in cents.", "Noted.", "Round up.", "Done.", "Now to full euros."]
    assert branches(store)["Done."] == "abandoned"


# --- histories that are written more than once --------------------------------------------------

BEGUN = [
    *PARENT,
    *turn("10:06", "In Cork.", "OK."),
    back("10:07:00.000", 2),
    *turn("10:08", "Round down.", "Fine."),
]


def wait(rows: list[dict[str, Any]], at: str) -> list[dict[str, Any]]:
    return [
        {**row, "timestamp": f"2026-06-01T{at}:{n // 1000:02}.{n % 1000:03}Z"} for n, row in enumerate(rows)
    ]


@pytest.mark.parametrize(
    "more",
    [
        BEGUN,
        BEGUN * 3,
        BEGUN[1:],
        BEGUN[7:],
        BEGUN[:9],
        wait(BEGUN, "11:00"),
        [*wait(BEGUN, "11:00"), *wait(BEGUN, "11:30")],
        [*BEGUN[:-3], *wait(BEGUN, "12:00")],
    ],
    ids=[
        "whole",
        "three times",
        "no header",
        "the end",
        "the beginning",
        "new times",
        "twice",
        "cut, then whole",
    ],
)
@pytest.mark.parametrize("at_once", [True, False])
def test_a_history_that_is_written_again_is_known(
    store: Store, write: Write, more: list[dict[str, Any]], at_once: bool
) -> None:
    path = write(BEGUN)
    if not at_once:
        import_path(store, path)
    with path.open("a") as file:
        file.write(rollout([*more, *turn("13:00", "Thanks.", "Welcome.")]))
    import_path(store, path)
    assert texts(store) == [
        "Prices are in cents.", "Noted.", "Round up.", "Done.", "In Cork.", "OK.", "Round down.", "Fine.",
        "Thanks.", "Welcome.",
    ]  # fmt: skip
    assert head_text(store) == "Welcome."
    assert nodes(store)[-2].parent == nodes(store)[-3].id


def test_a_new_turn_under_a_clock_that_was_set_back_is_taken(store: Store, write: Write) -> None:
    import_path(store, write([*PARENT, *turn("09:30", "It is half past nine.", "So it is.")]))
    assert texts(store)[-2:] == ["It is half past nine.", "So it is."]


def test_a_rewind_after_a_replay_is_a_rewind(store: Store, write: Write) -> None:
    rows = [*PARENT, *wait(PARENT, "11:00"), back("11:30:00.000", 1)]
    import_path(store, write([*rows, *turn("11:31", "Round down.", "Fine.")]))
    assert branches(store)["Round up."] == "abandoned"
    assert nodes(store)[-2].parent == nodes(store)[1].id


def test_a_set_of_digests_keeps_what_it_moves_into_its_array(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scriptorium.conversations.formats.codex_thread._NEWEST", 3)
    seen = Seen()
    for value in (9, 2, 2**64 - 1, 5, 0, 7, 9):
        seen.add(value)
    assert [value for value in range(12) if value in seen] == [0, 2, 5, 7, 9]
    assert 2**64 - 1 in seen
    assert len(seen.newest) < 3


# --- what is broken, and what grows -------------------------------------------------------------


def test_ordinals_are_advice_only(store: Store, write: Write) -> None:
    """bc-010: ordinals that come twice or are missing change neither turns nor ids."""
    import_path(store, write(PARENT))
    plain = [(node.id, node.parent) for node in nodes(store)]
    rows = [{"timestamp": row["timestamp"], "ordinal": n // 2, **row} for n, row in enumerate(PARENT)]
    del rows[4]["ordinal"]
    rows[0]["payload"] = {**rows[0]["payload"], "history_mode": "paginated"}
    report = import_path(store, write(rows), again=True)
    assert (report.turns_new, report.turns_known, dict(report.skipped)) == (0, 4, {})
    assert [(node.id, node.parent) for node in nodes(store)] == plain


def test_half_a_record_at_the_end_waits_for_the_next_import(store: Store, write: Write) -> None:
    """bc-008: the cursor stays before it; after the program went on, the next import takes the rest."""
    rows = [header("10:00:00.000"), *(row for n in range(50) for row in turn(f"10:{n:02}", f"q{n}", f"a{n}"))]
    path = write(rows, tail='{"timestamp":"2026-06-01T10:55:00.000Z","type":"response_item","payl')
    report = import_path(store, path)
    assert (report.turns_new, report.torn, dict(report.skipped)) == (100, 302, {})
    with path.open("a") as file:
        file.write("\n" + rollout([shown("10:56:00.000", "Are you there?")]))
    report = import_path(store, path)
    assert (report.turns_new, report.turns_known, dict(report.skipped)) == (1, 0, {"not JSON": 1})
    assert nodes(store)[-1].parent == nodes(store)[-2].id


def test_half_a_record_that_is_written_again_is_counted(store: Store, write: Write) -> None:
    """bc-009: a record is written partly, then the same record on the next line."""
    thought = rollout(
        [record("10:02:00.000", "response_item", type="reasoning", summary=[], encrypted_content="g")]
    )
    tail = thought[:60] + "\n" + thought + rollout(turn("10:03", "Go on.", "I do."))
    report = import_path(store, write([header("10:00:00.000"), *turn("10:01", "Dublin.", "OK.")], tail=tail))
    assert (dict(report.skipped), report.places) == ({"not JSON": 1}, ((8, "not JSON"),))
    assert texts(store) == ["Dublin.", "OK.", "Go on.", "I do."]


def test_line_breaks_and_a_byte_order_mark_do_not_matter(store: Store, write: Write) -> None:
    path = write(PARENT)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    report = import_path(store, path)
    assert (report.format, report.turns_new, dict(report.skipped)) == ("codex", 4, {})


def test_a_log_that_is_read_as_it_grows_is_as_one_that_is_read_at_once(store: Store, write: Write) -> None:
    whole = rollout(FORK)
    path = write([], CHILD)
    for end in (*range(0, len(whole), 97), len(whole)):
        path.write_text(whole[:end])
        import_path(store, path)
    grown = nodes(store, CHILD), held(store, CHILD).head
    with open_store(path.parent / "other.sqlite3") as other:
        import_path(other, path)
        assert (nodes(other, CHILD), held(other, CHILD).head) == grown


def test_the_first_half_of_a_record_is_known_as_codex(store: Store, write: Write) -> None:
    report = import_path(store, write([], tail=rollout(PARENT)[:150]), "codex")
    assert (report.torn, report.format) == (1, "codex")


def test_rollouts_from_before_there_were_payloads_are_read(store: Store, tmp_path: Path) -> None:
    rows = [
        {"id": ROOT, "timestamp": "2025-05-07T17:24:21.123Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        asked("", HARNESS[0])["payload"],
        asked("", "Dublin.")["payload"],
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
        reply("", "OK.")["payload"],
    ]
    path = tmp_path / f"rollout-2025-05-07T17-24-21-{ROOT}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = import_path(store, path)
    assert (report.format, texts(store), dict(report.skipped)) == ("codex", ["Dublin.", "OK."], {})


def test_the_output_of_codex_exec_is_named(store: Store, tmp_path: Path) -> None:
    rows = [
        {"type": "thread.started", "thread_id": ROOT},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {"id": "item_0", "type": "reasoning", "text": "…"}},
        {"type": "item.completed", "item": {"id": "item_1", "type": "agent_message", "text": "4"}},
        {"type": "turn.completed", "usage": {"input_tokens": 9}},
    ]
    path = tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = import_path(store, path)
    reason = (
        "the output of `codex exec --json` lacks what was asked: import the thread's rollout file instead"
    )
    assert (report.format, dict(report.skipped)) == ("codex", {reason: 1})
    assert store.sessions() == ()
