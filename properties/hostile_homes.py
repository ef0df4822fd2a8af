"""A small home that a hostile writer is let at, and what must hold in it whatever the writer did."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from scriptorium.conversations.store import open_store
from scriptorium.conversations.unwritten import count_pending
from scriptorium.workspace import Memory
from scriptorium.writer import Pass, Writer, write_session
from scriptorium_core.changes import Caller
from scriptorium_core.facts import SourceFact, human_of_owner
from scriptorium_core.names import CORE_TOPIC, SourceId
from scriptorium_core.policy import binds, is_instruction
from scriptorium_core.problem import Code
from scriptorium_core.topics.model import Cited, Record
from scriptorium_core.trailers import values_of
from scriptorium_core.transaction import Snapshot
from scriptorium_core.writing.outcome import Failed, NothingToKeep, Outcome, Wrote
from small_homes import (
    TALK,
    committed,
    count,
    create,
    delete,
    on_disk,
    opened,
    request,
    service,
    talk_of,
    told,
)
from small_memory import sure

__all__ = ["BATCH", "Ground", "broken_by", "grounded", "let_loose"]

BATCH = tuple(SourceId(f"chat/s1/{node.id}") for node in TALK)
OWNER, STRANGER = Caller(), Caller.unknown("tg/9", "Zed")


@frozen
class Ground:
    """A home as it is before a run: its folder, and what its memory holds.

    `held` rests on a stranger's words, `forgotten` is the id of a message that was forgotten;
    `gone` are all ids that were.
    """

    home: Path
    files: dict[str, bytes]
    records: dict[str, Record]
    sources: dict[str, SourceFact]
    held: str
    forgotten: str
    gone: frozenset[str]

    @property
    def topics(self) -> tuple[str, ...]:
        """The paths of its topics."""
        return tuple(path for path in self.files if path.startswith("topics/"))


def grounded(home: Path) -> Ground:
    """Make the home: records, an instruction, held words, messages that are forgotten or cited by nobody."""
    told(home)
    with opened(home / "memory") as memory:
        sure(memory.update(request(create("Tea is what Mara drinks."), create("The spare key is blue."))))
        sure(memory.update(request(create("Ines lives in Porto.", "topics/people/ines.md"), says="Ines.")))
        sure(memory.update(request(create("Write prices in euros.", CORE_TOPIC), says="Euros.")))
        strange = request(create("Zed sells keys.", "topics/zed.md"), says="I sell keys.")
        held = sure(memory.update(strange, STRANGER)).report.archived[0]
        loose = request(create("Soon forgotten.", "topics/gone.md"), says="Forget this.")
        gone = sure(memory.update(loose)).report
        alone = sure(memory.update(request(create("Deleted.", "topics/alone.md"), says="Cited by nobody.")))
        sure(memory.update({"memory_changes": [delete(alone.report.created[0])]}))
    with service(home) as forgetting:
        forgetting.forget([*gone.created, *gone.archived])
    with opened(home / "memory") as memory, memory.reading() as (_, base):
        files = {path: data for path, data in committed(memory).items() if data is not None}
        records = {block: known.record for block, known in base.facts.records.items()}
        return Ground(
            home,
            files,
            records,
            dict(base.facts.sources),
            held,
            gone.archived[0],
            frozenset(base.facts.forgotten),
        )


def let_loose(ground: Ground, home: Path, writer: Writer, goals: Sequence[int]) -> list[Outcome]:
    """The outcomes of a pass for each goal (characters in a batch) over a copy of the home."""
    shutil.copytree(ground.home, home)
    outcomes: list[Outcome] = []
    with opened(home / "memory") as memory, open_store(home / "sessions.sqlite3") as store:
        for goal in goals:
            made = Pass(memory, store, writer, count, goal, force=True)
            outcomes.extend(write_session(made, talk_of(store)))
    return outcomes


# --- What must hold ------------------------------------------------------------------------------


def broken_by(ground: Ground, home: Path, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What the run broke: nothing, whatever the writer did."""
    yield from _unnamed(outcomes)
    with service(home) as proving:
        faults = (found.problem for found in proving.verify().findings if found.level == "problem")
        yield from (f"{fault.path}: {fault.message}" for fault in faults)
        memory = proving.memory()
        with memory.reading() as (_, base):
            yield from _evidence(ground, base)
            yield from _records(ground, base, outcomes)
            yield from _unfounded(ground, base)
            yield from _messages(home, memory, base)
        yield from _commits(memory, outcomes)
        if on_disk(home / "memory") != committed(memory):
            yield "the working tree is not that of HEAD"
        if left := sorted(path.name for path in memory.layout.staging.iterdir()):
            yield f"left behind in staging: {left}"


