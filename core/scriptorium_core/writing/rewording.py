"""What a model proposes for words that somebody saves: a topic, a heading, and other words for the same.

Each of the three stands or falls by itself, and what falls is as if nothing had been proposed: the notes, the
month, the words verbatim. Other words are taken only if they say no number and no name that the text does not
have, negate what it negates, and are records in their form.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import cast

from attrs import frozen

from ..budget import Count
from ..changes.content import content_fault
from ..changes.reading import MOST
from ..facts.model import Facts
from ..markdown.links import links_in
from ..names import CORE_TOPIC, TopicPath, path_key, topic_path
from ..problem import Code, Problem
from .batch import Said
from .datalines import data_line
from .exchange import Asked, Question, Reply
from .faithful import foreign, negated
from .harmless import plain_title
from .outcome import Failed
from .outline import outline
from .placing import standing_topic
from .prompts import REMEMBER
from .schematic import Exchange, Got, read_reply

__all__ = ["Proposal", "Rewording", "remember_question", "remember_read", "taken"]

_FORM = 'answer with {"topic": "topics/….md", "title": "…", "records": ["…"]}'
_STEPS = 4
_OUTLINE = 2_000
_SCHEMA: Mapping[str, object] = MappingProxyType(
    {
        "type": "object",
        "properties": {
            "topic": {"type": "string", "description": "topics/<name>.md"},
            "title": {"type": "string", "description": "At most six words of the text."},
            "records": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        },
        "required": ["topic", "title", "records"],
        "additionalProperties": False,
    }
)


@frozen
class Proposal:
    """What a model proposed, as it said it."""

    topic: str
    title: str
    records: tuple[str, ...]


@frozen
class Rewording:
    """What is taken of a proposal (empty: nothing), and why the rest is not, a line each."""

    topic: TopicPath | None = None
    title: str = ""
    records: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def remember_question(text: str, facts: Facts, said: Sequence[Said], count: Count) -> Question:
    """What a model is asked; `said` is the text as something said, by which the topics are chosen."""
    known = outline(facts, said, count, _OUTLINE) or "None yet.\n"
    task = f"{data_line({'text': text})}\n\n# The topics of this memory\n\n{known}"
    return Question(REMEMBER.text, (Asked(task),), (), dict(_SCHEMA))


def remember_read(asked: Exchange, reply: Reply, now: datetime) -> Exchange | Got[Proposal] | Failed:
    """What follows from a reply."""
    return read_reply(asked, reply, "records", _decoded, now)


def taken(proposal: Proposal, text: str, facts: Facts) -> Rewording:
    """What of a proposal may stand for a text."""
    topic = _topic(proposal.topic, facts)
    title = plain_title(proposal.title.lstrip("# "))
    strange = foreign(title, text)
    faults = [f"the topic {proposal.topic[:60]!r} {topic}"] if not isinstance(topic, _Place) else []
    faults += [f"the title says {', '.join(strange)}, which the text does not"] if strange else []
    records = tuple(" ".join(each.split()) for each in proposal.records)
    wrong = list(_faults(records, text))
    return Rewording(
        topic.path if isinstance(topic, _Place) else None,
        "" if strange else title,
        () if wrong else records,
        (*faults, *wrong),
    )


@frozen
class _Place:
    path: TopicPath


def _topic(named: str, facts: Facts) -> "_Place | str":
    """The topic that is meant, or why it is none."""
    inside = named.strip().removeprefix("/")
    inside = inside if inside.startswith("topics/") else f"topics/{inside}"
    path = topic_path(inside if inside.endswith(".md") else f"{inside}.md")
    if isinstance(path, Problem):
        return f"is none: {path.message}"
    if path_key(path) == path_key(CORE_TOPIC):
        return "is the core, into which only a person puts anything"
    if path.count("/") > _STEPS:
        return "lies too deep"
    known = standing_topic(path, facts)
    if known is not None and known.problems:
        return "cannot be written to now"
    return _Place(known.path if known else path)


def _faults(records: Sequence[str], text: str) -> Iterator[str]:
    """Why other words may not stand for a text."""
    if not records or len(records) > MOST:
        yield f"the text became {len(records)} records"
        return
    whole = " ".join(records)
    if strange := foreign(whole, text):
        yield f"the wording says {', '.join(strange[:8])}, which the text does not"
    if negated(whole) != negated(text):
        yield "the wording negates something else than the text"
    for record in records:
        inward = any(link.path or link.block or link.fragment for link in links_in(record))
        if fault := "links into the memory" if inward else content_fault(record):
            yield f"a record of the wording {fault}"


def _decoded(fields: Mapping[str, object]) -> Proposal | tuple[Problem, ...]:
    topic, title, records = (fields.get(name) for name in ("topic", "title", "records"))
    given = cast("list[object]", records) if isinstance(records, list) else []
    lines = [each for each in given if isinstance(each, str) and each.strip()]
    if not isinstance(topic, str) or not isinstance(title, str) or not lines or len(lines) != len(given):
        message = "topic and title are texts, and records a list of texts"
        return (Problem(Code.INVALID_ARGUMENT, message, "answer", remedy=_FORM),)
    return Proposal(topic, title, tuple(lines))
