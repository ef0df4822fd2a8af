"""What the service answers about batches that agents take and hand in; times are ISO 8601."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.writing.offering import NoOffer

if TYPE_CHECKING:
    from scriptorium_core.writing.outcome import Outcome

__all__ = ["HandedIn", "NoOffer", "Offered", "Unoffered"]


@frozen
class Offered:
    """A batch of a session (`provider/id`) that is the asking agent's `until` then.

    `messages` are lines of JSON under date headings, `refs` the source ids in them; of those in `cut` only
    the beginning is shown. `outline` shows what memory holds (lines of JSON), `rules` say what is kept, in
    which form, and how it is handed in. `tokens` is the size of the messages, `attempts` how often the batch
    may be handed in, `revision` the commit on which all this was made.
    """

    batch: str
    session: str
    refs: tuple[str, ...]
    messages: str
    outline: str
    rules: str
    today: str
    tokens: int
    until: str
    attempts: int
    revision: str | None
    cut: tuple[str, ...] = ()


@frozen
class Unoffered:
    """That there is no batch now, and why; `tokens` wait, and it is so `until` then, if that is known."""

    why: NoOffer
    tokens: int = 0
    until: str = ""


@frozen
class HandedIn:
    """What came of a batch that was handed in.

    `already` says that it was written before, and nothing was done now. While `attempts` are left the lease
    lives `until` then, and a failure can be mended. `commit` holds the batch, empty where it is not written.
    """

    batch: str
    session: str
    outcome: Outcome
    attempts: int = 0
    until: str = ""
    commit: str = ""
    already: bool = False
