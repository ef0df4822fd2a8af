"""Which record somebody means: by id, by an exact title, by what a search finds, and never by a guess.

| what is named | it is meant where |
|---|---|
| an id or alias, with or without `^` | there is such a record |
| the whole text of a record, a heading, the title or path of a topic | just one record has it |
| anything else | the best hit holds at least half of the terms, and has 1.5 times the score of the next |

Where several could be meant, the first eight are named, and it is for the asker to say which.
"""

from collections.abc import Iterable, Sequence

from attrs import frozen

from ..facts.model import Facts
from ..names import BlockId, TopicPath, path_key, spelling
from ..problem import Code, Problem
from ..terms import query_terms, same_text
from ..topics.records import Record

__all__ = ["AHEAD", "MOST", "Found", "Unclear", "by_name", "by_search"]

AHEAD = 1.5
"""How many times the score of the next hit the best one must have."""

MOST = 8
"""How many records are named where it is not clear which one is meant."""


@frozen
class Found:
    """A hit of a search: a record, its score, and how many of the wanted terms it holds."""

    id: BlockId
    score: float
    held: int


@frozen
class Unclear:
    """The records that could be meant, the likeliest first."""

    records: tuple[Record, ...]


def by_name(facts: Facts, name: str) -> Record | Unclear | Problem | None:
    """The record that an id or an exact title names; None if it names none, and a search has to say."""
    bare = name.strip().removeprefix("^")
    if known := facts.records.get(bare):
        return known.record
    if bare in facts.forgotten:
        message = f"^{bare} was forgotten on {facts.forgotten[bare]}"
        return Problem(Code.FORGOTTEN, message, "target", remedy="what was forgotten does not come back")
    if not bare or name.strip().startswith("^"):
        message = f"there is no record {name.strip()[:60]!r}"
        return Problem(Code.MEMORY_NOT_FOUND, message, "target", remedy="search for its words")
    return _only(_titled(facts, bare))


def by_search(facts: Facts, name: str, hits: Sequence[Found]) -> Record | Unclear | None:
    """The record that is clearly ahead of all others that were found; None if nothing was found."""
    known = ((hit, facts.records.get(hit.id)) for hit in hits)
    found = [(hit, each.record) for hit, each in known if each is not None]
    exact = [record for _, record in found if _is_titled(record, name)]
    if len(exact) == 1:
        return exact[0]
    records = _once(exact or [record for _, record in found])
    if not records:
        return None
    (best, record), *others = found
    wanted = len(query_terms(name).wanted)
    clear = not exact and 2 * best.held >= max(wanted, 1)
    if clear and all(best.score > 0 and best.score >= AHEAD * hit.score for hit, _ in others):
        return record
    return Unclear(records[:MOST])


def _titled(facts: Facts, name: str) -> list[Record]:
    """The records of the topics with a title or a path, each once."""
    inside = name if name.startswith("topics/") else f"topics/{name}"
    whole = inside if inside.endswith(".md") else f"{inside}.md"
    paths: list[TopicPath] = [*facts.spellings.get(spelling(name), ())]
    if topic := facts.topics.get(path_key(whole)):
        paths = [topic.path]
    ids = (block for path in paths for block in facts.topics[path_key(path)].ids)
    return [facts.records[block].record for block in ids if block in facts.records]


def _is_titled(record: Record, name: str) -> bool:
    """Whether a name is the whole text of a record, or the heading right above it."""
    titles = (record.content, *record.headings[-1:])
    return any(same_text(name) == same_text(title) for title in titles)


def _only(records: Iterable[Record]) -> Record | Unclear | None:
    once = _once(records)
    return None if not once else once[0] if len(once) == 1 else Unclear(once[:MOST])


def _once(records: Iterable[Record]) -> tuple[Record, ...]:
    return tuple({record.id: record for record in records}.values())
