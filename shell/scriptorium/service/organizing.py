"""Organizing and backfill for a home: with its writer and settings, and kept for `status`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scriptorium_core.names import TopicPath, topic_named
from scriptorium_core.problem import Code, Problem
from scriptorium_core.writing.outcome import Failed, NothingDue, Outcome
from scriptorium_core.writing.status import after_organizing, after_portion

from .. import tokens
from ..refused import Refused
from .permitted import speaker
from .runtime import change_status
from .shaping import moment_text
from .writing import keep_cost

if TYPE_CHECKING:
    from ..organizer import Asking, Portion
    from .place import Place

__all__ = ["backfilled", "organized"]

Line = Callable[[str], None]


def organized(
    service: Place,
    topics: Sequence[str],
    writer: str,
    tape: Path | None = None,
    dry_run: bool = False,
    told: Line | None = None,
) -> Iterator[Portion]:
    """Organize the named topics, or all of them; with `dry_run` only what would change is told.

    When all were gone through, or that was given up, the cadence begins anew.
    """
    from ..organizer import organize, rehearse

    paths = tuple(map(_topic, topics))
    made = _asking(service, writer, tape, told)
    if dry_run:
        yield from rehearse(made, paths)
        return
    failure: Failed | None = None
    for portion in organize(made, paths):
        _kept(service, made, portion.outcome, "organize")
        failure = portion.outcome if isinstance(portion.outcome, Failed) else None
        yield portion
    if not paths and (failure is None or not failure.retryable):
        now = moment_text(service.moment())
        change_status(made.memory.layout, lambda known: after_organizing(known, now))


def backfilled(
    service: Place,
    writer: str,
    tape: Path | None = None,
    limit: int | None = None,
    told: Line | None = None,
) -> Iterator[Outcome]:
    """Write what is archived and cited nowhere, an outcome a batch."""
    from ..organizer import backfill

    if writer == "agent":
        message = "an agent is given what is unwritten, and no archived messages again"
        remedy = "name another writer for it: --writer extractive, api or command"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, "writer", remedy=remedy))
    made = _asking(service, writer, tape, told)
    for outcome in backfill(made, limit):
        _kept(service, made, outcome, "backfill")
        yield outcome


def _asking(service: Place, writer: str, tape: Path | None, told: Line | None) -> Asking:
    from ..organizer import Asking
    from ..writer.proposal import quiet
    from ..writer.writers import Around, writer_named
    from .conversing import exclude_session

    def around() -> Around:
        found = service.memory()
        return Around(found.layout, kept_out, service.moment, found.redact)

    def kept_out(provider: str, session: str) -> None:
        exclude_session(service, provider, session, "a writer of memory ran in it")

    settings = service.settings
    chosen = writer_named(writer, tape, settings, around)
    memory, caller = service.memory(), speaker(service)
    return Asking(memory, chosen, tokens.count, settings.batch_tokens, caller, told or quiet)


def _kept(service: Place, made: Asking, outcome: Outcome, name: str) -> None:
    now = moment_text(service.moment())
    change_status(made.memory.layout, lambda known: after_portion(known, outcome, now))
    if not isinstance(outcome, NothingDue):
        keep_cost(service, made.memory.layout, outcome.used, name, outcome.tokens)


def _topic(name: str) -> TopicPath:
    """The path of a topic that is named by it, or by what stands between `topics/` and `.md`."""
    path = topic_named(name)
    if isinstance(path, Problem):
        raise Refused(path)
    return path
