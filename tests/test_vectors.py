"""The vectors in their file: whose they are, what goes, and what is made of damage."""

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from embedders import Meanings
from scriptorium.embeddings import Row, Table, Vectors
from scriptorium.embeddings.clearing import discard_vectors, forget_vectors
from scriptorium.embeddings.table import packed
from scriptorium_core.recall import Document, Kind

pytest.importorskip("numpy", reason="the extra [semantic] is not installed: there is nothing to compare with")

ONE, TWO, THREE = (bytes([n]) * 16 for n in (1, 2, 3))
ROWS = (Row("topics/a.md", "record", "a", ONE), Row("topics/b.md", "record", "b", TWO))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vectors.sqlite3"


@pytest.fixture
def vectors(path: Path) -> Iterator[Vectors]:
    opened = Vectors.open(path, "m 1")
    opened.add({ONE: packed((1.0, 0.0)), TWO: packed((0.0, 2.0))})
    assert opened.settle(None, "c1", None, ROWS)
    yield opened
    opened.close()


def cosines(vectors: Vectors, *asked: float, table: Table | None = None) -> dict[str, float]:
    used = table or Table()
    used.follow(vectors)
    near = used.near(asked, (Kind.RECORD,), 0.1)
    return {name: round(near.similar.cosines[kind, name], 3) for kind, name in near.similar.cosines}


def test_documents_are_compared_by_their_direction(vectors: Vectors) -> None:
    assert cosines(vectors, 5.0, 0.0) == {"a": 1.0, "b": 0.0}
    assert cosines(vectors, 0.0, 0.0) == {"a": 0.0, "b": 0.0}


def test_the_nearest_come_first_and_equal_ones_by_id(vectors: Vectors) -> None:
    vectors.settle("c1", "c2", (), (Row("topics/c.md", "record", "0", TWO),))
    table = Table()
    table.follow(vectors)
    assert table.near((0.1, 1.0), (Kind.RECORD,), 0.01).best == {Kind.RECORD: ("0", "b", "a")}
    assert table.near((0.1, 1.0), (Kind.TURN,), 0.01).best == {}


def test_a_table_follows_what_changed(vectors: Vectors) -> None:
    table = Table()
    assert cosines(vectors, 1.0, 0.0, table=table) == {"a": 1.0, "b": 0.0}
    vectors.add({THREE: packed((1.0, 1.0))})
    assert vectors.settle("c1", "c2", ("topics/a.md",), (Row("topics/a.md", "record", "a", THREE),))
    assert cosines(vectors, 1.0, 0.0, table=table) == {"b": 0.0, "a": 0.707}
    assert table.commit == "c2"


def test_documents_at_hand_are_compared_without_a_file() -> None:
    documents = [Document(name, Kind.RECORD, name, "topics/a.md") for name in ("railway", "lantern")]
    table = Table.of(Meanings(), documents)
    assert table.near(Meanings().embed(["trains"])[0], (Kind.RECORD,), 0.5).best == {
        Kind.RECORD: ("railway",)
    }


def test_a_table_reads_a_file_that_was_made_anew(vectors: Vectors, path: Path) -> None:
    table = Table()
    cosines(vectors, 1.0, 0.0, table=table)
    discard_vectors(path)
    again = Vectors.open(path, "m 1")
    again.add({TWO: packed((0.0, 2.0)), THREE: packed((1.0, 1.0))})
    rows = (Row("topics/x.md", "record", "x", TWO), Row("topics/y.md", "record", "y", THREE))
    assert again.settle(None, "c1", None, rows)
    assert cosines(again, 1.0, 0.0, table=table) == {"x": 0.0, "y": 0.707}
    again.close()


def test_a_vector_goes_with_the_last_document_that_had_it(vectors: Vectors) -> None:
    assert vectors.settle("c1", "c2", None, ROWS[:1])
    assert vectors.known((ONE, TWO)) == {ONE}


def test_documents_settle_only_on_the_commit_that_they_stand_for(vectors: Vectors) -> None:
    assert not vectors.settle("c0", "c2", None, ())
    assert not vectors.settle("c1", "c2", None, (Row("topics/a.md", "record", "a", THREE),))
    assert (vectors.commit, len(vectors.numbers())) == ("c1", 2)


def test_vectors_of_another_model_are_none_and_go_with_its_first_vector(vectors: Vectors, path: Path) -> None:
    other = Vectors.open(path, "m 2")
    assert (other.commit, other.known((ONE, TWO))) == (None, frozenset())
    other.add({THREE: packed((1.0, 1.0))})
    assert (vectors.commit, vectors.known((ONE, TWO, THREE))) == (None, frozenset())
    other.close()


def test_vectors_of_another_length_go_with_the_first_one_that_has_it(vectors: Vectors) -> None:
    vectors.add({THREE: packed((1.0, 1.0, 1.0))})
    assert (vectors.commit, vectors.known((ONE, THREE))) == (None, frozenset({THREE}))


def test_forgetting_leaves_no_byte_of_a_vector(vectors: Vectors, path: Path) -> None:
    forget_vectors(path, ["a"])
    assert cosines(vectors, 1.0, 0.0) == {"b": 0.0}
    vectors.close()
    assert ONE not in b"".join(each.read_bytes() for each in path.parent.iterdir())


def test_where_nothing_is_there_is_nothing_to_forget(path: Path) -> None:
    forget_vectors(path, ["a"])
    assert not path.exists()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE vectors SET vector = zeroblob(4)",
        "UPDATE documents SET id = 'c' WHERE id = 'a'",
        "DELETE FROM vectors",
        "DROP TABLE vectors",
        "PRAGMA user_version = 99",
    ],
)
def test_a_file_that_does_not_hold_what_was_written_is_an_empty_one(
    vectors: Vectors, path: Path, statement: str
) -> None:
    with sqlite3.connect(path) as database:
        database.execute(statement)
    database.close()
    again = Vectors.open(path, "m 1")
    assert again.after(0) == []
    assert again.commit is None
    again.close()


@pytest.mark.parametrize("what", ["program", "link", "noise"])
def test_what_is_no_file_of_ours_is_replaced(path: Path, what: str) -> None:
    if what == "program":
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE theirs (x)")
        database.close()
    elif what == "link":
        (path.parent / "elsewhere").write_bytes(b"theirs")
        path.symlink_to(path.parent / "elsewhere")
    else:
        path.write_bytes(bytes(range(256)) * 40)
    opened = Vectors.open(path, "m 1")
    assert opened.commit is None
    opened.add({ONE: packed((1.0, 0.0))})
    assert opened.settle(None, "c1", None, ROWS[:1])
    opened.close()
    if what == "link":
        assert (path.parent / "elsewhere").read_bytes() == b"theirs"


WRITER = """
import sys
from pathlib import Path
from scriptorium.embeddings import Row, Vectors
vectors = Vectors.open(Path(sys.argv[1]), "m 1")
print("ready", flush=True)
for number in range(1_000_000):
    name = number.to_bytes(16, "big")
    vectors.add({name: bytes(4)})
    vectors.settle(vectors.commit, f"c{number + 2}", None, (Row("topics/a.md", "record", "a", name),))
"""


def test_a_process_killed_while_it_writes_leaves_one_state_or_the_next(vectors: Vectors, path: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    while vectors.commit == "c1":
        time.sleep(0.01)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    again = Vectors.open(path, "m 1")
    commit = again.commit
    assert commit is not None
    ((_, _, name, vector),) = again.after(0)
    number = int(commit[1:]) - 2
    assert (name, vector) == ("a", bytes(4))
    assert again.known([number.to_bytes(16, "big")])
    again.close()
