"""Settings as values: which edits bring our hooks in or take them out, whatever the format of the file.

{"hooks": {"Stop": [{"matcher": "…", "hooks": [{"type": "command", "command": "…", "timeout": 5}]}]}}

Claude Code, Codex and Gemini CLI share this form. A group of ours holds one hook and no matcher.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from attrs import frozen

__all__ = ["Drop", "Edit", "Misshapen", "Put", "applied", "hooks_in", "hooks_out", "value_at"]

Path = tuple[str | int, ...]
Known = Callable[[object], bool]
"""Whether a command line is ours."""


class Misshapen(Exception):
    """Settings that do not have the form in which the agent reads them; the text says where."""


@frozen
class Put:
    """A value at a path; an index that is the length of its list stands for its end."""

    path: Path
    value: Any


@frozen
class Drop:
    """Nothing at a path."""

    path: Path


Edit = Put | Drop


def applied(value: object, edits: Sequence[Edit]) -> Any:
    """The settings after the edits, as a new value."""
    made: Any = deepcopy(value)
    for edit in edits:
        *above, last = edit.path
        place = made
        for step, following in zip(above, edit.path[1:], strict=True):
            if isinstance(place, dict) and step not in place:
                place[step] = [] if isinstance(following, int) else {}
            place = place[step]
        if isinstance(edit, Drop):
            del place[last]
        elif isinstance(place, list) and last == len(place):
            place.append(edit.value)
        else:
            place[last] = edit.value
    return made


def hooks_in(value: object, wanted: Mapping[str, Mapping[str, object]], known: Known) -> tuple[Edit, ...]:
    """What is to be done so that of our hooks exactly the `wanted` stand there, one at each event."""
    edits: list[Edit] = []
    for event, groups in _events(value).items():
        if event not in wanted:
            edits += _taken_out(event, groups, known)
    for event, handler in wanted.items():
        groups, group = _events(value).get(event, []), {"hooks": [dict(handler)]}
        ours = [number for number, each in enumerate(groups) if _is_all_ours(each, known)]
        first = ours[0] if ours else len(groups)
        if first == len(groups) or groups[first] != group:
            edits.append(Put(("hooks", event, first), group))
        edits += _drops(event, groups, known, spared=first)
    return tuple(edits)


def hooks_out(value: object, known: Known) -> tuple[Edit, ...]:
    """What takes our hooks out, with the lists that this leaves empty."""
    edits = [edit for event, groups in _events(value).items() for edit in _taken_out(event, groups, known)]
    if edits and value_at(applied(value, edits), ("hooks",)) == {}:
        return (Drop(("hooks",)),)
    return tuple(edits)


def value_at(value: object, path: Path) -> object:
    """What stands at a path of keys, None if nothing does."""
    for step in path:
        if not isinstance(value, Mapping) or step not in value:
            return None
        value = value[step]
    return value


def _events(value: object) -> Mapping[str, list[Any]]:
    """The groups by event, as far as they are known to be such."""
    if not isinstance(value, Mapping):
        raise Misshapen("the settings are not an object")
    hooks = value.get("hooks", {})
    if not isinstance(hooks, Mapping):
        raise Misshapen("`hooks` is not an object")
    found: dict[str, list[Any]] = {}
    for event, groups in hooks.items():
        # Beside the events, Codex keeps `state` there, and Gemini CLI once kept switches.
        if isinstance(groups, list):
            found[event] = groups
        elif event[:1].isupper():
            raise Misshapen(f"`hooks.{event}` is not a list")
    return found


def _taken_out(event: str, groups: Sequence[Any], known: Known) -> Iterator[Edit]:
    if groups and all(_is_all_ours(group, known) for group in groups):
        yield Drop(("hooks", event))
    else:
        yield from _drops(event, groups, known)


def _drops(event: str, groups: Sequence[Any], known: Known, spared: int = -1) -> Iterator[Edit]:
    """What drops our hooks, from the last to the first; of a group with others, only ours."""
    for number in reversed(range(len(groups))):
        if number == spared:
            continue
        if _is_all_ours(groups[number], known):
            yield Drop(("hooks", event, number))
            continue
        handlers = _handlers(groups[number])
        for place in reversed(range(len(handlers))):
            if _is_ours(handlers[place], known):
                yield Drop(("hooks", event, number, "hooks", place))


def _is_all_ours(group: object, known: Known) -> bool:
    handlers = _handlers(group)
    return bool(handlers) and all(_is_ours(handler, known) for handler in handlers)


def _handlers(group: object) -> list[Any]:
    found = group.get("hooks") if isinstance(group, Mapping) else None
    return found if isinstance(found, list) else []


def _is_ours(handler: object, known: Known) -> bool:
    return isinstance(handler, Mapping) and known(handler.get("command"))
