"""The format `openai`: lists of messages without ids."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def only(store: Store) -> tuple[Session, list[Node]]:
    (session,) = store.sessions()
    return session, list(store.nodes(session))


ASK = {"role": "user", "content": [{"type": "text", "text": "My train is at 7:40."}]}
TALK = [
    {"role": "system", "content": "You are helpful."},
    ASK,
    {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function"}]},
    {"role": "tool", "tool_call_id": "call_1", "content": "ok"},
    {"role": "assistant", "content": "Reminder set for 7:10."},
]
MORE = {"role": "user", "content": "Thanks."}


def test_a_list_becomes_a_session_with_a_chain_of_ids(store: Store, log: Path) -> None:
    log.write_text(json.dumps({"messages": TALK, "title": "Train"}))
    report = import_path(store, log)
    session, found = only(store)
    assert (report.format, report.turns_new, session.title) == ("openai", 5, "Train")
    assert [turn.origin for turn in found] == [
        Origin.HARNESS,
        Origin.HUMAN,
        Origin.TOOL,
        Origin.TOOL,
        Origin.ASSISTANT,
    ]
    assert [turn.parent for turn in found] == [None, *(turn.id for turn in found[:-1])]
    assert session.head == found[-1].id
    assert found[1].text == "My train is at 7:40."


@pytest.mark.parametrize(
    "shape",
    [
        json.dumps,
        lambda talk: json.dumps(talk, indent=1),
        lambda talk: json.dumps({"messages": talk}, indent=1),
        lambda talk: json.dumps([talk, talk[:2]], indent=1),
        lambda talk: json.dumps([{"messages": talk}]),
        lambda talk: json.dumps(talk[:2]) + "\n" + json.dumps(talk) + "\n",
        lambda talk: "".join(json.dumps({"messages": talk[:n]}) + "\n" for n in range(2, 6)),
        lambda talk: "".join(json.dumps(row) + "\n" for row in talk),
    ],
)
def test_every_shape_of_a_list_gives_the_same_turns(
    store: Store, tmp_path: Path, shape: Callable[[object], str]
) -> None:
    (tmp_path / "plain").write_text(json.dumps({"messages": TALK}))
    (tmp_path / "other").write_text(shape(TALK))
    import_path(store, tmp_path / "plain")
    before = only(store)
    report = import_path(store, tmp_path / "other")
    assert (report.format, report.turns_new, report.skipped) == ("openai", 0, {})
    assert report.turns_known >= 5
    assert only(store) == before


def test_a_longer_list_extends_the_session_and_a_different_one_forks_it(store: Store, log: Path) -> None:
    log.write_text(json.dumps({"messages": TALK}))
    import_path(store, log)
    log.write_text(json.dumps({"messages": [*TALK, MORE]}))
    assert (import_path(store, log).turns_new, len(only(store)[1])) == (1, 6)
    log.write_text(json.dumps({"messages": [*TALK[:4], {"role": "assistant", "content": "Done."}]}))
    report = import_path(store, log)
    session, found = only(store)
    assert (report.turns_new, report.branches, len(found)) == (1, 2, 7)
    assert session.head == found[-1].id


def test_an_instruction_that_is_written_anew_each_time_makes_no_message_twice(
    store: Store, log: Path
) -> None:
    talk = [ASK, {"role": "system", "content": "It is noon."}, {"role": "assistant", "content": "Noted."}]
    later = [ASK, {"role": "system", "content": "It is one."}, *talk[2:], MORE]
    lists = [
        [{"role": "system", "content": f"Today is 2026-03-0{day}."}, *rows]
        for day, rows in enumerate((talk, later), 1)
    ]
    log.write_text("".join(json.dumps({"messages": each, "conversation_id": "c1"}) + "\n" for each in lists))
    report = import_path(store, log)
    said = [turn.text for turn in only(store)[1] if turn.text]
    assert said == ["My train is at 7:40.", "Noted.", "Thanks."]
    assert (report.branches, report.turns_known, dict(report.skipped)) == (1, 4, {})


def test_two_equal_messages_in_one_list_stay_two(store: Store, log: Path) -> None:
    log.write_text(json.dumps([ASK, {"role": "user", "content": "ok"}, {"role": "user", "content": "ok"}]))
    assert import_path(store, log).turns_new == 3


def test_a_name_that_is_given_is_the_session(store: Store, log: Path, tmp_path: Path) -> None:
    log.write_text(json.dumps({"messages": TALK, "conversation_id": "c1"}))
    import_path(store, log)
    (tmp_path / "unnamed").write_text(json.dumps([ASK]))
    import_path(store, tmp_path / "unnamed", session="c2")
    assert [session.id for session in store.sessions()] == ["c1", "c2"]


def test_messages_that_are_appended_line_by_line_go_on_with_the_chain(store: Store, log: Path) -> None:
    rows = [json.dumps(row) + "\n" for row in [*TALK, MORE]]
    for count in range(1, 7):
        log.write_text("".join(rows[:count]))
        import_path(store, log)
    session, found = only(store)
    assert [turn.parent for turn in found] == [None, *(turn.id for turn in found[:-1])]
    assert (session.head, len(found)) == (found[-1].id, 6)


def test_lines_of_several_conversations_are_kept_apart(store: Store, log: Path) -> None:
    rows = [{**ASK, "session_id": "x"}, {**ASK, "session_id": "y"}, {**MORE, "session_id": "x"}]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_path(store, log)
    assert [(session.id, session.turns) for session in store.sessions()] == [("x", 2), ("y", 1)]


def test_a_half_written_document_gives_what_is_whole_of_it(store: Store, log: Path) -> None:
    text = json.dumps([ASK, MORE], indent=1)
    log.write_text(text[:-10])
    report = import_path(store, log)
    assert (report.turns_new, report.torn > 0) == (1, True)
    log.write_text(text)
    report = import_path(store, log)
    assert (report.turns_new, report.turns_known, report.torn) == (1, 1, 0)


def test_a_list_without_talk_is_skipped(store: Store, log: Path) -> None:
    log.write_text(json.dumps([TALK[0]]))
    assert import_path(store, log).skipped == {"no talk in the list": 1}
    assert store.sessions() == ()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"role": "wizard", "content": "x"}, "an unknown role"),
        ({"content": "x"}, "not a message: no role"),
        (7, "neither a message nor a list of messages"),
    ],
)
@pytest.mark.parametrize("shape", [json.dumps, lambda rows: "".join(json.dumps(row) + "\n" for row in rows)])
def test_what_is_no_message_is_skipped(
    store: Store, log: Path, shape: Callable[[object], str], bad: object, reason: str
) -> None:
    log.write_text(shape([ASK, bad, MORE]))
    report = import_path(store, log)
    assert report.turns_new == 2
    assert sum(report.skipped.values()) == 1
    assert reason in report.skipped or isinstance(bad, int)


def test_parts_that_are_no_text_are_named_and_times_are_read(store: Store, log: Path) -> None:
    parts = [
        {"type": "image_url", "image_url": {"url": "https://x.example/a.png"}},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        "Which white is this?",
        {"type": "refusal", "refusal": "No."},
        {"type": "audio"},
        7,
    ]
    log.write_text(json.dumps([{"role": "user", "content": parts, "timestamp": 1767225600, "name": "Mira"}]))
    import_path(store, log)
    (found,) = only(store)[1]
    assert found.text == "[image: https://x.example/a.png]\n[image]\nWhich white is this?\nNo."
    assert (found.at, found.speaker_name) == ("2026-01-01T00:00:00+00:00", "Mira")


def test_a_document_with_bytes_that_are_no_text_is_read_and_reported(store: Store, log: Path) -> None:
    log.write_bytes(json.dumps([ASK, MORE], indent=1).encode().replace(b"Thanks", b"Th\xffnks"))
    report = import_path(store, log)
    assert (report.turns_new, report.replaced) == (2, 1)
    assert only(store)[1][1].text == "Th\ufffdnks."


def test_a_document_that_nests_too_deeply_is_no_crash(store: Store, log: Path) -> None:
    log.write_text("[\n" + json.dumps(ASK) + ",\n" + "[" * 100_000)
    assert import_path(store, log).turns_new == 1
