"""The whole memory organized, portion by portion, a commit each; what is done is kept, so that a run goes on.

The kept state is no truth: without it a run begins anew, and finds little to do.
"""

import contextlib
from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from scriptorium_core.knowledge.words import patch
from scriptorium_core.names import SourceId, TopicPath, path_key
from scriptorium_core.problem import Code, Problem
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.transaction import Prepared, Rejected, Snapshot
from scriptorium_core.writing.admitting import cited_in
from scriptorium_core.writing.cadence import DAY, seconds_of
from scriptorium_core.writing.organizing import Run, decode_run, encode_run
from scriptorium_core.writing.outcome import Failed, NothingToKeep, Outcome, Wrote
from scriptorium_core.writing.portions import Sized, portions

from .. import files
from ..clock import time_of
from ..lock import held
from ..refused import Refused
from ..workspace import Memory
from ..writer import Task
from .asking import Asking, Terms, failed, rehearsed, tried

__all__ = ["Portion", "organize", "rehearse"]

_STATE = "organize.json"
_PATIENCE = 1.0
_PASSED_OVER = (Code.COMMIT_REJECTED, Code.TOO_MANY_DELETIONS, Code.WRITER_NO_PROGRESS)
"""What concerns one portion alone: the others go on."""


@frozen
class Portion:
    """What became of some topics that were organized together, the `number`th of `of`.

    `patch` is what would change, where nothing was committed.
    """

    topics: tuple[TopicPath, ...]
    outcome: Outcome
    number: int
    of: int
    patch: str = ""


def organize(made: Asking, topics: Sequence[TopicPath] = ()) -> Iterator[Portion]:
    """Organize these topics, or the whole memory; a portion each, the last one says how it ended.

    A run over the whole memory that was ended goes on where it was, for a day. What concerns one portion
    alone (its changes were refused) passes it over; any other failure ends the run.
    """
    try:
        root = made.memory.layout.root
        with files.explained(root), held(made.memory.layout.runtime / "pass.lock", _PATIENCE):
            run = Run() if topics else _begun(made)
            found = _portions(made, topics, run)
            for number, portion in enumerate(found, 1):
                outcome = _organized(made, portion, number, len(found))
                goes_on = not isinstance(outcome, Failed) or outcome.code in _PASSED_OVER
                if not topics and goes_on:
                    wrote = outcome.topics if isinstance(outcome, Wrote) else ()
                    run = evolve(run, done=run.done | {*portion, *map(TopicPath, wrote)})
                    _keep(made.memory, run)
                yield Portion(portion, outcome, number, len(found))
                if not goes_on:
                    return
            if not topics:
                _keep(made.memory, Run())
    except Refused as refused:
        yield Portion((), failed(made.writer.name, refused.problems), 0, 0)


def rehearse(made: Asking, topics: Sequence[TopicPath] = ()) -> Iterator[Portion]:
    """What organizing would change, portion by portion; nothing is committed, and nothing kept."""
    try:
        found = _portions(made, topics, Run())
        for number, portion in enumerate(found, 1):
            task, terms = _asked(made, portion, number, len(found))
            result = rehearsed(made, task, terms)
            match result:
                case Prepared():
                    yield Portion(
                        portion, _would(result, terms.tokens), number, len(found), _patch(made, result)
                    )
                case Rejected(problems):
                    yield Portion(portion, failed(made.writer.name, problems), number, len(found))
                case NothingToKeep() | Failed():
                    yield Portion(portion, result, number, len(found))
    except Refused as refused:
        yield Portion((), failed(made.writer.name, refused.problems), 0, 0)


# --- Portions ------------------------------------------------------------------------------------


def _portions(made: Asking, topics: Sequence[TopicPath], run: Run) -> tuple[tuple[TopicPath, ...], ...]:
    with made.memory.reading() as (_, base):
        paths = _named(base, topics) if topics else _whole(base)
        sized = [_sized(made, base, path) for path in paths if path not in run.done]
    return portions(sized, made.goal)


def _whole(base: Snapshot) -> list[TopicPath]:
    return sorted(topic.path for topic in base.facts.topics.values() if topic.ids and not topic.problems)


