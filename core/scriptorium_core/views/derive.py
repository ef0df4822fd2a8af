"""Which views a change alters, and their new bytes; and all views of a memory from scratch.

The law between the two: following any sequence of changes with `derive` gives what `derive_all` gives.
"""

from collections.abc import Mapping

from attrs import frozen

from ..budget import Count
from ..facts.model import Facts
from ..names import CORE_TOPIC
from ..topics.model import Topic
from .change import Change
from .core import CORE_VIEW, core_view
from .recent import RECENT_VIEW, recent_changes, recent_view
from .relations import relation_views, touched_shards
from .timeline import timeline_path, timeline_view, touched_days

__all__ = ["Change", "Limits", "core_due", "derive", "derive_all", "is_view"]

# The other program's single file, which the shards replace.
_OLD_RELATIONS = "relations.json"


@frozen
class Limits:
    """How tokens are counted, how many the resident block may cost, and how many records are recent."""

    count: Count
    core_tokens: int = 2000
    recent: int = 50


def derive(change: Change, limits: Limits) -> Mapping[str, bytes | None]:
    """The view files that a change may alter, with their new bytes; None is a removal.

    The cost follows the change. A caller drops what alters nothing. Where `core_due` holds, the caller
    puts `topics/core.md` into `before` and `after`, untouched; ValueError if it did not.
    """
    views: dict[str, bytes | None] = {_OLD_RELATIONS: None}
    if CORE_TOPIC in change.touched:
        views[CORE_VIEW] = _core(change, change.after.get(CORE_TOPIC), limits)
    elif core_due(change):
        raise ValueError(f"the trust in a source of {CORE_TOPIC} changes, but the change does not bring it")
    for day in sorted(touched_days(change)):
        views[timeline_path(day)] = timeline_view(change, day)
    if recent_changes(change):
        views[RECENT_VIEW] = recent_view(change, limits.recent)
    return {**views, **relation_views(change, touched_shards(change))}


def derive_all(facts: Facts, core_topic: Topic | None, limits: Limits) -> Mapping[str, bytes]:
    """Every view of a memory; a view that it does not name must not exist. `core_topic`: `topics/core.md`."""
    change = Change(facts, {}, {}, (), {})
    views: dict[str, bytes | None] = {
        CORE_VIEW: _core(change, core_topic, limits),
        **{timeline_path(day): timeline_view(change, day) for day in sorted(facts.days)},
        RECENT_VIEW: recent_view(change, limits.recent),
        **relation_views(change, facts.shards),
    }
    return {path: data for path, data in views.items() if data is not None}


def core_due(change: Change) -> bool:
    """Whether `core.md` changes with the trust in a source, be `topics/core.md` touched or not."""
    return any(
        known.record.path == CORE_TOPIC
        for place in change.newly_trusted()
        for identity in change.facts.citing.get(place, ())
        if (known := change.facts.records.get(identity)) is not None
    )


def is_view(path: str) -> bool:
    """Whether a file at `path` is derived: whatever `derive_all` does not name there is stale."""
    return path in (CORE_VIEW, RECENT_VIEW, _OLD_RELATIONS) or path.startswith(("timeline/", "relations/"))


def _core(change: Change, topic: Topic | None, limits: Limits) -> bytes | None:
    if topic is None:
        return None
    return core_view(topic, change.trusts, limits.count, limits.core_tokens).text.encode()
