"""An earlier state without what was forgotten since: retraction counts for every reading.

What is taken out is what a retraction takes out of the present: the records and messages as a whole, and
the claims that rest on nothing else. A topic that cannot be read and names any of it is left out altogether,
because nothing says where in it the forgotten words stand.
"""

from itertools import pairwise

from ..forgetting.model import Targets
from ..forgetting.topic import lessened
from ..names import TopicPath
from ..sources.archive import is_archive, scan
from ..sources.archived import Archived
from ..sources.context import read_context
from ..sources.framing import is_framed
from ..topics.parse import parse_topic
from ..topics.records import Record
from ..topics.render import render_topic

__all__ = ["hides", "shown", "without_messages", "without_records"]


def shown(path: str, data: bytes, targets: Targets) -> bytes | None:
    """The file at `path` as it may be shown; None if nothing of it may."""
    if not (targets.ids or targets.sources) or not targets.names(data):
        return data
    if path.startswith("topics/"):
        return without_records(path, data, targets)
    if is_archive(path):
        return without_messages(path, data, targets)
    return _without_contexts(path, data, targets) if path.endswith(".jsonl") and "/_v2/" in path else data


def without_records(path: str, data: bytes, targets: Targets) -> bytes | None:
    """A topic without what must not be shown; None if nothing else stands in it, or if it is broken."""
    topic, problems = parse_topic(TopicPath(path), data)
    left = None if problems else lessened(topic, targets).topic
    return None if left is None else render_topic(left)


def without_messages(path: str, data: bytes, targets: Targets) -> bytes:
    """An archive without the messages that must not be shown, and without what stands after a break."""
    archive = scan(path, data)
    if targets.sources.isdisjoint(frame.id for frame in archive.frames):
        return data
    lines = data.split(b"\n")
    starts = [_first_line(path, frame) for frame in archive.frames]
    end = len(lines) if archive.complete else archive.broken_at - 1
    kept = lines[: starts[0]]
    for frame, (start, following) in zip(archive.frames, pairwise([*starts, end]), strict=True):
        kept += [] if frame.id in targets.sources else lines[start:following]
    last = archive.frames[-1].id in targets.sources
    return b"\n".join([*kept, b""] if last else kept)


def _without_contexts(path: str, data: bytes, targets: Targets) -> bytes:
    """A context file without the lines of messages that must not be shown."""
    lines = data.split(b"\n")
    described = ((line, read_context(path, line)[0]) for line in lines)
    return b"\n".join(line for line, found in described if not any(c.id in targets.sources for c in found))


def hides(record: Record, targets: Targets) -> bool:
    """Whether a state of a record holds what must not be shown: it was forgotten, or some evidence of it."""
    if not targets.ids.isdisjoint(record.ids):
        return True
    return any(
        bool(group.sources)
        and all(cited.place in targets.places or cited.target in targets.sources for cited in group.sources)
        for group in record.evidence
    )


def _first_line(path: str, frame: Archived) -> int:
    """The index of the line of a frame's anchor."""
    if is_framed(path):
        header = 3 + (frame.speaker_id is not None) + (frame.provenance is not None)
    else:
        header = 2 if "/" in frame.id else 1
    return frame.line - 1 - header
