"""Laws of sealed libraries: what was sealed is opened, and nothing else ever is."""

import json
from types import MappingProxyType
from typing import Any

import pytest
import rfc8785
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.names import WorkspaceId
from scriptorium_core.problem import Problem
from scriptorium_core.sealing import envelope, manifest, payload
from scriptorium_core.sealing.canonical import b64u, unb64u
from scriptorium_core.sealing.envelope import INDEX, OBJECT, Envelope, Protected
from scriptorium_core.sealing.manifest import Kept, Manifest, Piece, Run
from scriptorium_core.sealing.names import (
    Key,
    KeyVersion,
    LibraryId,
    ObjectId,
    StorageHash,
    following,
    hash_of,
    is_library,
    is_object,
    is_version,
    library_named,
    object_named,
    path_of,
)
from scriptorium_core.sealing.payload import Payload
from scriptorium_core.sealing.places import is_kept, is_reference
from scriptorium_core.sealing.proof import Expected, proved
from scriptorium_core.sealing.runs import kept, tips
from strategies import awkward_texts

pytestmark = pytest.mark.sealed

digits = st.binary(min_size=16, max_size=16).map(bytes.hex)
libraries: st.SearchStrategy[LibraryId] = digits.map(library_named)
objects: st.SearchStrategy[ObjectId] = digits.map(object_named)
versions = st.integers(1, 999_999).map(lambda number: KeyVersion(f"key-{number}"))
secrets = st.binary(min_size=32, max_size=32)
keys = st.builds(Key, versions, secrets)
hashes = st.binary(min_size=32, max_size=32).map(lambda data: StorageHash(data.hex()))
commits = st.binary(min_size=20, max_size=20).map(bytes.hex)
sizes = st.integers(0, 2**53 - 1)
pieces = st.builds(Piece, objects, hashes, versions, hashes, sizes)
some = st.lists(pieces, max_size=3).map(tuple)
several = st.lists(commits, max_size=3).map(tuple)
runs = st.builds(Run, several, several, commits, some)
steps = st.text("abcä .-_^", min_size=1, max_size=8).filter(lambda step: is_kept("memory", step))
files = st.builds(
    Kept, st.just("memory"), st.lists(steps, min_size=1, max_size=3).map("/".join), some
) | st.builds(Kept, st.just("home"), st.just("settings.toml"), some)
references = st.sampled_from(["refs/heads/main", "refs/heads/a.b", "refs/tags/v1", "refs/remotes/o/main"])
manifests = st.builds(
    Manifest,
    libraries,
    sizes,
    st.binary(min_size=4, max_size=4).map(lambda data: WorkspaceId(f"w-{data.hex()}")),
    awkward_texts().map(lambda text: text.encode("utf-8", "replace").decode()),
    references,
    st.dictionaries(references, commits).map(MappingProxyType),
    st.lists(runs, max_size=3).map(tuple),
    st.lists(files, max_size=3).map(tuple),
)

OUTSIDE = (
    "", "a/", "a//b", "../x", "/x", "a/../b", "a\\b", "c:x", ".git/config", ".GIT/hooks/x", "a/.git./x",
    "git~1/x", ".g\u200cit/x", ".git \u2060/x", "a/\uff0egit/x", ".scriptorium/x", ".nativemem",
)  # fmt: skip
NO_REFERENCES = (
    None, "HEAD", "refs", "refs//x", "refs/heads", "refs/heads/", "refs/heads/..", "refs/heads/a..b",
    "refs/heads/x.lock", "refs/heads/../../config", "refs/heads/a b", "refs/heads/-x", "refs/heads/a@{1}",
)  # fmt: skip
Made = tuple[Key, Protected, bytes, bytes]
"""A key, what an envelope says openly, the payload, and the file."""


@st.composite
def sealed_objects(draw: st.DrawFn) -> Made:
    key = draw(keys)
    context = draw(st.sampled_from([OBJECT, INDEX]))
    iv = draw(st.binary(min_size=12, max_size=12))
    protected = Protected(draw(libraries), draw(objects), key.version, context, iv)
    plain = draw(st.binary(max_size=200))
    return key, protected, plain, envelope.sealed(key, protected, plain)[1]


