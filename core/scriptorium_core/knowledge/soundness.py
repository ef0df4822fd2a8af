"""What must hold of a whole memory: citations resolve, links land, archives are whole, views are right."""

from collections.abc import Iterator, Mapping

from ..facts.model import Facts
from ..facts.rows import ArchiveRows
from ..problem import Code, Problem
from ..topics.records import Record
from ..topics.standing import read_noted
from ..tree import Tree
from ..views.derive import is_view

__all__ = ["archive_faults", "record_faults", "returned", "standing_faults", "view_faults"]


def record_faults(facts: Facts, record: Record) -> Iterator[Problem]:
    """Citations that lead nowhere, links that do not land, ids that were forgotten."""
    where = (record.path, record.lines[0])
    for cited in record.sources:
        if cited.place not in facts.places if cited.place else cited.target not in facts.sources:
            message = f"^{record.id} cites {cited.target}, and no such message is archived"
            remedy = "restore the archive from an earlier commit, or cite a message that is archived"
            yield Problem(Code.MISSING_SOURCE, message, *where, remedy)
    for block in record.links:
        if block not in facts.records:
            message = f"^{record.id} links to ^{block}, which is nowhere"
            yield Problem(Code.LINK_DANGLING, message, *where, "change the link, or restore what it led to")
    yield from returned(facts, record)


def standing_faults(record: Record) -> Iterator[Problem]:
    """What cannot be read of how far a record may be relied on; it is kept as it is written."""
    for group in record.evidence:
        for fault in read_noted(group.fields)[1]:
            message = f"in the definition {group.id} of ^{record.id} {fault.message}"
            yield fault._replace(message=message, path=record.path, line=record.lines[0])


def returned(facts: Facts, record: Record) -> Iterator[Problem]:
    """That what was forgotten stands again, by a commit that no check saw."""
    for block in record.ids:
        if block in facts.forgotten:
            message = f"^{block} was forgotten on {facts.forgotten[block]} and stands here again"
            remedy = f"`scriptorium forget ^{block}` takes it out again; if it is wanted, say it anew"
            yield Problem(Code.FORGOTTEN, message, record.path, record.lines[0], remedy)


def archive_faults(rows: ArchiveRows) -> Iterator[Problem]:
    """That an archive cannot be read to its end."""
    if rows.archive.broken_at:
        message = f"the archive breaks here, after {rows.archive.frames} sound messages"
        remedy = "restore the file from an earlier commit; until then nothing is added to it"
        yield Problem(Code.SOURCES_CHANGED, message, rows.path, rows.archive.broken_at, remedy)


def view_faults(tree: Tree, derived: Mapping[str, bytes]) -> Iterator[Problem]:
    """The views that are not what is derived from topics and archives."""
    remedy = "the next change that touches it derives it anew"
    for path, data in sorted(derived.items()):
        found = tree.get(path)
        if found != data:
            what = "is missing" if found is None else "is not what the topics say"
            yield Problem(Code.VIEW_STALE, f"the view {what}", path, remedy=remedy)
    for path in tree.under(""):
        if is_view(path) and path not in derived:
            yield Problem(Code.VIEW_STALE, "nothing in the topics leads to this view", path, remedy=remedy)
