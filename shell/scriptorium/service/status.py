"""How a memory stands, from what is known already: nothing is read as a whole."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.knowledge.soundness import returned
from scriptorium_core.names import TopicPath, WorkspaceId
from scriptorium_core.policy.actor import OWNER
from scriptorium_core.problem import Problem
from scriptorium_core.topics import parse_topic
from scriptorium_core.views.core import CORE_VIEW
from scriptorium_core.writing.explaining import explain

from .. import files, tokens
from ..conversations.schema import refusing
from ..conversations.store import Store, open_store
from ..conversations.unwritten import Summary, sizes, summaries
from ..history.aside import edited_views, kept_aside, would_be_aside
from ..refused import Refused
from ..workspace.breaches import broken
from ..workspace.drafts import misnamed
from ..workspace.governing import edited_policy, not_in_force
from ..workspace.permitted import Permitted
from .kept import Outlook
from .model import Failure, LastOutcome, Next, Status
from .outlook import outlook
from .runtime import read_status

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts

    from ..layout import Layout
    from ..workspace import Memory
    from .place import Place

__all__ = ["status"]


@frozen
class _Talks:
    """What the conversations say; `problems` is why they cannot be asked, and there is none then."""

    sessions: int
    waiting: tuple[Summary, ...]
    next: Next
    outlook: Outlook
    problems: tuple[Problem, ...] = ()


@frozen
class _Drafts:
    """The topics that were edited by hand, and what is wrong in them, or with files that are none."""

    paths: tuple[str, ...]
    problems: tuple[Problem, ...]


def status(service: Place) -> Status:
    """The state of the memory and of the conversations beside it."""
    memory = service.memory()
    if service.actor != OWNER:
        return _seen(service, memory)
    path = service.sessions_path
    try:
        with ExitStack() as stack:
            stack.enter_context(refusing(path))
            store = stack.enter_context(open_store(path)) if path.is_file() else None
            talks = _talks(service, memory, store)
    except Refused as refused:
        talks = evolve(_talks(service, memory, None), problems=refused.problems)
    return _status(service, memory, talks)


def _seen(service: Place, memory: Memory) -> Status:
    """The status for somebody else: what is theirs to see is counted; how writing goes, the owner is told."""
    nothing = Next(service.settings.writer, service.settings.batch_tokens, (), ())
    shown = _status(service, memory, _Talks(0, (), nothing, Outlook()))
    return evolve(shown, last=evolve(shown.last, failure=None))


def last_outcome(layout: Layout) -> LastOutcome:
    """How the last pass ended."""
    kept = read_status(layout)
    failure = kept.failure
    if failure is None:
        return LastOutcome(kept.outcome, kept.success_at)
    told = explain(failure.code)
    shown = Failure(
        failure.at,
        failure.code,
        failure.retryable,
        failure.message,
        failure.session,
        failure.until,
        told.words,
        told.remedy,
    )
    return LastOutcome(kept.outcome, kept.success_at, shown)


def _status(service: Place, memory: Memory, talks: _Talks) -> Status:
    with memory.reading() as (revision, base):
        totals = memory.index.queries.totals()
        quarantined = tuple(fault for faults in base.facts.broken.values() for fault in faults)
        taken = _broken(service, memory, base.facts, revision)
        again = {base.facts.records[block].record for block in memory.index.queries.returned()}
        taken += tuple(fault for record in again for fault in returned(base.facts, record))
    drafts = _drafts(memory) if revision is not None else _Drafts((), ())
    return Status(
        home=service.home.absolute(),
        memory=memory.layout.root,
        workspace=memory.workspace,
        revision=revision,
        topics=totals.topics,
        records=totals.records,
        sources=totals.sources,
        untrusted=totals.pending,
        forgotten=totals.forgotten,
        broken_archives=totals.broken_archives,
        sessions=talks.sessions,
        pending=sum(summary.pending for summary in talks.waiting),
        waiting=talks.waiting,
        quarantined=quarantined,
        drafts=drafts.paths,
        unsound=drafts.problems,
        broken=(*talks.problems, *memory.history.barred(), *taken),
        next=talks.next,
        last=last_outcome(memory.layout),
        counter=tokens.counter_name(),
        notices=memory.notices,
        outlook=talks.outlook,
        redacts=service.settings.redact,
    )


def _broken(service: Place, memory: Memory, facts: Facts, revision: str | None) -> tuple[Problem, ...]:
    """What commits broke, and the policy that cannot hold; the owner alone is told."""
    if service.actor != OWNER:
        return ()
    taken = broken(memory.history, memory.index.queries, facts, revision)
    return taken + not_in_force(memory.history, revision)


def _drafts(memory: Memory) -> _Drafts:
    """What differs from the commit below `topics/`: what is no topic, or may not be read, is no draft."""
    paths = list[str]()
    views = edited_views(memory.layout, memory.history.drafts((CORE_VIEW,)))
    # A link in the place of a folder is one fault, however much is below.
    aside = kept_aside(memory.layout) if not isinstance(memory, Permitted) else ()
    problems = dict.fromkeys((*map(would_be_aside, views), *aside, *edited_policy(memory.history)))
    for path in memory.history.drafts():
        try:
            data = files.read(memory.layout.root / path, memory.layout.root)
        except Refused as refused:
            problems |= dict.fromkeys(refused.problems)
            continue
        faults = misnamed([path])
        if not faults:
            paths.append(path)
            # Whether it may be adopted is for `adopt`.
            faults = parse_topic(TopicPath(path), data)[1] if data is not None else ()
        problems |= dict.fromkeys(faults)
    return _Drafts(tuple(paths), tuple(problems))


def _talks(service: Place, memory: Memory, store: Store | None) -> _Talks:
    waiting = _waiting(store, memory.workspace)
    sessions = len(store.sessions()) if store is not None else 0
    coming = _next(service, memory, store, waiting)
    return _Talks(sessions, waiting, coming, outlook(service, memory, store))


def _waiting(store: Store | None, workspace: WorkspaceId) -> tuple[Summary, ...]:
    found = summaries(store, workspace) if store is not None else ()
    return tuple(summary for summary in found if summary.pending)


def _next(service: Place, memory: Memory, store: Store | None, waiting: tuple[Summary, ...]) -> Next:
    """What a pass would write; sizes are estimated by the lengths of the texts, which are not read."""
    settings, due, below = service.settings, list[str](), list[str]()
    tokens_of = (
        sizes(store, memory.workspace, (each.session for each in waiting)) if store is not None else {}
    )
    for summary in waiting:
        full = tokens_of.get(summary.session.num, 0) >= settings.batch_tokens
        (due if full else below).append(f"{summary.session.provider}/{summary.session.id}")
    return Next(settings.writer, settings.batch_tokens, tuple(due), tuple(below))
