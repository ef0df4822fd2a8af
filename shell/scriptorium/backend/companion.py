"""A conversation with memory beside it: each member of a backend is called in its place.

with Companion(chosen(), "s1") as memory:
    prompt = memory.opening()              # at the start
    recalled = memory.before("Where …?")   # before a turn
    memory.after(question, answer)         # after it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.messages import messages_of

from .. import clock
from ..clock import Moment, time_of
from ..refused import Refused
from .interface import MemoryBackend, Message, Recalled, Reorganized, Tier, Written

__all__ = ["Companion"]

T = TypeVar("T")


class _Failed(NamedTuple):
    """What came in the place of an answer."""

    problems: tuple[Problem, ...]


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
        self.has_ended = False

    def __enter__(self) -> Companion:
        # What is not there, or cannot be begun, is not asked for the rest of the session.
        self.has_ended = False
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
        """Take up what was said in a turn, just now where no time is given, and write what is due.

        What is not taken is never silent: `problems` say why, of messages of another form each with its
        place; of such a turn nothing is taken.
        """
        now = time_of(self.moment()).isoformat()
        if wrong := (*self._off(), *messages_of(messages)[1]):
            return self._told(Written(problems=wrong))
        said = [{"at": now, **message} for message in messages]
        self.messages += said
        return self._written(said, force=False)

    def compact(self, keep: int) -> str:
        """Drop all but the newest `keep` messages; what a summary of the others must keep."""
        if not _is_number(keep):
            self._note((_wrong(f"{keep!r} is no number of messages", "keep", "give 0 or more"),))
            return ""
        cut = max(0, len(self.messages) - keep)
        dropped, self.messages = self.messages[:cut], self.messages[cut:]
        return self._asked(lambda: self.backend.extract_before_discard(dropped), "")

    def tidy(self) -> Reorganized:
        """Put memory in order: between sessions, when nobody waits."""
        return self._asked(self.backend.reorganize, Reorganized())

    def end(self) -> Written:
        """Write what waits, and let go of memory; twice is as once."""
        done = Written()
        if self.is_on:
            done = self._written((), force=True)
            self._tried(self.backend.shutdown, None)
        self.is_on, self.has_ended = False, True
        return done

    def _begun(self) -> bool:
        if not self.backend.is_available():
            return False
        self.backend.initialize(self.session_id)
        return True

    def _off(self) -> tuple[Problem, ...]:
        """Why nothing is asked any more, or not yet."""
        if self.is_on:
            return ()
        if self.has_ended:
            return (_wrong("this session has ended", "session", "begin another one: `with Companion(…)`"),)
        remedy = "begin it by `with`; `faults` say why memory could not be begun"
        return (_wrong("this session has no memory, so nothing is kept", "session", remedy),)

    def _written(self, messages: Sequence[Message], force: bool) -> Written:
        done = _outcome(lambda: self.backend.write(messages, self.session_id, force, self.tier))
        return self._told(Written(problems=done.problems) if isinstance(done, _Failed) else done)

    def _told(self, done: Written) -> Written:
        self._note(done.problems)
        return done

    def _asked(self, ask: Callable[[], T], otherwise: T) -> T:
        if self.has_ended:
            self._note(self._off())
        return self._tried(ask, otherwise) if self.is_on else otherwise

    def _tried(self, ask: Callable[[], T], otherwise: T) -> T:
        done = _outcome(ask)
        if not isinstance(done, _Failed):
            return done
        self._note(done.problems)
        return otherwise

    def _note(self, problems: Iterable[Problem]) -> None:
        self.faults += (": ".join(filter(None, (each.path, each.message))) for each in problems)


def _outcome(ask: Callable[[], T]) -> T | _Failed:
    try:
        return ask()
    except Refused as refused:
        return _Failed(refused.problems)
    except Exception as error:  # a backend of another package may fail in any way
        message, remedy = f"{type(error).__name__}: {error}", "go on without; the messages are not kept"
        return _Failed((Problem(Code.WRITER_FAILURE_UNKNOWN, message, remedy=remedy),))


def _is_number(given: object) -> bool:
    return isinstance(given, int) and given >= 0


def _wrong(message: str, place: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, place, remedy=remedy)
