"""The full text index in a bad way: missing, damaged, foreign, killed, or held by another process."""

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from scriptorium.fulltext import FullText
from scriptorium.refused import Refused
from scriptorium_core.problem import Code
from scriptorium_core.recall import Document, Kind, Nothing, Query, Why
from small_homes import create, request, service

ROOT = Path(__file__).parents[1]
KEY = Document("key1", Kind.RECORD, "The spare key hangs behind the blue door", "topics/home.md")
ZEBRA = Document("z1", Kind.RECORD, "zebra", "topics/zoo.md")


@pytest.fixture
def index(tmp_path: Path) -> FullText:
    built = FullText.open(tmp_path / "fulltext")
    assert built.rebuild("c1", [KEY])
    return built


def ids(index: FullText, text: str) -> list[str]:
    found = index.search(Query(text, limit=99))
    return [] if isinstance(found, Nothing) else [hit.document.id for hit in found]


def test_a_missing_index_finds_nothing_and_makes_no_folder(tmp_path: Path) -> None:
    index = FullText.open(tmp_path / "fulltext")
    answer = index.search(Query("key"))
    assert index.stands_for() is None
    assert isinstance(answer, Nothing)
    assert answer.why is Why.NOT_INDEXED
    assert not index.update("c1", "c2", ())
    assert not (tmp_path / "fulltext").exists()


