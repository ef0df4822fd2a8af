"""Commits: made byte for byte from what is given, read back with their trailers."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest

from attrs import frozen
from dulwich.objects import Commit, ShaFile

from scriptorium_core.trailers import Trailer, parse_message

from ..clock import Moment
from .objects import COMMIT, NewObject, Objects, object_id

__all__ = ["AUTHOR", "Entry", "commit_of", "entry", "log", "tree_of"]

_TREE = re.compile(rb"tree [0-9a-f]{40}\n")
_PARENT = re.compile(rb"tree [0-9a-f]{40}\nparent ([0-9a-f]{40})\n")
AUTHOR = "Scriptorium <memory@scriptorium.local>"


@frozen
class Entry:
    """One commit: its ids, when it was made, and what its message says."""

    commit: str
    parents: tuple[str, ...]
    when: Moment
    author: str
    subject: str
    trailers: tuple[Trailer, ...]


def commit_of(tree: bytes, parents: tuple[str, ...], message: str, when: Moment) -> NewObject:
    """The commit object; the same arguments give the same id."""
    sign, minutes = ("-" if when.offset < 0 else "+"), abs(when.offset)
    stamp = f"{when.seconds} {sign}{minutes // 60:02d}{minutes % 60:02d}"
    lines = [f"tree {tree.decode()}", *(f"parent {parent}" for parent in parents)]
    lines += [f"author {AUTHOR} {stamp}", f"committer {AUTHOR} {stamp}", "", message]
    data = "\n".join(lines).encode()
    return NewObject(COMMIT, object_id(COMMIT, data), data)


def tree_of(objects: Objects, commit: str) -> bytes:
    """The id of the root tree of a commit, which its first line names; KeyError if it is no commit."""
    data = objects.read(commit.encode("utf-8", "replace"))
    if not _TREE.match(data):
        raise KeyError(commit)
    return data[5:45]


def entry(objects: Objects, commit: str) -> Entry:
    """One commit, read."""
    parsed = ShaFile.from_raw_string(COMMIT, objects.read(commit.encode()))
    assert isinstance(parsed, Commit)
    subject, trailers = parse_message(parsed.message.decode("utf-8", "replace"))
    return Entry(
        commit,
        tuple(parent.decode() for parent in parsed.parents),
        Moment(int(parsed.commit_time), int(parsed.commit_timezone) // 60),
        parsed.author.decode("utf-8", "replace"),
        subject,
        trailers,
    )


def log(
    objects: Objects, start: str | None, limit: int | None = None, until: str | None = None
) -> Iterator[Entry]:
    """The commits from `start` back along first parents, `until` and what comes before it left out."""
    return islice(_back(objects, start) if until is None else _between(objects, start, until), limit)


def _back(objects: Objects, start: str | None) -> Iterator[Entry]:
    while start is not None:
        found = entry(objects, start)
        yield found
        start = found.parents[0] if found.parents else None


def _between(objects: Objects, start: str | None, until: str) -> Iterator[Entry]:
    """What `start` has before the two lines of first parents meet; `until` need not be on its own."""
    line: dict[str, None] = {}
    other: set[str] = set()
    for mine, theirs in zip_longest(_line(objects, start), _line(objects, until)):
        line |= {mine: None} if mine is not None else {}
        other |= {theirs} if theirs is not None else set()
        for each in (mine, theirs):
            if each is not None and each in line and each in other:
                return _entries(objects, islice(line, [*line].index(each)))
    return _entries(objects, line)


def _entries(objects: Objects, commits: Iterable[str]) -> Iterator[Entry]:
    return (entry(objects, commit) for commit in commits)


def _line(objects: Objects, start: str | None) -> Iterator[str]:
    """A commit and its first parents, of each no more than its head: a message may name all records."""
    while start is not None:
        yield start
        parent = _PARENT.match(objects.read(start.encode()))
        start = parent[1].decode() if parent else None
