"""What may be believed: saving words on purpose, and letting in what is held."""

from typing import TYPE_CHECKING

import click

from .door import Door, Stop, said
from .lines import counted, day_and_time, few, record_lines, redacted
from .safe import clip, one_line, safe
from .shared import command
from .worded import unicode_of, words_of

if TYPE_CHECKING:
    from ..service.shown import RecordLine
    from ..service.trust import Held, HeldMessage, Remembered
    from ..workspace import Committed

__all__: list[str] = []

_SHOWN = 20
_LONGEST = 300
_ECHO = 1_000


@command("remember")
@click.argument("text")
@click.option("--topic", default="", metavar="PATH", help="Where to (default: topics/notes.md, by month).")
@click.option("--core", is_flag=True, help="Into the core, which goes along in every conversation.")
@click.option("--ask", "asks", multiple=True, metavar="QUESTION", help="A question that TEXT answers.")
@click.option("--organize", is_flag=True, help="Let the model of the settings propose place and wording.")
def remember_command(
    door: Door, text: str, topic: str, core: bool, asks: tuple[str, ...], organize: bool
) -> int:
    """Save TEXT word for word (- for standard input), as your own verified words.

    It is archived as a source and becomes a record; each paragraph becomes one. The same text again
    changes nothing, also after its record was corrected, moved or deleted. What a model proposes is checked:
    every number and name must be in TEXT, else it stays word for word.
    """
    from scriptorium_core.transaction import Rejected

    if core and topic:
        raise click.UsageError("give --topic or --core, not both")
    words = words_of(text)
    asks = tuple(unicode_of(each, "ask") for each in asks)
    with door.service() as service:
        result = service.remember(words, topic="core" if core else topic, asks=asks, organize=organize)
    if isinstance(result, Rejected):
        raise Stop(result.problems)
    door.say("remembered", result, lambda: _remembered(result))
    return 0


@command("promote")
@click.argument("sources", nargs=-1, metavar="[SOURCE]…")
@click.option("--list", "listing", is_flag=True, help="Show what is held, and who said it.")
@click.option("-n", "--limit", type=click.IntRange(min=1), help=f"How many are listed (default: {_SHOWN}).")
def promote_command(door: Door, sources: tuple[str, ...], listing: bool, limit: int | None) -> int:
    """Let in messages of unknown speakers, by source id or by a record (^id) that cites them.

    Until then they and what was written from them stay out of search and of the core.
    """
    if listing == bool(sources):
        raise click.UsageError("name what to promote, or give --list to see what is held")
    with door.service() as service:
        if listing:
            found = service.held(_SHOWN if limit is None else limit)
            door.say("held", found, lambda: _held(found))
            return 0
        result = service.promote(sources)
    from scriptorium_core.transaction import Rejected

    if isinstance(result, Rejected):
        raise Stop(result.problems)
    door.say("promoted", result, lambda: _promoted(result))
    return 0


def _remembered(found: "Remembered") -> str:
    if found.known:
        lines = [f"known since {day_and_time(found.at)}; nothing was changed"]
        lines += (
            []
            if found.records
            else ["  no record cites these words any more: they were corrected or deleted"]
        )
    else:
        lines = [f"saved; committed {found.committed.revision[:10]}"]
    lines += [record_lines(_begun(record)) for record in found.records]
    lines += [f"  source {safe(found.source)}", *_organized(found)]
    lines += [f"  {words}" for words in redacted(found.committed.redacted)]
    return "\n".join([*lines, *_after(found.committed)])


def _begun(record: "RecordLine") -> "RecordLine":
    """A record with so much of its words as tells which they are: who saved them has them."""
    from attrs import evolve

    return evolve(record, content=clip(record.content, _ECHO)) if len(record.content) > _ECHO else record


def _organized(found: "Remembered") -> list[str]:
    """What became of a model's proposal."""
    done = found.organized
    if done is None:
        return []
    if done.failure is not None:
        return [f"  {said(done.failure)}"]
    lines = ["  in the words of the model, supported until you verify them"] if done.reworded else []
    return [*lines, *(f"  {clip(each, _LONGEST)}" for each in done.refused)]


def _promoted(result: "Committed") -> str:
    if result.unchanged:
        return f"all of this was let in before; the memory is at {result.revision[:10]}"
    names = result.report.promoted
    lines = [f"committed {result.revision[:10]}: let in {counted(len(names), 'message')}"]
    return "\n".join([*lines, f"  {few(map(safe, names), 20)}", *_after(result)])


def _after(result: "Committed") -> list[str]:
    lines = [f"  {said(problem)}" for problem in result.problems]
    return lines + [f"  {safe(path)} was edited by hand and is left as it is" for path in result.drafts]


def _held(found: "Held") -> str:
    if not found.of:
        return "nothing is held"
    lines = [f"{len(found.messages):,} of {counted(found.of, 'message')} held, {found.size:,} bytes in all"]
    lines += [line for message in found.messages for line in _message(message)]
    return "\n".join([*lines, "", "`scriptorium promote SOURCE…` lets them in"])


def _message(held: "HeldMessage") -> list[str]:
    turn = held.turn
    times = [f"said {day_and_time(turn.at)}"] if turn.at else []
    times += [f"received {day_and_time(held.received)}"] if held.received else []
    lines = ["", f"{clip(turn.speaker, 64)}, {', '.join(times) or 'undated'}", f"  {safe(turn.source)}"]
    lines.append(f"  {clip(turn.text, _LONGEST)}")
    lines += [f"  held with it: ^{safe(r.id)} in {one_line(r.topic_path)}" for r in held.records]
    return lines
