"""What stands in a sealed object: a payload of another form is refused, and so is another content."""

import pytest

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing import envelope, payload
from scriptorium_core.sealing.envelope import INDEX, OBJECT, Protected
from scriptorium_core.sealing.names import Key, KeyVersion, library_named, object_named
from scriptorium_core.sealing.payload import Payload, faults, read, written
from scriptorium_core.sealing.proof import Expected, proved

pytestmark = pytest.mark.sealed

KEY = Key(KeyVersion("key-1"), bytes(32))
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
HEAD = '{"encoding":"none","kind":"piece","sha256":"%s","size":0}'
LIBRARY = library_named("0" * 32)


def sealed(plain: bytes, context: str = OBJECT) -> bytes:
    protected = Protected(LIBRARY, object_named("1" * 32), KEY.version, context, bytes(12))
    return envelope.sealed(KEY, protected, plain)[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"none"', '"gzip"'),
        ('"piece"', '"secret"'),
        (EMPTY, "00"),
        (":0}", ":0.5}"),
        (":0}", ":-1}"),
        (":0}", f":{payload.LARGEST + 1}}}"),
        (":0}", ":true}"),
        (":0}", ':0,"x":1}'),
        (",", ", "),
        ('"size":0', '"sizes":0'),
    ],
)
def test_a_payload_of_another_form_is_refused(old: str, new: str) -> None:
    whole = (HEAD % EMPTY).encode() + b"\n"
    assert isinstance(read(whole, "x"), Payload)
    found = read(whole.replace(old.encode(), new.encode()), "x")
    assert isinstance(found, Problem)
    assert found.code is Code.SEAL_BROKEN


def test_a_payload_without_content_is_none() -> None:
    assert isinstance(read((HEAD % EMPTY).encode(), "x"), Problem)


def test_another_content_than_the_payload_names_is_a_fault() -> None:
    made = Payload("piece", "none", EMPTY, 0, b"")
    assert faults(made, b"", "x") is None
    assert faults(made, b"x", "x") is not None


def test_what_opens_and_holds_something_else_is_not_believed() -> None:
    wanted, keys = Expected(LIBRARY), {KEY.version: KEY}
    piece = written(Payload("piece", "none", EMPTY, 0, b""))
    manifest = written(Payload("manifest", "none", EMPTY, 0, b""))
    assert isinstance(proved(sealed(piece), wanted, keys, "x"), tuple)
    for data in (sealed(manifest), sealed(b"no payload"), sealed(piece, INDEX), b"{}"):
        found = proved(data, wanted, keys, "x")
        assert isinstance(found, Problem)
        assert found.code is Code.SEAL_BROKEN
    wrong = proved(sealed(piece), wanted, {KEY.version: Key(KEY.version, bytes(range(32)))}, "x")
    assert isinstance(wrong, Problem)
    assert wrong.code is Code.KEY_UNAVAILABLE


def test_a_manifest_whose_history_has_a_hole_is_refused() -> None:
    from types import MappingProxyType

    from scriptorium_core.names import WorkspaceId
    from scriptorium_core.sealing.manifest import Manifest, Run
    from scriptorium_core.sealing.proof import chained

    one, two = Run((), ("a" * 40,), "0" * 40, ()), Run(("a" * 40,), ("b" * 40,), "0" * 40, ())
    refs = MappingProxyType({"refs/heads/main": "b" * 40})

    def of(*runs: Run) -> Manifest:
        return Manifest(LIBRARY, 1, WorkspaceId("w-00000000"), "", "refs/heads/main", refs, runs)

    assert chained(of(one, two), "x") is None
    assert chained(of(two), "x") is not None
    assert chained(of(two, one), "x") is not None
    assert chained(of(one), "x") is not None
