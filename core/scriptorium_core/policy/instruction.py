"""Standing instructions: what is said once and then holds in every conversation.

A record is one if it stands in `topics/core.md`, or if a definition of it says so:

    [^e-6de0580b6c]: Time: `2026-03-01`; Sources: [rule](…); Kind: rule

`rule` is the only kind that means anything; case does not count. Such a record rests on what it cites
now: evidence whose validity is closed (`Until`) carries nothing, unless there is no other. A record of
the core needs the owner's words in any of its evidence, a rule in the very definition that says so.
"""

from collections.abc import Callable, Iterable

from ..names import CORE_TOPIC
from ..topics.records import Cited, Evidence, Record

__all__ = ["binds", "current", "is_instruction"]

_RULE = ("kind", "rule")
_CLOSED = "Until"


def is_instruction(record: Record) -> bool:
    """Whether a record is a standing instruction."""
    return record.path == CORE_TOPIC or any(map(_is_rule, record.evidence))


def binds(record: Record, entitled: Callable[[Cited], bool]) -> bool:
    """Whether a standing instruction rests on what it must; `entitled` tells the owner's own words."""
    rules = [group for group in record.evidence if _is_rule(group)]
    founded = all(_any(group.sources, entitled) for group in rules)
    if record.path != CORE_TOPIC:
        return founded
    return founded and any(_any(group.sources, entitled) for group in current(record))


def current(record: Record) -> tuple[Evidence, ...]:
    """The evidence whose validity is not closed; all of it where there is no other."""
    return tuple(group for group in record.evidence if not _is_closed(group)) or record.evidence


def _any(sources: Iterable[Cited], entitled: Callable[[Cited], bool]) -> bool:
    return any(map(entitled, sources))


def _is_rule(group: Evidence) -> bool:
    return any((name.casefold(), value.strip().casefold()) == _RULE for name, value in group.fields)


def _is_closed(group: Evidence) -> bool:
    return any(name == _CLOSED for name, _ in group.fields)
