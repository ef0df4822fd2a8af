"""What it would take to write all that waits, said before a model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from scriptorium_core.names import WorkspaceId
from scriptorium_core.writing.costs import Spent, by_model, spent
from scriptorium_core.writing.estimating import Estimate, estimated

from ..conversations.store import open_store
from ..conversations.unwritten import sizes, summaries
from .runtime import read_costs
from .writing import price_of, the_sessions

if TYPE_CHECKING:
    from ..conversations.store import Store
    from ..settings import Settings
    from ..workspace import Memory
    from .place import Place

__all__ = ["estimate"]

_NOBODY = WorkspaceId("-")


def estimate(service: Place, names: Sequence[str] | None, writer: str, force: bool) -> Estimate:
    """Of the unwritten messages of these sessions, of all without names; nothing is written or made."""
    settings = service.settings
    memory = service.memory() if service.root.exists() else None
    model = _model(settings, writer)
    with open_store(service.sessions_path) if service.sessions_path.is_file() else nullcontext() as store:
        waiting = _waiting(store, names, memory) if store is not None else {}
    before = _before(memory, settings, model) if memory is not None else Spent()
    return estimated(waiting, settings.batch_tokens, force, model, before, price_of(settings, model))


def _waiting(store: Store, names: Sequence[str] | None, memory: Memory | None) -> dict[str, int]:
    """The tokens of what is unwritten in each session, by its name."""
    chosen = {session.num for session in the_sessions(store, names)}
    workspace = memory.workspace if memory is not None else _NOBODY
    found = summaries(store, workspace)
    unwritten = [each.session for each in found if each.pending and each.session.num in chosen]
    tokens = sizes(store, workspace, unwritten)
    return {f"{session.provider}/{session.id}": tokens.get(session.num, 0) for session in unwritten}


def _model(settings: Settings, writer: str) -> str:
    """The model that would be asked, by the name that the settings give; empty if none would be."""
    program = settings.command.program
    named = program if isinstance(program, str) else Path(program[0]).name
    return {"api": settings.api.model, "command": settings.command.model or named}.get(writer, "")


def _before(memory: Memory, settings: Settings, model: str) -> Spent:
    """What this model took so far; where the settings name none, what all did."""
    entries = read_costs(memory.layout)
    return by_model(entries).get(model) or (spent(entries) if model and not settings.model else Spent())
