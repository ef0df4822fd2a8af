"""What the library's door offers to whoever changes a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scriptorium_core.transaction import Rejected

    from .service import Service
    from .service.forgetting import Forgotten
    from .service.trust import Held, Remembered
    from .workspace import Committed

__all__ = ["Changing"]


class Changing:
    """The part of `Memory` that changes it: each change is one commit, or nothing."""

    _service: Service

    def update(
        self,
        memory_changes: Sequence[Mapping[str, Any]] | None = None,
        *,
        changes: Sequence[Mapping[str, Any]] | None = None,
        patch: str | None = None,
        deleted: Sequence[str] = (),
        sources: Sequence[Mapping[str, Any]] = (),
        base_revision: str | None = None,
        key: str = "",
    ) -> Committed | Rejected:
        """Carry out changes as one commit, or none of them: operations, whole topics, or a unified diff.

        `base_revision` is the commit that the caller has seen: a topic that changed since then rejects the
        change with CONCURRENT_UPDATE. `deleted` are the records that may vanish with `changes` or a `patch`.
        The forms are described by `scriptorium change --help` and in `scriptorium_core.changes.model`.
        A `key` names the request, so that it is carried out once, however often it is sent: the same key with
        the same request gives the answer that it got, with another request a rejection.
        """
        given = {
            "memory_changes": None if memory_changes is None else [*memory_changes],
            "changes": None if changes is None else [*changes],
            "patch": patch,
            "deleted": [*deleted] or None,
            "sources": [*sources] or None,
            "base_revision": base_revision,
        }
        request = {name: value for name, value in given.items() if value is not None}
        with self._service.once(key, ["update", request]):
            return self._service.change(request)

    def restore(self, *names: str, since: str, delete: bool = False, key: str = "") -> Committed | Rejected:
        """Bring back records (`^id`), or one topic, as of a revision: `HEAD~2`, a commit, a date."""
        with self._service.once(key, ["restore", [*names], since, delete]):
            return self._service.restore(names, since, delete=delete)

    def undo(self, commit: str, *, key: str = "") -> Committed | Rejected:
        """Take back what a commit did to topics, as a new commit; later changes stay or are conflicts."""
        with self._service.once(key, ["undo", commit]):
            return self._service.undo(commit)

    def remember(
        self, text: str, *, topic: str = "", asks: Sequence[str] = (), organize: bool = False, key: str = ""
    ) -> Remembered | Rejected:
        """Save `text` verbatim as the owner's own words: a source, and a record a paragraph that cites it.

        `topic` is a path with or without `topics/` and `.md`, `core` the core, empty the notes. The same text
        again changes nothing: `known` says so. `asks` are questions that it answers. With `organize` the
        model of the settings proposes a topic, a heading and other words, which are checked.
        """
        with self._service.once(key, ["remember", text, topic, [*asks], organize]):
            return self._service.remember(text, topic=topic, asks=asks, organize=organize)

    def held(self, limit: int | None = None) -> Held:
        """The messages of unknown speakers that wait for consent, oldest first."""
        return self._service.held(limit)

    def promote(self, *names: str, key: str = "") -> Committed | Rejected:
        """Let held messages in, by source id or by a record (`^id`) that cites them; twice is as once."""
        with self._service.once(key, ["promote", [*names]]):
            return self._service.promote(names)

    def forget(
        self,
        names: Sequence[str],
        *,
        erase: bool = False,
        unlink: bool = False,
        reason: str = "",
        key: str = "",
    ) -> Forgotten | Rejected:
        """Forget records (by id) and messages (by source id): they never come back.

        A record takes along the messages that only it cites, a message the records that cite nothing else.
        `unlink` turns the links of other records into plain text. With `erase` every earlier commit, the
        session store and all indexes lose the words too, for good; what else may hold a copy is reported.
        An erasure takes no `key`: it is done when nothing is left, however often it is asked for.
        """
        with self._service.once("" if erase else key, ["forget", [*names], unlink, reason]):
            return self._service.forget(names, erase=erase, unlink=unlink, reason=reason)

    def adopt(self, paths: Sequence[str] | None = None, *, delete: bool = False) -> Committed | Rejected:
        """Take in topics that were edited by hand; all of them if `paths` is None.

        A record that vanished rejects them, unless `delete` confirms that it is deleted.
        """
        return self._service.adopt(paths, delete=delete)
