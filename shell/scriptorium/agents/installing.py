"""Bringing our hooks into the settings of an agent, and taking them out: planned as a whole, then written."""

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from scriptorium_core.problem import Code, Problem
from scriptorium_core.writing.calls import Event
from scriptorium_core.writing.hosts import EVENTS, Host

from .. import files
from ..refused import Refused
from . import jsontext, opencode, servers, tomltext
from .commands import command_line, is_ours
from .edits import Edit, Known, Misshapen, hooks_in, hooks_out
from .notes import notes
from .places import Places, places
from .plan import Change, Plan, Wish

__all__ = ["carry_out", "installation", "removal"]

Edits = Callable[[object], tuple[Edit, ...]]

_SECONDS: Mapping[Event, int] = MappingProxyType({**dict.fromkeys(Event, 5), Event.SESSION_END: 3})
"""After how long an agent goes on without us; Codex allows the end of a session no more than three."""


def installation(wish: Wish) -> Plan:
    """What brings the hooks in, and the server if it is wished for; nothing where all of it stands there.

    Raises Refused where the settings cannot be read or edited.
    """
    where, handlers, known = places(wish.host, wish.project), _handlers(wish), _known(wish.host)
    steps: list[tuple[Path, Edits]] = []
    if handlers:
        steps.append((where.hooks, lambda value: hooks_in(value, handlers, known)))
    steps += ((path, lambda value: hooks_out(value, known)) for path in where.others)
    if wish.mcp:
        steps.append((where.servers, lambda value: servers.entered(value, wish.host, wish.words)))
    before, texts = _edited(where, steps)
    if not handlers:
        before[where.hooks] = _read(where.hooks, where.root)
        texts[where.hooks] = opencode.plugin(where.hooks, before[where.hooks], wish.words)
    settings = {} if not handlers else _form(where.hooks).parsed(texts[where.hooks])
    told = notes(wish.host, settings, wish.project is not None, wish.mcp)
    return Plan(wish.host, _changes(where, before, texts), told)


def removal(wish: Wish) -> Plan:
    """What takes out of the settings all that is ours, hooks and server, for whatever home it was written."""
    where, known = places(wish.host, wish.project), _known(wish.host)
    steps: list[tuple[Path, Edits]] = []
    if wish.host is not Host.OPENCODE:
        steps += ((path, lambda value: hooks_out(value, known)) for path in (where.hooks, *where.others))
    steps.append((where.servers, lambda value: servers.taken_out(value, wish.host)))
    before, texts = _edited(where, steps)
    changes = _changes(where, before, texts)
    if wish.host is Host.OPENCODE and opencode.is_ours(there := _read(where.hooks, where.root)):
        changes = (Change(where.hooks, there, None, where.root, own=True), *changes)
    return Plan(wish.host, changes)


def carry_out(plan: Plan) -> None:
    """Write all of it, each file whole or not at all, with the bytes from before beside it.

    Raises Refused where a file has changed since it was planned, and where the disk does not allow it.
    """
    for change in plan.changes:
        if _read(change.path, change.root) != change.before:
            raise Refused(_meanwhile(change.path))
        _see_it_may_be_written(change.path)
    for change in plan.changes:
        with _explained(change.path):
            _write(change)


# --- Planning ------------------------------------------------------------------------------------


def _handlers(wish: Wish) -> Mapping[str, Mapping[str, object]]:
    """What stands at each event of the agent; nothing where a plugin calls us."""
    unit = 1000 if wish.host is Host.GEMINI else 1  # Gemini CLI counts milliseconds
    found: dict[str, Mapping[str, object]] = {}
    for event, name in EVENTS[wish.host].items():
        line = command_line(wish.words, wish.host, event)
        found[name] = {"type": "command", "command": line, "timeout": _SECONDS[event] * unit}
    return found


def _known(host: Host) -> Known:
    return lambda line: is_ours(line, host)


def _edited(
    where: Places, steps: list[tuple[Path, Edits]]
) -> tuple[dict[Path, bytes | None], dict[Path, str]]:
    """The bytes of all files that are looked at, and what the edits make of them, one after the other."""
    before: dict[Path, bytes | None] = {}
    texts: dict[Path, str] = {}
    for path, edits in steps:
        if path not in before:
            before[path] = _read(path, where.root)
            texts[path] = _text(path, before[path])
        form = _form(path)
        try:
            texts[path] = form.edited(texts[path], edits(form.parsed(texts[path])))
        except Misshapen as error:
            raise Refused(_misshapen(path, str(error))) from error
    return before, texts


def _changes(
    where: Places, before: Mapping[Path, bytes | None], texts: Mapping[Path, str]
) -> tuple[Change, ...]:
    made = ((path, before[path], text.encode()) for path, text in texts.items())
    own = where.hooks if where.hooks.suffix == ".js" else None
    return tuple(
        Change(path, old, new, where.root, path == own) for path, old, new in made if new != (old or b"")
    )


class _Form(Protocol):
    """A module that reads and edits the texts of a format."""

    def parsed(self, text: str) -> Any: ...

    def edited(self, text: str, edits: Sequence[Edit]) -> str: ...


def _form(path: Path) -> _Form:
    return tomltext if path.suffix == ".toml" else jsontext


def _text(path: Path, data: bytes | None) -> str:
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(_misshapen(path, f"it is not UTF-8: {error}")) from error


# --- The disk ------------------------------------------------------------------------------------


def _read(path: Path, root: Path) -> bytes | None:
    with _explained(path):
        return files.read(path, root)


def _write(change: Change) -> None:
    mode = 0o600
    if change.before is not None:
        mode = stat.S_IMODE(change.path.stat().st_mode)
        if change.backup is not None:
            files.write_durable(change.backup, change.before, mode, change.root)
    if change.after is None:
        files.remove(change.path, change.root)
    else:
        files.write_durable(change.path, change.after, mode, change.root)


def _see_it_may_be_written(path: Path) -> None:
    """Raise Refused before anything is written; a file is replaced, so that its folder counts too."""
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Refused(_read_only(folder))
    if path.exists() and not os.access(path, os.W_OK):
        raise Refused(_read_only(path))


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Refused, in words, for what stands in the way of a person's settings."""
    try:
        yield
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        remedy = "see that the file and its folder can be written, then try again"
        raise Refused(Problem(Code.READ_ONLY_PATH, message, str(path), remedy=remedy)) from error
    except Refused as refused:
        first = refused.problems[0]
        remedy = "name a project with --project, or put a file in the place of the link"
        if first.code is not Code.PATH_OUTSIDE_WORKSPACE:
            raise
        raise Refused(Problem(first.code, first.message, str(path), remedy=remedy)) from refused


def _read_only(path: Path) -> Problem:
    remedy = f"make it writable (`chmod u+w '{path}'`), then try again"
    return Problem(Code.READ_ONLY_PATH, f"{path} may not be written", str(path), remedy=remedy)


def _misshapen(path: Path, why: str) -> Problem:
    remedy = "mend the file, or enter the lines by hand: `--dry-run` with an empty `--project` shows them"
    message = f"{path} cannot be edited: {why}; nothing is written"
    return Problem(Code.INVALID_ARGUMENT, message, str(path), remedy=remedy)


def _meanwhile(path: Path) -> Problem:
    message = f"{path} was changed by another program in this moment; nothing is written"
    return Problem(Code.CONCURRENT_UPDATE, message, str(path), remedy="try again, with the agent closed")
