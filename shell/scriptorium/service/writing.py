"""Conversations into memory: passes of a writer over what is unwritten."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from scriptorium_core.changes import Caller
from scriptorium_core.problem import Code, Problem
from scriptorium_core.writing.costs import entry_of, priced
from scriptorium_core.writing.outcome import NothingDue, Outcome
from scriptorium_core.writing.status import WriterStatus, after

from .. import tokens
from ..conversations.activity import state_of
from ..conversations.linking import all_excluded, exclude
from ..conversations.store import Session, Store, open_store
from ..refused import Refused
from .healing import sure
from .model import Pass
from .permitted import speaker
from .runtime import add_cost, change_status
from .shaping import moment_text

if TYPE_CHECKING:
    from scriptorium_core.writing.used import Used

    from ..layout import Layout
    from ..settings import Settings
    from ..writer import Pass as Making
    from .place import Place

__all__ = ["keep_cost", "keep_outcome", "made_with", "owner", "passes", "price_of", "the_sessions", "whole"]

Progress = Callable[[int, int], None]


def owner(settings: Settings) -> Caller:
    """The owner, as this home names them."""
    return Caller(speaker_name=settings.owner)


def passes(
    service: Place,
    names: Sequence[str] | None,
    force: bool,
    writer: str,
    tape: Path | None,
    record: Path | None,
    progress: Progress | None,
    told: Callable[[str], None] | None = None,
    take_over: bool = False,
) -> Iterator[Pass]:
    """A pass over each session, the outcome kept as soon as it is known; `progress` counts sessions.

    With `take_over` also over one of which an agent has taken a batch: its lease ends.
    """
    if not service.sessions_path.is_file():
        raise Refused(_no_sessions(service))
    with open_store(service.sessions_path) as store:
        chosen = the_sessions(store, names)
        making = made_with(service, store, writer, force, tape, record, told)
        making = evolve(making, take_over=take_over)
        for number, session in enumerate(chosen):
            if progress is not None:
                progress(number, len(chosen))
            name, outcomes = f"{session.provider}/{session.id}", whole(service, making, session)
            yield Pass(name, outcomes, _differences(making))
        if progress is not None:
            progress(len(chosen), len(chosen))


def the_sessions(store: Store, names: Sequence[str] | None) -> tuple[Session, ...]:
    """The sessions that are meant; one that never enters is passed over, and refused where it is named."""
    out = all_excluded(store)
    named = store.sessions() if names is None else tuple(_named(store, name) for name in names)
    if names is not None and (barred := [session for session in named if session.num in out]):
        raise Refused(*(_excluded(session, out[session.num]) for session in barred))
    return tuple(session for session in named if session.num not in out)


def made_with(
    service: Place,
    store: Store,
    writer: str,
    force: bool = False,
    tape: Path | None = None,
    record: Path | None = None,
    told: Callable[[str], None] | None = None,
) -> Making:
    """With what passes are made; a memory that is missing is made. A tape is played to its end."""
    from ..writer import Pass as Making
    from ..writer.proposal import quiet
    from ..writer.recorded import Recorder, see_tape
    from ..writer.writers import Around, writer_named

    def around() -> Around:
        found = service.memory(make=True)
        return Around(found.layout, kept_out, service.moment, found.redact)

    def kept_out(provider: str, session: str) -> None:
        exclude(store, provider, session, "a writer of memory ran in it")

    # The writer and its tapes first: a wrong name makes no directory, and no pass is lost on it.
    chosen = writer_named(writer, tape, service.settings, around)
    if record is not None:
        see_tape(record)
    memory = service.memory(make=True)
    settings = service.settings
    return Making(
        memory,
        store,
        chosen,
        tokens.count,
        settings.batch_tokens,
        force or tape is not None,
        speaker(service),
        Recorder(record, chosen.name, chosen.prompt) if record is not None else None,
        progress=told or quiet,
    )


def whole(
    service: Place, making: Making, session: Session, goes_on: Callable[[], bool] = lambda: True
) -> tuple[Outcome, ...]:
    """A pass to its end, or until it no longer `goes_on` after a batch.

    Where an index is damaged meanwhile it goes on behind what it has written.
    """
    outcomes: list[Outcome] = []

    def write() -> None:
        for outcome in _outcomes(service, making, session):
            outcomes.append(outcome)
            if not goes_on():
                return

    sure(service, write)
    return tuple(outcomes)


def _differences(making: Making) -> tuple[str, ...]:
    """What a model would be given otherwise now than when the tape was recorded that is played."""
    from ..writer.recorded import Player

    return making.writer.differences if isinstance(making.writer, Player) else ()


def _outcomes(service: Place, making: Making, session: Session) -> Iterator[Outcome]:
    from ..writer import write_session

    name, state = f"{session.provider}/{session.id}", state_of(session)
    for outcome in write_session(making, session):
        keep_outcome(service, making.memory.layout, outcome, name, state)
        yield outcome


def keep_outcome(
    service: Place,
    layout: Layout,
    outcome: Outcome,
    name: str,
    state: str,
    followed: Callable[..., WriterStatus] = after,
) -> None:
    """Keep for `status` how a batch of a session ended, and what its writer took."""
    now = moment_text(service.moment())
    change_status(layout, lambda known: followed(known, outcome, now, name, state))
    if not isinstance(outcome, NothingDue):
        keep_cost(service, layout, outcome.used, name, outcome.tokens)


def keep_cost(service: Place, layout: Layout, used: Used, session: str, offered: int) -> None:
    """Note what a model took for a session, or for what else has a name; nothing if none was asked."""
    if not used.calls:
        return
    known = priced(used, price_of(service.settings, used.model))
    add_cost(layout, entry_of(known, moment_text(service.moment()), session, offered))


def price_of(settings: Settings, model: str) -> tuple[float, float] | None:
    """The price of a model for a million tokens in and out, None if the settings do not say it."""
    price = settings.prices.get(model) or settings.prices.get(settings.model)
    return (price.input, price.output) if price is not None else None


def _named(store: Store, name: str) -> Session:
    found = store.find(name)
    if len(found) == 1:
        return found[0]
    if not found:
        message = f"there is no conversation {name!r}"
        remedy = "import its log first, or name one that is listed"
        raise Refused(Problem(Code.SESSION_NODES_UNAVAILABLE, message, name, remedy=remedy))
    names = ", ".join(f"{session.provider}/{session.id}" for session in found)
    message = f"{name!r} may be any of {names}"
    raise Refused(Problem(Code.INVALID_ARGUMENT, message, name, remedy="name it with its provider"))


def _excluded(session: Session, why: str) -> Problem:
    name = f"{session.provider}/{session.id}"
    message = f"the conversation {name} never enters memory: {why}"
    return Problem(Code.NOT_PERMITTED, message, name, remedy="name another conversation")


def _no_sessions(service: Place) -> Problem:
    return Problem(
        Code.SESSION_NODES_UNAVAILABLE,
        "no conversation has been imported yet",
        str(service.sessions_path),
        remedy="import a log first",
    )