def _named(base: Snapshot, topics: Sequence[TopicPath]) -> list[TopicPath]:
    """The topics as they are spelled; one that is not there, or cannot be read, is refused."""
    found = [base.facts.topics.get(path_key(path)) for path in topics]
    missing = [path for path, topic in zip(topics, found, strict=True) if topic is None]
    if missing:
        remedy = "see `scriptorium topics` for those that there are"
        raise Refused(
            *(
                Problem(Code.MEMORY_NOT_FOUND, f"there is no topic {path}", path, remedy=remedy)
                for path in missing
            )
        )
    broken = [topic.problems[0] for topic in found if topic is not None and topic.problems]
    if broken:
        raise Refused(*broken)
    return sorted({topic.path for topic in found if topic is not None})


def _sized(made: Asking, base: Snapshot, path: TopicPath) -> Sized:
    data = base.tree.get(path) or b""
    links = {block for record in parse_topic(path, data)[0].records for block in record.links}
    known = (base.facts.records.get(block) for block in sorted(links))
    linked = frozenset(each.record.path for each in known if each is not None) - {path}
    return Sized(path, made.count(data.decode("utf-8", "replace")), linked)


# --- One portion ---------------------------------------------------------------------------------


def _organized(made: Asking, portion: tuple[TopicPath, ...], number: int, of: int) -> Outcome:
    task, terms = _asked(made, portion, number, of)
    made.progress(
        f"portion {number} of {of}: {portion[0]}" + (f" and {len(portion) - 1} more" if portion[1:] else "")
    )
    return tried(made, task, terms)


def _asked(made: Asking, portion: tuple[TopicPath, ...], number: int, of: int) -> tuple[Task, Terms]:
    """What a writer is asked for a portion: it may cite what these topics cite, and nothing else."""
    memory = made.memory
    with memory.reading() as (_, base):
        citable: frozenset[SourceId] = cited_in(base, portion)
        texts = [(base.tree.get(path) or b"").decode("utf-8", "replace") for path in portion]
        known = [base.facts.topics.get(path_key(path)) for path in portion]
    shown = sum(len(topic.ids) for topic in known if topic is not None)
    subject = f"Organize {portion[0] if len(portion) == 1 else f'{len(portion)} topics'}"
    trailers = (("Portion", f"{number}/{of}"),)
    task = Task(
        "organize",
        (),
        memory.reading,
        made.caller,
        memory.today(),
        made.count,
        portion=portion,
        progress=made.progress,
    )
    return task, Terms("organize", subject, citable, trailers, shown, sum(map(made.count, texts)))


def _would(prepared: Prepared, tokens: int) -> Wrote:
    report = prepared.report
    ids = (report.created, report.updated, report.deleted, report.topics)
    return Wrote("", *ids, tokens=tokens, summary=prepared.subject)


def _patch(made: Asking, prepared: Prepared) -> str:
    with made.memory.reading() as (_, base):
        changed = sorted(path for path in prepared.tree.differences() if path.startswith("topics/"))
        pairs = ((path, base.tree.get(path), prepared.tree.get(path)) for path in changed)
        return "".join(patch(path, _text(old), _text(new)) for path, old, new in pairs)


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")


# --- How far a run has come ----------------------------------------------------------------------


def _begun(made: Asking) -> Run:
    """The run that was ended before its end, if it is the same writer's and of the last day, or a new one."""
    memory, now = made.memory, time_of(made.memory.moment())
    known = decode_run(files.read(memory.layout.runtime / _STATE, memory.layout.root))
    begun = seconds_of(known.begun_at)
    age = memory.moment().seconds - begun if begun is not None else DAY
    if known.writer == made.writer.name and 0 <= age < DAY:
        return known
    run = Run(now.isoformat(), made.writer.name)
    _keep(memory, run)
    return run


def _keep(memory: Memory, run: Run) -> None:
    with contextlib.suppress(OSError, Refused):  # it is no truth: a run begins anew without it
        files.write_durable(memory.layout.runtime / _STATE, encode_run(run), root=memory.layout.root)
