"""Writing down what is about to be delivered: what is not traced is not delivered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import evolve

from scriptorium_core.knowledge.trace import Trace, without_forgotten

from .. import files
from ..clock import time_of
from ..traces import keep_trace, kept_traces

if TYPE_CHECKING:
    from ..layout import Layout
    from .place import Place

__all__ = ["OWNER", "redacting", "traced", "traces"]

OWNER = "owner"
"""Who asks where no credential says anything else: a process on this computer."""


def traced(service: Place, layout: Layout, trace: Trace) -> None:
    """Keep a trace, at the present time and for the owner. Raises Refused where that cannot be."""
    question = redacting(service)(trace.question) if trace.question else ""
    whole = evolve(trace, at=time_of(service.moment()).isoformat(), actor=OWNER, question=question)
    with files.explained(layout.root):
        keep_trace(layout, whole, service.settings.traces)


def traces(service: Place, limit: int) -> tuple[Trace, ...]:
    """The newest deliveries, newest first, without the words of what was forgotten since."""
    memory = service.memory()
    found = kept_traces(memory.layout, limit)
    with memory.reading() as (_, base):
        return without_forgotten(found, base.facts.forgotten)


def redacting(service: Place) -> Callable[[str], str]:
    """How words that no archive has seen are kept: without secrets, unless the settings say otherwise."""
    if not service.settings.redact:
        return lambda text: text
    from ..redaction import redact

    return lambda text: redact(text).text
