"""What is imported and not written yet, where a name is looked up that memory does not hold."""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

from scriptorium_core.names import NodeId, source_id, split_source_id
from scriptorium_core.policy.actor import OWNER
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.talk import talks

from ..conversations.linking import all_excluded
from ..conversations.store import open_store
from ..conversations.unwritten import count_pending
from ..refused import Refused
from . import reading
from . import why as whence

if TYPE_CHECKING:
    from ..conversations.store import Session, Store
    from .place import Place
    from .shown import Shown, Why

__all__ = ["show", "why"]

T = TypeVar("T")
_IS_WAITING = "SELECT 1 FROM nodes WHERE session = ? AND id = ? AND mark <> ?"


def show(service: Place, name: str) -> Shown:
    """Whatever the name means in memory. Of what only waits to be written, Refused says so."""
    return _found(service, name, lambda: reading.show(service.memory(), name))


def why(service: Place, name: str, around: int) -> Why:
    """Where it comes from; Refused in the same way."""
    return _found(service, name, lambda: whence.why(service.memory(), service.sessions_path, name, around))


def _found(service: Place, name: str, ask: Callable[[], T]) -> T:
    try:
        return ask()
    except Refused as refused:
        # The store holds what was said before any policy applies to it: it is for its owner alone.
        if refused.problems[0].code is not Code.MEMORY_NOT_FOUND or service.actor != OWNER:
            raise
        problem = _known(service, name.strip())
        if problem is None:
            raise
        raise Refused(problem) from refused


def _known(service: Place, name: str) -> Problem | None:
    """What the session store knows by a name; None if that is nothing."""
    if not service.sessions_path.is_file() or "/" not in name:
        return None
    with open_store(service.sessions_path) as store:
        session = _session(store, name)
        if session is None or session.num in all_excluded(store):
            return None
        workspace = service.whole().workspace
        if name == f"{session.provider}/{session.id}":
            pending = count_pending(store, session, workspace)
            return _conversation(name, pending)
        node = store.lookup(session)(NodeId(unquote(split_source_id(name)[2])))
        if node is None or source_of(node) != name:
            return None
        if not talks(node.origin, node.text):
            return _no_talk(name)
        waits = store.rows(_IS_WAITING, (session.num, node.id, workspace))
        return _waits(name, session) if waits else None


def _session(store: Store, name: str) -> Session | None:
    """The conversation that a name is of, or of a message in."""
    provider, _, rest = name.partition("/")
    found = store.get(provider, rest)
    if found is not None or source_id(name) is None:
        return found
    provider, thread, _ = split_source_id(name)
    return store.get(unquote(provider), unquote(thread))


def _waits(name: str, session: Session) -> Problem:
    message = "this message is imported and not written yet: only what is written can be looked up"
    return Problem(Code.MEMORY_NOT_FOUND, message, name, remedy=_written(f"{session.provider}/{session.id}"))


def _conversation(name: str, pending: int) -> Problem:
    message = "this is a conversation; a record, a topic or a message is looked up"
    if not pending:
        return Problem(
            Code.MEMORY_NOT_FOUND, message, name, remedy=f"name a message of it, as {name}/ID, or search"
        )
    return Problem(Code.MEMORY_NOT_FOUND, f"{message}, once it is written", name, remedy=_written(name))


def _no_talk(name: str) -> Problem:
    message = "this is nothing that was said: a call of a tool, or what a program put in, is not archived"
    return Problem(Code.MEMORY_NOT_FOUND, message, name, remedy="name a message before or after it")


def _written(session: str) -> str:
    return f"write its conversation: `scriptorium write {quote(session)} --force`"
