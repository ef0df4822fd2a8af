"""What a file is called that is no log, and what is to be given instead."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from packed_logs import zipped
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Store, open_store

PIXEL = b"\x89PNG\r\n\x1a\n\x00\x00\x00"
LISTED = '[{"role": "user", "content": "I live in Porto."}]'
PAGE = b"<!DOCTYPE html><html><body>ChatGPT</body></html>"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "content", "said", "remedy"),
    [
        ("lt.bin", b"<\xad\n\x9f", "is no text", "as text"),
        ("noise", bytes(range(256)), "is no text", "as text"),
        ("list.json", b"[]\n", "holds no conversation: what is in it is empty", "made anew"),
        ("object.json", b" {} ", "holds no conversation: what is in it is empty", "made anew"),
        ("two.md", b"User: Hi\n\nAssistant: ok\n", "has 2 turns, and 3 are", "--format transcript"),
        ("le.json", LISTED.encode("utf-16"), "is text in UTF-16;", "iconv -f UTF-16 -t UTF-8"),
        ("be.json", LISTED.encode("utf-16-be"), "is text in UTF-16BE;", "iconv -f UTF-16BE"),
        ("wide.json", LISTED.encode("utf-32"), "is text in UTF-32;", "iconv -f UTF-32"),
        ("other.json", b'{"a": 1, "b": 2}', "holds JSON with `a`, `b`, and nothing", "say `--format`"),
        ("torn.json", b'{"a": 1, "b', "begins as JSON does", "say `--format`"),
        ("diary.txt", b"Dear diary, all is well.\n", "begins neither as a log", "`User: "),
        ("page.txt", b"\n <HTML lang=en>", "a page for a browser", "conversations.json"),
    ],
)
def test_what_no_log_is_said_to_be_is_why_and_what_to_do(
    store: Store, tmp_path: Path, name: str, content: bytes, said: str, remedy: str
) -> None:
    (tmp_path / name).write_bytes(content)
    (problem,) = import_path(store, tmp_path / name).problems
    assert said in problem.message
    assert remedy in problem.remedy
    assert store.sessions() == ()


def test_a_transcript_that_is_short_is_taken_where_it_is_called_one(store: Store, tmp_path: Path) -> None:
    (tmp_path / "two.md").write_bytes(b"User: Hi\n\nAssistant: ok\n")
    assert import_path(store, tmp_path / "two.md", "transcript").turns_new == 2


@pytest.mark.parametrize("empty", ["[]", "{}", " [ ]"])
def test_an_export_without_conversations_is_called_that(store: Store, tmp_path: Path, empty: str) -> None:
    archive = zipped(tmp_path / "a.zip", {"conversations.json": empty.encode(), "user.json": b'{"id": "u"}'})
    (problem,) = import_path(store, archive).problems
    assert problem.message.endswith("an archive without conversations: conversations.json holds none")
    assert "made anew" in problem.remedy
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "chats.json").write_text(empty)
    (problem,) = import_path(store, tmp_path / "folder").problems
    assert "a folder without conversations: chats.json holds none" in problem.message


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("chat.html", PAGE, "a page for a browser"),
        ("users.json", b'[{"uuid": "u", "full_name": "M", "email_address": "m@x"}]', "account"),
        ("user.json", b'{"id": "u", "email": "m@x"}', "tells of an account"),
        ("shot.png", PIXEL, "a picture"),
        ("other.sqlite3", b"SQLite format 3\x00" + b"\x00" * 500, "a database"),
        ("project.json", b'{"uuid": "p", "prompt_template": "", "docs": []}', "a project"),
    ],
)
def test_a_wrong_file_of_an_export_is_called_what_it_is(
    store: Store, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    report = import_path(store, tmp_path / name)
    told = [problem.message for problem in report.problems] + [*report.skipped]
    assert any(said in each for each in told), told
    assert store.sessions() == ()
