"""Where the `extractive` writer puts what somebody said: one topic a speaker or project.

    topics/people/caroline.md               up to 200 records, below `# Caroline`, `## 2023-05`
    topics/people/caroline/2023-05.md       what comes after them, by month
    topics/people/caroline/2023-05~2.md     a month that is full as well
    topics/projects/app~1f3a90c2.md         what was said in a project directory, whoever said it

Two names share a topic only if they are equal after NFC and case folding. A name that is not plain
words, or is too long, ends in `~` and 8 hex digits of its SHA-256, and so does a project's, because two
directories may be called alike.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import chain, count

from attrs import frozen

from ..facts.model import Facts, TopicFact
from ..names import TopicPath, path_key, spelling, topic_path
from ..when import When, render_when
from .batch import Said
from .harmless import plain_title
from .sentences import collapse

__all__ = ["ROOM", "Subject", "month_of", "place_for", "slug", "standing_topic", "subject_of", "topics_of"]

ROOM = 200
"""How many records a topic takes before it is split by month."""

_LONGEST = 100
_KEPT = 60


@frozen
class Subject:
    """Whom or what records are about: the heading, and the topic's path without `.md`."""

    title: str
    stem: str


def subject_of(item: Said) -> Subject:
    """The project in which something was said, or else its speaker."""
    if item.scope is None or not (parts := [part for part in item.scope.split("/") if part.strip()]):
        return Subject(plain_title(item.speaker) or "Unnamed", f"topics/people/{slug(item.speaker)}")
    name = plain_title(parts[-1]) or "Unnamed"
    stem = slug(parts[-1]) if item.scope == parts[-1] else _marked(_folded(parts[-1]), item.scope)
    return Subject(name, f"topics/projects/{stem}")


def slug(name: str) -> str:
    """A file name for a name: its letters in any script, folded, with `-` for spaces; see the module."""
    folded = _folded(name)
    plain = folded.replace(" ", "-")
    wordy = all(_is_letter(char) for char in folded.replace(" ", ""))
    short = len(plain.encode("utf-8", "replace")) <= _LONGEST
    if wordy and short and isinstance(topic_path(f"topics/{plain}.md"), str):
        return plain
    return _marked(folded, folded)


def month_of(when: When | None) -> str:
    """The month as `2023-05`, or `undated`."""
    return render_when(When(when.year, when.month) if when else None)


def topics_of(subject: Subject, month: str) -> tuple[TopicPath, TopicPath]:
    """The topic of a subject, and that of its month once the first is full."""
    return TopicPath(f"{subject.stem}.md"), TopicPath(f"{subject.stem}/{month}.md")


def place_for(subject: Subject, month: str, facts: Facts, planned: Mapping[TopicPath, int]) -> TopicPath:
    """The first topic of the subject that may be written to and has room beside what is planned."""
    found = (_free(path, facts, planned) for path in _candidates(subject, month))
    return next(path for path in found if path is not None)


def _free(path: TopicPath, facts: Facts, planned: Mapping[TopicPath, int]) -> TopicPath | None:
    """The topic as it is spelled already, None if it is full or quarantined."""
    known = standing_topic(path, facts)
    if known is not None and known.problems:
        return None
    spelled = known.path if known else path
    records = len(known.ids) if known else 0
    return spelled if records + planned.get(spelled, 0) < ROOM else None


def standing_topic(path: TopicPath, facts: Facts) -> TopicFact | None:
    """The topic at a path, or the one that a person called by another spelling of it."""
    spelled = facts.spellings.get(spelling(path), ())
    found = (facts.topics.get(path_key(name)) for name in (path, *spelled))
    return next((topic for topic in found if topic is not None), None)


def _candidates(subject: Subject, month: str) -> Iterator[TopicPath]:
    numbered = (TopicPath(f"{subject.stem}/{month}~{number}.md") for number in count(2))
    return chain(topics_of(subject, month), numbered)


def _folded(name: str) -> str:
    """The name as two spellings of it share it: the fixed point of `path_key`."""
    folded = collapse(name)
    while (again := path_key(folded)) != folded:
        folded = again
    return folded


def _marked(folded: str, identity: str) -> str:
    """The letters of a name as far as they go, and a mark that no other identity has."""
    words = "-".join("".join(char if _is_letter(char) else " " for char in folded).split())
    kept = words.encode("utf-8", "replace")[:_KEPT].decode("utf-8", "ignore")
    return f"{kept}~{sha256(identity.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _is_letter(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char) in ("Mn", "Mc")
