"""What is known of an archived message beside its words: how far it is trusted, and where it stands.

All that reads an index needs this; what reads and writes frames is in modules of its own.
"""

from enum import StrEnum
from typing import Literal, NamedTuple

from ..names import NodeId, SessionId, SourceId

__all__ = ["Branch", "Context", "Origin", "Tier", "Trust"]

Branch = Literal["live", "abandoned", "unknown"]


class Trust(StrEnum):
    """Whether a frame may be recalled, or waits for the owner's consent."""

    TRUSTED = "trusted"
    PENDING = "pending"


class Tier(StrEnum):
    """With whose authority somebody spoke; None where it is unknown."""

    OWNER = "owner"
    PAIRED = "paired"


class Origin(StrEnum):
    """Where a text came from; only what is `human` can carry a standing instruction."""

    HUMAN = "human"
    ASSISTANT = "assistant"
    AGENT = "agent"
    TOOL = "tool"
    HARNESS = "harness"
    SUMMARY = "summary"


class Context(NamedTuple):
    """Where in its conversation a frame stands: one line of the `.jsonl` beside the archive."""

    id: SourceId
    origin: Origin
    session: SessionId
    node: NodeId
    parent: NodeId | None = None
    branch: Branch = "live"
    scope: str | None = None
    at: str = ""
