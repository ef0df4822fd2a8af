"""Reading: search, show, topics, core, timeline, recent."""

from typing import TYPE_CHECKING

import click

from scriptorium_core.problem import Code, Problem
from scriptorium_core.topics.standing import LEAST, State
from scriptorium_core.when import When, Window, parse_when

from .door import Door, Stop, said
from .lines import counted, prose, record_lines, table
from .safe import safe
from .shared import CURRENT, SURE, command
from .shown import hit, shown

if TYPE_CHECKING:
    from scriptorium_core.recall import Query

    from ..service.model import Found

__all__: list[str] = []


@command("search")
@click.argument("text")
@click.option(
    "-n", "--limit", default=10, show_default=True, type=click.IntRange(1, 200), help="How many hits."
)
@click.option(
    "--kind",
    type=click.Choice(["record", "turn", "both"]),
    default="record",
    show_default=True,
    help="What to find: what memory keeps, or what was said.",
)
@click.option(
    "--topic", default="", help="Only topics at or below this path, whole steps of it (people, trips/lima)."
)
@click.option(
    "--source",
    default="",
    help="Only what rests on messages at or below this id, whole steps of it (chat/s1).",
)
@click.option("--speaker", default="", help="Only what this speaker said.")
@click.option("--scope", default="", help="Only what was said in this project directory.")
@click.option(
    "--trust",
    type=click.Choice(["trusted", "pending", "all"]),
    default="trusted",
    show_default=True,
    help="What the owner let in, or what waits for consent.",
)
@click.option("--since", default="", help="Not before this day, month or year.")
@click.option("--until", default="", help="Not after it.")
@click.option("--valid-at", default="", help="Only what held on this day, in this month or year.")
@click.option(
    "--standing",
    type=click.Choice([state.value for state in State]),
    multiple=True,
    help="Only records that stand so; given again, another state passes too. Messages have none.",
)
@click.option("--current", is_flag=True, help=CURRENT)
@click.option("--least", default=LEAST, show_default=True, type=click.FloatRange(0, 1), help=SURE)
@click.option("--semantic", is_flag=True, help="Find by meaning too: loads a model (settings: [embeddings]).")
@click.option("--explain", is_flag=True, help="Say how the answer came about, and why others are none.")
def search_command(
    door: Door,
    text: str,
    limit: int,
    kind: str,
    topic: str,
    source: str,
    speaker: str,
    scope: str,
    trust: str,
    since: str,
    until: str,
    valid_at: str,
    standing: tuple[str, ...],
    current: bool,
    least: float,
    semantic: bool,
    explain: bool,
) -> int:
    """Find records (and turns, with --kind) by what they say; each comes with the turn that it cites.

    TEXT is taken as it is: no sign in it has a meaning of its own.
    """
    from scriptorium_core.recall import Kind, Query
    from scriptorium_core.sources import Trust

    kinds = (Kind.RECORD, Kind.TURN) if kind == "both" else (Kind(kind),)
    window = Window(_date(since, "--since"), _date(until, "--until"))
    trusts = tuple(Trust) if trust == "all" else (Trust(trust),)
    filters = (topic, source, speaker, scope or None, window, trusts)
    states = tuple(map(State, standing))
    query = Query(text, kinds, limit, *filters, current, least, _date(valid_at, "--valid-at"), states)
    if explain:
        return _explained(door, query, semantic)
    with door.service() as service, door.progress("indexing") as progress:
        service.by_meaning = semantic
        found = service.search(query, progress)

    door.notices(found.notices)
    door.say("search", found, lambda: _hits(found))
    return 0


@command("show")
@click.argument("name")
def show_command(door: Door, name: str) -> int:
    """Show a record by its ^id, a topic by its path (people/mira), or a message by its source id."""
    with door.service() as service:
        found = service.show(name)
    door.say("show", found, lambda: shown(found))
    return 0


@command("topics")
@click.argument("prefix", default="")
def topics_command(door: Door, prefix: str) -> int:
    """List the topics, or those whose path begins with PREFIX, with the number of their records."""
    with door.service() as service:
        found = service.topics(prefix)

    def people() -> str:
        lines = (
            [table([(safe(topic.path), counted(topic.records, "record")) for topic in found])]
            if found
            else []
        )
        lines += [f"  broken: {said(problem)}" for topic in found for problem in topic.problems]
        return "\n".join(lines) or "no topics yet"

    door.say("topics", found, people)
    return 0


@command("core")
@click.option("--scope", default="", help="Only what holds in this project directory.")
def core_command(door: Door, scope: str) -> int:
    """Show the resident block: what goes into every prompt, under its token budget.

    What was said in a project holds in its directory and below it, anything else everywhere.
    """
    with door.service() as service:
        found = service.core(scope)

    def people() -> str:
        if not found.text:
            return "the resident block is empty: there is no topics/core.md"
        head = f"{found.tokens:,} / {found.budget:,} tokens, {len(found.shown)} of {found.of} records"
        head += f"; {counted(len(found.aside), 'record')} not for here or not current" if found.aside else ""
        head += "".join(f"\nleft out: ^{safe(each.id)} {each.reason}" for each in found.left_out)
        return f"{head}\n\n{safe(found.text)}"

    door.say("core", found, people)
    return 0


@command("timeline")
@click.argument("date", default="")
def timeline_command(door: Door, date: str) -> int:
    """Show what is dated at or below DATE (2026, 2026-04, 2026-04-22); without it, all dates."""
    if date:
        _date(date, "DATE")
    with door.service() as service:
        found = service.timeline(date)

    def people() -> str:
        if not date:
            return (
                table([(day.date, counted(day.records, "record")) for day in found.days])
                or "nothing is dated yet"
            )
        lines = [
            f"{prose(row.quote)}\n{row.date}  ^{row.record}  {safe(row.topic_path)}{_held(row.trusted)}"
            for row in found.rows
        ]
        return "\n\n".join(lines) or f"nothing is dated {date}"

    door.say("timeline", found, people)
    return 0


@command("recent")
@click.option(
    "-n", "--limit", type=click.IntRange(1, 1000), help="How many records (default: by the settings)."
)
def recent_command(door: Door, limit: int | None) -> int:
    """Show the newest records, newest first."""
    with door.service() as service:
        found = service.recent(limit)

    def people() -> str:
        lines = [f"{record_lines(row.record, '')}{_held(row.trusted)}" for row in found.rows]
        return "\n\n".join(lines) or "no records yet"

    door.say("recent", found, people)
    return 0


def _hits(found: "Found") -> str:
    if found.nothing is not None:
        return f"nothing found: {found.nothing.message}"
    return "\n\n".join(hit(item) for item in found.hits)


def _explained(door: Door, query: "Query", semantic: bool) -> int:

    from .explained import explanation

    with door.service() as service, door.progress("indexing") as progress:
        service.by_meaning = semantic
        answer = service.explain(query, progress)
    nothing = answer.explanation.nothing
    found = answer.found if nothing is None else answer.found._replace(nothing=nothing)
    door.notices(answer.notices)
    door.say("search", answer, lambda: f"{_hits(found)}\n\n{explanation(answer.explanation)}")
    return 0


def _held(trusted: bool) -> str:
    """That what a record rests on waits for the owner's consent, or is not there."""
    return "" if trusted else "  [pending]"


def _date(text: str, option: str) -> When | None:
    when = parse_when(text) if text else None
    if text and when is None:
        remedy = "use YYYY, YYYY-MM or YYYY-MM-DD"
        raise Stop((Problem(Code.INVALID_ARGUMENT, f"{text!r} is not a date", option, remedy=remedy),))
    return when
