"""The timeline: one file for each date as it is written, one row for each evidence group of that date.

`timeline/2026.md`, `timeline/2026/04.md`, `timeline/2026/04/22.md`:

    # 2026-04-22

    Bo said so. [Topic](../../../topics/keys.md#^86df2974) [keys](../../../sources/chat/_v2/s1.md#source-…)

Rows are sorted by the id of their first source, then by record. A row is one line, so white space is
collapsed. The path of the topic is percent-encoded, so that every row is a valid link; the other program
writes it raw. A source that is still a plain handle stands as such.
"""

from collections import Counter

from ..facts.model import Event
from ..facts.rows import events_of
from ..markdown.links import link_path, relative
from ..topics.records import Cited
from .change import Change, with_ids
from .rebase import rebased

__all__ = ["timeline_path", "timeline_view", "touched_days"]


def timeline_path(day: str) -> str:
    """The file of a date: `timeline/2026/04.md` for `2026-04`."""
    return f"timeline/{day.replace('-', '/')}.md"


def timeline_view(change: Change, day: str) -> bytes | None:
    """The file of a date after the change, None if nothing happened on it."""
    events = sorted(change.events(day), key=lambda event: (_first_source(change, event), event.record))
    if not events:
        return None
    return "\n\n".join([f"# {day}", *map(_row, events)]).encode() + b"\n"


def touched_days(change: Change) -> frozenset[str]:
    """The dates whose rows the change alters, or whose order it may."""
    before = Counter(event for record in with_ids(change.before) for event in events_of(record))
    after = Counter(event for record in with_ids(change.after) for event in events_of(record))
    differing = {event.day for event in (*(before - after), *(after - before))}
    # A citation that led nowhere and now leads to a message is sorted by another name.
    places = frozenset(change.newly_placed())
    resolved = {
        event.day
        for record in (*change.newly_citing(), *with_ids(change.after))
        for event in events_of(record)
        if any(cited.place in places for cited in event.sources)
    }
    return frozenset(differing | resolved)


def _first_source(change: Change, event: Event) -> str:
    first = event.sources[0]
    return change.source_id(first) or first.place or first.target


def _row(event: Event) -> str:
    file = timeline_path(event.day)
    topic = f"[Topic]({link_path(relative(file, event.path))}#^{event.record})"
    quote = " ".join(rebased(event.quote, event.path, file).split())
    return " ".join([quote, topic, *(_source(file, cited) for cited in event.sources)])


def _source(file: str, cited: Cited) -> str:
    # The name of an archive is percent-encoded on disk already, and links hold it literally.
    return f"[{cited.label}]({relative(file, cited.place)})" if cited.place else cited.target
