"""Taking over a directory at its first opening, and commits that another hand made."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from attrs import frozen

from scriptorium_core.facts import contributes
from scriptorium_core.names import CORE_TOPIC, TopicPath, topic_path
from scriptorium_core.problem import Code, Problem
from scriptorium_core.topics import Topic, parse_topic
from scriptorium_core.trailers import format_message
from scriptorium_core.transaction import Snapshot
from scriptorium_core.transaction.adopting import (
    adopted_files,
    adopted_views,
    adoption_trailers,
    fields_put_back,
    is_foreign,
    named_in_order,
)
from scriptorium_core.transaction.breaches import Breach, breach_trailers
from scriptorium_core.tree import Tree
from scriptorium_core.views.derive import Limits

from .. import files
from ..history import History
from ..history.worktree import NOWHERE, marker, note
from ..layout import Layout

__all__ = [
    "Found",
    "adoption",
    "clear_views",
    "differences",
    "fields_lost",
    "is_behind",
    "is_due",
    "is_foreign_tip",
    "project_all",
    "scan",
    "was_opened",
    "was_projected",
]

OLDER_VIEW = "relations.json"
# The names that views have: a file of another name beside them is a person's own.
_VIEW = re.compile(r"relations\.json|relations/[0-9a-f]{2}\.json|timeline/[0-9]{4}(/[0-9]{2}){0,2}\.md")


@frozen
class Found:
    """The files of a directory that are memory, by path, and what was passed over and why."""

    files: Mapping[str, bytes]
    problems: tuple[Problem, ...]


def was_opened(layout: Layout) -> bool:
    """Whether this program has ever opened the directory."""
    return files.read(layout.projected, layout.root) is not None


def was_projected(layout: Layout) -> bool:
    """Whether the files have ever stood for a commit of ours: before, some may be another program's."""
    return marker(layout) not in (None, NOWHERE)


def is_due(layout: Layout, history: History) -> bool:
    """Whether the directory is to be taken over: opened for the first time, or filled by hand since.

    Once there is a commit of ours, files that are missing may be those that a killed process did not
    project yet: to take the directory over then would be to delete them. Where that commit is gone with
    its whole repository, the files are all that is left.
    """
    if not was_opened(layout):
        return True
    head = history.head()
    if head is not None and marker(layout) != NOWHERE:
        return False
    return has_files(layout) and (head is None or is_foreign_tip(history, head))


def project_all(layout: Layout) -> None:
    """See that the next projection looks at every file."""
    note(layout, NOWHERE)


def is_behind(layout: Layout, history: History) -> bool:
    """Whether the working tree may not stand for HEAD yet."""
    head = history.head()
    return head is not None and marker(layout) != head


def is_foreign_tip(history: History, head: str) -> bool:
    """Whether another hand made the newest commit."""
    return is_foreign(history.entry(head).trailers)


def has_files(layout: Layout) -> bool:
    """Whether anything stands in the directory that could be memory."""
    names = (layout.root / "core.md", layout.root / "topics", layout.root / "sources")
    return any(path.is_file() or (path.is_dir() and any(os.scandir(path))) for path in names)


def scan(layout: Layout) -> Found:
    """Read the topics, archives and a hand-written `core.md` of a directory; links are never followed."""
    found: dict[str, bytes] = {}
    problems: list[Problem] = []
    core = layout.root / "core.md"
    for path in [
        *_walk(layout.root / "topics"),
        *_walk(layout.root / "sources"),
        *([core] if core.is_file() else []),
    ]:
        name = path.relative_to(layout.root).as_posix()
        if path.is_symlink():
            problems.append(_passed_over(name, "it is a link", "put the file itself there"))
        elif name.startswith("topics/") and isinstance(fault := topic_path(name), Problem):
            problems.append(fault)
        elif contributes(name) or path == core:
            found[name] = path.read_bytes()
        else:
            problems.append(
                _passed_over(name, "it is neither a topic nor an archive", "move it out of the memory")
            )
    return Found(found, tuple(problems))


def differences(base: Tree, found: Found) -> Mapping[str, bytes | None]:
    """The changes that make the commit hold what was found; none where nothing was checked out yet."""
    return adopted_files(base, found.files) if found.files else {}


def fields_lost(history: History, head: str) -> dict[str, bytes | None]:
    """The topics to which the commits of another program are to give back our fields, as they should be."""
    ours = next((entry.commit for entry in history.log(head) if not is_foreign(entry.trailers)), None)
    if ours is None:
        return {}
    changed = [change.path for change in history.changes(ours, head) if change.path.startswith("topics/")]
    return {**fields_put_back(_topics(history, ours, changed), _topics(history, head, changed))}


def _topics(history: History, commit: str, paths: Iterable[str]) -> Iterator[Topic]:
    base = history.base(commit)
    for path in paths:
        if (data := base.get(path)) is not None:
            yield parse_topic(TopicPath(path), data)[0]


def adoption(layout: Layout, base: Snapshot, limits: Limits, broken: Iterable[Breach]) -> tuple[str, Tree]:
    """The message and the tree of an adopting commit over files that are in `base` already.

    `broken` is what the adopted commits took away: they stand, and it is named.
    """
    created = named_in_order(base.facts, _runtime_order(layout))
    data = base.tree.get(CORE_TOPIC)
    core = parse_topic(CORE_TOPIC, data)[0] if data is not None else None
    tree = adopted_views(base.facts, created, core, base.tree, limits)
    trailers = (*adoption_trailers(created), *breach_trailers(broken))
    return format_message("Take over the memory", trailers), tree


def clear_views(layout: Layout, history: History) -> None:
    """Remove the views that HEAD does not have: another program's, say its single file of relations."""
    found = [layout.root / OLDER_VIEW, *_walk(layout.root / "timeline"), *_walk(layout.root / "relations")]
    head = history.head()
    for path in found:
        name = path.relative_to(layout.root).as_posix()
        if _VIEW.fullmatch(name) and not path.is_symlink() and history.tree_id(head, name) is None:
            files.remove(path, layout.root)


def _runtime_order(layout: Layout) -> Mapping[str, int]:
    """The creation order that the other program kept; empty if it kept none that can be read."""
    try:
        raw = json.loads(files.read(layout.runtime / "runtime.json", layout.root) or b"{}")
    except ValueError:
        return {}
    order = raw.get("creation_order") if isinstance(raw, dict) else None
    return (
        {key: value for key, value in order.items() if isinstance(value, int)}
        if isinstance(order, dict)
        else {}
    )


def _walk(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        for name in sorted(folders):
            if (Path(here) / name).is_symlink():
                yield Path(here) / name
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            yield Path(here) / name


def _passed_over(path: str, why: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, f"the file was passed over: {why}", path, remedy=remedy)
