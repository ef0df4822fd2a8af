"""The definitions that operations write: which sources they name, and how a file spells them."""

from attrs import evolve

from ..markdown.footnotes import Footnote, Source
from ..markdown.links import relative
from ..names import TopicPath, source_id
from ..problem import Code, Problem, within
from ..topics.edit import definitions_of, shared_notes
from ..topics.model import Record, Topic, place_of
from ..when import When
from .model import SourceUse
from .working import Working

__all__ = ["closed", "meaning", "note_of", "rebased", "unknown_sources"]

UNTIL = "Until"


def unknown_sources(work: Working, uses: tuple[SourceUse, ...]) -> tuple[Problem, ...]:
    """Why some of the sources cannot be cited."""
    return tuple(within(fault, use.place) for use in uses if (fault := _fault(work, use.source)) is not None)


def note_of(
    work: Working,
    path: TopicPath,
    label: str,
    when: When | None,
    uses: tuple[SourceUse, ...],
    fields: tuple[tuple[str, str], ...] = (),
) -> Footnote:
    """The definition that cites some sources in the file `path`, by handle: the commit links them."""
    names = [(use.label, _identity(work, use.source)) for use in uses]
    sources = tuple(Source(shown, _target(work, path, name)) for shown, name in names)
    return Footnote(label, when, sources, fields)


def closed(topic: Topic, record: Record, until: str, label: str) -> tuple[Footnote, ...]:
    """The definitions of a record with the validity of those closed that are open.

    One that another record cites as well stays open for that one: a copy, called `label`, is closed.
    """
    shared = shared_notes(topic, record)
    notes: list[Footnote] = []
    for note in definitions_of(topic, record):
        if any(name == UNTIL for name, _ in note.fields):
            notes.append(note)
            continue
        copies = sum(each.id.startswith(label) for each in notes)
        name = f"{label}{f'-{copies + 1}' if copies else ''}" if note.id in shared else note.id
        notes.append(evolve(note, id=name, fields=(*note.fields, (UNTIL, until))))
    return tuple(notes)


def rebased(work: Working, note: Footnote, old: TopicPath, new: TopicPath) -> Footnote:
    """The definition as the file `new` spells it, after it stood in the file `old`."""
    if old == new:
        return note
    return evolve(note, sources=tuple(_rebased(work, source, old, new) for source in note.sources))


def meaning(path: TopicPath, note: Footnote) -> tuple[object, ...]:
    """What a definition in the file `path` says, however it spells the way to its sources."""
    return note.when, note.fields, tuple(place_of(path, source) or source.target for source in note.sources)


def _rebased(work: Working, source: Source, old: TopicPath, new: TopicPath) -> Source:
    place = _place(work, source.target) if source.is_handle else place_of(old, source)
    return Source(source.label, relative(new, place)) if place else source


def _fault(work: Working, source: str) -> Problem | None:
    if source in work.places or source in work.facts.sources:
        return None
    if source in work.facts.forgotten:
        message = f"the source {source} was forgotten on {work.facts.forgotten[source]}"
        return Problem(Code.FORGOTTEN, message, remedy="cite another source, or leave the record out")
    if source_id(source) is None and not source.startswith(("new-source-", "D")):
        return Problem(
            Code.INVALID_TOPIC_FORMAT, f"{source!r} is not a source id", remedy="use provider/thread/message"
        )
    return Problem(
        Code.MISSING_SOURCE,
        f"no source {source!r} is archived",
        remedy="cite an archived source or bring it in `sources`",
    )


def _identity(work: Working, source: str) -> str:
    """The id of a source that a request names by its id or by its label."""
    place = work.places.get(source)
    return next((name for name, where in work.places.items() if where == place and "/" in name), source)


def _target(work: Working, path: TopicPath, source: str) -> str:
    """The id itself, or a link where a definition cannot hold the id: one with `#` would read as a link."""
    return relative(path, _place(work, source)) if any(char in "()#" for char in source) else source


def _place(work: Working, source: str) -> str:
    known = work.facts.sources.get(source)
    return work.places.get(source, known.place if known else "")
