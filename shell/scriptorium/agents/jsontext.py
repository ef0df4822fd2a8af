"""Edits of a JSON text that leave every character alone which they are not about."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from .edits import Drop, Edit, Misshapen, Put, applied

__all__ = ["edited", "parsed"]

_BLANK = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"\n([ \t]+)\S")
_REMARK = re.compile(r"""^\s*(?://|/\*)|,\s*[}\]]""", re.MULTILINE)
_DECODER = json.JSONDecoder()


@frozen
class _Item:
    """A member of an object or an element of a list: its key, where it begins, its value, its end."""

    key: str | int
    begin: int
    value: int
    end: int


def parsed(text: str) -> Any:
    """The value of a JSON text; an empty text is an empty object. Raises Misshapen."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text, object_pairs_hook=_distinct)
    except ValueError as error:
        if _REMARK.search(text):
            raise Misshapen("it has comments or trailing commas, which JSON has not") from error
        raise Misshapen(f"it is not JSON: {error}") from error
    except RecursionError as error:
        raise Misshapen("it is nested too deeply") from error
    if not isinstance(value, dict):
        raise Misshapen("it is not an object")
    return value


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text after the edits; what it means is read back and compared."""
    if not edits:
        return text
    wanted = applied(parsed(text), edits)
    made = text if text.strip() else "{}\n"
    for edit in edits:
        made = _put(made, edit) if isinstance(edit, Put) else _drop(made, edit)
    if parsed(made) != wanted:
        raise Misshapen("it cannot be edited without a doubt")
    return made


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _put(text: str, edit: Put) -> str:
    start, path = _blank(text, 0), edit.path
    for depth, step in enumerate(path, 1):
        items, close = _items(text, start)
        item = next((each for each in items if each.key == step), None)
        if item is None:
            value = _nested(path[depth:], edit.value)
            key = "" if isinstance(step, int) else f"{json.dumps(step, ensure_ascii=False)}: "
            return _added(text, items, close, depth, key + _rendered(text, value, depth))
        if depth == len(path):
            return text[: item.value] + _rendered(text, edit.value, depth) + text[item.end :]
        start = item.value
    raise AssertionError("a path is never empty")


def _drop(text: str, edit: Drop) -> str:
    start = _blank(text, 0)
    for step in edit.path[:-1]:
        start = next(each.value for each in _items(text, start)[0] if each.key == step)
    items, close = _items(text, start)
    number = next(place for place, each in enumerate(items) if each.key == edit.path[-1])
    if len(items) == 1:
        return text[: start + 1] + text[close:]
    if number == 0:
        return text[: items[0].begin] + text[items[1].begin :]
    return text[: items[number - 1].end] + text[items[number].end :]


def _items(text: str, start: int) -> tuple[list[_Item], int]:
    """What stands in the object or list that begins at `start`, and where it is closed."""
    found = list(_walk(text, start))
    return found, _blank(text, found[-1].end if found else start + 1)


def _walk(text: str, start: int) -> Iterator[_Item]:
    is_object, place, number = text[start] == "{", _blank(text, start + 1), 0
    while text[place] not in "}]":
        begin, key = place, number
        named: str | int = key
        if is_object:
            named, place = _DECODER.raw_decode(text, place)
            place = _blank(text, _blank(text, place) + 1)
        _, end = _DECODER.raw_decode(text, place)
        yield _Item(named, begin, place, end)
        number, place = number + 1, _blank(text, end)
        if text[place] == ",":
            place = _blank(text, place + 1)


def _added(text: str, items: Sequence[_Item], close: int, depth: int, member: str) -> str:
    """The text with a member at the end of an object or list that is closed at `close`."""
    line = _line_end(text) + _indent(text) * depth
    if items:
        end = items[-1].end
        tail = text[end:close] if "\n" in text[end:close] else _line_end(text) + _indent(text) * (depth - 1)
        return f"{text[:end]},{line}{member}{tail}{text[close:]}"
    start = text.rindex("{" if text[close] == "}" else "[", 0, close)
    closing = _line_end(text) + _indent(text) * (depth - 1)
    return f"{text[: start + 1]}{line}{member}{closing}{text[close:]}"


def _nested(path: Sequence[str | int], value: Any) -> Any:
    for step in reversed(path):
        value = [value] if isinstance(step, int) else {step: value}
    return value


def _rendered(text: str, value: Any, depth: int) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=_indent(text)).split("\n")
    return (_line_end(text) + _indent(text) * depth).join(lines)


def _indent(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    assert found is not None
    return found.end()
