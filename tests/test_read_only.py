"""A home in which nothing can be written: it answers as it would otherwise, and refuses to be changed."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from unittest import mock

import pytest

from cli_example import DINNER, INES, Ran, fresh_home, run, surroundings
from scriptorium.conversations.store import Store
from scriptorium.fulltext import FullText
from scriptorium.fulltext.folder import existing
from scriptorium.index import Index
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.unwritable import as_it_lies
from scriptorium_core.problem import Code
from scriptorium_core.recall import Query

__all__: list[str] = []

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")

NOBODY = 65534
CHILD = f"""
import json, os, sys
from cli_example import run
writable, unwritable, lines = json.load(sys.stdin)
before = [run("--home", writable, *words) for words in lines]
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
after = [run("--home", unwritable, *words) for words in lines]
print(json.dumps([[[ran.code, ran.out, ran.err] for ran in each] for each in (before, after)]))
"""
READING: tuple[tuple[str, ...], ...] = (
    ("traces",),
    ("search", "shellfish"),
    ("search", "teapot"),
    ("ask", "Where is dinner?"),
    ("context", "Where is dinner in Porto?"),
    ("context", "--session", "native/porto", "Porto"),
    ("show", INES),
    ("show", "native/porto/m1"),
    ("why", INES),
    ("topics",),
    ("timeline",),
    ("recent",),
    ("core",),
    ("relations",),
    ("sessions",),
    ("status",),
    ("verify",),
    ("at", "HEAD~1", "topics"),
    ("at", "HEAD~1", "search", "teapot"),
    ("blame", INES),
    ("log",),
    ("diff",),
    ("grep", "Porto"),
    ("review", "--list"),
    ("forget", "--dry-run", DINNER),
    ("digest",),
)
CHANGING: tuple[tuple[str, ...], ...] = (
    ("remember", "The tram is line one."),
    ("forget", DINNER, "--yes"),
    ("edit", "topics/people/ines.md"),
    ("undo", "HEAD"),
    ("adopt",),
    ("promote", "native/porto/m1"),
    ("index",),
    ("index", "--rebuild"),
    ("write", "--force"),
    ("keep", "--once"),
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for a process without rights, which pytest's own folders do not let in."""
    made = Path(tempfile.mkdtemp(prefix="scriptorium-test-"))
    made.chmod(0o755)
    if not all(above.stat().st_mode & 0o001 for above in made.parents):
        pytest.skip(f"a process without rights gets into no folder below {made.parent}")
    yield made
    for path in [made, *made.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(made)


def prepared(folder: Path) -> Path:
    """A home that was written to, searched and asked, so that every index is up to date."""
    home = fresh_home(folder)
    for words in (("remember", "The teapot is blue."), ("search", "teapot"), ("context", "teapot")):
        assert run("--home", home, *words).code == 0
    return home


def both(
    folder: Path, home: Path, lines: Sequence[Sequence[object]]
) -> tuple[list[Ran], list[Ran], Mapping[str, bytes]]:
    """How commands end in a home, and in a copy of it in which nothing can be written.

    Last comes what the second has left in the folder for what is temporary.
    """
    other, room = folder / "same", folder / "room"
    shutil.copytree(home, other)
    room.mkdir()
    room.chmod(0o777)
    for path in [other, *other.rglob("*")]:
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        path.chmod(path.stat().st_mode & 0o555)
    before = _all_of(other)
    given = json.dumps([str(home), str(other), [[*map(str, words)] for words in lines]])
    tests = str(Path(__file__).parent)
    env = {**surroundings(), "TMPDIR": str(room), "EDITOR": "true"}
    env["PYTHONPATH"] += os.pathsep + tests
    done = subprocess.run(
        [sys.executable, "-c", CHILD], env=env, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert _all_of(other) == before
    ours, theirs = ([Ran(*each) for each in part] for part in json.loads(done.stdout))
    plain = [
        Ran(each.code, *(text.replace("/same", "/home") for text in (each.out, each.err))) for each in theirs
    ]
    return ours, plain, _all_of(room)


def _all_of(folder: Path) -> Mapping[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_every_reading_command_answers_as_it_would_otherwise(folder: Path) -> None:
    ours, theirs, left = both(folder, prepared(folder), READING)
    for words, one, other in zip(READING, ours, theirs, strict=True):
        assert (words, one.code) == (words, 0), one.err
        assert (words, other) == (words, one)
    assert not [name for name in left if "fulltext" in name]


def test_what_would_change_something_is_refused_with_a_remedy(folder: Path) -> None:
    _, theirs, _ = both(folder, prepared(folder), CHANGING)
    for words, ran in zip(CHANGING, theirs, strict=True):
        assert (words, ran.code) == (words, 3), ran
        assert "READ_ONLY_PATH  " in ran.err, words
        assert "make the memory directory writable" in ran.err, words


def test_indexes_that_are_behind_or_missing_change_no_answer(folder: Path) -> None:
    home = prepared(folder)
    assert run("--home", home, "remember", "The tram is line one.").code == 0
    lines = [("search", "tram"), ("topics",), ("at", "HEAD~1", "search", "teapot")]
    ours, theirs, _ = both(folder, home, lines)
    assert theirs == ours
    assert "The tram is line one." in theirs[0].out
    for path in (home / "memory" / ".scriptorium").glob("index.sqlite3*"):
        path.unlink()
    shutil.rmtree(home / "memory" / ".scriptorium" / "fulltext")
    (folder / "more").mkdir()
    ours, theirs, _ = both(folder / "more", home, lines)
    assert theirs == ours


def test_a_damaged_index_changes_no_answer(folder: Path) -> None:
    home = prepared(folder)
    index = home / "memory" / ".scriptorium" / "index.sqlite3"
    index.write_bytes(b"rubbish" * 1000)
    ours, theirs, _ = both(folder, home, [("topics",), ("search", "teapot")])
    assert theirs == ours


def test_conversations_whose_log_cannot_be_read_are_named(folder: Path) -> None:
    home = prepared(folder)
    (home / "sessions.sqlite3-wal").write_bytes(b"x" * 4096)
    _, (told, status), _ = both(folder, home, [("sessions",), ("status",)])
    assert told.code == 3
    assert told.err.startswith("READ_ONLY_PATH  sessions.sqlite3")
    assert "open it once where it can be written" in told.err
    assert "READ_ONLY_PATH" in status.out


# --- Somebody else may write -------------------------------------------------------------------------------


def test_a_database_with_a_log_beside_it_is_not_read_without_the_log(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE t (a)")
    assert as_it_lies(path) is None
    writer.close()
    found = as_it_lies(path)
    assert found is not None
    assert found.execute("SELECT count(*) FROM t").fetchone() == (0,)
    found.close()
    assert as_it_lies(tmp_path / "none") is None


def test_an_answer_from_an_index_that_was_written_to_meanwhile_is_not_given(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    path = home / "memory" / ".scriptorium" / "index.sqlite3"
    with Service(home) as service:
        memory = service.memory()
        history, head = memory.history, memory.revision
        found = as_it_lies(path)
        assert found is not None
        index = Index(path, found)
        with index.snapshot() as facts:
            assert INES in facts.records
        assert index.stands()
        with pytest.raises(Refused) as refused, index.snapshot():
            os.utime(path)
        assert refused.value.problems[0].code is Code.CONCURRENT_UPDATE
        assert not index.stands()
        index.follow(history, head)
        assert index.stands()
        index.close()


def test_conversations_that_were_written_to_meanwhile_are_not_given(tmp_path: Path) -> None:
    path = prepared(tmp_path) / "sessions.sqlite3"
    found = as_it_lies(path)
    assert found is not None
    store = Store(path, found)
    assert [session.id for session in store.sessions()] == ["porto"]
    with pytest.raises(Refused) as refused, store:
        os.utime(path)
    assert refused.value.problems[0].code is Code.CONCURRENT_UPDATE


def test_a_full_text_index_is_refused_where_there_is_no_room_for_a_lock(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    folder = home / "memory" / ".scriptorium" / "fulltext"
    with (
        mock.patch("scriptorium.fulltext.index.existing", return_value=None),
        mock.patch("scriptorium.unwritable.is_writable", return_value=False),
        mock.patch("tempfile.mkdtemp", side_effect=FileNotFoundError(2, "No usable temporary directory")),
        pytest.raises(Refused) as refused,
    ):
        FullText.open(folder)
    (problem,) = refused.value.problems
    assert problem.code is Code.READ_ONLY_PATH
    assert "TMPDIR" in problem.remedy


def test_links_to_a_full_text_index_go_with_it_and_lead_nothing_away(tmp_path: Path) -> None:
    home = prepared(tmp_path)
    folder = home / "memory" / ".scriptorium" / "fulltext"
    before, room = _all_of(folder), tmp_path / "room"
    room.mkdir()
    real = FullText(folder).stands_for()
    with (
        mock.patch(
            "scriptorium.fulltext.index.existing",
            side_effect=lambda at: (at != folder and existing(at)) or None,
        ),
        mock.patch("scriptorium.unwritable.is_writable", return_value=False),
        mock.patch("tempfile.tempdir", str(room)),
    ):
        index = FullText.open(folder)
    assert index.commit == real
    assert index.search(Query("teapot"))
    assert index.discard()
    assert [path.name for path in room.iterdir()] != []
    del index
    assert list(room.iterdir()) == []
    assert _all_of(folder) == before


def test_who_may_write_loads_nothing_for_those_who_may_not(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from scriptorium.service import Service
from scriptorium_core.recall import Query
assert Service(Path({str(prepared(tmp_path))!r})).search(Query("teapot")).hits
assert "scriptorium.unwritable" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], env=surroundings(), check=True)
