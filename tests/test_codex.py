"""The format `codex`: what of a rollout is talk, what is broken, and what grows."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from codex_examples import (
    CHILD,
    FORK,
    HARNESS,
    PARENT,
    ROOT,
    Row,
    answer,
    asked,
    back,
    branches,
    header,
    held,
    nodes,
    record,
    reply,
    rollout,
    shown,
    texts,
    turn,
    written,
)
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Store, open_store
from scriptorium_core.sources.frame import Origin

Write = Callable[..., Path]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return partial(written, tmp_path)


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


def test_a_log_that_grew_by_what_nobody_said_is_not_called_unchanged(store: Store, write: Write) -> None:
    log = write([header("10:00:00.000"), *turn("10:01", "Hi.", "Yes?")])
    import_path(store, log)
    with log.open("a") as more:
        more.write(rollout([record("10:02:00.000", "response_item", type="reasoning", summary=[])]))
    reports = [import_path(store, log) for _ in range(2)]
    assert [(report.turns_new, report.unchanged) for report in reports] == [(0, 0), (0, 1)]


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
    odd = [n for n in range(1, len(rows)) if n % 2 and n != 5]  # the second of two that are alike
    assert list(report.noted.values()) == [len(odd)]
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


@pytest.mark.parametrize("odd", [None, 7, "x", [], ["x"], {}, {"a": {}}, [{"type": ["text"], "text": "x"}]])
def test_an_odd_value_in_any_place_is_no_fault_of_what_follows(
    store: Store, write: Write, odd: object
) -> None:
    rows: list[Row] = [{"timestamp": odd, "type": "event_msg", "payload": {}}, {"type": odd, "payload": odd}]
    for kind in ("session_meta", "response_item", "event_msg", "turn_context"):
        rows.append({"timestamp": "9999-12-31T23:59:59-23:59", "type": kind, "payload": odd})
        for key in ("type", "id", "source", "role", "content", "message", "num_turns", "cwd", "phase"):
            for real in ("message", "user_message", "thread_rolled_back"):
                payload = {
                    "type": real,
                    "role": "user",
                    "content": "x",
                    "message": "x",
                    "num_turns": 1,
                    key: odd,
                }
                rows.append(record("10:00:00.000", kind, **payload))
    import_path(store, write([header("10:00:00.000"), *rows, shown("10:01:00.000", "Still here.")]), "codex")
    assert texts(store)[-1] == "Still here."
