"""The core as it is edited and as a prompt gets it: the source, what is rendered of it, what is injected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.names import CORE_TOPIC
from scriptorium_core.writing.calls import injection

from ..history.touching import touching
from .healing import sure
from .reading import core_shown
from .shaping import moment_text

if TYPE_CHECKING:
    from ..workspace import Memory
    from .place import Place

__all__ = ["Resident", "resident"]


@frozen
class Resident:
    """The core of one commit.

    `content` is the text of `topics/core.md`, `size` its bytes, and `mtime` the ISO 8601 time of the commit
    that changed it last; they are empty, 0 and empty where there is none. `rendered_content` is what the
    budget holds of it, `injected_content` what a session is given: nothing where injection is switched off
    or no record may be shown. Tokens are those of the memory's counter.
    """

    revision: str | None
    content: str
    size: int
    mtime: str
    rendered_content: str
    rendered_tokens: int
    injection_enabled: bool
    injected_content: str
    injected_tokens: int
    budget_tokens: int


def resident(service: Place) -> Resident:
    """The core, its source and its two forms, all of one commit. Raises Refused where there is no memory."""
    return sure(service, lambda: _resident(service))


def _resident(service: Place) -> Resident:
    memory, enabled = service.memory(), service.settings.inject
    with memory.reading() as (revision, base):
        data = base.tree.get(CORE_TOPIC)
        rendered = core_shown(memory, revision, base)
    given = enabled and rendered.shown
    injected = injection(rendered.text, revision or "") if given else ""
    return Resident(
        revision=revision,
        content=(data or b"").decode("utf-8", "replace"),
        size=len(data or b""),
        mtime=_changed(memory, revision) if revision is not None and data is not None else "",
        rendered_content=rendered.text,
        rendered_tokens=rendered.tokens,
        injection_enabled=enabled,
        injected_content=injected,
        injected_tokens=memory.limits.count(injected) if injected else 0,
        budget_tokens=rendered.budget,
    )


def _changed(memory: Memory, revision: str) -> str:
    """When a commit, up to `revision`, last changed the core."""
    commit = next(touching(memory.history, revision, CORE_TOPIC), None)
    return moment_text(memory.history.entry(commit).when) if commit is not None else ""
