"""What a service does for a person who looks after what memory holds: correcting, deciding, reviewing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scriptorium_core.knowledge.digest import Digest
    from scriptorium_core.transaction import Rejected

    from .correcting import Corrected
    from .place import Place
    from .reviewing import Decided, Review

__all__ = ["Judging"]


class Judging:
    """The part of a service that has to do with one record at a time, and a person's word on it.

    A `target` is an id, an exact title, or words that a search finds: where it is not clear which record is
    meant, nothing is written, and up to eight `candidates` are named. `seen` is the key of the text that the
    person saw: if the record says something else by now, it is rejected with CONCURRENT_UPDATE.
    """

    def correct(self: Place, target: str, text: str) -> Corrected | Rejected:
        """Put the owner's words in the place of what a record says; what it rested on stays, closed."""
        from .correcting import changed

        return changed(self, "correct", target, text)

    def append(self: Place, target: str, text: str) -> Corrected | Rejected:
        """Add the owner's words to what a record says."""
        from .correcting import changed

        return changed(self, "append", target, text)

    def retract(self: Place, target: str) -> Corrected | Rejected:
        """Say that a record does not hold: it stays where it is, and is given to nobody as knowledge."""
        from .correcting import changed

        return changed(self, "retract", target)

    def validate(self: Place, name: str, seen: str) -> Corrected | Rejected:
        """Say that a record (id) was checked and holds: it is verified, and its age counts from today."""
        return _judged(self, "validate", name, seen)

    def dispute(self: Place, name: str, seen: str) -> Corrected | Rejected:
        """Say that what a record says is in doubt."""
        return _judged(self, "dispute", name, seen)

    def approve(self: Place, name: str, seen: str) -> Corrected | Rejected:
        """Let a record stand that a model made or that is held: what it cites is let in too."""
        return _judged(self, "approve", name, seen)

    def discard(self: Place, name: str, seen: str) -> Corrected | Rejected:
        """Retract a record that waits for a decision."""
        return _judged(self, "discard", name, seen)

    def review(self: Place, limit: int | None = None) -> Review:
        """What should be looked at: disputed, at odds, on one question, nearly the same, pending, stale."""
        from .reviewing import review

        return review(self, limit)

    def decide(self: Place, item: str, key: str) -> Decided | Rejected:
        """Do what a key decides about an item of the review, in one commit."""
        from .reviewing import decide

        return decide(self, item, key)

    def digest(self: Place, prefix: str = "") -> tuple[Digest, ...]:
        """What each topic is about, in at most 220 characters; for people, never as evidence."""
        from .reviewing import digests

        return digests(self.memory(), prefix)


def _judged(service: Place, verdict: str, name: str, seen: str) -> Corrected | Rejected:
    from scriptorium_core.knowledge.judging import Verdict

    from .correcting import judged

    return judged(service, Verdict(verdict), name, seen)
