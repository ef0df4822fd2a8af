"""A batch as a writer sees it: what was said as JSON lines under date headings, and the key of a batch.

    ## 2026-03-02

    {"ref": "chat/s1/m1", "speaker": "Mara", "content": "The keys hang behind the blue door."}

A new heading stands where the date or the state of the branch changes (`## 2026-03-02, abandoned
branch`). A line is a line to every reader, and what imitates a mark of a model is escaped (`datalines`).
"""

import json
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from hashlib import sha256

from attrs import frozen

from ..names import SourceId
from ..sources.frame import Branch, Context, Frame, Origin, Tier, Trust
from ..when import When, day_of, render_when
from .datalines import data_line

__all__ = ["OWNER", "Said", "batch_key", "render_batch", "said_in"]

OWNER = "Owner"
"""How the owner is called where the log gives no name."""


@frozen
class Said:
    """One message of a batch: `at` ISO 8601 or empty, `scope` the project directory or None.

    `zone` is the one in which its day counts: the workspace's, None for the one in which it was given.
    """

    source: SourceId
    speaker: str
    origin: Origin
    text: str
    at: str = ""
    scope: str | None = None
    branch: Branch = "live"
    trusted: bool = True
    zone: tzinfo | None = None

    @property
    def when(self) -> When | None:
        """The day on which it was said, None if unknown."""
        return day_of(self.at, self.zone)


def said_in(
    frames: Sequence[Frame], contexts: Sequence[Context], zone: tzinfo | None = None
) -> tuple[Said, ...]:
    """What the frames of a batch say, each with its context (`sessions.evidence.frames`)."""
    return tuple(
        Said(
            frame.id,
            _speaker(frame, context),
            context.origin,
            frame.content,
            frame.at,
            context.scope,
            context.branch,
            frame.provenance is None or frame.provenance.trust is Trust.TRUSTED,
            zone,
        )
        for frame, context in zip(frames, contexts, strict=True)
    )


def render_batch(items: Sequence[Said]) -> str:
    """The batch as text for a writer; content stays data, whatever it imitates."""
    return "\n".join(_lines(items))


def batch_key(refs: Sequence[str]) -> str:
    """The key of a batch: `b-` and 16 hex digits, from the source ids of its messages in order."""
    return "b-" + sha256(json.dumps(list(refs)).encode()).hexdigest()[:16]


def _speaker(frame: Frame, context: Context) -> str:
    owner = frame.provenance is not None and frame.provenance.tier is Tier.OWNER
    unnamed = OWNER if owner and context.origin is Origin.HUMAN else frame.role
    return frame.speaker_name or frame.speaker_id or unnamed


def _lines(items: Sequence[Said]) -> Iterator[str]:
    last = ""
    for item in items:
        heading = f"## {render_when(item.when)}" + (
            ", abandoned branch" if item.branch == "abandoned" else ""
        )
        if heading != last:
            yield from ([""] if last else [])
            yield from (heading, "")
        last = heading
        row = {"ref": item.source, "speaker": item.speaker, "content": item.text}
        yield data_line(row)
    yield ""
