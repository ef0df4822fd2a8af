"""What should be looked at, one thing after the other, each decided by one key or left as it is."""

import sys
from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from .asking import attended
from .door import Door, Stop, block
from .lines import counted, prose, turn_lines
from .safe import one_line, safe
from .shared import command
from .streams import out

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

    from ..service import Service
    from ..service.reviewing import Listed, Reviewed

__all__: list[str] = []

_WORDS = MappingProxyType(
    {
        "1": "keep the first",
        "2": "keep the second",
        "a": "approve",
        "b": "keep both",
        "d": "dispute",
        "v": "validate",
        "x": "it does not hold",
    }
)


@command("review")
@click.option("-n", "--limit", type=click.IntRange(min=1), help="At most so many (default: all).")
@click.option("--list", "listing", is_flag=True, help="Only list them.")
def review_command(door: Door, limit: int | None, listing: bool) -> int:
    """Look at what is disputed, contradictory, nearly the same, pending or stale, and decide by one key each.

    s leaves a thing as it is, q ends; nothing is decided without a key, which is pressed at a terminal. With
    --json and without --list, answers are read from the standard input, one a line: the name of an item and
    its key, `3f2a… v`. The answer holds what was `decided`, and the `items` that are left.
    """
    with door.service() as service:
        if door.json and not listing:
            return _by_lines(door, service, limit)
        found = service.review(limit)
        if door.json or listing or not found.items:
            door.say("review", found, lambda: "\n\n".join(map(_item, found.items)) or "nothing waits for you")
            return 0
        if not attended():
            raise Stop((_nobody(),))
        return _walk(service, found.items)


def _nobody() -> "Problem":
    from scriptorium_core.problem import Code, Problem

    message = "a key is pressed at a terminal, about what was just shown; the standard input is none"
    remedy = "see them with --list, and give answers by name: `3f2a… v`, one a line, with --json"
    return Problem(Code.INVALID_ARGUMENT, message, "stdin", remedy=remedy)


def _walk(service: "Service", items: "tuple[Reviewed, ...]") -> int:
    decided = 0
    for number, item in enumerate(items, 1):
        out(f"{number} of {len(items)}: {_item(item)}")
        key = _pressed(item)
        if key == "q":
            break
        if key != "s":
            decided += _decide(service, item, key)
    out(f"{counted(decided, 'decision')}")
    return 0


def _pressed(item: "Reviewed") -> str:
    """A key of the item, `s` or `q`."""
    told = [f"{key} {_WORDS[key]}" for key in item.keys]
    out(f"  {', '.join(told)}, s skip, q quit")
    while True:
        key = click.getchar().lower()
        if key in (*item.keys, "s", "q"):
            return key
        if key in ("\x03", "\x04", ""):
            raise click.Abort


def _decide(service: "Service", item: "Reviewed", key: str) -> int:
    """Whether something was decided; what is in the way is said, and the walk goes on."""
    from scriptorium_core.transaction import Rejected

    from ..refused import Refused

    try:
        result = service.decide(item.item, key)
    except Refused as refused:
        out("\n".join(map(block, refused.problems)))
        return 0
    if isinstance(result, Rejected):
        out("\n".join(map(block, result.problems)))
        return 0
    out(f"  {_WORDS[key]}; committed {result.committed.revision[:10]}")
    return 1


def _by_lines(door: Door, service: "Service", limit: int | None) -> int:
    """Answers on the standard input; the first that is not carried out ends it."""
    from scriptorium_core.transaction import Rejected

    from ..refused import Refused

    decided: list[Any] = []
    problems: tuple[Problem, ...] = ()
    for item, key in _answers():
        if key == "s":
            continue
        try:
            result = service.decide(item, key)
        except Refused as refused:
            problems = refused.problems
            break
        if isinstance(result, Rejected):
            problems = result.problems
            break
        decided.append(result)
    found = service.review(limit)
    answer = {"decided": tuple(decided), "items": found.items, "of": found.of, "revision": found.revision}
    door.say("review", answer, lambda: "", problems)
    return Stop(problems).code if problems else 0


def _answers() -> Iterator[tuple[str, str]]:
    from scriptorium_core.problem import Code, Problem

    if sys.stdin.isatty():
        return
    for number, line in enumerate(sys.stdin, 1):
        words = line.split()
        if len(words) == 2:
            yield words[0], words[1]
        elif words:
            message = f"line {number} is not a name and a key"
            remedy = "write one answer a line: the item's name, a blank, and its key"
            raise Stop((Problem(Code.INVALID_ARGUMENT, message, "stdin", number, remedy),))


def _item(item: "Reviewed") -> str:
    head = f"{item.kind}  ({item.item})"
    head += f"\n  both answer: {one_line(item.question)}" if item.question else ""
    return "\n".join([head, *(_listed(place, each) for place, each in enumerate(item.records, 1))])


def _listed(place: int, listed: "Listed") -> str:
    record, found = listed.shown.record, listed.assessment
    dates = f"  {', '.join(record.dates)}" if record.dates else ""
    standing = f"{found.state} {found.confidence:g}" + (f", checked {found.checked}" if found.checked else "")
    lines = [prose(record.content, f"  {place}  ")]
    lines += [f"     ^{safe(record.id)}{dates}  {standing}  {safe(record.topic_path)}:{record.line}"]
    turns = (cited.turn for cited in listed.citations[:2])
    return "\n".join([*lines, *(turn_lines(turn, "       ") for turn in turns if turn is not None)])
