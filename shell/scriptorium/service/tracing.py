"""Writing down what is about to be delivered: what is not traced is not delivered.

Where nothing at all can be written there is no log of deliveries, and memory answers all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scriptorium_core.knowledge.trace import Trace, without_forgotten
from scriptorium_core.policy.actor import OWNER

from .. import files
from ..clock import time_of
from ..refused import Refused
from ..traces import keep_trace, kept_traces

if TYPE_CHECKING:
    from ..layout import Layout
    from ..workspace import Memory
    from .place import Place

__all__ = ["redacting", "traced", "traces"]


def traced(service: Place, layout: Layout, trace: Trace) -> None:
    """Keep a trace, at the present time and for the actor. Raises Refused where that cannot be."""
    question = redacting(service)(trace.question) if trace.question else ""
    whole = trace._replace(
        at=time_of(service.moment()).isoformat(),
        actor=service.actor.name,
        question=question,
    )
    try:
        with files.explained(layout.root):
            keep_trace(layout, whole, service.settings.traces)
    except Refused:
        from ..unwritable import is_writable

        if is_writable(layout.runtime):
            raise


def traces(service: Place, limit: int) -> tuple[Trace, ...]:
    """The newest deliveries, newest first, without the words of what was forgotten since."""
    memory = service.memory()
    own = service.actor != OWNER
    found = _own(service, memory)[:limit] if own else kept_traces(memory.layout, limit)
    with memory.reading() as (_, base):
        return without_forgotten(found, base.facts.forgotten)


def _own(service: Place, memory: Memory) -> tuple[Trace, ...]:
    """What was delivered to the actor, without what names something that they may not see any more.

    Who manages the memory sees what was given to others, too.
    """
    from scriptorium_core.policy import POLICY_FILE, Right

    from .permitted import may_all

    everybody = may_all(service, Right.MANAGE, POLICY_FILE)
    found = kept_traces(memory.layout, service.settings.traces)
    with memory.reading() as (_, base):
        return tuple(
            trace
            for trace in found
            if (everybody or trace.actor == service.actor.name)
            and all(name in base.facts.records or name in base.facts.sources for name in trace.names)
        )


def redacting(service: Place) -> Callable[[str], str]:
    """How words that no archive has seen are kept: without secrets, unless the settings say otherwise."""
    from .redacting import redaction_of

    redact = redaction_of(service)
    return lambda text: redact(text).text
