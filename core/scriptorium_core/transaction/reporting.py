"""What a transaction did, for the caller and for the commit that records it."""

from collections.abc import Iterator

from ..markdown.links import without_paths
from ..names import BlockId
from ..topics.normalize import Naming
from ..topics.records import Record
from ..trailers import Trailer, id_trailers
from .archiving import Archive
from .model import Edit, Report, Topics

__all__ = ["report_of", "subject_of", "trailers_of"]


def report_of(before: Topics, after: Topics, naming: Naming, archive: Archive) -> Report:
    """What the transaction did to each record, by its ids in order of occurrence."""
    old, new = dict(_each(before)), dict(_each(after))
    kept = [block for block in new if block in old]
    return Report(
        created=tuple(block for block in new if block not in old),
        updated=tuple(block for block in kept if _content(old[block]) != _content(new[block])),
        deleted=tuple(block for block in old if block not in new),
        moved=tuple(block for block in kept if old[block].path != new[block].path),
        superseded=tuple(block for block in kept if _closed(new[block]) > _closed(old[block])),
        archived=tuple(source.id for source in archive.sources.values()),
        promoted=tuple(source.id for source in archive.promoted.values()),
        topics=tuple(
            sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        ),
        naming=naming,
    )


def _each(topics: Topics) -> Iterator[tuple[BlockId, Record]]:
    for path in sorted(topics):
        for record in topics[path].records:
            for block in record.ids:
                yield block, record


def _content(record: Record) -> tuple[object, ...]:
    """What a record says, its links by id: a path that was recomputed is no change of the record."""
    evidence = tuple(group._replace(quote="", sources=()) for group in record.evidence)
    places = tuple(source.place for source in record.sources)
    return without_paths(record.content), evidence, places


def _closed(record: Record) -> int:
    return sum(name == "Until" for group in record.evidence for name, _ in group.fields)


def subject_of(report: Report) -> str:
    """The first line of the commit, when the caller gives none."""
    counts = {
        "create": report.created,
        "update": report.updated,
        "delete": report.deleted,
        "move": report.moved,
        "archive": report.archived,
        "promote": report.promoted,
    }
    parts = [f"{verb} {len(ids)}" for verb, ids in counts.items() if ids]
    where = f" in {report.topics[0]}" if len(report.topics) == 1 else f" in {len(report.topics)} topics"
    return (", ".join(parts) or "Change memory").capitalize() + (where if report.topics else "")


def trailers_of(edit: Edit, report: Report) -> tuple[Trailer, ...]:
    """The trailers of the commit: its kind, what the caller adds, and the ids by what happened to them."""
    listed = {
        "Created": report.created,
        "Deleted": report.deleted,
        "Superseded": report.superseded,
        "Moved": report.moved,
        "Promoted": report.promoted,
        "Overruled": report.overruled,
    }
    named = tuple(line for key, ids in listed.items() for line in id_trailers(key, ids))
    return (("Kind", edit.kind), *edit.trailers, *named)