def opened(data: bytes, key: Key) -> bytes | Problem:
    found = envelope.read(data, "x")
    return found if isinstance(found, Problem) else envelope.opened(found, key, "x")


class TestEnvelopes:
    """Hash, tag, ids and key context are verified before anything is believed."""

    @given(sealed_objects())
    def test_what_was_sealed_is_opened(self, made: Made) -> None:
        key, protected, plain, data = made
        found = envelope.read(data, "x")
        assert isinstance(found, Envelope)
        assert (found.protected, opened(data, key)) == (protected, plain)
        assert hash_of(path_of(found.hash)) == found.hash

    @given(sealed_objects())
    def test_a_file_is_the_canonical_json_of_what_it_says(self, made: Made) -> None:
        assert rfc8785.dumps(json.loads(made[3])) == made[3]

    @given(sealed_objects(), st.data())
    def test_no_flipped_bit_opens(self, made: Made, data: st.DataObject) -> None:
        key, _, _, whole = made
        place = data.draw(st.integers(0, len(whole) * 8 - 1))
        changed = bytearray(whole)
        changed[place // 8] ^= 1 << place % 8
        assert isinstance(opened(bytes(changed), key), Problem)

    @given(sealed_objects(), st.binary(max_size=300))
    def test_no_other_bytes_raise(self, made: Made, data: bytes) -> None:
        for each in (data, made[3] + data, made[3][: len(data)]):
            if each != made[3]:
                assert isinstance(opened(each, made[0]), Problem)

    @given(sealed_objects(), secrets)
    def test_no_other_key_opens(self, made: Made, secret: bytes) -> None:
        if secret != made[0].secret:
            assert isinstance(opened(made[3], Key(made[0].version, secret)), Problem)

    @given(sealed_objects(), libraries, objects, hashes)
    def test_an_object_in_the_place_of_another_is_refused(
        self,
        made: Made,
        library: LibraryId,
        other: ObjectId,
        found: StorageHash,
    ) -> None:
        key, protected, _, data = made
        here = {key.version: key}
        own = Expected(protected.library, protected.context)
        wanted = (
            evolve(own, library=library),
            evolve(own, object=other),
            evolve(own, hash=found),
            evolve(own, context=INDEX if protected.context == OBJECT else OBJECT),
        )
        for each in wanted:
            if each not in (own, evolve(own, object=protected.object)):
                assert isinstance(proved(data, each, here, "x"), Problem)
        assert isinstance(proved(data, own, {}, "x"), Problem)


class TestPayloads:
    """A payload says what it holds, in one spelling."""

    @given(
        st.sampled_from(payload.KINDS),
        st.sampled_from(payload.ENCODINGS),
        hashes,
        st.integers(0, payload.LARGEST),
        st.binary(max_size=50),
    )
    def test_a_payload_is_read_as_it_was_written(
        self, kind: str, encoding: str, digest: str, size: int, stored: bytes
    ) -> None:
        made = Payload(kind, encoding, digest, size, stored)
        assert payload.read(payload.written(made), "x") == made

    @given(st.binary(max_size=80))
    def test_any_bytes_are_a_payload_or_a_problem(self, data: bytes) -> None:
        assert isinstance(payload.read(data, "x"), Problem)


class TestManifests:
    """Unknown members are refused, and the canonical JSON is stable."""

    @given(manifests)
    def test_a_manifest_is_read_as_it_was_written(self, made: Manifest) -> None:
        data = manifest.written(made)
        found = manifest.read(data, made.library, "x")
        assert found == made
        assert isinstance(found, Manifest)
        assert manifest.written(found) == data == rfc8785.dumps(json.loads(data))

    @given(manifests, st.data())
    def test_an_unknown_or_a_missing_member_is_refused(self, made: Manifest, data: st.DataObject) -> None:
        value = json.loads(manifest.written(made))
        inner: Any = data.draw(st.sampled_from([value, *value["runs"], *value["files"]]))
        name = data.draw(st.sampled_from([*inner, "more"]))
        if name == "more":
            inner[name] = 1
        else:
            del inner[name]
        assert isinstance(manifest.read(rfc8785.dumps(value), made.library, "x"), Problem)

    @given(manifests, st.data(), st.sampled_from([None, -1, 1.5, True, "x", [], {}, [[]], 2**60]))
    def test_a_member_of_another_form_is_refused(
        self, made: Manifest, data: st.DataObject, other: Any
    ) -> None:
        value = json.loads(manifest.written(made))
        name = data.draw(st.sampled_from(sorted(value)))
        kind: Any = {"made": str, "refs": dict, "runs": list, "files": list}.get(name)
        if kind is not None and isinstance(other, kind) and other != [[]]:
            return
        spelled = json.dumps(value | {name: other}, separators=(",", ":"), sort_keys=True)
        assert isinstance(manifest.read(spelled.encode(), made.library, "x"), Problem)

    @given(manifests, libraries)
    def test_a_manifest_of_another_library_is_refused(self, made: Manifest, library: LibraryId) -> None:
        if library != made.library:
            assert isinstance(manifest.read(manifest.written(made), library, "x"), Problem)


class TestRuns:
    """Few packs, and each commit is sealed anew only a few times."""

    @given(st.lists(st.integers(1, 1000), max_size=200), st.integers(2, 8))
    def test_their_number_stays_small_and_so_does_the_work(self, news: list[int], many: int) -> None:
        found, written = tuple[Run, ...](), 0
        for number, size in enumerate(news):
            left = kept(found, lambda commit: True, many)
            folded = sum(run.size for run in found[len(left) :])
            assert left == found[: len(left)]
            found = (*left, _run(number, size + folded))
            written += size + folded
        assert len(found) <= many
        assert sum(run.size for run in found) == sum(news)
        assert written <= sum(news) * (len(news).bit_length() + 12)

    @given(st.lists(runs, max_size=6).map(tuple), st.data())
    def test_nothing_stays_that_builds_on_what_was_erased(
        self, found: tuple[Run, ...], data: st.DataObject
    ) -> None:
        gone = data.draw(st.sets(st.sampled_from(tips(found)))) if tips(found) else set[str]()
        left = kept(found, lambda commit: commit not in gone)
        assert left == found[: len(left)]
        assert not gone & set(tips(left))


class TestNames:
    """Names have one form; nothing comes to stand outside the memory, or in git's folder."""

    @given(digits)
    def test_drawn_names_are_names(self, drawn: str) -> None:
        assert is_library(library_named(drawn))
        assert is_object(object_named(drawn))

    @given(versions)
    def test_the_next_key_is_another(self, version: KeyVersion) -> None:
        assert is_version(version)
        assert following(version) != version

    @given(awkward_texts() | st.text("./\\ agit~1:", max_size=12))
    def test_no_path_leaves_the_memory_or_enters_gits_folder(self, path: str) -> None:
        if is_kept("memory", path):
            names = path.split("/")
            assert not path.startswith("/")
            assert not {"", ".", "..", ".git"} & {name.rstrip(" .").casefold() or name for name in names}
            assert "\\" not in path
            assert "\x00" not in path

    @pytest.mark.parametrize("path", OUTSIDE)
    def test_such_a_path_is_refused(self, path: str) -> None:
        assert not is_kept("memory", path)
        assert not is_kept("home", path)
        assert not is_kept("elsewhere", path)

    @pytest.mark.parametrize("name", NO_REFERENCES)
    def test_such_a_reference_is_refused(self, name: Any) -> None:
        assert not is_reference(name)

    @given(st.binary(max_size=40))
    def test_base64url_comes_back(self, data: bytes) -> None:
        assert unb64u(b64u(data)) == data

    @given(st.text("ABCabc-_=+/9", max_size=12))
    def test_base64url_has_one_spelling(self, text: str) -> None:
        data = unb64u(text)
        assert data is None or b64u(data) == text


def _run(number: int, size: int) -> Run:
    name = f"{number:040x}"
    zeros = StorageHash("0" * 64)
    piece = Piece(object_named("0" * 32), zeros, KeyVersion("key-1"), zeros, size)
    return Run((), (name,), name, (piece,))
