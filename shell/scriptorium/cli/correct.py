"""A person's word on one record: another text for it, more text, that it does not hold, or that it does."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from .asking import confirmed
from .door import Door, Stop, said
from .endings import REJECTED
from .lines import prose, record_lines
from .shared import command
from .streams import out
from .worded import words_of

if TYPE_CHECKING:
    from scriptorium_core.transaction import Rejected

    from ..service import Service
    from ..service.correcting import Corrected

__all__: list[str] = []


def _key() -> Callable[[Callable[..., int]], Callable[..., int]]:
    return click.option("--key", default="", help="A key of this request: with it, it is carried out once.")


def _seen() -> Callable[[Callable[..., int]], Callable[..., int]]:
    return click.option("--seen", default="", metavar="KEY", help="The key of the text that you have seen.")


@command("correct")
@click.argument("target")
@click.argument("text")
@_key()
def correct_command(door: Door, target: str, text: str, key: str) -> int:
    """Put TEXT (- for standard input) in the place of what a record says.

    TARGET is an id, an exact title, or words that find it: where several records could be meant, they are
    listed and nothing is written. The text that is replaced is printed, and what it rested on stays as the
    history of the record.
    """
    words = words_of(text)
    return _changed(door, ["correct", target, words], key, lambda service: service.correct(target, words))


@command("append")
@click.argument("target")
@click.argument("text")
@_key()
def append_command(door: Door, target: str, text: str, key: str) -> int:
    """Add TEXT (- for standard input) to what a record says.

    TARGET is an id, an exact title, or words that find it: where several records could be meant, they are
    listed and nothing is written.
    """
    words = words_of(text)
    return _changed(door, ["append", target, words], key, lambda service: service.append(target, words))


@command("retract")
@click.argument("target")
@_key()
def retract_command(door: Door, target: str, key: str) -> int:
    """Say that a record does not hold: it stays in its topic, and no agent is given it.

    TARGET is an id, an exact title, or words that find it. `scriptorium forget` takes it away altogether.
    """
    return _changed(door, ["retract", target], key, lambda service: service.retract(target))


@command("validate")
@click.argument("record")
@_seen()
@_key()
def validate_command(door: Door, record: str, seen: str, key: str) -> int:
    """Say that RECORD was checked and holds: verified, and its age counts from today.

    Without --seen the record is shown and you are asked.
    """
    return _judged(door, "validate", record, seen, key)


@command("dispute")
@click.argument("record")
@_seen()
@_key()
def dispute_command(door: Door, record: str, seen: str, key: str) -> int:
    """Say that what RECORD says is in doubt. Without --seen the record is shown and you are asked."""
    return _judged(door, "dispute", record, seen, key)


@command("approve")
@click.argument("record")
@_seen()
@_key()
def approve_command(door: Door, record: str, seen: str, key: str) -> int:
    """Let RECORD stand, which a model made or which is held; held messages that it cites are let in.

    Without --seen the record is shown and you are asked.
    """
    return _judged(door, "approve", record, seen, key)


@command("discard")
@click.argument("record")
@_seen()
@_key()
def discard_command(door: Door, record: str, seen: str, key: str) -> int:
    """Retract RECORD, which waits for a decision. Without --seen the record is shown and you are asked."""
    return _judged(door, "discard", record, seen, key)


def _changed(
    door: Door, request: list[str], key: str, work: "Callable[[Service], Corrected | Rejected]"
) -> int:
    with door.service() as service, service.once(key, request):
        return _told(door, request[0], work(service))


def _judged(door: Door, verdict: str, record: str, seen: str, key: str) -> int:
    with door.service() as service:
        given = seen or _asked(door, service, verdict, record)
        if not given:
            return door.end("INTERRUPTED", "nothing was decided", REJECTED)
        with service.once(key, [verdict, record, given]):
            return _told(door, verdict, getattr(service, verdict)(record, given))


def _asked(door: Door, service: "Service", verdict: str, record: str) -> str:
    """The key of a record that a person has just seen and confirmed; empty if they did not."""
    from scriptorium_core.problem import Code, Problem

    from ..service.shown import RecordShown

    found = service.show(f"^{record.strip().removeprefix('^')}")
    assert isinstance(found, RecordShown)  # a name with ^ is that of a record
    if door.json:
        message = "--seen is missing: nothing is decided about a text that was not seen"
        remedy = f"read it; what it says now has the key {found.seen}"
        raise Stop((Problem(Code.INVALID_ARGUMENT, message, "seen", remedy=remedy),))
    out(record_lines(found.record))
    instead = f"read it, then say --seen {found.seen}"
    return found.seen if confirmed(f"{verdict} it?", instead) else ""


def _told(door: Door, deed: str, result: "Corrected | Rejected") -> int:
    from scriptorium_core.transaction import Rejected

    if isinstance(result, Rejected):
        raise Stop(result.problems)
    door.say(deed, result, lambda: _people(result))
    return 0 if result.committed is not None else REJECTED


def _people(result: "Corrected") -> str:
    if result.committed is None:
        lines = ["several records could be meant; nothing was written. Name one by its id:"]
        return "\n".join([*lines, *(record_lines(each.record) for each in result.candidates)])
    done = result.committed
    lines = ["nothing changed" if done.unchanged else f"committed {done.revision[:10]}"]
    lines += [record_lines(result.target.record)] if result.target is not None else []
    lines += ["  instead of:", prose(result.replaced, "    ")] if result.replaced else []
    lines += [] if done.unchanged else [f"  `scriptorium undo {done.revision[:10]}` takes it back"]
    return "\n".join([*lines, *(f"  {said(problem)}" for problem in done.problems)])
