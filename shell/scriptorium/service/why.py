"""Where a record or a message comes from: evidence, the turns around it, its branch, and the commits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from scriptorium_core.facts import Known, SourceFact
from scriptorium_core.knowledge.around import Above, Talk
from scriptorium_core.knowledge.around import around as neighbours
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall.grounds import grounds
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.siblings import Fork, siblings, upwards
from scriptorium_core.sources.redact import Redact
from scriptorium_core.trailers import values_of
from scriptorium_core.when import time_order

from ..conversations.linking import links_from, links_to
from ..conversations.store import Store, open_store
from ..conversations.unwritten import branch_state
from ..refused import Refused
from .assessing import day_in
from .reading import find, shown_record, shown_source
from .shaping import BRIEF, moment_text, turn_of
from .shown import Conversation, Linked, Mention, RecordShown, Sibling, SourceShown, Why

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts
    from scriptorium_core.names import NodeId
    from scriptorium_core.sessions.graph import Link

    from ..conversations.store import Session
    from ..workspace import Memory

__all__ = ["why"]

_SIBLINGS = 20


def why(memory: Memory, sessions: Path, name: str, around: int) -> Why:
    """Where it comes from; the session store is asked if there is one."""
    with ExitStack() as stack:
        store = stack.enter_context(open_store(sessions)) if sessions.is_file() else None
        revision, base = stack.enter_context(memory.reading())
        found = find(memory, base.facts, name)
        if isinstance(found, Known):
            return _of_record(memory, store, revision, base.facts, found, around)
        if isinstance(found, SourceFact):
            return _of_source(memory, store, revision, base.facts, found, around)
        raise Refused(_no_record(found.path))


def _of_record(
    memory: Memory, store: Store | None, revision: str | None, facts: Facts, known: Known, around: int
) -> Why:
    found = (each.source for each in grounds(facts, known.record))
    said = [source for source in found if source is not None and not source.withheld]
    shown: RecordShown = shown_record(revision, facts, known, day_in(memory))
    talk_of = _talks(memory, store, facts)
    conversations = tuple(
        _conversation(store, talk_of, source, around, facts.forgotten, memory.redact) for source in said
    )
    return Why(revision, shown, conversations, _history(memory, known.record.ids))


def _of_source(
    memory: Memory, store: Store | None, revision: str | None, facts: Facts, source: SourceFact, around: int
) -> Why:
    shown: SourceShown = shown_source(revision, facts, source)
    talk_of = _talks(memory, store, facts)
    conversation = _conversation(store, talk_of, source, around, facts.forgotten, memory.redact)
    return Why(revision, shown, (conversation,), _history(memory, (source.id,)))


def _conversation(
    store: Store | None,
    talk_of: Callable[[str], Talk],
    source: SourceFact,
    around: int,
    gone: Mapping[str, str],
    redact: Redact,
) -> Conversation:
    """The message among its neighbours on its branch, and what the store knows of its session."""
    said = neighbours(talk_of, source, around, lambda each: each.id not in gone and not each.withheld)
    before, after = (tuple(map(turn_of, turns)) for turns in said)
    turn = turn_of(source)
    session = _session(store, turn.session) if store is not None and turn.session else None
    if store is None or session is None or source.context is None:
        return Conversation(turn, before, after)
    forks = siblings(store.links(session), source.context.node)
    others = tuple(_siblings(store, session, forks, gone, redact))
    title, links = redact(session.title).text, tuple(_links(store, session))
    return Conversation(turn, before, after, True, title, session.source, others, links)


def _links(store: Store, session: Session) -> Iterator[Linked]:
    """From which sessions this one came, and which came from it."""
    for link in links_from(store, session):
        yield Linked(link.kind, f"{session.provider}/{link.other}", link.node or "")
    for name, link in links_to(store, session):
        yield Linked(link.kind, f"{session.provider}/{name}", link.node or "", comes=True)


def _talks(memory: Memory, store: Store | None, facts: Facts) -> Callable[[str], Talk]:
    """The talk of each archive; over what is not archived, tool calls say, the store leads."""
    above = _bridge(store, facts) if store is not None else None

    @cache
    def talk_of(path: str) -> Talk:
        turns = tuple(memory.index.queries.sources_in(path))
        return Talk.of(turns) if above is None else Talk.of(turns, above)

    return talk_of


def _bridge(store: Store, facts: Facts) -> Above:
    @cache
    def links(name: str) -> tuple[Session, Mapping[NodeId, Link]] | None:
        session = _session(store, name)
        return (session, {link.node: link for link in store.links(session)}) if session else None

    def above(source: SourceFact) -> SourceFact | None:
        known = links(turn_of(source).session)
        if known is None or source.context is None:
            return None
        session, link_of = known
        for link in islice(upwards(link_of, source.context.node), 1, None):
            node = store.lookup(session)(link.node) if link.talks else None
            found = facts.sources.get(source_of(node)) if node is not None else None
            if found is not None:
                return found
        return None

    return above


def _session(store: Store, name: str) -> Session | None:
    """The session of `provider/id`; an id that source ids cannot hold as it is may stand in another form."""
    provider, _, session = name.partition("/")
    found = store.get(provider, session)
    return found if found is not None else next(iter(store.find(session)), None)


def _siblings(
    store: Store, session: Session, forks: tuple[Fork, ...], gone: Mapping[str, str], redact: Redact
) -> Iterator[Sibling]:
    """The other branches; the store holds what was said as it was said, so it is redacted on the way out."""
    state, get = branch_state(store, session), store.lookup(session)
    for fork in forks[-_SIBLINGS:]:
        tip = get(fork.tip)
        if tip is not None and source_of(tip) not in gone:
            speaker = tip.speaker_name or tip.speaker_id or tip.role
            text = redact(tip.text).text[:BRIEF]
            yield Sibling(tip.id, fork.leaves_at or "", state(tip.id), tip.at, speaker, text)


def _history(memory: Memory, ids: tuple[str, ...]) -> tuple[Mention, ...]:
    """What the commits did to these ids, oldest first."""
    mentions = (mention for name in ids for mention in memory.index.queries.mentions(name))
    found = dict.fromkeys((mention.commit, mention.name) for mention in mentions)
    return tuple(
        sorted((_mention(memory, *each) for each in found), key=lambda mention: time_order(mention.at))
    )


def _mention(memory: Memory, commit: str, name: str) -> Mention:
    entry = memory.history.entry(commit)
    batch, session, writer = (
        next(iter(values_of(entry.trailers, key)), "") for key in ("Batch", "Session", "Writer")
    )
    return Mention(name, commit, moment_text(entry.when), entry.subject, batch, session, writer)


def _no_record(path: str) -> Problem:
    message = f"{path} is a topic; only a record or a message comes from somewhere"
    return Problem(Code.INVALID_ARGUMENT, message, path, remedy="name one of its records")
