"""What may be believed: messages that are held until the owner lets them in, and words saved on purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.names import SourceId
from scriptorium_core.policy import Action, withheld
from scriptorium_core.when import When

from .. import clock
from ..refused import Refused
from .once import made_in
from .shaping import BRIEF, lines_of, moment_text, turn_of

if TYPE_CHECKING:
    from scriptorium_core.changes import Caller
    from scriptorium_core.facts import Facts, SourceFact
    from scriptorium_core.transaction import Edit, Rejected, Snapshot
    from scriptorium_core.writing.remembering import Wish

    from ..workspace import Committed, Memory
    from .cited import Turn
    from .rewording import Organized
    from .shown import RecordLine

__all__ = ["Held", "HeldMessage", "Remembered", "held", "promote", "remember"]


@frozen
class HeldMessage:
    """A message that waits, when it came in (ISO 8601, empty if unknown), and the records that cite it."""

    turn: Turn
    received: str
    records: tuple[RecordLine, ...]


@frozen
class Held:
    """The messages that wait for the owner's consent, oldest first: `messages` of `of`, with their bytes."""

    revision: str | None
    messages: tuple[HeldMessage, ...]
    of: int
    size: int


@frozen
class Remembered:
    """What became of words that were saved: their source and the records that cite it.

    `known` says that the same words were saved before: nothing was changed. `organized` is what became of a
    model's proposal, where one was asked for.
    """

    committed: Committed
    source: SourceId
    at: str
    records: tuple[RecordLine, ...]
    known: bool
    organized: Organized | None = None


def held(memory: Memory, caller: Caller, limit: int | None) -> Held:
    """What waits, the texts cut at a thousand characters; for the owner alone."""
    if problems := withheld(caller.tier, Action.PROMOTE):
        raise Refused(*problems)
    with memory.reading() as (revision, base):
        sizes = [each.size for each in memory.index.queries.held_sizes()]
        found = memory.index.queries.held()
        chosen = (
            source for _, source in zip(range(len(sizes) if limit is None else limit), found, strict=False)
        )
        messages = tuple(_held(base.facts, source) for source in chosen)
        return Held(revision, messages, len(sizes), sum(sizes))


def promote(memory: Memory, names: Sequence[str], caller: Caller) -> Committed | Rejected:
    """Let messages in, named by source id, or by a record that cites them; the views follow in the commit."""
    from scriptorium_core.transaction import Edit

    def plan(base: Snapshot) -> Edit | Rejected:
        promoted = tuple(dict.fromkeys(source for name in names for source in _meant(base.facts, name)))
        return Edit(base.tree, kind="promote", promoted=promoted)

    return memory.commit(plan, memory.rules(caller))


def remember(
    memory: Memory,
    text: str,
    topic: str,
    caller: Caller,
    asks: Sequence[str] = (),
    propose: Callable[[Wish], tuple[Wish, Organized]] | None = None,
) -> Remembered | Rejected:
    """Save words of the owner: archived as they are, and as records that cite them, in one commit.

    Secrets are taken out first; `committed.redacted` counts them. `propose` puts words in order that are not
    known yet; it is asked before anything is locked.
    """
    from scriptorium_core.changes import apply_changes
    from scriptorium_core.changes.apply import Applied
    from scriptorium_core.transaction import Edit, Rejected
    from scriptorium_core.writing.remembering import Keeping, Wish, keeping, source_of
    from scriptorium_core.writing.used import used_trailers

    moment = memory.moment()
    day = clock.date_of(moment, memory.zone)
    clean = memory.redact(text)
    asked = tuple(memory.redact(each).text for each in asks)
    wish = Wish(clean.text, When(day.year, day.month, day.day), moment_text(moment), topic, asked)
    organized: Organized | None = None
    if propose is not None and _is_news(memory, wish, caller):
        wish, organized = propose(wish)
    trailers = used_trailers(organized.used) if organized is not None else ()
    kept: list[Keeping] = []

    def plan(base: Snapshot) -> Edit | Rejected:
        found = keeping(wish, caller, base.facts)
        if not isinstance(found, Keeping):
            return Rejected(found)
        kept[:] = [found]
        if found.known:
            return Edit(base.tree, kind="remember")
        applied = apply_changes(base.tree, base.facts, found.changes, found.brought.places, memory.today())
        if not isinstance(applied, Applied):
            return Rejected(applied)
        brought = found.brought
        return Edit(
            applied.tree,
            frames=brought.frames,
            contexts=brought.contexts,
            kind="remember",
            trailers=trailers,
        )

    result = memory.commit(plan, memory.rules(caller))
    if isinstance(result, Rejected):
        return result
    committed = evolve(result, redacted=clean.found)
    name = source_of(wish, caller)
    known = name not in result.report.archived
    if not kept and not known:  # a request with a key that came again
        return _once_more(memory, committed, name)
    try:
        saved = _remembered(memory, committed, name, known)
        return evolve(saved, organized=organized)
    except Refused as refused:
        # A full disk, say: the words are saved, and no failure may say that they are not.
        told = evolve(committed, problems=(*committed.problems, *refused.problems))
        return Remembered(told, name, wish.at, (), known)


def _is_news(memory: Memory, wish: Wish, caller: Caller) -> bool:
    """Whether words can be saved, and are not saved already: nobody is asked about others."""
    from scriptorium_core.writing.remembering import Keeping, keeping

    with memory.reading() as (_, base):
        found = keeping(wish, caller, base.facts)
    return isinstance(found, Keeping) and not found.known


def _remembered(memory: Memory, result: Committed, name: SourceId, known: bool) -> Remembered:
    with memory.reading() as (_, base):
        source = base.facts.sources[name]
        records = lines_of(base.facts, base.facts.citing.get(source.place, ()))
    return Remembered(result, name, source.at, records, known)


def _once_more(memory: Memory, result: Committed, name: SourceId) -> Remembered:
    """What was answered when the commit was made, without what was forgotten since."""
    with memory.reading() as (_, base):
        source = base.facts.sources.get(name)
        records = made_in(memory, base.facts, result)
    return Remembered(result, name, source.at if source is not None else "", records, known=False)


def _held(facts: Facts, source: SourceFact) -> HeldMessage:
    received = source.context.at if source.context is not None else ""
    records = lines_of(facts, facts.citing.get(source.place, ()))
    return HeldMessage(turn_of(source, BRIEF), received, records)


def _meant(facts: Facts, name: str) -> Iterator[SourceId]:
    """The sources that a name means: a source itself, or all that a record cites and that waits."""
    bare = name.strip()
    known = facts.records.get(bare.removeprefix("^"))
    if bare in facts.sources or known is None:
        yield facts.places.get(bare, SourceId(bare))
        return
    yield from _waiting(facts, (cited.place for cited in known.record.sources))


def _waiting(facts: Facts, places: Iterable[str]) -> Iterator[SourceId]:
    named = (facts.places.get(place) for place in places)
    yield from (name for name in named if name is not None and not facts.sources[name].trusted)
