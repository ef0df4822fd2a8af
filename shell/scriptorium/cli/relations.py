"""The command that shows what links to what."""

from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING

import click

from .door import Door
from .lines import counted, record_lines, table
from .safe import safe
from .shared import command
from .shown import assessment_notes

if TYPE_CHECKING:
    from ..service.relations import Related, RelatedLine, Relations

__all__: list[str] = []

_LIMIT = 50
_MAKERS = "a model makes links, or you do in a topic, `[words](path/of/topic.md#^id)`"


@command("relations")
@click.argument("name", metavar="[ID|TOPIC]", default="")
@click.option(
    "-n",
    "--limit",
    default=_LIMIT,
    show_default=True,
    type=click.IntRange(1, 100_000),
    help="How many rows of each list.",
)
def relations_command(door: Door, name: str, limit: int) -> int:
    """Show what links to what: of a record (^id), or of each record of a topic (people/mira).

    Without either, how many links lead out of each topic and to it.
    """
    with door.service() as service:
        found = service.relations(name, limit)
    door.say(
        "relations", found, lambda: "\n".join(_topics(found, limit) if not found.asked else _records(found))
    )
    return 0


def _topics(found: "Relations", limit: int) -> Iterator[str]:
    if not found.topics:
        yield f"nothing links to anything yet: {_MAKERS}"
        return
    rows = [
        (safe(each.path), counted(each.links, "link"), f"linked from {each.backlinks:,}")
        for each in found.topics
    ]
    yield table(rows)
    yield from _cut(found.of - len(found.topics), "topic", f"-n {found.of}")


def _records(found: "Relations") -> Iterator[str]:
    asked = found.asked
    if not found.records:
        yield f"nothing in {safe(asked)} links to anything, or is linked to"
        return
    for number, related in enumerate(found.records):
        if number:
            yield ""
        yield from _related(related)
    more = found.of - len(found.records)
    if more:
        yield ""
    yield from _cut(more, "record", f"{quote(safe(asked))} -n {found.of}")


def _related(related: "Related") -> Iterator[str]:
    yield _line(related.line, "")
    lists = (
        ("links to", related.links, related.of_links),
        ("linked from", related.backlinks, related.of_backlinks),
    )
    for title, lines, count in lists:
        if lines:
            yield f"{title} {count:,}" if count > len(lines) else title
        yield from (_line(each, "  ") for each in lines)
        wider = f" -n {count}" if count > _LIMIT else ""
        yield from _cut(count - len(lines), "record", f"^{related.line.record.id}{wider}", "  ")
    if not any(count for *_, count in lists):
        yield "links to nothing, and nothing links to it"


def _line(each: "RelatedLine", indent: str) -> str:
    notes = [*([] if each.trusted else ["pending"]), *assessment_notes(each.assessment)]
    return record_lines(each.record, indent) + "".join(f"  [{note}]" for note in notes)


def _cut(more: int, what: str, words: str, indent: str = "") -> Iterator[str]:
    """How many are left out, and what shows them."""
    if more > 0:
        yield f"{indent}… {counted(more, f'more {what}')}: `scriptorium relations {words}` shows all"
