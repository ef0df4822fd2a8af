"""What one file of a memory contributes to the facts, and what each record says on its own."""

from collections.abc import Mapping
from hashlib import sha256

from attrs import frozen

from ..names import EvidenceId, SourceId, TopicPath, path_key, spelling, topic_path
from ..problem import Problem
from ..sources.archive import is_archive, scan
from ..sources.archived import Archived
from ..sources.context import read_context
from ..sources.frame import Context
from ..sources.framing import is_framed
from ..topics.model import Record, Topic
from ..topics.parse import parse_topic
from ..topics.questions import question_key, questions_of
from ..topics.render import render_topic
from ..when import render_when
from .model import ArchiveFact, Event, SourceFact

__all__ = [
    "ArchiveRows",
    "ContextRows",
    "Rows",
    "TopicRows",
    "contributes",
    "events_of",
    "file_facts",
    "keys_of",
    "messages_in",
    "places_of",
    "shard_of",
    "with_contexts",
]


@frozen
class TopicRows:
    """A topic: the records that have an id, the evidence ids that it defines, and what is wrong in it."""

    path: TopicPath
    records: tuple[Record, ...]
    evidence: tuple[EvidenceId, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def key(self) -> str:
        """What no other topic's path may share (`names.path_key`)."""
        return path_key(self.path)

    @property
    def spelling(self) -> str:
        """What the spellings of its title share (`names.spelling`)."""
        return spelling(self.path)


@frozen
class ArchiveRows:
    """An archive and its messages in order, their contexts not joined; `older`: not of version 2."""

    archive: ArchiveFact
    sources: tuple[SourceFact, ...]
    older: bool

    @property
    def path(self) -> str:
        """The archive's path."""
        return self.archive.path


@frozen
class ContextRows:
    """The lines of a context file, and what is wrong in it."""

    path: str
    contexts: tuple[Context, ...]
    problems: tuple[Problem, ...] = ()


Rows = TopicRows | ArchiveRows | ContextRows


def contributes(path: str) -> bool:
    """Whether a file at `path` may hold facts: a topic, an archive, or a context file beside one.

    Hidden folders (an editor's bin, say) are no part of memory, nor are names that UTF-8 cannot hold.
    """
    if "/." in path or not _is_text(path):
        return False
    if path.startswith("topics/"):
        return path.endswith(".md")
    return is_archive(path) or _is_context(path)


def file_facts(path: str, data: bytes, parsed: Topic | None = None) -> Rows | None:
    """Everything that one file contributes; None for a file that holds no facts. Never raises.

    `parsed` is what a topic without problems was parsed to, if that is known; it is used if it is that
    of these very bytes.
    """
    if not contributes(path):
        return None
    if path.startswith("topics/"):
        return _topic(path, data, parsed)
    return _contexts(path, data) if _is_context(path) else _archive(path, data)


def messages_in(path: str, data: bytes | None, beside: bytes | None) -> tuple[SourceFact, ...]:
    """The messages of an archive with their contexts, read from both files; none where there is none."""
    rows = file_facts(path, data) if data is not None else None
    lines = file_facts(path.removesuffix(".md") + ".jsonl", beside) if beside is not None else None
    if not isinstance(rows, ArchiveRows):
        return ()
    contexts = lines.contexts if isinstance(lines, ContextRows) else ()
    return with_contexts(rows, {each.id: each for each in contexts})


def with_contexts(rows: ArchiveRows, contexts: Mapping[SourceId, Context]) -> tuple[SourceFact, ...]:
    """The messages of an archive, each with its context; nothing stands beside one of an older form."""
    if rows.older:
        return rows.sources
    return tuple(source._replace(context=contexts.get(source.id)) for source in rows.sources)


def events_of(record: Record) -> tuple[Event, ...]:
    """The dated evidence groups of a record, in order."""
    return tuple(
        Event(render_when(group.when), record.id, record.path, group.quote, group.sources)
        for group in record.evidence
        if group.when is not None
    )


def places_of(record: Record) -> tuple[str, ...]:
    """The places that a record cites, in order, each once."""
    places = (cited.place for group in record.evidence for cited in group.sources)
    return tuple(dict.fromkeys(place for place in places if place))


def keys_of(record: Record) -> tuple[str, ...]:
    """The keys of the questions that a record carries, in order."""
    return tuple(map(question_key, questions_of(record)))


def shard_of(block: str) -> str:
    """The shard of relations to which an id belongs: the first two hex digits of its SHA-256."""
    return sha256(block.encode("utf-8", "surrogatepass")).hexdigest()[:2]


def _topic(path: str, data: bytes, parsed: Topic | None) -> TopicRows:
    named = topic_path(path)
    faulty = (named._replace(path=path),) if isinstance(named, Problem) else ()
    known = parsed is not None and parsed.path == path and render_topic(parsed) == data
    topic, problems = (parsed, ()) if parsed and known else parse_topic(TopicPath(path), data)
    # A record without an id is a draft: it is known from the commit on that gives it one.
    records = tuple(record for record in topic.records if record.ids)
    return TopicRows(topic.path, records, tuple(map(EvidenceId, topic.definitions)), faulty + problems)


def _archive(path: str, data: bytes) -> ArchiveRows:
    archive = scan(path, data)
    sources = tuple(_source(path, frame) for frame in archive.frames)
    return ArchiveRows(ArchiveFact(path, len(sources), archive.broken_at), sources, not is_framed(path))


def _source(path: str, frame: Archived) -> SourceFact:
    made_by = frame.provenance
    return SourceFact(
        id=frame.id,
        place=f"{path}#{frame.anchor}",
        line=frame.line,
        label=frame.label,
        at=frame.at,
        text=frame.text,
        speaker_id=frame.speaker_id,
        speaker_kind=made_by.speaker_kind if made_by else "",
        tier=made_by.tier if made_by else None,
        trusted=frame.trusted,
    )


def _contexts(path: str, data: bytes) -> ContextRows:
    contexts, problems = read_context(path, data)
    return ContextRows(path, contexts, problems)


def _is_context(path: str) -> bool:
    return path.endswith(".jsonl") and is_framed(path.removesuffix(".jsonl") + ".md")


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
