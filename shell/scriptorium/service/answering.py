"""The part of a service that answers questions, and keeps what people tell it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from scriptorium_core.topics.standing import LEAST

if TYPE_CHECKING:
    from scriptorium_core.changes import Caller
    from scriptorium_core.transaction import Rejected

    from .asked import Answered
    from .place import Place
    from .trust import Remembered

__all__ = ["Answering"]


class Answering:
    """The part of a service that answers questions, and keeps what people tell it."""

    def ask(
        self: Place,
        question: str,
        budget: int | None = None,
        *,
        scope: str = "",
        current_required: bool = False,
        least: float = LEAST,
        keep: bool = False,
        model: bool = True,
    ) -> Answered:
        """The decision for a question with what it rests on, in at most `budget` tokens, traced.

        A model of the settings answers out of the context where memory itself does not, unless `model` is
        false; with `keep` its answer becomes an unverified record. The others are as in a context.
        """
        from .asking import ask
        from .contexts import Wish
        from .opening import see_it_is_on

        see_it_is_on(self)
        return ask(self, question, budget, Wish(scope, current_required, least), keep, model)

    def remember(
        self: Place,
        text: str,
        *,
        topic: str = "",
        asks: Sequence[str] = (),
        organize: bool = False,
        caller: Caller | None = None,
    ) -> Remembered | Rejected:
        """Save words of the owner verbatim; `topic` `core` is the core, empty the notes.

        `asks` are questions that they answer. With `organize` the model of the settings proposes a topic, a
        heading and other words; what does not hold of it stays as it was said.
        """
        from .permitted import speaker
        from .rewording import proposed
        from .trust import remember

        propose = partial(proposed, self) if organize else None
        return remember(self.memory(make=True), text, topic, speaker(self, caller), asks, propose)
