"""The agent as writer: a batch taken, and what was made of it handed in."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from scriptorium_core.problem import Code, Problem

from .changing import request_of
from .door import Door, Stop
from .exits import exit_of
from .lines import counted, day_and_time, outcome_line
from .safe import safe
from .shared import command
from .talks import problem_of

if TYPE_CHECKING:
    from ..service.leased import HandedIn, Offered, Unoffered

__all__: list[str] = []

_KEYS = ("memory_changes", "changes", "patch", "deleted", "nothing_to_keep", "summary", "base_revision")
_KNOWN = f"known: {', '.join(_KEYS)}"


@command("pending")
@click.argument("session", default="")
@click.option("--tokens", type=click.IntRange(min=1), help="A batch of at most about so many tokens.")
@click.option("--due", is_flag=True, help="Only a whole batch; nothing of what is less.")
def pending_command(door: Door, session: str, tokens: int | None, due: bool) -> int:
    """Take the next batch of unwritten messages (of SESSION, else of any) to write it yourself.

    For an agent without a key: it reads the messages, what memory holds and the rules, and hands in its
    changes with `hand-in`. The batch is its own for ten minutes; asked again, it gets the same one. What is
    not handed in is offered again. A conversation is written in order: nobody else gets a batch of it
    meanwhile.
    """
    from ..service.leased import Offered

    with door.service() as service:
        found = service.pending(session, tokens=tokens, force=not due)
    # Which of the two it is, JSON says by its key.
    name = "offered" if isinstance(found, Offered) else "unoffered"
    door.say("pending", {name: found}, lambda: "\n".join(_lines(found)))
    return 0


@command("hand-in")
@click.argument("batch")
@click.argument("file")
@click.option("--record", type=click.Path(path_type=Path), help="Add what came into memory to this tape.")
def hand_in_command(door: Door, batch: str, file: str, record: Path | None) -> int:
    """Hand in what was made of BATCH: the JSON of FILE (- for standard input), in one of these forms.

    \b
    {"memory_changes": [{"op": "create_record", …}], "summary": "Mara moves to Lisbon"}
    {"changes": [{"path": "topics/keys.md", "action": "write", "content": "…"}], "deleted": ["x7f2a"]}
    {"patch": "--- a/topics/keys.md\\n+++ b/topics/keys.md\\n@@ …"}
    {"nothing_to_keep": "small talk"}

    The operations are those of `change`; they cite the messages of the batch by their refs. What is refused
    is named as a whole, and may be mended once. The same batch handed in twice is written once.
    """
    raw = request_of(file)
    if not isinstance(raw, dict):
        raise Stop((Problem(Code.INVALID_ARGUMENT, "this is no JSON object", file, remedy=_KNOWN),))
    given = cast("dict[str, object]", raw)
    if unknown := [key for key in given if key not in _KEYS]:
        raise Stop(
            tuple(Problem(Code.INVALID_ARGUMENT, "no known key", key, remedy=_KNOWN) for key in unknown)
        )
    with door.service() as service:
        done = service.hand_in(batch, **given, record=record)  # type: ignore[arg-type]
    return _said(door, done)


def _lines(found: "Offered | Unoffered") -> Iterator[str]:
    from ..service.leased import Unoffered

    if isinstance(found, Unoffered):
        waits = f"; {counted(found.tokens, 'token')} wait" if found.tokens else ""
        until = f"; until {day_and_time(found.until)}" if found.until else ""
        yield f"no batch: {found.why}{waits}{until}"
        return
    yield f"batch      {found.batch} of {safe(found.session)}, until {day_and_time(found.until)}"
    yield f"today      {found.today}"
    for title, text in (("rules", found.rules), ("outline", found.outline), ("messages", found.messages)):
        shown = "\n".join(map(safe, (text or "nothing that could matter here").rstrip("\n").split("\n")))
        yield f"\n==== {title} ====\n\n{shown}"


def _said(door: Door, done: "HandedIn") -> int:
    from scriptorium_core.writing.outcome import Failed

    outcome = done.outcome
    failed = isinstance(outcome, Failed)
    problems = (outcome.problems or (problem_of(outcome),)) if isinstance(outcome, Failed) else ()

    def people() -> str:
        if done.already:
            return f"{safe(done.batch)} is written already; nothing was done"
        left = f"; {counted(done.attempts, 'attempt')} left" if failed and done.attempts else ""
        return f"{safe(done.session or done.batch)}: {outcome_line(outcome)}{left}"

    door.say("handed_in", done, people, problems)
    door.blame(problems)
    return exit_of(outcome.code) if isinstance(outcome, Failed) else 0
