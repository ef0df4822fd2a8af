"""Logs that are packed: what is unpacked, what is not, and what an archive may not do."""

import json
import os
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from packed_logs import gz, talk, turn, zipped, zst
from scriptorium.conversations import importing, logs, packed
from scriptorium.conversations.erasing import erase_turns
from scriptorium.conversations.importing import Report, Wish, import_path, import_places
from scriptorium.conversations.store import Store, open_store
from scriptorium.layout import TalkPlace
from scriptorium.service import Service
from scriptorium_core.forgetting import Words
from scriptorium_core.problem import Code, Problem

PIXEL = b"\x89PNG\r\n\x1a\n\x00\x00\x00"
PAGE = b"<!DOCTYPE html><html><body>ChatGPT</body></html>"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


def ids(store: Store) -> set[str]:
    return {str(session.id) for session in store.sessions()}


def only(report: Report) -> Problem:
    (problem,) = report.problems
    assert problem.code is Code.INVALID_ARGUMENT
    assert problem.remedy
    return problem


def refuse_to_unpack(monkeypatch: pytest.MonkeyPatch) -> None:
    def unpacked(*_: object) -> None:
        raise AssertionError("it was unpacked again")

    monkeypatch.setattr(logs, "unpacked", unpacked)


# --- Compressed files --------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [zst, gz])
@pytest.mark.parametrize("name", ["talk.jsonl.zst", "talk.gz", "talk"])
def test_a_compressed_log_is_known_by_its_first_bytes(
    store: Store, tmp_path: Path, pack: object, name: str
) -> None:
    assert callable(pack)
    (tmp_path / name).write_bytes(pack(talk("s1", 3)))
    report = import_path(store, tmp_path / name)
    assert (report.format, report.turns_new, report.problems) == ("native", 3, ())


@pytest.mark.parametrize("pack", [zst, gz])
def test_a_compressed_log_that_grows_is_read_on_from_where_it_was(
    store: Store, tmp_path: Path, pack: object
) -> None:
    assert callable(pack)
    log = tmp_path / "log"
    log.write_bytes(pack(talk("s1", 3)))
    import_path(store, log)
    log.write_bytes(pack(talk("s1", 5)))
    report = import_path(store, log)
    assert (report.turns_new, report.turns_known) == (2, 0)


def test_a_compressed_log_that_is_unchanged_is_not_unpacked_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    log.write_bytes(zst(talk("s1")))
    import_path(store, log)
    refuse_to_unpack(monkeypatch)
    report = import_path(store, log)
    assert (report.unchanged, report.turns_known) == (1, 0)
    with pytest.raises(AssertionError, match="unpacked again"):
        import_path(store, log, again=True)


