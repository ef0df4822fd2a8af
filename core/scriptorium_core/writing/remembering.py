"""What the owner saves on purpose: the text as a source, and verbatim as records that cite it.

Each paragraph becomes a record; all of them cite the one source. The same text, white space around it
aside, has the same source id. So it is known again whatever became of its records since, and saving it
a second time changes nothing.

A model may have proposed where it goes, a heading and other words (`rewording`): what is taken of that stands
in place of the notes, the month and the verbatim words. Words that nobody has reviewed are supported at most.
"""

import re

from attrs import evolve, frozen

from ..changes.content import content_fault, unfit
from ..changes.model import Caller, CreateRecord, Destination, NewSource, Position, SourceUse
from ..changes.reading import MOST
from ..changes.sources import Brought, bring
from ..facts.model import Facts
from ..markdown.links import links_in
from ..names import CORE_TOPIC, SourceId, TopicPath, path_key, topic_named
from ..policy import Action, withheld
from ..problem import Code, Problem
from ..sizes import SPLIT, too_large
from ..topics.questions import ask_fields
from ..when import When, render_when
from .harmless import harmless, plain_label, plain_title
from .placing import Subject, month_of, place_for
from .rewording import Rewording

__all__ = ["REWORDED", "STATUS", "Keeping", "Wish", "keeping", "paragraphs", "source_of", "verbatim"]

STATUS = ("Status", "verified 0.95")
"""The standing of the owner's own words, saved on purpose."""

REWORDED = ("Status", "supported 0.75")
"""The standing of other words for them, which nobody has reviewed."""

_NOTES = Subject("Notes", "topics/notes")
_NOTHING_PROPOSED = Rewording()
_LABEL = "new-source-1"
_SEED = "remembered"
_GAP = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r)){2,}")


@frozen
class Wish:
    """A text to be saved: when (a day, and the ISO 8601 time), and where (empty: among the notes).

    `asks` are the questions that it answers; `proposed` is what is taken of a model's proposal.
    """

    text: str
    day: When
    at: str
    topic: str = ""
    asks: tuple[str, ...] = ()
    proposed: Rewording = _NOTHING_PROPOSED


@frozen
class Keeping:
    """The source of a text and the records that say it; `known` says that it is archived already."""

    source: SourceId
    brought: Brought
    changes: tuple[CreateRecord, ...] = ()
    known: bool = False


def keeping(wish: Wish, caller: Caller, facts: Facts) -> Keeping | tuple[Problem, ...]:
    """How a text is saved, or all that is in the way."""
    if large := too_large(wish.text):
        return (Problem(Code.INVALID_ARGUMENT, f"the text {large}", "text", remedy=SPLIT),)
    parts = tuple(map(verbatim, paragraphs(wish.text)))
    path = _place(wish, facts)
    faults = [*withheld(caller.tier, Action.REMEMBER), *_faults(parts)]
    if isinstance(path, Problem) or faults:
        return (*faults, path) if isinstance(path, Problem) else tuple(faults)
    brought = _brought(wish, caller)
    (frame,) = brought.frames
    if frame.id in facts.forgotten:
        message = f"this text was forgotten on {facts.forgotten[frame.id]}"
        return (Problem(Code.FORGOTTEN, message, "text", remedy="say it in other words if it holds again"),)
    if frame.id in facts.sources:
        return Keeping(frame.id, brought, known=True)
    use = SourceUse(frame.id, f"{plain_label(caller.speaker_name) or 'Owner'}, {render_when(wish.day)}")
    destination = Destination(path, _headings(path, wish, facts), Position.END)
    words = wish.proposed.records or tuple(filter(None, parts))
    status = STATUS if [*words] == [*filter(None, parts)] else REWORDED
    asked = ask_fields(wish.asks)
    changes = (CreateRecord(each, wish.day, (use,), destination, "text", (status, *asked)) for each in words)
    return Keeping(frame.id, brought, tuple(changes))


def source_of(wish: Wish, caller: Caller) -> SourceId:
    """The id that the source of a text has, whether it is archived or not."""
    (frame,) = _brought(wish, caller).frames
    return frame.id


def paragraphs(text: str) -> tuple[str, ...]:
    """The parts of a text between blank lines, without white space around them."""
    return tuple(stripped for part in _GAP.split(text) if (stripped := part.strip()))


def verbatim(paragraph: str) -> str:
    """A paragraph as the content of a record: as it is, or made harmless where the format would read it."""
    inward = any(link.path or link.block or link.fragment for link in links_in(paragraph))
    return harmless(paragraph) if inward or content_fault(paragraph) else paragraph


def _faults(parts: tuple[str, ...]) -> list[Problem]:
    if not any(parts):
        return [Problem(Code.INVALID_ARGUMENT, "the text holds no words", "text", remedy="say something")]
    if len(parts) > MOST:
        message = f"the text has {len(parts):,} paragraphs; at most {MOST} are saved at once"
        return [Problem(Code.INVALID_ARGUMENT, message, "text", remedy="save it in parts")]
    # A paragraph may be nothing but control characters, and then there is nothing to say of it.
    wrong = dict.fromkeys(fault for part in parts if part and (fault := unfit(part)))
    return [
        Problem(Code.INVALID_ARGUMENT, f"the text {fault.words}", "text", remedy=fault.remedy)
        for fault in wrong
    ]


def _brought(wish: Wish, caller: Caller) -> Brought:
    """The source of the text; neither the time nor white space around the words makes it another one.

    A request that brings the same words means a source of its own, which may differ in white space.
    """
    brought = bring((NewSource(_LABEL, "user", wish.text.strip(), _SEED),), caller)
    frames = tuple(frame._replace(content=wish.text, at=wish.at) for frame in brought.frames)
    return evolve(brought, frames=frames, contexts=tuple(c._replace(at=wish.at) for c in brought.contexts))


def _place(wish: Wish, facts: Facts) -> TopicPath | Problem:
    """Where a person wants it, else where a model proposed, else the notes."""
    if wish.topic:
        return _named(wish.topic, facts)
    return wish.proposed.topic or place_for(_NOTES, month_of(wish.day), facts, {})


def _named(topic: str, facts: Facts) -> TopicPath | Problem:
    """The topic that a person means: with `topics/` and `.md` or without, spelled as it is there."""
    path = topic_named(topic)
    if isinstance(path, Problem):
        return path
    known = facts.topics.get(path_key(path))
    return known.path if known else path


def _headings(path: TopicPath, wish: Wish, facts: Facts) -> tuple[str, ...]:
    """Below the first heading of the topic, or its name; by month, but for the core, which is short.

    A heading that was proposed stands in place of the month.
    """
    known = facts.topics.get(path_key(path))
    first = facts.records[known.ids[0]].record.headings[:1] if known and known.ids else ()
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    title = first or (plain_title(stem[:1].upper() + stem[1:]) or "Notes",)
    if path == CORE_TOPIC:
        return title
    proposed = wish.proposed.title
    return title if proposed == title[-1] else (*title, proposed or month_of(wish.day))
