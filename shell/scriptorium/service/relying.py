"""What goes along with a question, and what became of a record's standing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptorium_core.topics.standing import LEAST

if TYPE_CHECKING:
    from .contexts import Given
    from .place import Place
    from .versioned import StandingHistory

__all__ = ["Relying"]


class Relying:
    """The part of a service that delivers no more than may be relied on, and says why that is so."""

    def context(
        self: Place,
        question: str,
        budget: int | None = None,
        *,
        session: str = "",
        scope: str = "",
        current_required: bool = False,
        least: float = LEAST,
    ) -> Given:
        """What goes along with a question: at most `budget` tokens (None: by the settings), traced.

        With a `session`, also its newest turns, for which no question is needed; with a `scope`, only what
        holds in that project directory. `current_required` and `least` (a confidence) are as in a `Query`.
        """
        from scriptorium_core.knowledge.question import question_fault

        from ..refused import Refused
        from .contexts import Wish, context
        from .opening import see_it_is_on

        see_it_is_on(self)
        fault = question_fault(question)
        if fault is not None and not session:
            raise Refused(fault)
        return context(self, question, budget, session, Wish(scope, current_required, least))

    def standing_history(self: Place, name: str) -> StandingHistory:
        """What became of the standing of a record, newest first, by the commits that changed it."""
        from .standings import standing_history

        return standing_history(self.memory(), name)
