"""What the definition of a record's evidence says of how far the record may be relied on (format, section 5).

    ; Status: verified 0.95; Checked: 2026-08-01; Fresh: stable 365d; Reuse: unless-stale

All are optional, and each is read by itself. A value that cannot be read is kept as it is, named as a
problem, and counts as the least that it could mean: it is no check, unverified with no confidence, fresh
for a day, never given as an answer. Of several definitions those count that still hold, and of them the
last that says anything: what a former value was worth is nothing that the current one inherits.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from ..problem import Code, Problem
from ..when import When, parse_when, render_when
from .notes import is_closed
from .records import Evidence, Record

__all__ = [
    "CONFIDENCE",
    "FIELDS",
    "LEAST",
    "Freshness",
    "Noted",
    "Reuse",
    "State",
    "current_evidence",
    "noted_at",
    "read_noted",
    "refuses",
    "render_noted",
    "with_noted",
]

FIELDS = ("Status", "Checked", "Fresh", "Reuse")
"""The names, in the order in which they are written."""

LEAST = 0.75
"""The least confidence with which a record is used again, unless more or less is asked for."""

# Compiled where a text needs them (`re` remembers them): whoever only searches pays for none.
_STATUS = r"([a-z-]+)(?:\s+(0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?))?"
_FRESH = r"([a-z-]+)(?:\s+([1-9][0-9]{0,4}|0)d)?"
_CLOSED = "Until"


class State(StrEnum):
    """How well a record is founded."""

    UNVERIFIED = "unverified"
    PLAUSIBLE = "plausible"
    SUPPORTED = "supported"
    VERIFIED = "verified"
    DISPUTED = "disputed"
    RETRACTED = "retracted"


class Freshness(StrEnum):
    """How fast what a record says grows old."""

    IMMUTABLE = "immutable"
    STABLE = "stable"
    DYNAMIC = "dynamic"
    VOLATILE = "volatile"


class Reuse(StrEnum):
    """When a record may be used again: `always` ignores its age, the others do not."""

    ALWAYS = "always"
    UNLESS_STALE = "unless-stale"
    REVALIDATE = "revalidate"
    NEVER_DIRECT = "never-direct"


CONFIDENCE = MappingProxyType(
    {
        State.VERIFIED: 0.95,
        State.SUPPORTED: 0.75,
        State.PLAUSIBLE: 0.5,
        State.UNVERIFIED: 0.5,
        State.DISPUTED: 0.5,
        State.RETRACTED: 0.0,
    }
)
"""How sure a state is where its field names no number."""


class Noted(NamedTuple):
    """What the fields say; None where they say nothing. `days` is the age that `fresh` names, if it does."""

    state: State | None = None
    confidence: float | None = None
    checked: When | None = None
    fresh: Freshness | None = None
    days: int | None = None
    reuse: Reuse | None = None


def read_noted(fields: Iterable[tuple[str, str]]) -> tuple[Noted, tuple[Problem, ...]]:
    """The standing that the fields of a definition spell, and all that is wrong with them.

    Problems have no path and line: whoever has the record knows where it stands.
    """
    given = [(name, value) for name, value in fields if name in FIELDS]
    said = dict(given)
    faults = list(_doubled(given))
    state, confidence = _status(said.get("Status"), faults)
    fresh, days = _fresh(said.get("Fresh"), faults)
    checked = _checked(said.get("Checked"), faults)
    return Noted(state, confidence, checked, fresh, days, _reuse(said.get("Reuse"), faults)), tuple(faults)


def render_noted(noted: Noted) -> tuple[tuple[str, str], ...]:
    """The fields that spell a standing, in their order; nothing for what it does not say."""
    state = "" if noted.state is None else _joined(noted.state, _number(noted.confidence))
    age = "" if noted.days is None else f"{noted.days}d"
    values = (
        state,
        "" if noted.checked is None else render_when(noted.checked),
        "" if noted.fresh is None else _joined(noted.fresh, age),
        noted.reuse or "",
    )
    return tuple((name, str(value)) for name, value in zip(FIELDS, values, strict=True) if value)


def with_noted(fields: Iterable[tuple[str, str]], noted: Noted) -> tuple[tuple[str, str], ...]:
    """The fields of a definition with the standing in them: what changed alone, each at its place.

    A field that says the same already stays as it is written. Fields of other names stay where they are.
    """
    old = tuple(fields)
    now, wanted = dict(render_noted(read_noted(old)[0])), dict(render_noted(noted))
    same = {name for name in FIELDS if now.get(name) == wanted.get(name)}
    last = {name: place for place, (name, _) in enumerate(old)}
    kept: list[tuple[str, str]] = []
    for place, (name, value) in enumerate(old):
        if name not in FIELDS or name in same:
            kept.append((name, value))
        elif name in wanted and place == last[name]:
            kept.append((name, wanted[name]))
    return (*kept, *((name, value) for name, value in wanted.items() if name not in last))


def current_evidence(record: Record) -> tuple[Evidence, ...]:
    """The evidence of a record that still holds; of one of which nothing holds any more, all of it."""
    if is_closed(record):
        return record.evidence
    return tuple(group for group in record.evidence if all(name != _CLOSED for name, _ in group.fields))


def noted_at(record: Record) -> Evidence | None:
    """The evidence whose definition says how far a record may be relied on, or would: None without any."""
    current = current_evidence(record)
    said = (group for group in reversed(current) if any(name in FIELDS for name, _ in group.fields))
    return next(said, current[-1] if current else None)


def refuses(record: Record) -> bool:
    """Whether a record says of itself that it may never be given as it is, at whatever time."""
    place = noted_at(record)
    noted = read_noted(place.fields)[0] if place is not None else Noted()
    return noted.state in (State.DISPUTED, State.RETRACTED) or noted.reuse is Reuse.NEVER_DIRECT


def _status(value: str | None, faults: list[Problem]) -> tuple[State | None, float | None]:
    if value is None:
        return None, None
    match = re.fullmatch(_STATUS, value.strip().lower())
    if match is None or match[1] not in tuple(State):
        faults.append(_fault("Status", value, f"{_listed(State)}, and a number from 0 to 1 behind it"))
        return State.UNVERIFIED, 0.0
    return State(match[1]), float(match[2]) if match[2] else None


def _fresh(value: str | None, faults: list[Problem]) -> tuple[Freshness | None, int | None]:
    if value is None:
        return None, None
    match = re.fullmatch(_FRESH, value.strip().lower())
    if match is None or match[1] not in tuple(Freshness):
        form = f"{_listed(Freshness)}, and a number of days like `30d` behind it"
        faults.append(_fault("Fresh", value, form))
        return Freshness.VOLATILE, None
    return Freshness(match[1]), int(match[2]) if match[2] else None


def _checked(value: str | None, faults: list[Problem]) -> When | None:
    found = None if value is None else parse_when(value.strip().strip("`"))
    if value is not None and found is None:
        faults.append(_fault("Checked", value, "a date: YYYY, YYYY-MM or YYYY-MM-DD"))
    return found


def _reuse(value: str | None, faults: list[Problem]) -> Reuse | None:
    if value is None:
        return None
    if value.strip().lower() not in tuple(Reuse):
        faults.append(_fault("Reuse", value, _listed(Reuse)))
        return Reuse.NEVER_DIRECT
    return Reuse(value.strip().lower())


def _doubled(given: list[tuple[str, str]]) -> Iterator[Problem]:
    names = [name for name, _ in given]
    for name in FIELDS:
        if names.count(name) > 1:
            message = f"{name} is given {names.count(name)} times; the last one counts"
            yield Problem(Code.INVALID_TOPIC_FORMAT, message, remedy="leave one of them")


def _fault(name: str, value: str, form: str) -> Problem:
    message = f"{name} is {value!r}, which says nothing that is known"
    return Problem(Code.INVALID_TOPIC_FORMAT, message, remedy=f"write {form}")


def _listed(names: type[StrEnum]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}"


def _number(confidence: float | None) -> str:
    return "" if confidence is None else f"{round(confidence, 6):.6f}".rstrip("0").rstrip(".")


def _joined(word: str, detail: str) -> str:
    return f"{word} {detail}" if detail else word
