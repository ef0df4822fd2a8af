"""One round of the keeper: what grew is taken in, what is due is written and organized, all of it kept.

Nothing here stops a conversation: whatever fails is kept for `status`, and the round goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.names import NodeId
from scriptorium_core.problem import Code, Problem, render_problem
from scriptorium_core.writing.cadence import Due, Stop, Why, stop
from scriptorium_core.writing.calls import Call
from scriptorium_core.writing.outcome import Failed, Handled, NothingDue, Outcome, fail, next_move
from scriptorium_core.writing.status import after, after_portion
from scriptorium_core.writing.watching import Fault, ended_event

from .. import tokens
from ..conversations.activity import state_of
from ..conversations.importing import Report, Wish, import_places
from ..conversations.linking import exclude
from ..conversations.store import Session, Store, open_store
from ..layout import TalkPlace, talk_places, writer_sessions
from ..lock import held, holder
from ..refused import Refused
from ..settings import expanded
from .kept import Stopped
from .model import Pass
from .organizing import organized
from .outlook import pace_of, planned, stopped_in_words
from .rebuilding import follow
from .runtime import (
    change_status,
    change_watched,
    drop_log,
    keeper_lock,
    publish,
    read_status,
    requests_left,
    take_requests,
)
from .shaping import moment_text
from .writing import made_with, whole

if TYPE_CHECKING:
    from ..layout import Layout
    from ..organizer import Portion
    from ..settings import Settings
    from .place import Place

__all__ = ["Round", "keep_once", "keeping", "one_round"]

_PATIENCE = 0.2
_OWN = "a writer of memory ran in it"


@frozen
class Round:
    """One round of the keeper: what was taken in, written, organized, and what went wrong beside it.

    `next_at` (ISO 8601) is when the next thing is due; empty where the round itself failed.
    """

    reports: tuple[Report, ...] = ()
    passes: tuple[Pass, ...] = ()
    faults: tuple[Problem, ...] = ()
    stopped: Stopped | None = None
    next_at: str = ""
    organized: tuple[Portion, ...] = ()


@contextmanager
def keeping(layout: Layout) -> Iterator[None]:
    """Be the one keeper of a memory inside the block. Raises Refused where another one is."""
    path = keeper_lock(layout)
    try:
        with held(path, _PATIENCE):
            yield
    except Refused as refused:
        found = [each.code for each in refused.problems if each.path.endswith(path.name)]
        if Code.CONCURRENT_UPDATE not in found:
            raise
        raise Refused(_kept_already(holder(path))) from refused


def keep_once(service: Place, scan: bool = True) -> Round:
    """One round as the only keeper, and more while hooks have asked for something meanwhile."""
    layout = service.memory(make=True).layout
    with keeping(layout):
        done = one_round(service, scan)
    # Looked at without the lock: a hook that finds it held has left its request before.
    while requests_left(layout):
        try:
            with keeping(layout):
                done = _joined(done, one_round(service, False))
        except Refused:  # another keeper is there by now, and takes them
            break
    return done


def one_round(service: Place, scan: bool) -> Round:
    """Take in what hooks name and, with `scan`, what is watched; write what is due. For the keeper alone."""
    memory = service.memory(make=True)
    calls = take_requests(memory.layout)
    with open_store(service.sessions_path) as store:
        for provider, name in writer_sessions():
            exclude(store, provider, name, _OWN)
        for call in calls:
            if call.own and call.session:
                exclude(store, "", call.session, _OWN)
        reports = _asked(service, store, calls)
        ended = {f"{each.provider}/{each.id}" for each in _ended(store, calls, reports)}
        faults = _unknown(service, store, [call for call in calls if not call.own])
        if scan or planned(service, memory, None, len).scan:
            looked, found = _scan(service, store)
            reports, faults = reports + looked, faults + found
        passes = tuple(_passes(service, store, ended))
        organized = _organized(service)
        faults += follow(service)
        status, now = read_status(memory.layout), service.moment()
        ahead = planned(service, memory, store, tokens.count)
    next_at = moment_text(now._replace(seconds=ahead.next_at))
    stopped = stopped_in_words(ahead.stop, status, now)
    return Round(reports, passes, faults, stopped, next_at, organized)


def _joined(first: Round, second: Round) -> Round:
    return evolve(
        second,
        reports=first.reports + second.reports,
        passes=first.passes + second.passes,
        faults=first.faults + second.faults,
        organized=first.organized + second.organized,
    )


# --- Taking in -----------------------------------------------------------------------------------


def _asked(service: Place, store: Store, calls: Sequence[Call]) -> tuple[Report, ...]:
    """The logs that hooks have named; what was handed over is of no more use when it is taken in."""
    logs = dict.fromkeys(call.transcript for call in calls if call.transcript)
    reports = _imported(service, store, [TalkPlace(Path(log)) for log in logs])[0]
    for log in logs:
        if drop_log(service.memory().layout, log):
            store.drop_cursor(log)
    return reports


def _scan(service: Place, store: Store) -> tuple[tuple[Report, ...], tuple[Problem, ...]]:
    """The logs that a person has allowed to be looked at, and nothing else."""
    if not service.settings.watch:
        return (), ()
    places, faults = _places(service.settings)
    reports, failed = _imported(service, store, places)
    faults += failed + tuple(problem for report in reports for problem in report.problems)
    now = moment_text(service.moment())
    fault = Fault(now, render_problem(faults[0])) if faults else None
    layout = service.memory().layout
    change_watched(layout, lambda known: known._replace(scanned_at=now, scan_failed=fault))
    return reports, faults


def _imported(
    service: Place, store: Store, places: Sequence[TalkPlace]
) -> tuple[tuple[Report, ...], tuple[Problem, ...]]:
    reports: list[Report] = []
    try:
        for report in import_places(store, places, Wish(), now=moment_text(service.moment())):
            reports.append(report)
    except Refused as refused:
        return tuple(reports), refused.problems
    except Exception as error:  # an importer of another package, or ours: the others' logs are read next time
        return tuple(reports), (_fault_of(error),)
    return tuple(reports), ()


def _places(settings: Settings) -> tuple[list[TalkPlace], tuple[Problem, ...]]:
    """Where to look: the folders of programs by their names, and paths."""
    known = talk_places()
    places: list[TalkPlace] = []
    faults: list[Problem] = []
    for name in settings.watch:
        named = [place for place in known if place.program.lower().replace(" ", "-") == name.lower()]
        if not named and "/" not in name and "\\" not in name:
            faults.append(_nothing_of(name))
        places += named or ([TalkPlace(expanded(name))] if "/" in name or "\\" in name else [])
    return places, tuple(faults)


def _ended(store: Store, calls: Sequence[Call], reports: Sequence[Report]) -> Iterator[Session]:
    """The sessions that are over: by their ids, else all of the log that was named."""
    for call in calls:
        if call.ended and call.session:
            yield from store.find(call.session)
        elif call.ended:
            names = (name for each in reports if each.path == call.transcript for name in each.sessions)
            yield from (session for name in names for session in store.find(name))


def _unknown(service: Place, store: Store, calls: Sequence[Call]) -> tuple[Problem, ...]:
    """What is wrong with calls that lead to no conversation; kept for `status`."""
    layout, now = service.memory().layout, moment_text(service.moment())
    faults: list[Problem] = []
    for call in calls:
        if not call.session and not call.transcript:
            # A fault of the call, not of writing: no conversation waits for anybody because of it.
            faults.append(_names_nothing(call))
            _told(service, "", fail(faults[-1].code, faults[-1].message))
        elif call.session and not store.find(call.session):
            faults.append(_not_there(call))
    if faults:
        fault = Fault(now, render_problem(faults[-1]))
        change_watched(layout, lambda known: known._replace(hook_failed=fault))
    return tuple(faults)


# --- Writing -------------------------------------------------------------------------------------


def _passes(service: Place, store: Store, ended: set[str]) -> Iterator[Pass]:
    """A pass for each session that is due, until one says that the others must wait.

    Where agents write, nobody is asked: it is said what waits for one.
    """
    memory = service.memory()
    failed: set[str] = set()
    ahead = planned(service, memory, store, tokens.count, ended)
    for wait in ahead.waits:
        if wait.why is Why.AGENT:
            yield Pass(wait.talk, (NothingDue(agent=True),))
    for each in ahead.due:
        if _stop(service) is not None:
            return
        if each.talk in failed:
            continue
        outcomes = _written(service, store, each)
        for outcome in outcomes:
            _told(service, each.talk, outcome)
        failed.update(each.talk for outcome in outcomes if isinstance(outcome, Failed))
        yield Pass(each.talk, outcomes)


def _written(service: Place, store: Store, due: Due) -> tuple[Outcome, ...]:
    provider, _, name = due.talk.partition("/")
    session = store.get(provider, name)
    if session is None:
        return ()
    try:
        making = made_with(service, store, service.settings.writer, due.force)
        making = evolve(making, branch=NodeId(due.branch) if due.branch else None)
        return whole(service, making, session, lambda: _stop(service) is None)
    except Refused as refused:
        first = refused.problems[0]
        # The only thing that can be wrong with a writer's name and tape is a setting.
        code = Code.WRITER_PRECONDITION_FAILED if first.path == "writer" else first.code
        outcome = fail(code, first.message, problems=refused.problems)
    except Exception as error:  # a writer may fail in any way, and no conversation may suffer from it
        outcome = fail(Code.WRITER_FAILURE_UNKNOWN, _fault_of(error).message)
    now = moment_text(service.moment())
    change_status(
        service.memory().layout, lambda known: after(known, outcome, now, due.talk, state_of(session))
    )
    return (outcome,)


def _organized(service: Place) -> tuple[Portion, ...]:
    """All topics put in order where that is due, until a portion says that the rest must wait."""
    ahead, now = planned(service, service.memory(), None, len).organize, service.moment().seconds
    if ahead is None or ahead.at > now or _stop(service) is not None:
        return ()
    found: list[Portion] = []
    try:
        for portion in organized(service, (), service.settings.writer):
            found.append(portion)
            if isinstance(portion.outcome, Failed):
                _told(service, "organize", portion.outcome)
            if _stop(service) is not None:
                break
    except Refused as refused:
        failure = fail(refused.problems[0].code, refused.problems[0].message, problems=refused.problems)
        found.append(_given_up(service, failure))
    except Exception as error:  # as with a pass: whatever befell it, conversations go on
        found.append(_given_up(service, fail(Code.WRITER_FAILURE_UNKNOWN, _fault_of(error).message)))
    return tuple(found)


def _given_up(service: Place, failure: Failed) -> Portion:
    """Organizing that could not begin, or broke off: kept, and waited out like a pass."""
    from ..organizer import Portion

    now = moment_text(service.moment())
    change_status(service.memory().layout, lambda known: after_portion(known, failure, now))
    _told(service, "organize", failure)
    return Portion((), failure, 0, 0)


def _stop(service: Place) -> Stop | None:
    now = service.moment()
    return stop(read_status(service.memory().layout), pace_of(service.settings), now.seconds, now.offset)


def _told(service: Place, session: str, outcome: Outcome) -> None:
    """Publish what is given up."""
    move = next_move(outcome)
    if isinstance(outcome, Failed) and isinstance(move, Handled):
        line = ended_event(session, moment_text(service.moment()), move.ended)
        publish(service.memory().layout, line)


# --- Problems ------------------------------------------------------------------------------------


def _kept_already(who: str) -> Problem:
    message = f"a keeper runs already for this memory ({who or 'another process'})"
    remedy = "leave it running, or end it first; its lock frees itself when it ends"
    return Problem(Code.CONCURRENT_UPDATE, message, "keeper.lock", remedy=remedy)


def _nothing_of(name: str) -> Problem:
    message = f"watch: nothing that {name!r} keeps is found here"
    remedy = "name claude-code, codex, gemini-cli, pi, openclaw, or a path with a slash"
    return Problem(Code.INVALID_ARGUMENT, message, "settings.toml", remedy=remedy)


def _names_nothing(call: Call) -> Problem:
    message = f"{call.event} named no session and no log"
    remedy = "nothing to do if it was called by hand; else its host gives `session_id` or `transcript_path`"
    return Problem(Code.MISSING_SESSION_ID, message, remedy=remedy)


def _not_there(call: Call) -> Problem:
    message = f"{call.event}: the session {call.session} stands in no log that was taken in"
    remedy = "see that its host gives `transcript_path` or `messages`, or import its log"
    return Problem(Code.SESSION_NODES_UNAVAILABLE, message, call.transcript, remedy=remedy)


def _fault_of(error: Exception) -> Problem:
    message = f"{type(error).__name__}: {error}"
    return Problem(Code.WRITER_FAILURE_UNKNOWN, message, remedy="please report it")
