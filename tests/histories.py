"""A small memory, and a history in dictionaries with the few methods that the index reads."""

from collections.abc import Iterator, Mapping
from hashlib import sha1

from attrs import define, field, frozen

from scriptorium_core.facts import Chronicle, Facts, chronicle, facts_of
from scriptorium_core.names import SourceId
from scriptorium_core.sources import Frame, Provenance, Tier, Trust, append
from scriptorium_core.trailers import Trailer, id_trailers
from scriptorium_core.tree import tree_of

__all__ = ["DOOR", "KEYS", "Change", "Commit", "DictHistory", "archived", "as_dictionaries"]

KEYS = b"""# House

## Keys

The spare key hangs behind the door.[^e-1] ^aa

[^e-1]: Time: `2026-03-01`; Sources: [Bo](../sources/chat/_v2/s1.md#source-da39bbac67e800a0)
"""
DOOR = b"""# Door

The door is blue, see [keys](house.md#^aa).[^e-2][^e-3] ^old ^bb

[^e-2]: Time: `2026`; Sources: [Bo](../sources/chat/_v2/s1.md#source-da39bbac67e800a0)
[^e-3]: Time: `undated`; Sources: chat/s1/m2
"""


def archived(*messages: str, trust: Trust = Trust.TRUSTED) -> bytes:
    """The archive `sources/chat/_v2/s1.md` with these messages."""
    made_by = Provenance("me", "owner", Tier.OWNER, trust)
    frames = [
        Frame(SourceId(f"chat/s1/{name}"), "user", f"I am {name}", provenance=made_by) for name in messages
    ]
    data = append("sources/chat/_v2/s1.md", None, frames)
    assert isinstance(data, bytes)
    return data


@frozen
class Moment:
    seconds: int
    offset: int


@frozen
class Change:
    path: str
    old: str | None
    new: str | None


@frozen
class Commit:
    commit: str
    parent: str | None
    files: Mapping[str, bytes]
    when: Moment
    trailers: tuple[Trailer, ...]


@define
class DictHistory:
    """Commits by id; `blobs` are all contents that ever were, `reads` those that were asked for.

    `serial` counts the commits that ever were, so that no id comes twice.
    """

    commits: dict[str, Commit] = field(factory=dict)
    blobs: dict[str, bytes] = field(factory=dict)
    reads: list[str] = field(factory=list)
    serial: int = 0

    def add(
        self,
        parent: str | None,
        files: Mapping[str, bytes],
        created: tuple[str, ...] = (),
        forgotten: tuple[str, ...] = (),
        seconds: int = 1_772_323_200,
        offset: int = 0,
    ) -> str:
        """A new commit with exactly `files`; its id."""
        self.serial += 1
        name = sha1(f"commit {self.serial}".encode()).hexdigest()
        trailers = (("Kind", "write"), *id_trailers("Created", created), *id_trailers("Forgotten", forgotten))
        self.commits[name] = Commit(name, parent, dict(files), Moment(seconds, offset), trailers)
        self.blobs.update((_digest(data), data) for data in files.values())
        return name

    def changes(self, old: str | None, new: str | None) -> Iterator[Change]:
        before, after = self._files(old), self._files(new)
        # Not in the order of paths: no reader may rely on it.
        for path in sorted(before.keys() | after.keys(), reverse=True):
            if before.get(path) != after.get(path):
                yield Change(path, _blob(before.get(path)), _blob(after.get(path)))

    def blob(self, identifier: str) -> bytes:
        self.reads.append(identifier)
        return self.blobs[identifier]

    def log(self, start: str | None = None) -> Iterator[Commit]:
        while start is not None:
            yield self.commits[start]
            start = self.commits[start].parent

    def chronicle(self, head: str | None) -> Chronicle:
        """What the trailers say, read from scratch."""
        return chronicle(("2026-03-01", entry.trailers) for entry in reversed(list(self.log(head))))

    def facts(self, head: str | None) -> Facts:
        """The facts of a commit, from scratch; every commit was made on 2026-03-01."""
        said = self.chronicle(head)
        return facts_of(tree_of(self._files(head)), said.order, said.forgotten)

    def _files(self, commit: str | None) -> Mapping[str, bytes]:
        return self.commits[commit].files if commit is not None else {}


def as_dictionaries(facts: Facts) -> dict[str, object]:
    """Every lookup of `facts`, asked for every key, so that two of them can be compared."""
    names = [name for name in Facts._fields if name not in ("newest", "next_order")]
    found: dict[str, object] = {name: dict(getattr(facts, name).items()) for name in names}
    for name in names:
        mapping = getattr(facts, name)
        assert len(mapping) == len(list(mapping))
    # Equality of records leaves out where they stand.
    places = [
        (known.record.id, known.record.path, known.record.lines, known.record.span) for known in facts.newest
    ]
    first = {key: (known.record.lines, known.record.span) for key, known in facts.records.items()}
    return found | {
        "newest": list(facts.newest),
        "next": facts.next_order,
        "stand": places,
        "first": first,
    }


def _blob(data: bytes | None) -> str | None:
    return None if data is None else _digest(data)


def _digest(data: bytes) -> str:
    return sha1(b"blob " + data).hexdigest()
