"""The arguments of a tool call, read with care: a model may send anything at all."""

import json
from collections.abc import Collection, Mapping
from typing import cast

from attrs import frozen

from ..changes.reading import is_text

__all__ = ["Arguments", "Misused", "arguments_of"]

_DEEPEST = 12
_MOST_VALUES = 20_000


class Misused(Exception):
    """A call that cannot be understood: what is wrong, what to do, and which argument it is."""

    def __init__(self, message: str, remedy: str, place: str = "") -> None:
        super().__init__(message)
        self.message, self.remedy, self.place = message, remedy, place


@frozen
class Arguments:
    """The arguments of one call; each reader raises Misused where they do not fit."""

    fields: Mapping[str, object]

    def text(self, key: str, default: str | None = None) -> str:
        """The text under `key`."""
        value = self.fields.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise Misused("is missing" if value is None else "must be a text", f"give {key} as a text", key)
        return value

    def number(self, key: str, default: int) -> int:
        """The whole number under `key`, from 1 on."""
        value = self.fields.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10**9:
            raise Misused("must be a whole number from 1 on", f"give {key} as a number", key)
        return value

    def flag(self, key: str) -> bool:
        """The truth value under `key`, false if it is missing."""
        value = self.fields.get(key)
        if value is not None and not isinstance(value, bool):
            raise Misused("must be true or false", f"give {key} as true or false", key)
        return value is True

    def items(self, key: str) -> list[object]:
        """The list under `key`."""
        value = self.fields.get(key)
        if not isinstance(value, list | tuple):
            raise Misused("is missing" if value is None else "must be a list", f"give {key} as a list", key)
        return list(cast("list[object]", value))

    def texts(self, key: str) -> list[str]:
        """The list of texts under `key`, at least one."""
        items = self.items(key)
        texts = [item for item in items if isinstance(item, str)]
        if not texts or len(texts) != len(items):
            raise Misused("must hold texts and nothing else", f"give {key} as a list of texts", key)
        return texts


def arguments_of(raw: object, keys: Collection[str]) -> Arguments:
    """The arguments of a call that takes `keys`; a text is read as JSON. Raises Misused."""
    if isinstance(raw, str):
        try:
            raw = cast(object, json.loads(raw)) if raw.strip() else {}
        except (ValueError, RecursionError) as error:
            raise Misused("the arguments are not JSON", "send one JSON object") from error
    if raw is None:
        raw = {}
    if not isinstance(raw, Mapping):
        raise Misused("the arguments must be an object", f"give an object with {', '.join(keys)}")
    _see_json(cast(object, raw))
    fields = cast("Mapping[str, object]", raw)
    unknown = [key for key in fields if key not in keys]
    if unknown:
        raise Misused(f"{unknown[0][:40]!r} is not taken", f"known: {', '.join(keys)}", unknown[0][:40])
    return Arguments(fields)


def _see_json(value: object) -> None:
    """See that a value is JSON of a size that can be worked on, whose texts a file can hold."""
    waiting: list[tuple[object, int]] = [(value, 0)]
    seen = 0
    while waiting:
        item, depth = waiting.pop()
        seen += 1
        if seen > _MOST_VALUES or depth > _DEEPEST:
            raise Misused("the arguments are too large", "send less at once")
        if isinstance(item, str):
            if not is_text(item) or "\0" in item:
                raise Misused("holds a character that no file can hold", "leave it out")
        elif isinstance(item, Mapping):
            for key, inner in cast("Mapping[object, object]", item).items():
                if not isinstance(key, str):
                    raise Misused("the arguments are not JSON", "send one JSON object")
                waiting += [(key, depth + 1), (inner, depth + 1)]
        elif isinstance(item, list | tuple):
            waiting += [(inner, depth + 1) for inner in cast("list[object]", item)]
        elif item is not None and not isinstance(item, bool | int | float):
            raise Misused("the arguments are not JSON", "send one JSON object")
