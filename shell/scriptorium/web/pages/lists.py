"""The lists beside every page: folders of topics, and dates; made once for each commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar, cast

from attrs import field, frozen

from scriptorium_core.names import CORE_TOPIC
from scriptorium_core.policy import Actor

from ...service import Service
from ...service.model import Day, TopicLine

__all__ = ["Folder", "Lists", "folders_of", "inside"]

T = TypeVar("T")
_KEPT = 4


@frozen
class Folder:
    """A folder of topics: how many are in it and below it, the folders in it, and the topics right in it."""

    count: int = 0
    folders: Mapping[str, Folder] = field(factory=dict[str, "Folder"], hash=False)
    topics: tuple[TopicLine, ...] = ()

    def __len__(self) -> int:
        """The number of its rows."""
        return len(self.folders) + len(self.topics)


class Lists:
    """The lists of a server, for each actor as it may see them; those of the newest commits are kept."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Actor, str | None], object] = {}

    def topics(self, service: Service) -> Folder:
        """All topics but the core, by folder."""
        key = "topics", service.actor, service.memory().revision
        found = self._kept.get(key)
        if found is None:
            lines = [each for each in service.topics() if each.path != CORE_TOPIC]
            found = self._keep(key, folders_of(lines))
        return cast(Folder, found)

    def days(self, service: Service) -> tuple[Day, ...]:
        """All dates."""
        key = "days", service.actor, service.memory().revision
        found = self._kept.get(key)
        if found is None:
            found = self._keep(key, service.timeline().days)
        return cast(tuple[Day, ...], found)

    def _keep(self, key: tuple[str, Actor, str | None], made: T) -> T:
        self._kept[key] = made
        for oldest in list(self._kept)[: -2 * _KEPT]:
            self._kept.pop(oldest, None)  # another thread may have been faster
        return made


def folders_of(topics: Iterable[TopicLine], start: str = "topics/") -> Folder:
    """The folder that begins with `start` of all these topics."""
    below: dict[str, list[TopicLine]] = {}
    own: list[TopicLine] = []
    count = 0
    for each in topics:
        count += 1
        head, slash, _ = each.path[len(start) :].partition("/")
        (below.setdefault(head, []) if slash else own).append(each)
    folders = {name: folders_of(lines, f"{start}{name}/") for name, lines in below.items()}
    return Folder(count, folders, tuple(own))


def inside(folder: Folder, path: str) -> Folder:
    """The folder at a path below another one (`a/b/`); an empty one where there is none."""
    for name in path.split("/")[:-1]:
        folder = folder.folders.get(name, Folder())
    return folder
