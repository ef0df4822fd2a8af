"""A hook's call, read and answered without loading the rest of the command line, which takes longer."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

__all__ = ["Called", "answer", "is_hook", "plain_call"]

_FOLDERS = ("--home", "--memory")
_OPTIONS = (*_FOLDERS, "--agent")
_VALUED = (*_OPTIONS, "--clock")
_SETTING_UP = ("install", "remove")  # what a person calls, and no host
_PATIENCE = 0.05
_MOST = 8 * 1024 * 1024


class Called(NamedTuple):
    """An event, where the memory is, and which agent calls: it is answered in its own form.

    With `json` the answer is one object: `ok`, `text`, and the `error` where something went wrong.
    """

    event: str
    home: str = ""
    memory: str = ""
    agent: str = ""
    json: bool = False


def plain_call(words: Sequence[str]) -> Called | None:
    """The call in `hook EVENT` with --home, --memory, --agent; None for whatever else the words say."""
    names: list[str] = []
    given = dict.fromkeys(_OPTIONS, "")
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if option in given:
            given[option] = value if equals else next(rest, "")
        else:
            names.append(word)
    if len(names) != 2 or names[0] != "hook" or names[1].startswith("-") or names[1] in _SETTING_UP:
        return None
    return Called(names[1], given["--home"], given["--memory"], given["--agent"])


def is_hook(words: Sequence[str]) -> bool:
    """Whether the words call a hook, in whatever form; to set hooks up is not to call one."""
    names: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in _VALUED:
            next(rest, None)
        elif not word.startswith("-"):
            names.append(word)
    return names[:1] == ["hook"] and not (len(names) > 1 and names[1] in _SETTING_UP)


def answer(call: Called) -> int:
    """Answer on the standard output what the host may add to the conversation; always 0."""
    try:
        told = _asked(call, _input())
    except Exception as error:
        told = _failed(error)
    text, fault = (_object(told), "") if call.json else (told.text, told.fault)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
        sys.stderr.write(f"scriptorium: {fault}\n" if fault else "")
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody reads it; at the exit it would be tried again
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


class _Told(NamedTuple):
    """The text in the form of the agent, and what went wrong, in words and with its codes."""

    text: str
    fault: str
    problems: "tuple[Problem, ...]"


def _asked(call: Called, data: bytes) -> _Told:
    from ..service import Service
    from ..settings import default_home, expanded

    home = expanded(call.home) if call.home else None if call.memory else default_home()
    memory = expanded(call.memory) if call.memory else None
    with Service(home, memory=memory) as service:
        found = service.hook(call.event, data)
    return _Told(_formed(call, found.text), found.fault, found.problems)


def _failed(error: Exception) -> _Told:
    from ..refused import Refused

    return _Told("", str(error) or type(error).__name__, error.problems if isinstance(error, Refused) else ())


def _object(told: _Told) -> str:
    """All of it as one JSON object."""
    from ..plain import error, written

    unknown = {"code": "PROGRAM_FAULT", "message": told.fault, "path": "", "problems": []}
    wrong = {"error": error(told.problems) if told.problems else unknown} if told.fault else {}
    answer = {"ok": not told.fault, **wrong, "text": told.text}
    return f"{written(answer, sys.stdout.encoding or 'ascii')}\n"


def _formed(call: Called, text: str) -> str:
    """The text in the form that the agent takes; as it is where none is named."""
    if not call.agent or not text:
        return text
    from scriptorium_core.writing.calls import Event
    from scriptorium_core.writing.hosts import Host, answer_for

    return answer_for(Host(call.agent), Event(call.event), text)


def _input() -> bytes:
    """What the host gives; a host that gives nothing and leaves the stream open is not waited for."""
    stream = sys.stdin
    if stream is None or stream.closed or stream.isatty():
        return b""
    if os.name == "nt":
        return stream.buffer.read(_MOST)
    import select

    try:
        descriptor, found = stream.fileno(), b""
    except OSError:  # no stream of the system: nothing comes from outside
        return b""
    while len(found) < _MOST and select.select([descriptor], [], [], _PATIENCE)[0]:
        piece = os.read(descriptor, 1 << 16)
        if not piece:
            break
        found += piece
    return found
