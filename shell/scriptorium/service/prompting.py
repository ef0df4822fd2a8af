"""What goes along with a prompt: at once or not at all, from a memory that is at rest.

Of what is not up to date only the full text index is brought up, over a few files: no model is asked and no
vocabulary loaded, for the host waits. What is not there in time is not given; it is not traced either.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scriptorium_core.budget import estimate
from scriptorium_core.knowledge.context import Context

from .. import tokens
from .contexts import Wish, packed, trace_of
from .searching import at_rest
from .tracing import traced

if TYPE_CHECKING:
    from scriptorium_core.writing.calls import Call

    from ..layout import Layout
    from .place import Place

__all__ = ["Prompted", "prompted"]

T = TypeVar("T")
_PATIENCE = 1.0
_LONGEST = 20_000  # characters of a prompt: a longer one is a pasted text
_BEHIND = "the index was not up to date: it is brought up in the background, for the prompts that follow"


class Prompted(NamedTuple):
    """What goes along with a prompt, traced; `why_not` says why nothing does, else it is empty.

    `behind` says that the index has to be brought up, which takes longer than a prompt waits.
    """

    text: str = ""
    tokens: int = 0
    revision: str = ""
    why_not: str = ""
    behind: bool = False


def prompted(service: Place, call: Call, patience: float = _PATIENCE) -> Prompted:
    """The context of a prompt; the conversation itself is before its reader's eyes already."""
    found = _in_time(patience, lambda: _packed(service, call))
    if found is None:
        return Prompted(why_not="memory took longer to answer than a prompt may wait")
    if isinstance(found, Exception):
        raise found
    if isinstance(found, str):
        return Prompted(why_not=found, behind=found == _BEHIND)
    layout, revision, made = found
    if not made.shown:
        return Prompted(revision=revision, why_not="memory holds nothing that bears on the prompt")
    trace = trace_of(made, "prompt", call.prompt[:_LONGEST], revision, call.session)
    traced(service, layout, trace._replace(counter=tokens.ESTIMATE))
    return Prompted(made.text, made.tokens, revision)


def _packed(service: Place, call: Call) -> tuple[Layout, str, Context] | str:
    # Where it takes too long it goes on, while the service answers others or is closed.
    with service.apart() as own:
        found = _at_rest(own, call)
        if found is None:
            from .rebuilding import caught_up

            if own.whole().revision is None:
                return "memory holds nothing yet"
            found = _at_rest(own, call) if caught_up(own) else None
        return _BEHIND if found is None else found


def _at_rest(service: Place, call: Call) -> tuple[Layout, str, Context] | None:
    """What is packed for a prompt; None where something has to be brought up to date first."""
    with at_rest(service, "inject") as found:
        if found is None or found.revision is None:
            return None
        question, limit = call.prompt[:_LONGEST], service.settings.context_tokens
        made = packed(service, found, question, limit, estimate, wish=Wish(call.cwd))
        return found.layout, found.revision, made


def _in_time(patience: float, work: Callable[[], T]) -> T | Exception | None:
    """What the work gives or raises; None where it takes longer: it goes on, and nobody looks at it."""
    answers = SimpleQueue[T | Exception]()

    def run() -> None:
        try:
            answers.put(work())
        except Exception as error:
            answers.put(error)

    Thread(target=run, daemon=True).start()
    try:
        return answers.get(timeout=patience)
    except Empty:
        return None
