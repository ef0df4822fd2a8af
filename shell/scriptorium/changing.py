"""What the library's door offers to whoever changes a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .opened import Opened

if TYPE_CHECKING:
    from scriptorium_core.knowledge.digest import Digest
    from scriptorium_core.transaction import Rejected

    from .service.correcting import Corrected
    from .service.forgetting import Forgotten
    from .service.reviewing import Decided, Review
    from .service.trust import Held, Remembered
    from .workspace import Committed

__all__ = ["Changing"]


class Changing(Opened):
    """The part of `Memory` that changes it: each change is one commit, or nothing."""

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

    # --- One record, and a person's word on it ------------------------------------------------------

    def correct(self, target: str, text: str, *, key: str = "") -> Corrected | Rejected:
        """Put the owner's words in the place of what a record says; what it rested on stays as its history.

        `target` is an id, an exact title, or words that a search finds. Where it is not clear which record is
        meant, nothing is written: `committed` is None, and up to eight `candidates` are named.
        Else `replaced` is the text that stood there.
        """
        with self._service.once(key, ["correct", target, text]):
            return self._service.correct(target, text)

    def append(self, target: str, text: str, *, key: str = "") -> Corrected | Rejected:
        """Add the owner's words to what a record says; `target` as in `correct`."""
        with self._service.once(key, ["append", target, text]):
            return self._service.append(target, text)

    def retract(self, target: str, *, key: str = "") -> Corrected | Rejected:
        """Say that a record does not hold: it stays, and is given to nobody; `target` as in `correct`."""
        with self._service.once(key, ["retract", target]):
            return self._service.retract(target)

    def validate(self, name: str, seen: str, *, key: str = "") -> Corrected | Rejected:
        """Say that a record (id) was checked and holds: it is verified, and its age counts from today.

        `seen` is the key of the text that was seen, as `show` gives it: if the record says something else by
        now, it is rejected with CONCURRENT_UPDATE.
        """
        with self._service.once(key, ["validate", name, seen]):
            return self._service.validate(name, seen)

    def dispute(self, name: str, seen: str, *, key: str = "") -> Corrected | Rejected:
        """Say that what a record says is in doubt; `seen` as in `validate`."""
        with self._service.once(key, ["dispute", name, seen]):
            return self._service.dispute(name, seen)

    def approve(self, name: str, seen: str, *, key: str = "") -> Corrected | Rejected:
        """Let a generated or held record stand, with what it cites; `seen` as in `validate`."""
        with self._service.once(key, ["approve", name, seen]):
            return self._service.approve(name, seen)

    def discard(self, name: str, seen: str, *, key: str = "") -> Corrected | Rejected:
        """Retract a record that waits for a decision; `seen` as in `validate`."""
        with self._service.once(key, ["discard", name, seen]):
            return self._service.discard(name, seen)

    def review(self, limit: int | None = None) -> Review:
        """What a person should look at, each with the keys that decide it: at most `limit` items."""
        return self._service.review(limit)

    def decide(self, item: str, pressed: str, *, key: str = "") -> Decided | Rejected:
        """Do what a key of the review decides about an item (`Review.items`), in one commit."""
        with self._service.once(key, ["decide", item, pressed]):
            return self._service.decide(item, pressed)

    def digest(self, prefix: str = "") -> tuple[Digest, ...]:
        """What each topic is about, in at most 220 characters; for people, never as evidence."""
        return self._service.digest(prefix)
