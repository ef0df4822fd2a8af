"""The history of memory by record: log, blame, diff."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from .door import Door
from .lines import counted, day_and_time, few, record_lines
from .safe import one_line, safe, wrapped
from .shared import command

if TYPE_CHECKING:
    from scriptorium_core.knowledge.words import Piece

    from ..service.model import LogEntry
    from ..service.versioned import Blame, Differed, Ground, Stage, Step, Version

__all__: list[str] = []

_AROUND = 8  # words that are kept on each side of a change
_TOPIC = "Only what touched this topic, or the topics of this folder."


@command("log")
@click.option(
    "-n", "--limit", default=20, show_default=True, type=click.IntRange(min=1), help="How many commits."
)
@click.option("--topic", default="", metavar="PATH", help=_TOPIC)
@click.option("--record", default="", metavar="ID", help="Only what touched this record.")
def log_command(door: Door, limit: int, topic: str, record: str) -> int:
    """Show the newest commits, each with the records that it made, moved or deleted."""
    with door.service() as service:
        entries = service.log(limit, topic=topic, record=record)

    def people() -> str:
        none = "no commit touched it" if topic or record else "nothing is committed yet"
        return "\n".join(line for entry in entries for line in _entry(entry)) or none

    door.say("log", entries, people)
    return 0


@command("blame")
@click.argument("record")
def blame_command(door: Door, record: str) -> int:
    """Show every version of RECORD (^id), newest first, and what was behind each.

    Each version names its commit, its kind, and the batch and conversation that it was written from, and
    shows what it changed: [-gone-] and {+new+}, and what became of its standing. Also of a record that was
    deleted. Of one that was forgotten only that and when is said.
    """
    with door.service() as service:
        found = service.blame(record)
    door.say("blame", found, lambda: _blame(found))
    return 0


@command("diff")
@click.argument("old", default="")
@click.argument("new", default="")
@click.option("--topic", default="", metavar="PATH", help="Only this topic, or the topics of this folder.")
@click.option("--patch", is_flag=True, help="The plain unified diff of the topics.")
def diff_command(door: Door, old: str, new: str, topic: str, patch: bool) -> int:
    """Show what became of each record between two revisions.

    Without revisions, through the newest commit; with one, from it to the present. A revision is HEAD,
    HEAD~2, four or more digits of a commit's id, or a date: the newest commit at or before it.
    """
    with door.service() as service:
        if patch:
            text = service.patch(old, new, topic=topic)
            # Whoever applies a patch needs its very bytes; a terminal is not to be steered by them.
            plain = safe(text) if sys.stdout.isatty() else text
            door.say("patch", text, lambda: plain or "no topic differs")
            return 0
        found = service.diff(old, new, topic=topic)
    door.say("diff", found, lambda: "\n\n".join(_diff(found)))
    return 0


def _entry(entry: "LogEntry") -> Iterator[str]:
    yield f"{entry.commit[:10]}  {day_and_time(entry.at)}  {one_line(entry.subject)}"
    for key, value in _merged(entry).items():
        yield f"            {key.lower()}: {few(one_line(value).split())}"


def _merged(entry: "LogEntry") -> Mapping[str, str]:
    """The trailers by key, in order; lists of ids that go over several lines become one."""
    found: dict[str, str] = {}
    for key, value in entry.trailers:
        if key != "Kind":
            found[key] = f"{found[key]} {value}" if key in found else value
    return found


def _blame(found: "Blame") -> str:
    if found.forgotten:
        by = f" (commit {found.forgotten_by[:10]})" if found.forgotten_by else ""
        return f"^{safe(found.id)} was forgotten on {found.forgotten}{by}; nothing of it is shown"
    return "\n\n".join("\n".join(_version(each)) for each in found.versions)


def _version(each: "Version") -> Iterator[str]:
    kind = f"  [{one_line(each.kind)}]" if each.kind else ""
    yield f"{each.commit[:10]}  {day_and_time(each.at)}  {one_line(each.subject)}{kind}"
    writer = f"{each.writer} writer" if each.writer else ""
    behind = ", ".join(filter(None, (each.session, writer, each.batch)))
    yield f"  by {one_line(behind or each.author)}"
    yield from _step(each.step, whole=True)


def _diff(found: "Differed") -> Iterator[str]:
    since = found.old[:10] if found.old else "the beginning"
    records, topics = counted(len(found.steps), "record"), counted(len(found.topics), "topic")
    yield f"from {since} to {found.new[:10]}: {records} in {topics}"
    for step in found.steps:
        yield "\n".join(_step(step))


def _step(step: "Step", whole: bool = False) -> Iterator[str]:
    """What became of a record; with `whole`, its new state in full."""
    yield f"  ^{safe(step.id)} {', '.join(step.deeds)}"
    if step.standing is not None:
        before, after = (
            one_line(each) or "by default" for each in (step.standing.before, step.standing.after)
        )
        yield f"    standing: {before} -> {after}"
    if step.withheld:
        yield "    it holds something that was forgotten since, and is not shown"
        return
    if step.before is not None and step.after is not None:
        yield from _moved(step.before, step.after)
        if step.words:
            yield wrapped(_words(step.words), "    ")
        yield from (f"    + {_ground(each)}" for each in step.gained)
        yield from (f"    - {_ground(each)}" for each in step.lost)
    stage = step.after or step.before
    if stage is not None and (whole or step.before is None or step.after is None):
        yield from _stage(stage)


def _moved(before: "Stage", after: "Stage") -> Iterator[str]:
    if _where(before) != _where(after):
        yield f"    from {_where(before)} to {_where(after)}"
    if before.aliases != after.aliases:
        yield (
            f"    also known as ^{', ^'.join(map(safe, after.aliases))}"
            if after.aliases
            else "    stands alone"
        )


def _stage(stage: "Stage") -> Iterator[str]:
    yield record_lines(stage.record, "    ")
    headings = " > ".join(map(one_line, stage.record.headings))
    yield from ([f"    under {headings}"] if headings else [])
    yield from (f"    {_ground(each)}" for each in stage.evidence)


def _where(stage: "Stage") -> str:
    return " > ".join(map(one_line, (stage.record.topic_path, *stage.record.headings)))


def _ground(group: "Ground") -> str:
    fields = "".join(f"; {name}: {one_line(value)}" for name, value in group.fields)
    return f"{one_line(group.date)}  {', '.join(map(safe, group.sources))}{fields}"


def _words(pieces: Sequence["Piece"]) -> str:
    """The changes among the words around them."""
    from scriptorium_core.knowledge.words import Side

    marks = {Side.GONE: "[-{}-]", Side.NEW: "{{+{}+}}"}
    shown: list[str] = []
    for place, piece in enumerate(pieces):
        if piece.side in marks:
            shown.append(marks[piece.side].format(piece.text))
        else:
            shown.append(_shortened(piece.text, first=place == 0, last=place == len(pieces) - 1))
    return "".join(shown)


def _shortened(text: str, first: bool, last: bool) -> str:
    """A stretch that did not change, its middle left out where it is long."""
    words = text.split(" ")
    if len(words) <= 2 * _AROUND + 1:
        return text
    before = "" if first else " ".join(words[:_AROUND])
    after = "" if last else " ".join(words[-_AROUND:])
    return " … ".join((before, after)) if before and after else f"{before} …" if before else f"… {after}"