def test_half_a_record_in_a_compressed_log_is_named_each_time(store: Store, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(zst(talk("s1")[:-9]))
    assert [import_path(store, log).torn for _ in range(2)] == [2, 2]


def test_the_frames_of_a_compressed_log_follow_one_another(store: Store, tmp_path: Path) -> None:
    for name, pack in (("zst", zst), ("gz", gz)):
        (tmp_path / name).write_bytes(pack(turn("a", name).encode()) + pack(turn("b", name).encode()))
        assert import_path(store, tmp_path / name).turns_new == 2


@pytest.mark.parametrize("pack", [zst, gz])
def test_a_compressed_file_that_was_cut_is_read_as_far_as_it_goes(
    store: Store, tmp_path: Path, pack: object
) -> None:
    assert callable(pack)
    whole = pack(b"".join(turn(f"n{n}", text=os.urandom(40).hex()).encode() for n in range(4000)))
    (tmp_path / "log").write_bytes(whole[: len(whole) * 2 // 3])
    report = import_path(store, tmp_path / "log")
    assert (report.problems, 0 < report.turns_new < 4000) == ((), True)
    (tmp_path / "log").write_bytes(whole)
    import_path(store, tmp_path / "log")
    assert store.sessions()[0].turns == 4000


@pytest.mark.parametrize("start", [b"\x28\xb5\x2f\xfd", b"\x1f\x8b\x08"])
def test_a_damaged_compressed_file_is_a_problem(store: Store, tmp_path: Path, start: bytes) -> None:
    (tmp_path / "log").write_bytes(start + b"\xff" * 90)
    assert "is damaged" in only(import_path(store, tmp_path / "log")).message


def test_a_log_that_unpacks_without_end_is_refused(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "LARGEST", 1_000_000)
    (tmp_path / "log").write_bytes(zst(b" " * 2_000_000 + talk("s1")))
    assert "unpacks to more than" in only(import_path(store, tmp_path / "log")).message
    assert store.sessions() == ()


def test_without_the_library_it_says_which_one_is_missing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    (tmp_path / "log").write_bytes(zst(talk("s1")))
    (tmp_path / "other.gz").write_bytes(gz(talk("s2")))
    found = only(import_path(store, tmp_path / "log"))
    assert found.remedy == "pip install zstandard"
    assert import_path(store, tmp_path / "other.gz").turns_new == 2


# --- Archives ----------------------------------------------------------------------------------------


def test_an_archive_is_searched_for_logs_and_the_junk_in_it_is_not_counted(
    store: Store, tmp_path: Path
) -> None:
    files = {
        "export/one.jsonl": talk("one"),
        "export/two.jsonl.zst": zst(talk("two")),
        "export/chat.html": PAGE,
        "export/pixel.png": PIXEL,
        "export/words.txt": b"Dear diary\n",
        "export/empty.json": b"",
        "__MACOSX/export/._one.jsonl": talk("junk"),
        "export/._two.jsonl": talk("junk"),
        "export/.DS_Store": b"\x00\x01",
    }
    archive = zipped(tmp_path / "export.zip", files)
    reports = [*import_places(store, [TalkPlace(archive)], Wish())]
    assert ids(store) == {"one", "two"}
    assert [report.path for report in reports if report.files] == [
        f"{archive}/export/one.jsonl",
        f"{archive}/export/two.jsonl.zst",
    ]
    assert reports[-1].passed_over == {"no log": 4}


def test_the_shards_of_an_export_are_all_read(store: Store, tmp_path: Path) -> None:
    shards = {f"conversations-{n:03}.json": json.dumps(chat(f"c{n}")).encode() for n in range(3)}
    report = import_path(store, zipped(tmp_path / "export.zip", shards))
    assert (report.files, report.turns_new, ids(store)) == (3, 6, {"c0", "c1", "c2"})


def chat(name: str) -> list[dict[str, object]]:
    says = [{"role": role, "content": f"{role} of {name}"} for role in ("user", "assistant")]
    return [{"conversation_id": name, "messages": says}]


def test_an_archive_that_is_unchanged_is_not_unpacked_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = zipped(tmp_path / "a.zip", {"x.jsonl": talk("x"), "y.jsonl": talk("y")})
    import_path(store, archive)
    zipped(archive, {"x.jsonl": talk("x"), "y.jsonl": talk("y", 3)})
    report = import_path(store, archive)
    assert (report.unchanged, report.turns_new) == (1, 1)
    refuse_to_unpack(monkeypatch)
    assert import_path(store, archive).unchanged == 2


def test_names_in_an_archive_are_only_names(store: Store, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    before = {path.name for path in tmp_path.iterdir()}
    names = ["../out.jsonl", "/tmp/out.jsonl", "a/../../out2.jsonl", "C:\\out.jsonl"]
    archive = zipped(inside / "a.zip", {name: talk(f"s{n}") for n, name in enumerate(names)})
    report = import_path(store, archive)
    assert (report.files, report.problems) == (4, ())
    assert {path.name for path in tmp_path.iterdir()} == before
    assert [path.name for path in inside.iterdir()] == ["a.zip"]
    kept = {name for (name,) in store.rows("SELECT path FROM cursors", ())}
    assert kept == {
        f"{archive}/{name}" for name in ("out.jsonl", "tmp/out.jsonl", "a/out2.jsonl", "C:\\out.jsonl")
    }


def test_an_archive_without_conversations_says_what_is_in_it(store: Store, tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"chat.html": PAGE, "file-1.png": PIXEL})
    assert "it holds chat.html, file-1.png" in only(import_path(store, archive)).message
    assert "it is empty" in only(import_path(store, zipped(tmp_path / "b.zip", {}))).message


def test_a_damaged_archive_is_a_problem_and_does_not_stop_others(store: Store, tmp_path: Path) -> None:
    whole = zipped(tmp_path / "a.zip", {"x.jsonl": talk("x")}).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:60])
    data = whole.index(b"PK\x01\x02") - 9
    (tmp_path / "bent.zip").write_bytes(whole[:data] + bytes([whole[data] ^ 255]) + whole[data + 1 :])
    (tmp_path / "good.jsonl").write_bytes(talk("good"))
    reports = [*import_places(store, [TalkPlace(tmp_path)], Wish())]
    assert ids(store) == {"x", "good"}
    damaged = {Path(p.path).name for r in reports for p in r.problems if "damaged" in p.message}
    assert damaged == {"x.jsonl", "cut.zip"}


def test_a_member_that_is_encrypted_is_named(store: Store, tmp_path: Path) -> None:
    archive = encrypted(zipped(tmp_path / "a.zip", {"x.jsonl": talk("x")}))
    found = only(import_path(store, archive))
    assert "is encrypted" in found.message
    assert "password" in found.remedy


def encrypted(archive: Path) -> Path:
    """The archive with its members marked as encrypted, as a reader without the password sees them."""
    data = bytearray(archive.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    archive.write_bytes(data)
    return archive


def test_an_archive_that_would_fill_the_disk_is_refused(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = zipped(tmp_path / "a.zip", {f"{n}.jsonl": talk(f"s{n}", 50) for n in range(3)})
    monkeypatch.setattr(packed, "_MOST_UNPACKED", 5000)
    assert "unpacks to more than" in only(import_path(store, archive)).message
    monkeypatch.setattr(packed, "_MOST_MEMBERS", 2)
    assert "holds 3 files" in only(import_path(store, archive)).message


def test_an_archive_in_an_archive_is_passed_over(store: Store, tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", {"x.jsonl": talk("x")}).read_bytes()
    report = import_path(store, zipped(tmp_path / "a.zip", {"inner.zip": inner}))
    assert "it holds inner.zip" in only(report).message


def test_a_full_disk_says_where_to_make_room(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    (tmp_path / "log").write_bytes(zst(talk("s1")))
    assert "TMPDIR" in only(import_path(store, tmp_path / "log")).remedy


def test_what_is_unpacked_has_no_name_and_is_for_its_owner_alone(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "t"))
    (tmp_path / "t").mkdir()
    modes: list[int] = []
    begin = importing._Importing._begin

    def noting(*given: object, **more: object) -> object:
        file = cast(BinaryIO, given[2])
        modes.append(os.fstat(file.fileno()).st_mode & 0o777)
        assert [*(tmp_path / "t").iterdir()] == []
        return begin(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(importing._Importing, "_begin", noting)
    (tmp_path / "log").write_bytes(zst(talk("s1")))
    import_path(store, tmp_path / "log")
    assert modes == [0o600]


def test_a_zip_is_opened_once_for_all_its_members(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    original = zipfile.ZipFile

    def counting(file: object) -> zipfile.ZipFile:
        opened.append(file)
        return original(file)  # type: ignore[call-overload,no-any-return]

    archive = zipped(tmp_path / "a.zip", {f"{n}.jsonl": talk(f"s{n}") for n in range(9)})
    monkeypatch.setattr(zipfile, "ZipFile", counting)
    assert import_path(store, archive).files == 9
    assert len(opened) == 1


def test_an_erasure_names_the_packed_logs_that_hold_the_words(tmp_path: Path) -> None:
    line = turn("m1", text="I prefer trains to planes.").encode()
    (tmp_path / "log.zst").write_bytes(zst(line))
    archive = zipped(tmp_path / "a.zip", {"x/log.jsonl": line, "x/other.jsonl": talk("other")})
    (tmp_path / "gone.zst").write_bytes(zst(line))
    with Service(tmp_path / "h") as service:
        service.import_paths([tmp_path / "log.zst", archive, tmp_path / "gone.zst"])
        (tmp_path / "gone.zst").unlink()
    erased = erase_turns(tmp_path / "h" / "sessions.sqlite3", {"native/s1/m1"}, Words(("trains to planes",)))
    assert (erased.turns, erased.logs) == (1, (f"{archive}/x/log.jsonl", str(tmp_path / "log.zst")))
