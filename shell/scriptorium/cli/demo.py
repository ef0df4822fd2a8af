"""The demo: a recorded conversation becomes memory in a few seconds, with nothing configured."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import frozen

from scriptorium_core.problem import Code, Problem

from .door import Door, Stop, said
from .lines import counted, day_and_time, outcome_line
from .safe import indented, one_line, safe
from .shared import command
from .shown import hit, shown

if TYPE_CHECKING:
    from scriptorium_core.writing.outcome import Outcome

    from ..clock import Moment
    from ..conversations.importing import Report
    from ..service import Service
    from ..service.model import Found, LogEntry, Shown, Verified

__all__ = ["demo_home"]

_SESSION = "native/porto"
_TOPIC = "topics/trips/porto.md"
_QUESTION = "where do we have dinner on Saturday"
_ASIDE = "Hotel Azul"


@frozen
class Played:
    """What the demo did and saw; `home` is None where it was temporary."""

    home: Path | None
    imported: "Report"
    outcomes: "tuple[Outcome, ...]"
    topic: "Shown"
    found: "Found"
    aside: "Found"
    log: "tuple[LogEntry, ...]"
    proof: "Verified"


@command("demo")
@click.option("--keep", is_flag=True, help="Keep the home and say where it is.")
def demo_command(door: Door, keep: bool) -> int:
    """See it work: a recorded conversation with a fork becomes cited memory, and is found again.

    Runs in a temporary home (or in --home, which then stays). Needs no key, no model, no network.
    """
    from ..service import Service

    if door.memory is not None:
        raise click.UsageError("the demo makes a memory of its own: give --home, or nothing")
    fixed = door.clock
    with (
        _home(door.home, keep) as home,
        Service(home, moment=(lambda: fixed) if fixed else _recorded) as service,
    ):
        played = _play(service, home if keep or door.home is not None else None)
    wrong = [finding.problem for finding in played.proof.findings if finding.level == "problem"]
    door.say("demo", played, lambda: "\n\n".join(_told(played)), wrong)
    return 1 if wrong else 0


def _recorded() -> "Moment":
    """The time of the recorded demo, so that everybody sees the same commits."""
    from ..clock import Moment

    return Moment(1_774_200_000)


@contextmanager
def demo_home(door: Door) -> Iterator[Path]:
    """A home with the demo's memory in it, temporary unless one is given."""
    from ..service import Service

    if door.memory is not None:
        raise click.UsageError("the demo makes a memory of its own: give --home, or nothing")
    with _home(door.home, keep=False) as home:
        with Service(home, moment=_recorded) as service:
            _play(service, home)
        yield home


@contextmanager
def _home(named: Path | None, keep: bool) -> Iterator[Path]:
    if named is not None:
        yield named
        return
    folder = Path(tempfile.mkdtemp(prefix="scriptorium-demo-"))
    try:
        yield folder
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _play(service: "Service", kept: Path | None) -> Played:
    """A conversation becomes memory, and memory is asked."""
    from scriptorium_core.recall import Query
    from scriptorium_core.writing.outcome import Failed

    from ..examples import example

    _check(service)
    (imported,) = service.import_paths([example("demo.jsonl")])
    passes = service.replay(example("demo.tape.jsonl"))
    outcomes = tuple(outcome for each in passes for outcome in each.outcomes)
    failures = [outcome for outcome in outcomes if isinstance(outcome, Failed)]
    if imported.problems or failures:
        raise Stop(imported.problems or failures[0].problems or (_problem(failures[0]),))
    found, aside = (service.search(Query(text, limit=1)) for text in (_QUESTION, _ASIDE))
    return Played(
        kept, imported, outcomes, service.show(_TOPIC), found, aside, service.log(), service.verify()
    )


def _check(service: "Service") -> None:
    """A home with memory of its own is no place for invented people."""
    known = {f"{each.session.provider}/{each.session.id}" for each in service.sessions()}
    if known - {_SESSION} or (not known and service.root.exists() and any(service.root.iterdir())):
        message = "this home holds other memory than the demo's"
        remedy = "leave --home out, or name a new folder"
        raise Stop((Problem(Code.INVALID_ARGUMENT, message, str(service.home), remedy=remedy),))


def _problem(failure: "Outcome") -> Problem:
    code, message = getattr(failure, "code", Code.WRITER_FAILURE_UNKNOWN), getattr(failure, "message", "")
    return Problem(code, message)


def _told(played: Played) -> Iterator[str]:
    """What was done and seen, one after the other."""
    turns = played.imported.turns_new + played.imported.turns_known
    yield _step(
        "1. A conversation",
        f"{turns} turns, {played.imported.branches} branches: Mara goes back once and decides anew.",
    )
    yield _step("2. becomes memory, one commit a batch", "\n".join(map(outcome_line, played.outcomes)))
    yield _step("3. A topic, as you and your agents read and edit it", shown(played.topic))
    yield _step(f"4. Found again, with the turn that was said: “{_QUESTION}”", _hits(played.found))
    yield _step(f"5. What was given up never poses as current: “{_ASIDE}”", _hits(played.aside))
    yield _step("6. Every change is a commit", "\n".join(map(_commit, played.log)))
    yield _step("7. and all of it is proved", _proof(played.proof))
    yield _step("How to go on", _next(played))


def _hits(found: "Found") -> str:
    return "\n\n".join(map(hit, found.hits)) or (found.nothing.message if found.nothing else "")


def _commit(entry: "LogEntry") -> str:
    return f"{entry.commit[:10]}  {day_and_time(entry.at)}  {one_line(entry.subject)}"


def _proof(proof: "Verified") -> str:
    seen = proof.counted
    sums = ((seen.records, "record"), (seen.citations, "citation"), (seen.links, "link"))
    word = "nothing is broken" if proof.holds else "there are problems"
    problems = [said(finding.problem) for finding in proof.findings]
    return "\n".join([f"{word}: {', '.join(counted(*each) for each in sums)}", *problems])


def _step(title: str, text: str) -> str:
    return f"{title}\n{'─' * len(title)}\n{indented(text)}"


def _next(played: Played) -> str:
    """The next commands."""
    rows = [
        ("import FILE", "conversations of your own (of agents, exports of chats, message lists)"),
        ("write --force", "into memory, without a model"),
        ('search "a question"', "and find it again"),
        ("--help", "everything else"),
    ]
    if played.home is not None and played.found.hits:
        option = f"--home {safe(str(played.home))}"
        rows.insert(0, (f"{option} why ^{played.found.hits[0].id}", "back to what was said"))
    widest = max(len(words) for words, _ in rows)
    lines = [f"scriptorium {words:{widest}}  {meaning}" for words, meaning in rows]
    stays = (
        f"This memory stays in {safe(str(played.home))}."
        if played.home is not None
        else "This memory was temporary; `scriptorium demo --keep` keeps it."
    )
    return "\n".join([*lines, "", stays])