@pytest.mark.parametrize("name", ["meta.json", "*.term", "*.store", "*.idx", "*.fast"])
@pytest.mark.parametrize("damage", ["missing", "empty", "cut"])
def test_a_damaged_index_stands_for_nothing_and_is_rebuilt(index: FullText, name: str, damage: str) -> None:
    (path,) = index.folder.glob(name)
    data = path.read_bytes()
    path.unlink()
    if damage != "missing":
        path.write_bytes(data[: len(data) // 2] if damage == "cut" else b"")
    again = FullText.open(index.folder)
    assert again.stands_for() is None
    assert not again.update("c1", "c2", ())
    assert again.rebuild("c2", [KEY])
    assert ids(FullText.open(index.folder), "key") == ["key1"]
    assert again.sound()


def test_a_flipped_byte_is_no_sound_index(index: FullText) -> None:
    assert index.sound()
    (path,) = index.folder.glob("*.store")
    with path.open("r+b") as file:  # in place: the engine has mapped it
        file.seek(path.stat().st_size // 2)
        byte = file.read(1)[0]
        file.seek(-1, 1)
        file.write(bytes([byte ^ 1]))
    assert not index.sound()


def test_an_index_of_another_schema_stands_for_nothing_and_is_rebuilt(
    index: FullText, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scriptorium.fulltext.stored.SCHEMA", "0")
    assert index.rebuild("c1", [KEY])
    monkeypatch.undo()
    again = FullText.open(index.folder)
    assert again.stands_for() is None
    assert again.rebuild("c2", [KEY])
    assert ids(again, "key") == ["key1"]


def test_an_index_of_other_fields_stands_for_nothing_and_is_rebuilt(tmp_path: Path) -> None:
    import tantivy

    folder = tmp_path / "fulltext"
    assert FullText.open(folder).rebuild("c1", [KEY])
    for path in folder.iterdir():
        if path.name != "scriptorium-fulltext":
            path.unlink()
    tantivy.Index(tantivy.SchemaBuilder().add_text_field("other").build(), str(folder))
    again = FullText.open(folder)
    assert again.stands_for() is None
    assert again.rebuild("c2", [KEY])
    assert ids(again, "key") == ["key1"]


def test_a_clearing_that_was_killed_is_finished_by_the_next_rebuild(index: FullText) -> None:
    for path in index.folder.iterdir():
        if path.name != "scriptorium-fulltext":
            path.unlink()
    again = FullText.open(index.folder)
    assert again.stands_for() is None
    assert again.rebuild("c2", [KEY])


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "fulltext"
    folder.mkdir()
    (folder / "letter.txt").write_text("dear")
    with pytest.raises(Refused) as refused:
        FullText.open(folder)
    assert [problem.code for problem in refused.value.problems] == [Code.INVALID_ARGUMENT]
    assert refused.value.problems[0].remedy
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "fulltext").write_text("dear")
    with pytest.raises(Refused):
        FullText.open(tmp_path / "fulltext")


PROGRAM = """
    import sys
    from pathlib import Path
    from scriptorium.fulltext import FullText
    from scriptorium_core.recall import Document, Kind

    def documents():
        for n in range(50):
            yield Document(f"n{n}", Kind.RECORD, "zebra", "topics/new.md")
        print("writing", flush=True)
        sys.stdin.readline()
        yield Document("last", Kind.RECORD, "zebra", "topics/new.md")

    index = FullText.open(Path(sys.argv[1]))
    print(index.update("c1", "c2", documents(), remove_paths=["topics/home.md"]), flush=True)
"""


def other_process(folder: Path) -> "subprocess.Popen[str]":
    paths = f"import sys; sys.path[:0] = [{str(ROOT / 'core')!r}, {str(ROOT / 'shell')!r}]\n"
    process = subprocess.Popen(
        [sys.executable, "-c", paths + textwrap.dedent(PROGRAM), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    return process


def test_a_process_killed_while_it_updates_leaves_the_old_state(index: FullText) -> None:
    with other_process(index.folder) as process:
        process.send_signal(signal.SIGKILL)
    again = FullText.open(index.folder)
    assert again.stands_for() == "c1"
    assert ids(again, "key") == ["key1"]
    assert ids(again, "zebra") == []
    assert again.update("c1", "c2", [ZEBRA])
    assert ids(again, "zebra") == ["z1"]


def test_while_another_process_writes_the_old_state_is_searched(index: FullText) -> None:
    with other_process(index.folder) as process:
        assert not index.update("c1", "c9", ())
        assert not index.rebuild("c9", ())
        assert index.stands_for() == "c1"
        assert ids(index, "key") == ["key1"]
        done, _ = process.communicate("\n")
    assert done == "True\n"
    assert index.stands_for() == "c2"
    assert ids(index, "key") == []
    assert len(ids(index, "zebra")) == 1  # one text


def test_what_tantivy_writes_while_it_lets_go_of_a_cleared_index_is_no_stranger(tmp_path: Path) -> None:
    folder = tmp_path / "fulltext"
    folder.mkdir()
    for name in (".managed.json", ".tantivy-meta.lock", f"{'0a' * 16}.term", f"{'0a' * 16}.12.del"):
        (folder / name).write_bytes(b"")
    assert FullText.open(folder).stands_for() is None
    (folder / "meta.json").write_bytes(b"{}")
    with pytest.raises(Refused):
        FullText.open(folder)


# --- Rubbish in its files ------------------------------------------------------------------------


def spoilt(path: Path) -> None:
    """Something writes in the middle of a file, which stays as long: the engine has mapped it."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 - 4)
        file.write(b"rubbish!")


def test_with_any_file_spoilt_a_search_answers_as_before_and_says_what_it_did(tmp_path: Path) -> None:
    words = Query("note", kinds=(Kind.RECORD, Kind.TURN), limit=50)
    with service(tmp_path) as asked:
        for number in range(3):
            changes = [create(f"Note {number} {each}.") for each in range(9)]
            asked.change(request(*changes, says=f"A note, the {number}."))
            wanted = asked.search(words)
    folder = tmp_path / "memory/.scriptorium/fulltext"
    seen = {".lock"}
    while left := [path for path in folder.iterdir() if path.suffix not in seen]:
        path = min(left)
        seen.add(path.suffix)
        if path.stat().st_size < 16:
            continue
        spoilt(path)
        with service(tmp_path) as asked:
            problems = [each.problem for each in asked.verify().findings if each.level == "problem"]
            found = asked.search(words)
            assert found.hits == wanted.hits, path.name
            if path.suffix not in ("", ".json"):
                assert [problem.code for problem in problems] == [Code.INDEX_STALE]
                assert [notice.code for notice in found.notices] == [Code.INDEX_STALE]
            assert asked.search(words).notices == ()
            assert asked.verify().holds
    assert {".idx", ".term", ".store", ".fast", ".json"} <= seen


def test_a_meta_file_that_is_none_is_damage(index: FullText) -> None:
    for text in (b"rubbish", b"[]", b'{"segments": [{}]}', b'{"segments": 7}'):
        (index.folder / "meta.json").write_bytes(text)
        again = FullText.open(index.folder)
        assert (again.commit, again.damaged()) == (None, True)
    assert again.rebuild("c1", [KEY])
    assert not again.damaged()
    assert ids(again, "key") == ["key1"]


def test_files_are_read_again_only_when_they_changed(
    index: FullText, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert FullText.open(index.folder).commit == "c1"
    with monkeypatch.context() as patched:
        patched.setattr("scriptorium.fulltext.folder._has_its_checksum", lambda data: pytest.fail("read"))
        assert FullText.open(index.folder).commit == "c1"
    spoilt(next(index.folder.glob("*.store")))
    assert FullText.open(index.folder).damaged()
