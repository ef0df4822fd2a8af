"""The history of memory by record: the versions of one, what differs between two commits, and the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from scriptorium_core.facts import Known
from scriptorium_core.forgetting import targets_of
from scriptorium_core.knowledge import versions, withholding, words
from scriptorium_core.knowledge.versions import Deed
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall.grounds import ground
from scriptorium_core.trailers import values_of
from scriptorium_core.when import render_when

from ..history.permitted import PermittedHistory
from ..history.touching import told, touching
from ..history.walking import touching_both, walked
from ..index.commits import newest_first
from ..refused import Refused
from .model import LogEntry
from .reading import find
from .revisions import parent_of, revision
from .shaping import line_of, moment_text
from .trail import records_in, topic_changes, trail
from .versioned import Blame, Differed, Ground, Restated, Stage, Step, Version

if TYPE_CHECKING:
    from scriptorium_core.facts import Facts
    from scriptorium_core.forgetting.model import Targets
    from scriptorium_core.topics.records import Evidence, Record

    from ..history import Change, Entry
    from ..workspace import Memory

__all__ = ["blame", "diff", "log", "patch"]


def blame(memory: Memory, name: str) -> Blame:
    """The versions of a record, deleted ones too. Raises Refused where no commit knows it."""
    block = name.strip().removeprefix("^")
    with memory.reading() as (head, base):
        facts = base.facts
        if block in facts.forgotten:
            return _forgotten(memory, head, block, facts.forgotten[block])
        steps = _steps(memory, facts, head, block)
        forgotten = targets_of(facts.forgotten)
        found = tuple(_version(facts, entry, _shown(facts, each, forgotten)) for entry, each in steps)
    return Blame(head, block, found)


def diff(memory: Memory, old: str = "", new: str = "", topic: str = "") -> Differed:
    """What became of each record from revision `old` to `new`.

    Without revisions: by the newest commit; with one: from it to the present.
    """
    before, after = _ends(memory, old, new)
    changes = _below(topic_changes(memory.history, before, after), topic)
    with memory.reading() as (_, base):
        states = [
            [record for path, blob in places for record in records_in(memory.history, path, blob)]
            for places in (
                [(each.path, each.old) for each in changes],
                [(each.path, each.new) for each in changes],
            )
        ]
        forgotten = targets_of(base.facts.forgotten)
        steps = tuple(_shown(base.facts, each, forgotten) for each in versions.steps(*states))
    return Differed(before, after, steps, tuple(change.path for change in changes))


def patch(memory: Memory, old: str = "", new: str = "", topic: str = "") -> str:
    """The same as a unified diff of the topics, without the records that were forgotten."""
    before, after = _ends(memory, old, new)
    with memory.reading() as (_, base):
        forgotten = targets_of(base.facts.forgotten)
    changes = _below(topic_changes(memory.history, before, after), topic)
    return "".join(
        words.patch(each.path, *(_text(memory, each.path, blob, forgotten) for blob in (each.old, each.new)))
        for each in changes
    )


def log(memory: Memory, limit: int | None, topic: str = "", record: str = "") -> tuple[LogEntry, ...]:
    """The newest commits, of these only those that touched a topic (or folder of topics), or a record."""
    if memory.revision is None:
        return ()
    history, head = memory.history, memory.revision
    touched = touching_both(history, head, *_paths(topic)) if topic else None
    if record:
        among = None if touched is None else frozenset(touched)
        named = _of_record(memory, record.strip().removeprefix("^"))
        touched = (commit for commit in named if among is None or commit in among)
    everything = history.log(head, limit) if isinstance(history, PermittedHistory) else walked(history, head)
    found = everything if touched is None else told(history, touched, *_below_names(topic))
    return tuple(map(_entry, islice(found, limit)))


# --- One record ------------------------------------------------------------------------------------


def _steps(
    memory: Memory, facts: Facts, head: str | None, block: str
) -> Iterator[tuple[Entry, versions.Step]]:
    known, mentions = facts.records.get(block), memory.index.queries.mentions(block)
    if head is None or (known is None and not mentions) or block in facts.sources:
        found = find(memory, facts, block)  # raises where nothing has this name
        if not isinstance(found, Known):
            raise Refused(_no_record(block))
    if head is None:
        return iter(())
    by = partial(touching, memory.history)
    return trail(memory.history, by, block, head, known.record.path if known else None, mentions)


def _of_record(memory: Memory, block: str) -> tuple[str, ...]:
    """The commits that touched a record, or name it, newest first."""
    with memory.reading() as (head, base):
        named = {each.commit for each in memory.index.queries.mentions(block)}
        gone = block in base.facts.forgotten
        steps = () if gone else _steps(memory, base.facts, head, block)
        made = {entry.commit: entry for entry, _ in steps}
        known = newest_first(memory.index.queries, named | made.keys())
        aside = [made[commit] for commit in made if commit not in known]
    if not aside:
        return known
    # What came from another copy: the index has the line of first parents alone.
    entries = [*map(memory.history.entry, known), *aside]
    return tuple(e.commit for e in sorted(entries, key=lambda entry: -entry.when.seconds))


def _forgotten(memory: Memory, head: str | None, block: str, day: str) -> Blame:
    mentions = memory.index.queries.mentions(block)
    by = next((each.commit for each in mentions if each.name == "Forgotten"), "")
    return Blame(head, block, (), day, by)


def _version(facts: Facts, entry: Entry, step: Step) -> Version:
    batch, session, writer, kind = (
        next(iter(values_of(entry.trailers, key)), "") for key in ("Batch", "Session", "Writer", "Kind")
    )
    at = moment_text(entry.when)
    return Version(entry.commit, at, entry.author, kind, entry.subject, batch, session, writer, step)


def _shown(facts: Facts, found: versions.Step, forgotten: Targets) -> Step:
    deeds = tuple(map(str, found.deeds))
    if versions.withheld(found, forgotten):
        return Step(found.id, deeds, None, None, withheld=True)
    before, after = (None if each is None else _stage(facts, each) for each in (found.before, found.after))
    told = {Deed.CREATED, Deed.DELETED, Deed.CHANGED}.intersection(found.deeds)
    gained, lost = (tuple(_ground(facts, each) for each in groups) for groups in (found.gained, found.lost))
    standing = None if found.restated is None else Restated(*found.restated)
    words_told = found.words if told else ()
    return Step(found.id, deeds, before, after, words_told, gained, lost, standing=standing)


def _stage(facts: Facts, record: Record) -> Stage:
    return Stage(line_of(record), record.aliases, tuple(_ground(facts, group) for group in record.evidence))


def _ground(facts: Facts, group: Evidence) -> Ground:
    named = (
        (source.id if source is not None else cited.place or cited.target)
        for cited in group.sources
        for source in (ground(facts, cited).source,)
    )
    return Ground(group.id, render_when(group.when), tuple(named), group.fields)


# --- Two revisions ---------------------------------------------------------------------------------


def _ends(memory: Memory, old: str, new: str) -> tuple[str | None, str]:
    """The two commits that are compared."""
    after = revision(memory, new or "HEAD", "new")
    return (revision(memory, old, "old").commit if old else parent_of(after)), after.commit


def _below(changes: Iterable[Change], topic: str) -> tuple[Change, ...]:
    paths = _paths(topic)
    return tuple(each for each in changes if each.path in paths or each.path.startswith(f"{paths[0]}/"))


def _text(memory: Memory, path: str, blob: str | None, forgotten: Targets) -> str | None:
    data = None if blob is None else withholding.shown(path, memory.history.blob(blob), forgotten)
    return None if data is None else data.decode("utf-8", "replace")


# --- The log ---------------------------------------------------------------------------------------


def _paths(topic: str) -> tuple[str, ...]:
    """The folder and the topics that a person may mean by a name; all topics if it is empty."""
    bare = topic.strip().strip("/")
    inside = bare if bare.split("/")[0] == "topics" else f"topics/{bare}".rstrip("/")
    return (inside, f"{inside}.md")


def _below_names(topic: str) -> tuple[str, ...]:
    return _paths(topic) if topic else ()


def _entry(entry: Entry) -> LogEntry:
    kind = next(iter(values_of(entry.trailers, "Kind")), "")
    return LogEntry(entry.commit, moment_text(entry.when), entry.author, entry.subject, kind, entry.trailers)


def _no_record(name: str) -> Problem:
    message = f"{name} is no record; only a record has versions"
    return Problem(Code.INVALID_ARGUMENT, message, name, remedy="name one of its records by ^id")
