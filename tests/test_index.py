"""The index on a real file: following, starting over, and sharing it between processes."""

import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from histories import DOOR, KEYS, DictHistory, archived, as_dictionaries
from scriptorium.index import Index, fill, following
from scriptorium.refused import Refused
from scriptorium_core.topics import parse_topic

FILES = {
    "topics/house.md": KEYS,
    "topics/door.md": DOOR,
    "sources/chat/_v2/s1.md": archived("m1", "m2", "m3", "m4"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".scriptorium" / "index.sqlite3"


@pytest.fixture
def history() -> DictHistory:
    return DictHistory()


def agrees(index: Index, history: DictHistory, head: str | None) -> bool:
    return index.commit == head and as_dictionaries(index.facts()) == as_dictionaries(history.facts(head))


def test_an_index_that_stands_for_head_reads_nothing(path: Path, history: DictHistory) -> None:
    head = history.add(None, FILES, ("aa", "bb"))
    Index.open(path).follow(history, head)
    history.reads.clear()
    index = Index.open(path)
    index.follow(history, head)
    assert agrees(index, history, head)
    assert not history.reads


def test_only_files_that_differ_are_read(path: Path, history: DictHistory) -> None:
    head = history.add(None, FILES, ("aa", "bb"))
    index = Index.open(path)
    index.follow(history, head)
    history.reads.clear()
    second = history.add(head, FILES | {"topics/door.md": DOOR.replace(b"blue", b"green")})
    index.follow(history, second)
    assert agrees(index, history, second)
    assert len(history.reads) == 1


def test_a_topic_that_was_parsed_already_is_not_parsed_again(
    path: Path, history: DictHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = Index.open(path)
    index.follow(history, head := history.add(None, FILES))
    text = DOOR.replace(b"blue", b"green")
    second = history.add(head, FILES | {"topics/door.md": text})
    parsed, stale = (parse_topic("topics/door.md", data)[0] for data in (text, DOOR))
    with monkeypatch.context() as patched:
        patched.delattr("scriptorium_core.facts.rows.parse_topic")
        index.follow(history, second, parsed={"topics/door.md": parsed})
    assert agrees(index, history, second)
    third = history.add(second, FILES | {"topics/door.md": text + b"\n- a bullet\n"})
    index.follow(history, third, parsed={"topics/door.md": stale})
    assert agrees(index, history, third)


def test_records_that_did_not_change_keep_their_rows(path: Path, history: DictHistory) -> None:
    head = history.add(None, FILES)
    index = Index.open(path)
    index.follow(history, head)
    before = index._database.total_changes
    index.follow(history, second := history.add(head, FILES | {"topics/door.md": b"\n" + DOOR}))
    assert agrees(index, history, second)
    # The record's lines, the commit in two tables; the topic's own row says the same as before.
    assert index._database.total_changes - before == 3


def test_a_commit_that_is_undone_takes_its_order_and_tombstones_with_it(
    path: Path, history: DictHistory
) -> None:
    first = history.add(None, FILES, ("aa",))
    second = history.add(first, FILES, ("bb", "cc"), forgotten=("chat/s1/m4",))
    index = Index.open(path)
    for head in (second, first, history.add(first, FILES, ("dd", "bb")), None, second):
        index.follow(history, head)
        assert agrees(index, history, head)


def test_a_history_that_was_rewritten_is_read_anew(path: Path, history: DictHistory) -> None:
    index = Index.open(path)
    index.follow(history, history.add(None, FILES, ("aa",), forgotten=("bb",)))
    erased = DictHistory(serial=9)
    head = erased.add(None, {"topics/house.md": KEYS}, ("bb", "aa"))
    index.follow(erased, head)
    assert agrees(index, erased, head)


def test_the_day_of_forgetting_is_the_day_where_the_commit_was_made(path: Path, history: DictHistory) -> None:
    index = Index.open(path)
    index.follow(history, history.add(None, {}, (), ("aa",), seconds=1_772_323_199, offset=60))
    assert dict(index.facts().forgotten) == {"aa": "2026-03-01"}
    index.follow(history, history.add(None, {}, (), ("aa",), seconds=10**18, offset=-9999))
    assert dict(index.facts().forgotten) == {"aa": "9999-12-31"}


class Killed(Exception):
    """Stands for a process that dies."""


def test_a_first_build_goes_on_where_it_stopped(
    path: Path, history: DictHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "_PORTION", 2)
    many = {f"topics/t{n}.md": KEYS.replace(b"aa", b"a%d" % n).replace(b"e-1", b"e-%d" % n) for n in range(9)}
    head = history.add(None, many, tuple(f"a{n}" for n in range(9)))

    def dies(done: int, total: int) -> None:
        if done >= 4:
            raise Killed

    with pytest.raises(Killed):
        Index.open(path).follow(history, head, dies)
    assert len(history.reads) == 4
    index = Index.open(path)
    assert index.commit is None
    # HEAD moves on meanwhile, and a file that was read already disappears.
    many.pop("topics/t0.md")
    second = history.add(head, many)
    shown: list[tuple[int, int]] = []
    index.follow(history, second, lambda done, total: shown.append((done, total)))
    assert agrees(index, history, second)
    assert len(history.reads) == 9
    assert shown[-1] == (9, 9)


def test_a_process_that_dies_in_the_middle_leaves_the_state_before(
    path: Path, history: DictHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = Index.open(path)
    index.follow(history, head := history.add(None, FILES, ("aa",)))

    def dies(*arguments: object) -> None:
        raise Killed

    monkeypatch.setattr(fill, "put", dies)
    with pytest.raises(Killed):
        index.follow(history, history.add(head, FILES | {"topics/door.md": KEYS}, ("bb",)))
    assert agrees(index, history, head)


def test_a_snapshot_stays_at_its_commit_while_another_process_follows(
    path: Path, history: DictHistory
) -> None:
    first = history.add(None, FILES, ("aa",))
    second = history.add(first, {"topics/house.md": KEYS}, ("bb",))
    reader, writer = Index.open(path), Index.open(path)
    reader.follow(history, first)
    with reader.snapshot() as facts:
        writer.follow(history, second)
        assert reader.commit == first
        assert as_dictionaries(facts) == as_dictionaries(history.facts(first))
    assert agrees(reader, history, second)


def test_two_processes_build_one_index_together(
    path: Path, history: DictHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "_PORTION", 1)
    head = history.add(None, FILES, ("aa", "bb"))
    one, two = Index.open(path), Index.open(path)
    one.follow(history, head, lambda done, total: two.follow(history, head))
    assert agrees(one, history, head)
    assert len(history.reads) == 3


@pytest.mark.parametrize(
    "damage", [b"", b"no database at all", b"SQLite format 3\x00 and then nonsense" * 200]
)
def test_a_file_that_is_no_database_is_replaced(path: Path, history: DictHistory, damage: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(damage)
    index = Index.open(path)
    index.follow(history, head := history.add(None, FILES))
    assert agrees(index, history, head)


def test_pages_that_are_overwritten_are_noticed_by_following_and_made_anew(
    path: Path, history: DictHistory
) -> None:
    index = Index.open(path)
    index.follow(history, head := history.add(None, FILES, ("aa",)))
    index.close()
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xff" * (len(data) - 100))
    index = Index.open(path)
    index.follow(history, second := history.add(head, FILES, ("bb",)))
    assert agrees(index, history, second)


def test_an_index_of_another_version_is_emptied(path: Path, history: DictHistory) -> None:
    index = Index.open(path)
    index.follow(history, head := history.add(None, FILES))
    index._database.execute("PRAGMA user_version = 0")
    index._database.execute("DROP TABLE cites")
    index.close()
    index = Index.open(path)
    assert index.commit is None
    index.follow(history, head)
    assert agrees(index, history, head)


def test_the_database_of_another_program_is_replaced(path: Path, history: DictHistory) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE files (name)")
    other.close()
    index = Index.open(path)
    index.follow(history, head := history.add(None, FILES))
    assert agrees(index, history, head)


def test_a_link_in_its_place_is_not_followed(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    (tmp_path / "precious").write_bytes(b"mine")
    path.symlink_to(tmp_path / "precious")
    Index.open(path)
    assert (tmp_path / "precious").read_bytes() == b"mine"
    assert not path.is_symlink()


def test_a_folder_in_its_place_is_refused(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(Refused):
        Index.open(path)


def test_the_file_is_private(path: Path, history: DictHistory) -> None:
    index = Index.open(path)
    index.follow(history, history.add(None, FILES))
    kept = list(path.parent.iterdir())
    assert {stat.S_IMODE(file.stat().st_mode) for file in kept} == {0o600}
    assert {file.name for file in kept} == {"index.sqlite3", "index.sqlite3-wal", "index.sqlite3-shm"}


def test_nothing_that_was_erased_stays_in_the_file(path: Path, history: DictHistory) -> None:
    index = Index.open(path)
    index.follow(history, history.add(None, FILES))
    index.rebuild()
    index.follow(history, head := history.add(None, {"topics/door.md": DOOR}))
    index.close()
    assert not [file for file in path.parent.iterdir() if b"spare key" in file.read_bytes()]
    assert agrees(Index.open(path), history, head)


def test_a_new_process_opens_what_another_one_made(path: Path, history: DictHistory) -> None:
    index = Index.open(path)
    index.follow(history, history.add(None, FILES, ("aa",)))
    code = "import sys; from pathlib import Path; from scriptorium.index import Index\n"
    code += "print(Index.open(Path(sys.argv[1])).facts().records['aa'].record.content)"
    places = [entry for entry in sys.path if entry.endswith(("core", "shell"))]
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env={"PYTHONPATH": ":".join(places)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "The spare key hangs behind the door.\n"
