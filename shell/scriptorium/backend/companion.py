"""A conversation with memory beside it: each member of a backend is called in its place.

with Companion(chosen(), "s1") as memory:
    prompt = memory.opening()              # at the start
    recalled = memory.before("Where …?")   # before a turn
    memory.after(question, answer)         # after it
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from .. import clock
from ..clock import Moment, time_of
from ..refused import Refused
from .interface import MemoryBackend, Message, Recalled, Reorganized, Tier, Written

__all__ = ["Companion"]

T = TypeVar("T")


class Companion:
    """The memory of one session. Whatever fails, the conversation goes on; `faults` say what it was.

    `tier` is that of the person who talks.
    """

    def __init__(
        self,
        backend: MemoryBackend,
        session_id: str,
        tier: Tier = Tier.OWNER,
        *,
        moment: Callable[[], Moment] = clock.moment,
    ) -> None:
        self.backend = backend
        self.session_id = session_id
        self.tier = tier
        self.moment = moment
        self.messages: list[Message] = []
        self.faults: list[str] = []
        self.is_on = False

    def __enter__(self) -> Companion:
        # What is not there, or cannot be begun, is not asked for the rest of the session.
        self.is_on = self._tried(self._begun, False)
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def opening(self) -> str:
        """What the system prompt begins with."""
        return self._asked(lambda: self.backend.system_prompt(self.tier), "")

    def before(self, question: str) -> Recalled:
        """What goes along with a question."""
        return self._asked(lambda: self.backend.search(question, self.session_id, self.tier), Recalled())

    def after(self, *messages: Message) -> Written:
        """Take up what was said in a turn, just now where no time is given, and write what is due."""
        now = time_of(self.moment()).isoformat()
        said = [{"at": now, **message} for message in messages]
        self.messages += said
        return self._written(said, force=False)

    def compact(self, keep: int) -> str:
        """Drop all but the newest `keep` messages; what a summary of the others must keep."""
        cut = max(0, len(self.messages) - keep)
        dropped, self.messages = self.messages[:cut], self.messages[cut:]
        return self._asked(lambda: self.backend.extract_before_discard(dropped), "")

    def tidy(self) -> Reorganized:
        """Put memory in order: between sessions, when nobody waits."""
        return self._asked(self.backend.reorganize, Reorganized())

    def end(self) -> Written:
        """Write what waits, and let go of memory; twice is as once."""
        done = self._written((), force=True)
        if self.is_on:
            self.is_on = False
            self._tried(self.backend.shutdown, None)
        return done

    def _begun(self) -> bool:
        if not self.backend.is_available():
            return False
        self.backend.initialize(self.session_id)
        return True

    def _written(self, messages: Sequence[Message], force: bool) -> Written:
        write = self.backend.write
        done = self._asked(lambda: write(messages, self.session_id, force, self.tier), Written())
        self.faults += (problem.message for problem in done.problems)
        return done

    def _asked(self, ask: Callable[[], T], otherwise: T) -> T:
        return self._tried(ask, otherwise) if self.is_on else otherwise

    def _tried(self, ask: Callable[[], T], otherwise: T) -> T:
        try:
            return ask()
        except Refused as refused:
            self.faults += (problem.message for problem in refused.problems)
        except Exception as error:  # a backend of another package may fail in any way
            self.faults.append(f"{type(error).__name__}: {error}")
        return otherwise
