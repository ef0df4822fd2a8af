"""What a hook answers, at once: no lock is waited for, no model asked, no index made.

Whatever fails is kept for `status`; the conversation goes on. What is imported here counts: most of the
time of an answer is spent on that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from scriptorium_core.budget import estimate
from scriptorium_core.names import BlockId
from scriptorium_core.policy.actor import OWNER
from scriptorium_core.problem import Problem, render_problem
from scriptorium_core.writing.calls import Call, Event, HandedOver, decode_call, handed_over, injection
from scriptorium_core.writing.watching import Fault, Injected

from .. import files
from ..clock import time_of
from ..layout import Layout, create, in_writer_run, locate
from ..lock import holder
from ..refused import Refused
from .runtime import change_watched, keeper_lock, leave_log, leave_request

if TYPE_CHECKING:
    from .place import Place

__all__ = ["Answer", "hook"]

_CORE = "core.md"
_SWITCHED_OFF = "injection is switched off by the setting inject = false"
_SHOWS_NOTHING = "<!-- core:"  # the closing line of the block: where it is the first one, there is no record
_BLINK = 0.02
_NAMED = 3


class Answer(NamedTuple):
    """What a hook gives to its host: text for the conversation, and what went wrong, in words.

    `problems` are the same with their codes; of a fault of the program there is none.
    """

    text: str = ""
    fault: str = ""
    problems: tuple[Problem, ...] = ()


def hook(service: Place, event: str, data: bytes) -> Answer:
    """The answer; what went wrong is said in it and kept."""
    if service.settings.backend == "none":
        return Answer()
    known = [each for each in Event if each == event]
    try:
        if not known:
            raise Refused(_unknown(event))
        text = _answered(service, decode_call(known[0], data), data)
    except Exception as error:  # a conversation never fails because of its memory
        problems = error.problems if isinstance(error, Refused) else ()
        fault = render_problem(problems[0]) if problems else str(error) or type(error).__name__
        return Answer(fault=_kept(service, event, fault), problems=problems)
    _kept(service, event, "")
    return Answer(text)


def _answered(service: Place, call: Call, data: bytes) -> str:
    if service.actor != OWNER:  # the files of the whole memory are given
        from .permitted import see_it_is_allowed

        see_it_is_allowed(service, "inject")
    if call.event is Event.SESSION_START:
        return _core(service, call)
    if call.event is Event.PROMPT:
        return _context(service, call)
    if call.event.writes:
        layout = create(service.root)
        given = HandedOver() if call.transcript else handed_over(data)
        if given.log:
            call = call._replace(transcript=str(leave_log(layout, given.log)))
        if given.log or not given.unread:
            leave_request(layout, call._replace(own=in_writer_run(call.session)))
            _see_to_it(service, layout)
        if given.unread:
            raise Refused(_unread(given.unread))
    return ""


def _core(service: Place, call: Call) -> str:
    """The resident block as the files of the memory have it; a writer of ours is given none."""
    if _is_out(service, call):
        return ""
    layout = locate(service.root)
    core = (files.read(layout.root / _CORE, layout.root) or b"").decode("utf-8", "replace")
    shown: tuple[BlockId, ...] = ()
    if core.strip():
        from .assessing import day_of
        from .scoped import core_in

        core, shown = core_in(layout, core, call.cwd, day_of(service), service.settings.core_tokens)
    revision = (files.read(layout.projected, layout.root) or b"").decode("ascii", "replace").strip()
    why_not = _why_not(core) if service.settings.inject else _SWITCHED_OFF
    text = "" if why_not else injection(core, revision)
    if text:
        _traced(service, call, text, revision, shown)
    _injected(layout, Injected(_now(service), call.session, estimate(text), revision, why_not))
    return text


def _context(service: Place, call: Call) -> str:
    """What goes along with a prompt; where nothing bears on it, what was injected last stays the last."""
    if _is_out(service, call) or not call.prompt.strip() or not service.settings.inject:
        return ""
    from .prompting import prompted

    given = prompted(service, call)
    layout = locate(service.root)
    if given.behind:
        _see_to_it(service, layout)
    if given.text or not given.revision:
        about = (call.session, given.tokens, given.revision, given.why_not, call.event.value)
        _injected(layout, Injected(_now(service), *about))
    return given.text


def _traced(service: Place, call: Call, text: str, revision: str, shown: Iterable[BlockId]) -> None:
    """Write down that a session was given the core: what is not traced is not delivered."""
    from scriptorium_core.knowledge.offer import Part, Shown
    from scriptorium_core.knowledge.trace import Trace

    from ..tokens import ESTIMATE
    from .tracing import traced

    given = tuple(Shown(Part.RECORD, block, 1.0) for block in shown)
    size, limit = estimate(text), service.settings.core_tokens
    trace = Trace(call.event.value, text, size, limit, "", revision, ESTIMATE, call.session, delivered=given)
    traced(service, locate(service.root), trace)


def _injected(layout: Layout, injected: Injected) -> None:
    change_watched(layout, lambda known: known._replace(injected=injected), _BLINK)


def _is_out(service: Place, call: Call) -> bool:
    """Whether there is no memory to give from, or the session is one in which a writer of ours works."""
    return not service.root.is_dir() or in_writer_run(call.session)


def _why_not(core: str) -> str:
    if not core.strip():
        return "the memory has no core yet: what stands in topics/core.md is given to every session"
    if core.lstrip().startswith(_SHOWS_NOTHING):
        return "no record of the core may be shown: see `scriptorium core` and `scriptorium status`"
    return ""


def _see_to_it(service: Place, layout: Layout) -> None:
    """See that a keeper does what there is to do: the one that is at work, or one that begins now."""
    if not holder(keeper_lock(layout)):
        _begin(service)


def _begin(service: Place) -> None:
    """Begin a round of the keeper in the background, which goes on when the host has ended."""
    import subprocess

    where = ["--home", str(service.home), "--memory", str(service.root)]
    subprocess.Popen(
        [sys.executable, "-m", "scriptorium", *where, "keep", "--once", "--asked"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _kept(service: Place, event: str, words: str) -> str:
    """Keep what went wrong, or that nothing did, where there is a memory to keep it in."""
    layout = _layout(service)
    if layout is not None:
        fault = Fault(_now(service), f"{event}: {words}") if words else None
        change_watched(layout, lambda known: known._replace(hook_failed=fault), _BLINK)
    return words


def _now(service: Place) -> str:
    return time_of(service.moment()).isoformat()


def _layout(service: Place) -> Layout | None:
    try:
        layout = locate(service.root)
    except Refused:
        return None
    return layout if layout.runtime.is_dir() else None


def _unread(found: tuple[str, ...]) -> Problem:
    from scriptorium_core.problem import Code

    more = f"; so are {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
    message = f"what was handed over is not taken in whole: {'; '.join(found[:_NAMED])}{more}"
    remedy = "give each message a `role` (`user` or `assistant`) and `text` or `content`"
    return Problem(Code.INVALID_ARGUMENT, message, "messages", remedy=remedy)


def _unknown(event: str) -> Problem:
    from scriptorium_core.problem import Code

    events = ", ".join(Event)
    return Problem(Code.INVALID_ARGUMENT, f"there is no event {event!r}", "hook", remedy=f"one of {events}")
