"""Sealed libraries elsewhere than in a folder: S3 and WebDAV on loopback, and the memory of the process."""

from pathlib import Path

import pytest

from scriptorium.clock import chance
from scriptorium.sealed.folder import Folder
from scriptorium.sealed.remote import Remote
from scriptorium.sealed.storage import Storage, storage_at
from scriptorium_core.problem import Code
from sealed_homes import contents, filled, refusal, small_pieces
from sealed_servers import s3_address, webdav_address
from small_homes import service

pytestmark = pytest.mark.sealed
__all__ = ["s3_address", "small_pieces", "webdav_address"]


@pytest.fixture
def s3(s3_address: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A place in a bucket that is new."""
    import s3fs

    for name, value in (("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b")):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_address)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()
    bucket = f"bucket-{chance(4)}"
    s3fs.S3FileSystem().mkdir(bucket)
    return f"s3://{bucket}/sealed"


def lets_others_be(tmp_path: Path, location: str) -> None:
    """Neither a library nor a copy begins where something else lies."""
    storage = storage_at(location)
    storage.create("notes.txt", b"mine")
    home = filled(tmp_path / "of another")
    with service(home) as opened:
        assert "'notes.txt'" in refusal(opened.seal, location).message
        opened.seal(str(tmp_path / "library"))
        assert "'notes.txt'" in refusal(opened.copy_sealed, str(tmp_path / "library"), location).message
    assert (storage.read("manifest.mcma"), list(storage.paths())) == (None, [])


def goes_around(tmp_path: Path, location: str, *, one_writer: bool) -> None:
    """Seal, seal what is new, prove, copy and unseal."""
    home = filled(tmp_path / "home")
    with service(home) as opened:
        first = opened.seal(location)
        opened.remember("Coffee is at nine.", topic="coffee")
        second = opened.seal(location)
        assert (first.one_writer, second.generation) == (one_writer, 2)
        assert 0 < second.new_objects < first.new_objects
        assert opened.prove(location).holds
        copied = opened.copy_sealed(location, f"{location}-copy")
        assert copied.new_objects == copied.objects
        assert refusal(opened.copy_sealed, location, f"{location}-copy").code is Code.INVALID_ARGUMENT
        opened.unseal(f"{location}-copy", tmp_path / "new")
        assert contents(tmp_path / "new") == contents(home)
        _damaged(storage_at(location))
        (fault,) = opened.prove(location).faults
        assert fault.message.startswith("missing")
        assert opened.seal(location).missing == 1
        assert opened.prove(location).holds


def _damaged(storage: Storage) -> None:
    path = min(storage.paths())
    assert storage.size(path)
    storage.remove(path)
    assert storage.size(path) is None


def keeps_to_its_word(storage: Storage) -> None:
    """What a storage promises."""
    assert storage.read("manifest.mcma") is None
    assert storage.size("objects/aa/bb/c.mcma") is None
    assert list(storage.paths()) == list(storage.others()) == []
    assert storage.create("objects/aa/bb/c.mcma", b"one")
    assert not storage.create("objects/aa/bb/c.mcma", b"two")
    assert (storage.read("objects/aa/bb/c.mcma"), storage.size("objects/aa/bb/c.mcma")) == (b"one", 3)
    assert list(storage.paths()) == ["objects/aa/bb/c.mcma"]
    assert not storage.swap("manifest.mcma", b"none", b"new")
    assert storage.swap("manifest.mcma", None, b"first")
    assert not storage.swap("manifest.mcma", None, b"second")
    assert not storage.swap("manifest.mcma", b"other", b"second")
    assert storage.swap("manifest.mcma", b"first", b"second")
    assert storage.read("manifest.mcma") == b"second"
    assert list(storage.others()) == []
    assert storage.create("notes.txt", b"mine")
    assert storage.create("photos/sea.txt", b"mine")
    assert sorted(storage.others()) == ["notes.txt", "photos"]
    storage.remove("objects/aa/bb/c.mcma")
    storage.remove("objects/aa/bb/c.mcma")
    assert list(storage.paths()) == []


@pytest.mark.usefixtures("small_pieces")
def test_s3_holds_a_library_and_writes_it_under_a_condition(tmp_path: Path, s3: str) -> None:
    goes_around(tmp_path, s3, one_writer=False)


def test_s3_keeps_its_word(tmp_path: Path, s3: str) -> None:
    keeps_to_its_word(Remote(s3))
    lets_others_be(tmp_path, f"{s3}-of-another")


def test_a_manifest_that_was_replaced_between_reading_and_writing_stays(
    s3: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = Remote(s3), Remote(s3)
    assert one.swap("manifest.mcma", None, b"first")
    read = one.read

    def late(path: str) -> bytes | None:
        found = read(path)
        two.swap("manifest.mcma", b"first", b"theirs")
        return found

    monkeypatch.setattr(one, "read", late)
    assert not one.swap("manifest.mcma", b"first", b"ours")
    assert two.read("manifest.mcma") == b"theirs"


def test_s3_that_does_not_answer_is_said(tmp_path: Path, s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    del s3
    found = refusal(Remote("s3://bucket-that-is-not-there/x").create, "objects/aa/bb/c.mcma", b"one")
    assert found.code is Code.STORAGE_FAILED


def test_the_memory_of_the_process_holds_a_library_for_one_writer(tmp_path: Path) -> None:
    goes_around(tmp_path, f"memory://{chance(4)}", one_writer=True)
    keeps_to_its_word(Remote(f"memory://{chance(4)}"))
    lets_others_be(tmp_path, f"memory://{chance(4)}")


@pytest.mark.usefixtures("small_pieces")
def test_webdav_holds_a_library_for_one_writer(tmp_path: Path, webdav_address: str) -> None:
    from fsspec import config

    config.conf["webdav"] = {"base_url": webdav_address}
    try:
        goes_around(tmp_path, "webdav://sealed", one_writer=True)
        keeps_to_its_word(Remote("webdav://other"))
        lets_others_be(tmp_path, "webdav://of another")
    finally:
        del config.conf["webdav"]


def test_a_folder_keeps_its_word(tmp_path: Path) -> None:
    keeps_to_its_word(Folder(tmp_path / "deep" / "folder"))
    assert isinstance(storage_at(f"file://{tmp_path}/a%20b"), Folder)
    assert storage_at(f"file://{tmp_path}/a%20b").shown == f"{tmp_path}/a b"


@pytest.mark.parametrize("location", ["", " ", "nothing://x", "simplecache::s3://x/y", "a\nb"])
def test_what_names_no_storage_is_refused(location: str) -> None:
    assert refusal(storage_at, location).code is Code.INVALID_ARGUMENT


def test_credentials_in_an_address_are_never_shown() -> None:
    found = refusal(storage_at, "nothing://me:secret@host/x")
    assert "secret" not in found.message + found.path + found.remedy
