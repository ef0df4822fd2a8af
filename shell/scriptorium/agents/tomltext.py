"""Edits of a TOML text that keep its remarks and its order."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from .edits import Drop, Edit, Misshapen, Put, applied

__all__ = ["edited", "parsed"]


def parsed(text: str) -> Any:
    """The value of a TOML text. Raises Misshapen."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Misshapen(f"it is not TOML: {error}") from error


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text after the edits; what it means is read back and compared."""
    if not edits:
        return text
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    wanted = applied(parsed(text), edits)
    try:
        document = tomlkit.parse(text)
        for edit in edits:
            _edit(document, edit)
        made = tomlkit.dumps(document)
        if any(isinstance(edit, Drop) for edit in edits):
            made = made.rstrip("\n") + "\n" if made.strip() else ""
    except (TOMLKitError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise Misshapen(f"it has a form that cannot be edited: {error}") from error
    if parsed(made) != wanted:
        raise Misshapen("it cannot be edited without a doubt")
    return made


def _edit(document: Any, edit: Edit) -> None:
    import tomlkit

    place = document
    *above, last = edit.path
    for step, following in zip(above, edit.path[1:], strict=True):
        if isinstance(step, str) and step not in place:
            place[step] = tomlkit.aot() if isinstance(following, int) else tomlkit.table(is_super_table=True)
        place = place[step]
    if isinstance(edit, Drop):
        del place[last]
    elif isinstance(last, int):
        _put_into_list(place, last, edit)
    else:
        place[last] = _table(edit.value) if isinstance(edit.value, Mapping) else edit.value


def _put_into_list(place: Any, number: int, edit: Put) -> None:
    """Into an array of tables as a table, into a plain array as a table on one line."""
    from tomlkit.items import AoT

    value = _table(edit.value) if isinstance(place, AoT) else _inline(edit.value)
    if number == len(place):
        place.append(value)
    else:
        place[number] = value


def _table(value: Mapping[str, Any]) -> Any:
    import tomlkit

    table = tomlkit.table()
    for key, each in value.items():
        if isinstance(each, list) and each and all(isinstance(row, Mapping) for row in each):
            rows = tomlkit.aot()
            for row in each:
                rows.append(_table(row))
                rows[-1].add(tomlkit.nl())
            table[key] = rows
        else:
            table[key] = _table(each) if isinstance(each, Mapping) else each
    return table


def _inline(value: Any) -> Any:
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        for key, each in value.items():
            table[key] = _inline(each)
        return table
    if isinstance(value, list):
        array = tomlkit.array()
        for each in value:
            array.append(_inline(each))
        return array
    return value
