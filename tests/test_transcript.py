"""The format `transcript`: conversations that were written down, a speaker and what they say."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium.conversations.formats.transcript import TRANSCRIPT
from scriptorium.conversations.formats.transcript_lines import person
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.items import Sample
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.sessions.evidence import provenance
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

FIXTURES = Path(__file__).parent / "fixtures" / "transcript"
ROOT = Path(__file__).parents[1]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "talk.md"


def only(store: Store) -> tuple[Session, list[Node]]:
    (session,) = store.sessions()
    return session, list(store.nodes(session))


def said(store: Store) -> list[tuple[str, str]]:
    """Who says what: the name of a person, or the origin."""
    return [(node.speaker_name or node.origin.value, node.text) for node in only(store)[1]]


def live(store: Store) -> list[str]:
    session, _ = only(store)
    found = waiting(store, session, WorkspaceId("w-1"), lambda _: False)
    return [item.node.text for item in found if item.branch == "live"]


def recognised(text: str) -> bool:
    return TRANSCRIPT.recognises(Sample(None, text, Path("talk.md")))


def test_lines_belong_to_the_turn_before_them_and_code_is_no_speaker(store: Store) -> None:
    """bc-066: times and boxes in a list are what they say, and no speakers."""
    report = import_path(store, FIXTURES / "chat.md")
    assert (report.format, report.turns_new, report.skipped) == ("transcript", 5, {})
    assert said(store) == [
        ("human", "My train is at 7:40.\nIt leaves from platform 3."),
        (
            "assistant",
            'I will remind you. For example:\n\n```python\nUser: not = "a speaker"\n'
            'print("http://x.example/a")\n```\n\nPros: early\nCons: early\nPros: really',
        ),
        ("human", "ok"),
        (
            "assistant",
            "- [x] done\n- [24:33.098 - 24:41.260] text\nNote: see http://x.example:80/a",
        ),
        ("human", "ok"),
    ]
    session, found = only(store)
    assert session.title == "Trains and beans"
    assert [node.at for node in found] == ["2026-05-01"] * 2 + ["2026-05-02"] * 3
    assert [node.parent for node in found] == [None, *(node.id for node in found[:-1])]


def test_speakers_can_be_headings_and_other_headings_are_text(store: Store) -> None:
    report = import_path(store, FIXTURES / "headings.md")
    assert (report.format, report.skipped) == ("transcript", {})
    assert said(store) == [
        ("human", "Which white is this?"),
        ("assistant", "RAL 9010.\n\n## Steps\n\n1. Sand\n2. Paint"),
        ("human", "Thanks"),
    ]
    assert only(store)[0].title == "Paint"


def test_people_with_names_are_not_the_owner_and_stamps_are_times_of_their_day(store: Store) -> None:
    import_path(store, FIXTURES / "meeting.txt", "transcript")
    assert said(store) == [
        ("Mara", "The dentist moved to Thursday."),
        ("Bo", "Which Thursday?\nThe 7th?"),
        ("Mara", "Yes."),
        ("Bo", "She was late."),
    ]
    assert [node.at for node in only(store)[1]] == [
        "2026-05-02T12:03", "2026-05-02T12:04", "2026-05-02T12:04:30", "2026-05-03T09:01",
    ]  # fmt: skip
    assert provenance(only(store)[1][0], "owner").speaker_kind == "human"


def test_what_nobody_dated_has_no_time(store: Store, log: Path) -> None:
    """bc-032: a stamp without a day is no time, and a date alone no midnight."""
    log.write_text("[12:03] User: a\n[12:04] Assistant: b\n[12:05] User: c\n")
    import_path(store, log)
    assert {node.at for node in only(store)[1]} == {""}


def test_stamps_that_count_from_the_beginning_are_no_times_of_the_day(store: Store, log: Path) -> None:
    log.write_text("## 2026-05-02\n[00:00:07] Mara: a\n[00:12:04] Bo: b\n[01:10:05] Mara: c\n")
    import_path(store, log, "transcript")
    assert {node.at for node in only(store)[1]} == {"2026-05-02"}


@pytest.mark.parametrize(
    "text",
    [
        "{0}: hi\n{1}: hello\n{0}: bye\n",
        "**{0}:** hi\n\n**{1}:** hello\n\n**{0}:** bye",
        "**{0}**: hi\r\n**{1}**: hello\r\n**{0}**: bye\r\n",
        "__{0}:__ hi\n__{1}:__ hello\n__{0}:__ bye\n",
        "## {0}\nhi\n## {1}\nhello\n## {0}\nbye\n",
        "### {0}:\n\nhi\n\n### {1}:\n\nhello\n\n---\n\n### {0}:\n\nbye\n\n---\n",
        "## {0} (12:03)\nhi\n## {1} (12:04)\nhello\n## {0} (12:05)\nbye\n",
        "[12:03] {0}: hi\n[12:03] {1}: hello\n[12:04] {0}: bye\n",
        "12:03 {0}: hi\n12:03 {1}: hello\n12:04 {0}: bye\n",
        "[2026-05-02 12:03] {0}: hi\n[2026-05-02 12:03] {1}: hello\n[2026-05-02 12:04] {0}: bye\n",
        "{0} (12:03): hi\n{1} (gpt-4o): hello\n{0} (12:04): bye\n",
        "{0}:\nhi\n\n{1}:\nhello\n\n{0}:\nbye\n",
        "\ufeff# A title\n\n{0}: hi\n{1}: hello\n{0}: bye\n",
    ],
)
@pytest.mark.parametrize(
    "names", [("User", "Assistant"), ("Human", "AI"), ("Me", "ChatGPT"), ("you", "Claude 4")]
)
def test_every_manner_of_naming_a_speaker_is_recognised(
    store: Store, log: Path, text: str, names: tuple[str, str]
) -> None:
    log.write_bytes(text.format(*names).encode())
    report = import_path(store, log)
    assert (report.format, report.skipped) == ("transcript", {})
    assert said(store) == [("human", "hi"), ("assistant", "hello"), ("human", "bye")]


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("User", "owner"), ("me", "owner"), ("GPT-4o", "assistant"), ("Claude Opus 4", "assistant"),
        ("Claude Dupont", "other"), ("Ai Weiwei", "other"), ("Mara", "other"), ("Assistant", "assistant"),
    ],
)  # fmt: skip
def test_a_name_is_the_owners_an_assistants_or_somebody_elses(name: str, who: str) -> None:
    assert person(name) == who


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12:03:04 INFO: up\n12:03:05 Worker: started\n12:03:06 INFO: down\n12:03:07 Worker: x\n",
        "# Notes\n\nNote: a\n\nWarning: b\n\nNote: c\n",
        "Name: a\nVersion: 1\nName: b\nVersion: 2\n",
        "user: postgres\nhost: x\nuser: y\nhost: z\n",
        "- [24:33.098 - 24:41.260] a\n- [x] b\n- [12:30] call\n",
        "We talked.\n\nUser: hi\nAssistant: hello\nUser: bye\n",
        "User: hi\nAssistant: hello\n",
        "    User: hi\n    Assistant: hello\n    User: bye\n",
        "> User: hi\n> Assistant: hello\n> User: bye\n",
        "```\nUser: hi\nAssistant: hello\nUser: bye\n```\n",
        "http://a.example\nhttps://b.example\nhttp://c.example\n",
        '{"role": "user", "content": "x"}\nUser: hi\nAssistant: hello\nUser: bye\n',
        "User: hi\x00\nAssistant: hello\nUser: bye\n",
        "## Usage\n\ntext\n\n## Assistant\n\ntext\n\n## Assistant\n\n## Usage\n",
        "Model: A\nYear: 2020\nModel: B\nYear: 2021\n",
    ],
)
def test_other_text_is_not_taken_for_a_transcript(text: str) -> None:
    assert not recognised(text)


def test_our_own_documents_are_not_taken_for_transcripts() -> None:
    paths = [*ROOT.glob("*.md"), *ROOT.glob("core/*.md")]
    assert paths
    assert [path.name for path in paths if recognised(path.read_text("utf-8"))] == []


def test_a_chat_of_people_alone_is_read_on_request(store: Store, log: Path) -> None:
    log.write_text("Mara: hi\nBo: hello\nMara: bye\nBo: later\nP.S. nothing\n")
    assert import_path(store, log).problems
    import_path(store, log, "transcript")
    assert said(store) == [("Mara", "hi"), ("Bo", "hello"), ("Mara", "bye"), ("Bo", "later\nP.S. nothing")]


@pytest.mark.parametrize(
    "listed",
    [
        "participants: [Mara, 'Bo Lund']",
        "participants: Mara, Bo Lund",
        "participants:\n  - Mara\n  - Bo Lund",
    ],
)
def test_the_front_matter_names_who_takes_part(store: Store, log: Path, listed: str) -> None:
    log.write_text(f"---\ntitle: Club\nsession: club-1\n{listed}\n---\nMara: hi\nBo Lund: hello\nMara: bye\n")
    report = import_path(store, log)
    assert report.sessions == ("transcript/club-1",)
    assert said(store) == [("Mara", "hi"), ("Bo Lund", "hello"), ("Mara", "bye")]


def test_importing_again_adds_nothing_and_what_was_appended_goes_on(store: Store, log: Path) -> None:
    text = "User: ok\nAssistant: ok\nUser: ok\n"
    log.write_text(text)
    assert import_path(store, log).turns_new == 3
    again = import_path(store, log)
    assert (again.turns_new, again.turns_known) == (0, 0)
    log.write_text(text + "Assistant: bye\n")
    assert import_path(store, log).turns_new == 1
    assert import_path(store, log, again=True).turns_known == 4
    assert only(store)[0].head == only(store)[1][-1].id


def test_a_turn_that_was_edited_forks_there_and_one_that_grew_is_the_live_one(
    store: Store, log: Path
) -> None:
    log.write_text("User: a\nAssistant: b\nUser: c\n")
    import_path(store, log)
    log.write_text("User: a\nAssistant: b2\nUser: c\n")
    import_path(store, log)
    assert live(store) == ["a", "b2", "c"]
    log.write_text("User: a\nAssistant: b2\nUser: c\nand d\n")
    import_path(store, log)
    assert live(store) == ["a", "b2", "c\nand d"]
    assert len(only(store)[1]) == 6


def test_two_transcripts_that_begin_alike_but_are_of_two_days_are_two_sessions(
    store: Store, tmp_path: Path
) -> None:
    for day in ("2026-05-01", "2026-05-02"):
        log = tmp_path / f"{day}.md"
        log.write_text(f"---\ndate: {day}\n---\nUser: hi\nAssistant: hello\nUser: bye\n")
        assert import_path(store, log).copies == 0
    assert len(store.sessions()) == 2


def test_a_caller_can_name_the_session(store: Store, log: Path) -> None:
    log.write_text("User: hi\nAssistant: hello\nUser: bye\n")
    assert import_path(store, log, session="mine").sessions == ("transcript/mine",)


def test_what_stands_before_the_first_speaker_is_counted(store: Store, log: Path) -> None:
    log.write_text("# T\n\nExported by hand.\n\n---\nUser: hi\nAssistant: hello\nUser: bye\n")
    report = import_path(store, log, "transcript")
    assert (report.skipped, report.places) == (
        {"text before the first speaker": 1}, ((3, "text before the first speaker"),),
    )  # fmt: skip
    assert only(store)[0].title == "T"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Assistant: On this day:\n2026-05-02\n", "On this day:\n2026-05-02"),
        ("Assistant:\n2026-05-02\n", "2026-05-02"),
        ("Assistant: Days:\n\n2026-05-02\n2026-05-03 too\n", "Days:\n\n2026-05-02\n2026-05-03 too"),
        ("Assistant: Last:\n\n2026-05-02\n", "Last:\n\n2026-05-02"),
    ],
)
def test_a_date_that_was_said_is_no_heading(store: Store, log: Path, answer: str, expected: str) -> None:
    log.write_text("User: when?\n" + answer)
    import_path(store, log, "transcript")
    assert said(store)[-1] == ("assistant", expected)


def test_a_fence_that_opens_behind_the_name_is_one(store: Store, log: Path) -> None:
    log.write_text("User: ```\nAssistant: no\n```\nAssistant: yes\nUser: fine\n")
    import_path(store, log, "transcript")
    assert said(store) == [("human", "```\nAssistant: no\n```"), ("assistant", "yes"), ("human", "fine")]


@pytest.mark.parametrize("rule", ["", "---\n"])
def test_a_rule_at_the_start_is_no_front_matter(store: Store, log: Path, rule: str) -> None:
    log.write_text(f"---\nUser: hi\n{rule}Assistant: hello\n{rule}User: bye\n")
    import_path(store, log)
    assert [text for _, text in said(store)] == ["hi", "hello", "bye"]


def test_bytes_that_are_no_text_are_replaced_and_reported(store: Store, log: Path) -> None:
    log.write_bytes(b"User: caf\xe9\nAssistant: yes\nUser: bye\n")
    assert import_path(store, log).replaced == 1
    assert said(store)[0] == ("human", "caf\ufffd")


def test_roles_are_those_of_a_person_and_an_assistant(store: Store) -> None:
    import_path(store, FIXTURES / "headings.md")
    assert [(node.role, node.origin) for node in only(store)[1]][:2] == [
        ("user", Origin.HUMAN), ("assistant", Origin.ASSISTANT),
    ]  # fmt: skip
