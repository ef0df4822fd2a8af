"""What agent programs print when they run by themselves: their last words, and what they used.

| program | what it prints |
|---|---|
| `claude -p --output-format json` | one object of the type `result` |
| `codex exec --json` | lines: `thread.started`, `item.completed`, `turn.completed`, `turn.failed`, `error` |
| `gemini --output-format json` | one object with `response`, `stats`, `error` |
| `opencode run --format json` | lines: `text`, `step_finish`, `error` |
| any other | words |

What a program says of itself is shown and counted, and never taken as evidence that something was done.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from attrs import evolve, frozen

__all__ = ["Printed", "printed"]

Fields = Mapping[str, object]


@frozen
class Printed:
    """The last words, the error (empty if there was none), the ids of the sessions, tokens, US dollars."""

    text: str = ""
    error: str = ""
    sessions: tuple[str, ...] = ()
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0
    cost: float | None = None


def printed(output: str) -> Printed:
    """What the standard output of a program says; what is cut off or unknown in it is passed over."""
    found = Printed(text=output.strip())
    objects = tuple(_objects(output))
    if not any(_is_known(each) for each in objects):
        return found
    found = Printed()
    for each in objects:
        found = _after(found, each)
    return found


def _objects(output: str) -> Iterator[Fields]:
    whole = _json(output)
    if whole is not None:
        yield from _fields(cast("list[object]", whole) if isinstance(whole, list) else [whole])
        return
    for line in output.splitlines():
        if line.lstrip().startswith("{"):
            yield from _fields([_json(line)])


def _fields(values: Iterable[object]) -> Iterator[Fields]:
    return (cast(Fields, value) for value in values if isinstance(value, dict))


def _json(text: str) -> object:
    try:
        return cast(object, json.loads(text))
    except (ValueError, RecursionError):
        return None


def _is_known(fields: Fields) -> bool:
    known = (
        "result",
        "thread.started",
        "turn.completed",
        "turn.failed",
        "step_start",
        "step_finish",
        "error",
    )
    return fields.get("type") in known or "stats" in fields or ("response" in fields and len(fields) < 6)


def _after(found: Printed, fields: Fields) -> Printed:
    """What is known after one more object."""
    found = _named(found, fields)
    match fields.get("type"):
        case "result":
            return _claude(found, fields)
        case "item.completed":
            item = _inner(fields, "item")
            said = item.get("text") if item.get("type") == "agent_message" else None
            return evolve(found, text=said) if isinstance(said, str) else found
        case "turn.completed":
            usage = _inner(fields, "usage")
            spent = _spent(found, _number(usage, "input_tokens"), _number(usage, "output_tokens"))
            return evolve(spent, error="")  # what was complained of before it was got over
        case "turn.failed" | "error":
            return evolve(found, error=_complaint(fields) or "it failed")
        case "text":
            said = _inner(fields, "part").get("text")
            return evolve(found, text=said) if isinstance(said, str) else found
        case "step_finish":
            return _step(found, _inner(fields, "part"))
        case _:
            return _gemini(found, fields) if "stats" in fields or "response" in fields else found


def _named(found: Printed, fields: Fields) -> Printed:
    names = (fields.get(key) for key in ("session_id", "thread_id", "sessionID"))
    new = [name for name in names if isinstance(name, str) and name and name not in found.sessions]
    return evolve(found, sessions=(*found.sessions, *new)) if new else found


def _claude(found: Printed, fields: Fields) -> Printed:
    said = fields.get("result")
    text = said if isinstance(said, str) else ""
    usage, models = _inner(fields, "usage"), _inner(fields, "modelUsage")
    read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    subtype = fields.get("subtype")
    return evolve(
        found,
        text=text,
        error=(text or str(subtype)) if fields.get("is_error") is True else "",
        model=max(models, key=lambda name: _amount(_inner(models, name), "costUSD") or 0.0, default=""),
        tokens_in=sum(_number(usage, key) for key in read),
        tokens_out=_number(usage, "output_tokens"),
        calls=_number(fields, "num_turns"),
        cost=_amount(fields, "total_cost_usd"),
    )


def _gemini(found: Printed, fields: Fields) -> Printed:
    said = fields.get("response")
    models = _inner(_inner(fields, "stats"), "models")
    for name in models:
        tokens, api = _inner(_inner(models, name), "tokens"), _inner(_inner(models, name), "api")
        answered = _number(tokens, "candidates") + _number(tokens, "thoughts")
        found = _spent(found, _number(tokens, "prompt"), answered, _number(api, "totalRequests"))
        found = evolve(found, model=found.model or name)
    return evolve(
        found,
        text=said if isinstance(said, str) else found.text,
        error=_complaint(fields) if "error" in fields else "",
    )


def _step(found: Printed, part: Fields) -> Printed:
    tokens = _inner(part, "tokens")
    cache = _inner(tokens, "cache")
    read = _number(tokens, "input") + _number(cache, "read") + _number(cache, "write")
    cost = _amount(part, "cost")
    found = _spent(found, read, _number(tokens, "output") + _number(tokens, "reasoning"))
    return found if cost is None else evolve(found, cost=(found.cost or 0.0) + cost)


def _spent(found: Printed, tokens_in: int, tokens_out: int, calls: int = 1) -> Printed:
    return evolve(
        found,
        tokens_in=found.tokens_in + tokens_in,
        tokens_out=found.tokens_out + tokens_out,
        calls=found.calls + calls,
    )


def _complaint(fields: Fields) -> str:
    """The words of an error, wherever they are kept: the kind first."""
    inner = _inner(fields, "error")
    words = (
        inner.get("name"),
        inner.get("message"),
        _inner(inner, "data").get("message"),
        fields.get("message"),
        fields.get("error"),
    )
    return ": ".join(word for word in words if isinstance(word, str) and word)


def _inner(fields: Fields, key: str) -> Fields:
    value = fields.get(key)
    return cast(Fields, value) if isinstance(value, dict) else {}


def _number(fields: Fields, key: str) -> int:
    value = fields.get(key)
    return max(value, 0) if isinstance(value, int) and not isinstance(value, bool) else 0


def _amount(fields: Fields, key: str) -> float | None:
    value = fields.get(key)
    return (
        float(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        else None
    )
