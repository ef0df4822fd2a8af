"""The evidence that a transaction archives itself, in the commit of the records that cite it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from attrs import field, frozen

from ..facts.model import SourceFact
from ..names import anchor, archive_path, context_path
from ..problem import Code, Problem
from ..sources.archive import append
from ..sources.context import append_context
from ..sources.frame import Context, Frame, Trust, label
from .model import Edit, Snapshot
from .promoting import consented

__all__ = ["Archive", "archived"]

_Result = bytes | tuple[Problem, ...]


@frozen
class Archive:
    """What the transaction archives and promotes: the new files, and the messages of both by place."""

    files: Mapping[str, bytes] = field(factory=dict[str, bytes])
    sources: Mapping[str, SourceFact] = field(factory=dict[str, SourceFact])
    problems: tuple[Problem, ...] = ()
    promoted: Mapping[str, SourceFact] = field(factory=dict[str, SourceFact])


def archived(base: Snapshot, edit: Edit) -> Archive:
    """The frames of the edit appended to their archives; those that stand there already are left.

    A context goes beside its frame. One of a message that is archived already says that its branch is
    another one now.
    """
    files: dict[str, bytes] = {}
    problems: list[Problem] = []
    contexts = {context.id: context for context in edit.contexts}
    new = [frame for frame in edit.frames if frame.id not in base.facts.sources]
    for name, result in (*_appended(base, edit.frames), *_described(base, edit)):
        if isinstance(result, bytes):
            files[name] = result
        else:
            problems += result
    problems += [
        Problem(
            Code.FORGOTTEN,
            f"the source {frame.id} was forgotten on {base.facts.forgotten[frame.id]}",
            archive_path(frame.id),
            remedy="leave it out; what was forgotten does not come back",
        )
        for frame in new
        if frame.id in base.facts.forgotten
    ]
    sources = {f"{archive_path(f.id)}#{anchor(f.id)}": _source_fact(f, contexts.get(f.id)) for f in new}
    promoted, refused = consented(base, edit.promoted, files)
    files |= promoted.files
    kept = {name: data for name, data in files.items() if data}
    return Archive(kept, sources, (*problems, *refused), promoted.sources)


def _appended(base: Snapshot, frames: Iterable[Frame]) -> Iterator[tuple[str, _Result]]:
    by_path: defaultdict[str, list[Frame]] = defaultdict(list)
    for frame in frames:
        by_path[archive_path(frame.id)].append(frame)
    for path, together in by_path.items():
        yield path, append(path, base.tree.get(path), together)


def _described(base: Snapshot, edit: Edit) -> Iterator[tuple[str, _Result]]:
    framed = {frame.id for frame in edit.frames}
    by_path: defaultdict[str, list[Context]] = defaultdict(list)
    for context in edit.contexts:
        known = base.facts.sources.get(context.id)
        if context.id in framed or (known is not None and known.context is not None):
            by_path[context_path(context.id)].append(context)
    for path, together in by_path.items():
        yield path, append_context(path, base.tree.get(path), together)


def _source_fact(frame: Frame, context: Context | None) -> SourceFact:
    """What is known of a frame before an index has seen it; its line is not."""
    provenance = frame.provenance
    return SourceFact(
        id=frame.id,
        place=f"{archive_path(frame.id)}#{anchor(frame.id)}",
        line=0,
        label=label(frame),
        at=frame.at,
        text=frame.content,
        speaker_id=frame.speaker_id,
        speaker_kind=provenance.speaker_kind if provenance else "unknown",
        tier=provenance.tier if provenance else None,
        trusted=provenance is None or provenance.trust is Trust.TRUSTED,
        context=context,
    )
