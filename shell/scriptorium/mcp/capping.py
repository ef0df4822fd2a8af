"""Answers that fit into an agent's window: long lists and texts are shortened, and it is said what was cut.

Nothing that names something is cut: ids, paths and dates are short. What is largest is shortened first.
"""

import json
from collections.abc import Iterator
from typing import Any

__all__ = ["MOST", "capped"]

MOST = 20_000
"""Characters of an answer as JSON."""

_SHORT = 240  # a text that is no longer may be a name
_STEPS = 400


def capped(answer: dict[str, Any], most: int = MOST) -> dict[str, Any]:
    """The answer, shortened where it is longer than `most`; then `cut` says what is missing."""
    if _size(answer) <= most:
        return answer
    made = json.loads(json.dumps(answer))
    whole: dict[str, tuple[int, str]] = {}
    for _ in range(_STEPS):
        over = _size({**made, "cut": [*_notes(made, whole)]}) - most
        if over <= 0:
            break
        found = max(_places(made), key=lambda place: place[0], default=None)
        if found is None:
            break
        _, name, holder, key = found
        _shorten(whole, name, holder, key, over)
    return {**made, "cut": [*_notes(made, whole)]}


def _shorten(whole: dict[str, tuple[int, str]], name: str, holder: Any, key: Any, over: int) -> None:
    """Take away what is too much of the list or text at a place, at most half of it."""
    value = holder[key]
    whole.setdefault(name, (len(value), "entries" if isinstance(value, list) else "characters"))
    if isinstance(value, list):
        holder[key] = value[: len(value) // 2]
    else:
        holder[key] = value[: max(len(value) // 2, len(value) - over - 1, _SHORT)].rstrip() + "…"


def _places(value: Any, name: str = "") -> Iterator[tuple[int, str, Any, Any]]:
    """All lists with entries and all long texts inside, each with its size, its name and where it stands."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        place = f"{name}[{key}]" if isinstance(value, list) else f"{name}.{key}" if name else str(key)
        if isinstance(item, str) and len(item) > _SHORT + 1:
            yield len(item), place, value, key
        elif isinstance(item, list) and item:
            inside = [*_places(item, place)]
            # A list counts by what is left beside the long texts and lists in it, which are shortened first.
            yield max(_size(item) - sum(size for size, *_ in inside), 1), place, value, key
            yield from inside
        elif isinstance(item, dict):
            yield from _places(item, place)


def _notes(made: dict[str, Any], whole: dict[str, tuple[int, str]]) -> Iterator[str]:
    for name, (number, unit) in whole.items():
        left = _at(made, name)
        if left is not None:
            yield f"{name}: {left:,} of {number:,} {unit}"


def _at(value: Any, name: str) -> int | None:
    """How long that is now which stands at a place; None if it fell away with what it stood in."""
    for step in name.replace("]", "").replace("[", ".").split("."):
        try:
            value = value[int(step)] if isinstance(value, list) else value[step]
        except (IndexError, KeyError):
            return None
    return len(value)


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
