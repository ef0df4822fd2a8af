"""Reading the JSON of a request field by field, collecting every fault with its place."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeGuard, TypeVar, cast

from ..names import BlockId
from ..problem import Code, Problem

__all__ = [
    "MOST",
    "Faults",
    "Fields",
    "control_in",
    "each",
    "fields_of",
    "id_of",
    "is_text",
    "items_of",
    "optional_text",
    "repeats",
]

MOST = 64
_CORRECT = "correct it and try again"
T = TypeVar("T")
Fields = Mapping[str, object]


class Faults:
    """Collects the problems of one request while it is read; each says what to do."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def add(self, place: str, message: str, code: Code = Code.INVALID_ARGUMENT, remedy: str = "") -> None:
        self.found.append(Problem(code, message, place, remedy=remedy or _CORRECT))


def fields_of(raw: object, place: str, keys: Iterable[str], faults: Faults) -> Fields:
    """The object at `place`; keys that are not in `keys` are named and left out."""
    known = tuple(keys)
    if not isinstance(raw, Mapping):
        remedy = f"give an object with {', '.join(known)}"
        faults.add(place, "is missing" if raw is None else "must be an object", remedy=remedy)
        return {}
    fields = cast(Mapping[object, object], raw)
    for key in fields:
        if key not in known:
            faults.add(
                f"{place}.{key}" if place else str(key),
                f"{key!r} is not a known key",
                remedy=f"known: {', '.join(known)}",
            )
    return {str(key): value for key, value in fields.items() if key in known}


def items_of(raw: object, place: str, faults: Faults, most: int | None = None) -> list[object]:
    """The list at `place`, at most `most` long."""
    if not isinstance(raw, list | tuple):
        faults.add(place, "is missing" if raw is None else "must be a list", remedy="give a list: […]")
        return []
    items = list(cast("list[object]", raw))
    if most is not None and len(items) > most:
        faults.add(
            place, f"holds {len(items)} entries; at most {most} are allowed", remedy="split the request"
        )
    return items


def each(items: list[object], place: str, read: Callable[[object, str], T | None]) -> list[T]:
    """What `read` makes of each item and its place; None means that it was faulty."""
    values = [read(item, f"{place}[{index}]") for index, item in enumerate(items)]
    return [value for value in values if value is not None]


def repeats(items: Iterable[object], place: str, key: str, faults: Faults) -> None:
    """Name each text that stands a second time in a list, or under `key` in its objects."""
    seen: set[str] = set()
    for index, item in enumerate(items):
        inside = isinstance(item, Mapping)
        value = cast(Fields, item).get(key) if inside else item
        if not isinstance(value, str):
            continue
        if value in seen:
            where = f"{place}[{index}]{f'.{key}' if inside else ''}"
            faults.add(where, f"{value!r} stands there twice", remedy="leave one of the two out")
        seen.add(value)


def is_text(value: object) -> TypeGuard[str]:
    """Whether it is a text that UTF-8 can hold: no half of a surrogate pair in it."""
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def control_in(text: str) -> str:
    """The first character in a text that is no text, `U+0000` say; empty if there is none.

    Git, and other programs, take a file with such a one for no text at all.
    """
    found = next((char for char in text if char < " " and char not in "\t\n\r"), None)
    return "" if found is None else f"U+{ord(found):04X}"


def id_of(fields: Fields, key: str, place: str, faults: Faults) -> BlockId:
    """The block id under `key`, with or without its `^`."""
    value = fields.get(key)
    if not isinstance(value, str) or not value.strip():
        message = "the id of a record is missing"
        faults.add(f"{place}.{key}", message, remedy="give its id as search shows it, with or without ^")
        return BlockId("")
    return BlockId(value.strip().removeprefix("^"))


def optional_text(fields: Fields, key: str, faults: Faults) -> str | None:
    """The text under `key`, None if it is absent."""
    value = fields.get(key)
    if value is not None and not is_text(value):
        faults.add(key, "must be a text", remedy="give a text, or leave it out")
        return None
    return value
