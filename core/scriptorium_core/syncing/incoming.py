"""Whether what comes from elsewhere may come in: names, modes, laws, and nothing that was erased."""

import unicodedata
from collections.abc import Iterable, Iterator
from types import MappingProxyType

from attrs import frozen

from ..facts import Facts
from ..forgetting import Targets, cleaned
from ..names import path_key, topic_path
from ..problem import Code, Problem
from ..transaction.breaches import Breach, breaches
from ..tree import Tree
from .tidings import Tidings

__all__ = ["FILE", "FOLDER", "Version", "broken", "entry_faults", "held_still", "path_faults"]

FILE, FOLDER = 0o100644, 0o040000
_MODES = MappingProxyType(
    {0o100755: "an executable file", 0o120000: "a symbolic link", 0o160000: "a submodule"}
)
_OWN = (".git", "git~1", ".scriptorium", ".nativemem")
_LONGEST = 255  # bytes that file systems take in one name
_FEW = 20


@frozen
class Version:
    """The bytes that a file has since a commit."""

    commit: str
    path: str
    data: bytes


def entry_faults(entries: Iterable[tuple[str, int]]) -> tuple[Problem, ...]:
    """What of a folder, given as names and modes as git keeps them, no memory takes in."""
    problems: list[Problem] = []
    seen: dict[str, str] = {}
    for name, mode in entries:
        if mode not in (FILE, 0o100664, FOLDER):
            problems.append(_refused(name, f"it is {_MODES.get(mode, 'of a kind that is not known')}"))
        if fault := _name_fault(name):
            problems.append(_refused(name, fault))
        other = seen.setdefault(path_key(name), name)
        if other != name:
            problems.append(_refused(name, f"it differs from {other!r} only in case or Unicode form"))
    return tuple(problems)


def path_faults(paths: Iterable[str]) -> tuple[Problem, ...]:
    """Which of the paths of a commit lead where nobody writes: into what is not the memory itself."""
    problems: list[Problem] = []
    for path in paths:
        first = path_key(path.partition("/")[0])
        if first.startswith((".scriptorium", ".nativemem")):
            problems.append(_refused(path, "it belongs to the running program of one computer"))
        elif path.startswith("topics/") and path.endswith(".md") and "/." not in path:
            found = topic_path(path)
            problems += [found] if isinstance(found, Problem) else []
    return tuple(problems)


def broken(
    before: Tree, after: Tree, paths: Iterable[str], facts: Facts, commit: str, tidings: Tidings
) -> tuple[Problem, ...]:
    """Which laws the commits from `before` to `after` broke, so that they are not taken in.

    What they deleted, let in or forgot in words is no breach, nor is what they adopted and named.
    """
    found = breaches(before, after, paths, facts, commit)
    return tuple(each.problem for each in found if not _said(each, tidings))[:_FEW]


def held_still(versions: Iterable[Version], targets: Targets) -> Iterator[Version]:
    """The versions of files that hold something that was erased."""
    for each in versions if targets.marks else ():
        named = each.path in targets.archives or targets.names(each.data)
        if named and cleaned(each.path, each.data, targets).data != each.data:
            yield each


def _said(breach: Breach, tidings: Tidings) -> bool:
    if (breach.key, breach.name) in tidings.named or breach.name in tidings.forgotten:
        return True
    match breach.key:
        case "Lost":
            return breach.name in tidings.deleted
        case "Altered":
            return breach.name in tidings.promoted
        case _:
            return False


def _name_fault(name: str) -> str:
    """What makes one name of a folder unsafe; empty if nothing does."""
    plain = "".join(char for char in unicodedata.normalize("NFC", name) if unicodedata.category(char) != "Cf")
    folded = plain.casefold().rstrip(" .")
    if name in ("", ".", "..") or "/" in name or "\\" in name:
        return "it leads elsewhere"
    if folded in _OWN or folded.startswith(".git:"):
        return "it is the name of a folder of the program"
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in name):
        return "a character in it cannot be in a name"
    if len(name.encode("utf-8", "replace")) > _LONGEST:
        return "it is too long"
    return ""


def _refused(path: str, message: str) -> Problem:
    remedy = "take it out of the other history, or sync with another copy"
    return Problem(Code.PATH_OUTSIDE_WORKSPACE, f"what comes is refused: {message}", path, remedy=remedy)
