"""The demo: a recorded conversation becomes memory in a few seconds, with nothing configured."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scriptorium_core.problem import Problem

from .door import Door, Stop, command, said
from .lines import day_and_time, outcome_line
from .safe import indented, one_line, safe
from .shown import hit, shown

if TYPE_CHECKING:
    from ..clock import Moment
    from ..service import Service

__all__: list[str] = []

_QUESTION = "where do we have dinner on Saturday"
_ASIDE = "Hotel Azul"


@command("demo")
@click.option("--keep", is_flag=True, help="Keep the home and say where it is.")
def demo_command(door: Door, keep: bool) -> int:
    """See it work: a recorded conversation with a fork becomes cited memory, and is found again.

    Runs in a temporary home (or in --home, which then stays). Needs no key, no model, no network.
    """
    from ..examples import example
    from ..service import Service

    fixed = door.clock
    with (
        _home(door.home, keep) as home,
        Service(home, moment=(lambda: fixed) if fixed else _recorded) as service,
    ):
        kept = home if keep or door.home is not None else None
        steps = _steps(service, example("demo.jsonl"), example("demo.tape.jsonl"))
        text = "\n\n".join([*steps, _how_to_go_on(kept)])
    door.say("demo", {"home": kept, "text": text}, lambda: text)
    return 0


def _recorded() -> "Moment":
    """The time of the recorded demo, so that everybody sees the same commits."""
    from ..clock import Moment

    return Moment(1_774_200_000)


@contextmanager
def _home(named: Path | None, keep: bool) -> Iterator[Path]:
    if named is not None:
        named.mkdir(parents=True, exist_ok=True)
        yield named
        return
    folder = Path(tempfile.mkdtemp(prefix="scriptorium-demo-"))
    try:
        yield folder
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _steps(service: "Service", conversation: Path, tape: Path) -> Iterator[str]:
    """What is done and seen, one after the other."""
    from scriptorium_core.recall import Query
    from scriptorium_core.writing.outcome import Failed

    (report,) = service.import_paths([conversation])
    known = report.turns_new + report.turns_known
    yield _step("1. A conversation", f"{known} turns with a fork: Mara goes back once and decides anew.")
    outcomes = [outcome for each in service.replay(tape) for outcome in each.outcomes]
    failures = [outcome for outcome in outcomes if isinstance(outcome, Failed)]
    if failures:
        raise Stop(failures[0].problems or (Problem(failures[0].code, failures[0].message),))
    yield _step("2. becomes memory, one commit a batch", "\n".join(map(outcome_line, outcomes)))
    yield _step(
        "3. A topic, as you and your agents read and edit it", shown(service.show("topics/trips/porto.md"))
    )
    found = service.search(Query(_QUESTION, limit=1))
    hits = "\n\n".join(map(hit, found.hits)) or (found.nothing.message if found.nothing else "")
    yield _step(f"4. Found again, with the turn that was said: “{_QUESTION}”", hits)
    aside = service.search(Query(_ASIDE, limit=1))
    yield _step(f"5. What was given up never poses as current: “{_ASIDE}”", "\n\n".join(map(hit, aside.hits)))
    log = [
        f"{entry.commit[:10]}  {day_and_time(entry.at)}  {one_line(entry.subject)}" for entry in service.log()
    ]
    yield _step("6. Every change is a commit", "\n".join(log))
    proof = service.verify()
    counted = proof.counted
    word = "nothing is broken" if proof.holds else "there are problems"
    sums = f"{counted.records} records, {counted.citations} citations, {counted.links} links"
    problems = [said(finding.problem) for finding in proof.findings]
    yield _step("7. and all of it is proved", "\n".join([f"{word}: {sums}", *problems]))


def _step(title: str, text: str) -> str:
    return f"{title}\n{'─' * len(title)}\n{indented(text)}"


def _how_to_go_on(home: Path | None) -> str:
    """The next commands."""
    option = f" --home {safe(str(home))}" if home else ""
    lines = [f"scriptorium{option} why ID          the way back to what was said"] if home else []
    lines += [
        "scriptorium import FILE            your own conversation (native JSONL, OpenAI message lists)",
        "scriptorium write --force          into memory, without a model",
        "scriptorium search “a question”    and find it again",
        "scriptorium --help                 everything else",
    ]
    stays = f"This memory stays in {safe(str(home))}." if home else "This one was temporary; --keep keeps it."
    return _step("How to go on", "\n".join([*lines, "", stays]))