def _unnamed(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Failures that do not say what they are and what is to be done."""
    if not outcomes:
        yield "the pass said nothing"
    for outcome in outcomes:
        if isinstance(outcome, Failed):
            if not (outcome.code in Code and outcome.message.isprintable() and outcome.message):
                yield f"a failure without a name: {outcome}"
            yield from (f"no remedy: {each}" for each in outcome.problems if not each.remedy)


def _evidence(ground: Ground, base: Snapshot) -> Iterator[str]:
    """Archives only grow at their ends, by messages of the conversation; what was forgotten stays so."""
    facts = base.facts
    for path, data in ground.files.items():
        if path.startswith("sources/") and base.tree.get(path) != data:
            yield f"{path} is not what it was"
    for name, known in ground.sources.items():
        if facts.sources.get(name) != known:
            yield f"{name} is not what it was"
    if strange := facts.sources.keys() - ground.sources.keys() - set(BATCH):
        yield f"archived, and said by nobody: {sorted(strange)}"
    if facts.forgotten.keys() != ground.gone:
        yield f"forgotten now: {dict(facts.forgotten)}"


def _records(ground: Ground, base: Snapshot, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Each earlier record stands, as it was unless an outcome says that it was updated or deleted."""
    wrote = [outcome for outcome in outcomes if isinstance(outcome, Wrote)]
    deleted = {block for outcome in wrote for block in outcome.deleted}
    updated = {block for outcome in wrote for block in outcome.updated}
    for block, before in ground.records.items():
        known = base.facts.records.get(block)
        if known is None:
            if block not in deleted:
                yield f"{block} is gone, and nobody deleted it"
            continue
        after = known.record
        if block in deleted:
            yield f"{block} stands, and is said to be deleted"
        changed = (after.content, _cited(after)) != (before.content, _cited(before))
        if changed and not {block, after.id} & updated:
            yield f"{block} is not what it was, and nobody updated it"


def _unfounded(ground: Ground, base: Snapshot) -> Iterator[str]:
    """Citations of what no writer was given, and instructions that the owner never gave."""
    facts = base.facts

    def entitled(source: Cited) -> bool:
        said = facts.sources.get(facts.places.get(source.place, ""))
        return said is not None and human_of_owner(said)

    before = {source for record in ground.records.values() for source in _cited(record)}
    allowed = {place for place, name in facts.places.items() if name in BATCH} | before
    for known in facts.newest:
        record = known.record
        if strange := _cited(record) - allowed:
            yield f"{record.id} cites {sorted(strange)}"
        if is_instruction(record) and not binds(record, entitled):
            yield f"{record.id} is an instruction without the words of the owner"
        rests = [facts.sources.get(facts.places.get(place, "")) for place in _cited(record)]
        if not all(said is not None and said.trusted for said in rests) and record.id not in ground.records:
            yield f"{record.id} rests on held words"


def _messages(home: Path, memory: Memory, base: Snapshot) -> Iterator[str]:
    """Each message is archived once, or pending still."""
    archives = "".join(
        (base.tree.get(path) or b"").decode() for path in base.tree.under("sources/") if path.endswith(".md")
    )
    times = [archives.count(f"<!-- source-id:{name} -->") for name in BATCH]
    if max(times) > 1:
        yield f"archived more than once: {times}"
    with open_store(home / "sessions.sqlite3") as store:
        waiting = count_pending(store, talk_of(store), memory.workspace)
    if waiting != times.count(0):
        yield f"{waiting} messages wait, and {times.count(0)} are not archived"


def _commits(memory: Memory, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Commits are those that outcomes name, and say of themselves what is so, whatever a writer said."""
    made = [o.commit for o in outcomes if isinstance(o, Wrote | NothingToKeep) and o.commit]
    entries = [entry for entry in memory.history.log() if values_of(entry.trailers, "Writer")]
    if [entry.commit for entry in reversed(entries)] != made:
        yield f"commits that no outcome names: {[entry.subject for entry in entries]}"
    for entry in entries:
        said = [values_of(entry.trailers, key) for key in ("Writer", "Kind", "Session", "Forgotten")]
        if said != [("hostile",), ("write",), ("chat/s1",), ()]:
            yield f"{entry.commit} says {said}"


def _cited(record: Record) -> frozenset[str]:
    return frozenset(source.place for source in record.sources)
