"""What writers have used, a line for each answer: `costs.jsonl` in the runtime folder.

    {"at": "2026-04-03T12:00:00+00:00", "session": "native/trip", "model": "anthropic:…", "passes": 1,
     "offered": 812, "in": 910, "out": 55, "calls": 4, "cost": 0.0123, "unpriced": 0}

`cost` is in US dollars; `unpriced` are passes whose cost nobody knows. Where the file grows long, the lines
of one day and one model become one.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from attrs import evolve, frozen

from .used import Used

__all__ = [
    "MOST",
    "Entry",
    "Spent",
    "by_model",
    "decode_costs",
    "encode_costs",
    "entry_of",
    "folded",
    "priced",
    "spent",
    "spent_on",
]

MOST = 256 * 1024
"""Bytes of the file; beyond that, the oldest days are given up."""

_MILLION = 1_000_000


@frozen
class Spent:
    """What passes took together: `offered` tokens of messages, tokens of models, calls, US dollars."""

    passes: int = 0
    offered: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0
    cost: float = 0.0
    unpriced: int = 0


@frozen
class Entry:
    """What a model took at a time (ISO 8601, local): of one session, or of a day where `session` is empty."""

    at: str
    model: str
    took: Spent
    session: str = ""

    @property
    def day(self) -> str:
        """The local day, `YYYY-MM-DD`."""
        return self.at[:10]


def priced(used: Used, per_million: tuple[float, float] | None) -> Used:
    """With its cost by the price of a million tokens in and out, where it is not known already."""
    if used.cost is not None or per_million is None:
        return used
    price_in, price_out = per_million
    return evolve(used, cost=(used.tokens_in * price_in + used.tokens_out * price_out) / _MILLION)


def entry_of(used: Used, at: str, session: str, offered: int) -> Entry:
    """What an answer took."""
    cost, unpriced = used.cost or 0.0, int(used.cost is None)
    took = Spent(1, offered, used.tokens_in, used.tokens_out, used.calls, cost, unpriced)
    return Entry(at, used.model, took, session)


def spent(entries: Iterable[Entry]) -> Spent:
    """All of it together."""
    total = Spent()
    for entry in entries:
        total = _sum(total, entry.took)
    return total


def spent_on(entries: Iterable[Entry], date: str) -> Spent:
    """What was taken on a local day (`2026-04-03`), in a month (`2026-04`) or a year."""
    return spent(entry for entry in entries if entry.day.startswith(date))


def by_model(entries: Iterable[Entry]) -> Mapping[str, Spent]:
    """What each model took, the one that took most first."""
    found: dict[str, Spent] = {}
    for entry in entries:
        found[entry.model] = _sum(found.get(entry.model, Spent()), entry.took)
    order = sorted(found, key=lambda name: (-found[name].tokens_in - found[name].tokens_out, name))
    return {name: found[name] for name in order}


def folded(entries: Sequence[Entry], today: str) -> tuple[Entry, ...]:
    """With one entry for each day before `today` and each model."""
    days: dict[tuple[str, str], Spent] = {}
    for entry in entries:
        if entry.day != today:
            key = (entry.day, entry.model)
            days[key] = _sum(days.get(key, Spent()), entry.took)
    old = tuple(Entry(day, model, took) for (day, model), took in sorted(days.items()))
    return (*old, *(entry for entry in entries if entry.day == today))


def encode_costs(entries: Iterable[Entry]) -> bytes:
    """The bytes of these lines."""
    return b"".join(json.dumps(_row(entry)).encode() + b"\n" for entry in entries)


def decode_costs(data: bytes | None) -> tuple[Entry, ...]:
    """The lines of the file; one that cannot be read is passed over."""
    return tuple(_entries((data or b"").decode("utf-8", "replace").splitlines()))


def _entries(lines: Iterable[str]) -> Iterator[Entry]:
    for line in lines:
        try:
            row = cast(object, json.loads(line))
        except (ValueError, RecursionError):
            continue
        fields = _fields(row)
        at, model = _text(fields.get("at")), _text(fields.get("model"))
        if at and model:
            yield Entry(at, model, _took(fields), _text(fields.get("session")))


def _fields(value: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _took(fields: Mapping[str, object]) -> Spent:
    return Spent(
        _number(fields.get("passes")),
        _number(fields.get("offered")),
        _number(fields.get("in")),
        _number(fields.get("out")),
        _number(fields.get("calls")),
        _amount(fields.get("cost")),
        _number(fields.get("unpriced")),
    )


def _row(entry: Entry) -> Mapping[str, object]:
    took = entry.took
    return {
        "at": entry.at,
        "session": entry.session,
        "model": entry.model,
        "passes": took.passes,
        "offered": took.offered,
        "in": took.tokens_in,
        "out": took.tokens_out,
        "calls": took.calls,
        "cost": took.cost,
        "unpriced": took.unpriced,
    }


def _sum(one: Spent, other: Spent) -> Spent:
    return Spent(
        one.passes + other.passes,
        one.offered + other.offered,
        one.tokens_in + other.tokens_in,
        one.tokens_out + other.tokens_out,
        one.calls + other.calls,
        one.cost + other.cost,
        one.unpriced + other.unpriced,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    return max(value, 0) if isinstance(value, int) and not isinstance(value, bool) else 0


def _amount(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12:
        return float(value)
    return 0.0
