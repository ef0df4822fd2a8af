"""Two sides of one small memory, given as files, and what comes of uniting them."""

from collections.abc import Mapping

from scriptorium_core.changes import Caller
from scriptorium_core.facts import facts_of
from scriptorium_core.problem import Code
from scriptorium_core.syncing import Side, Tidings, United, united
from scriptorium_core.transaction import Rejected, Rules
from scriptorium_core.tree import tree_of

__all__ = ["KEYS_PATH", "Files", "one_of", "outcome", "refused", "text", "trailers", "with_text"]

Files = Mapping[str, bytes]
KEYS_PATH = "topics/keys.md"
NOTHING = Tidings()


def outcome(
    base: Files, one: Files, two: Files, said: Tidings = NOTHING, told: Tidings = NOTHING
) -> United | Rejected:
    """What becomes of two sides; `said` is what the commits of the first say, `told` those of the second."""
    order = {"key1": 0, "old2": 1, "key2": 2, "mira1": 3}
    facts = facts_of(tree_of(one), order, dict.fromkeys(said.forgotten, "2026-05-01"))
    return united(tree_of(base), facts, _side(base, one, said), _side(base, two, told), Rules(Caller(), len))


def _side(base: Files, files: Files, told: Tidings) -> Side:
    differing = (path for path in base.keys() | files.keys() if base.get(path) != files.get(path))
    return Side(tree_of(files), frozenset(differing), told)


def one_of(base: Files, one: Files, two: Files, said: Tidings = NOTHING, told: Tidings = NOTHING) -> United:
    """The same, where nothing is in the way."""
    made = outcome(base, one, two, said, told)
    assert isinstance(made, United), made.problems
    return made


def refused(base: Files, one: Files, two: Files) -> list[tuple[Code, str, int, str]]:
    """The code, the place and the remedy of all that is in the way."""
    made = outcome(base, one, two)
    assert isinstance(made, Rejected), made
    return [(each.code, each.path, each.line, each.remedy) for each in made.problems]


def text(made: United, path: str = KEYS_PATH) -> str:
    """A file as it is united."""
    data = made.prepared.tree.get(path)
    assert data is not None, path
    return data.decode()


def trailers(made: United, key: str) -> list[str]:
    """What the commit says under one name."""
    return [value for name, value in made.prepared.trailers if name == key]


def with_text(files: Files, old: str, new: str, path: str = KEYS_PATH) -> dict[str, bytes]:
    """The files with some words of a topic replaced, which it holds."""
    assert old.encode() in files[path], old
    return {**files, path: files[path].replace(old.encode(), new.encode())}
