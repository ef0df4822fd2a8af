"""The writer `extractive`: what a person said, verbatim, as cited records, without a model.

Sentences that are worth keeping (`worth`) become records word for word, with the day on which they
were said, or the day that they name from there (`yesterday`, see `days`); neighbouring ones of a message
make one record of at most four sentences and 600 characters. A longer sentence is left out rather than
cut, and so is the rest of a message after a dozen records or a thousand sentences: it stays in the
archive, and searching finds it there. Only people are quoted. What stands on an
abandoned branch goes below a heading that says so.

A text that the subject's topic holds already, or the topic of the same month, is not written again: its
record gets the message as further evidence. Words such as `yesterday` mean another day each time: with them
the day must be the same, too. Where the record was closed since, the text is a record anew: it is so again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import define, evolve, field, frozen

from ..changes.model import CreateRecord, Destination, Position, SourceUse, UpdateRecord
from ..changes.sources import place
from ..facts.model import Facts
from ..names import TopicPath, path_key
from ..sameness import statement_key
from ..sources.frame import Origin
from ..topics.notes import is_closed
from ..topics.records import Record
from ..when import When, render_when
from .batch import Said
from .branches import stands_aside
from .days import named_day
from .harmless import harmless, plain_label
from .holding import is_held
from .placing import month_of, place_for, standing_topic, subject_of, topics_of
from .sentences import Sentence, joined, sentences
from .worth import LONGEST_SENTENCE, Why, judge

__all__ = ["ASIDE", "Extracted", "RecordsOf", "extract", "records_in"]

ASIDE = "On an abandoned branch"
"""The heading above what was said on a branch that was abandoned."""

RecordsOf = Callable[[TopicPath], Iterable[Record]]
"""The records that stand in a topic; none if there is no such topic."""

_SENTENCES_A_RECORD = 4
_RECORDS_A_MESSAGE = 12
_SENTENCES_A_MESSAGE = 1000
_MOST_CITATIONS = 24


@frozen
class Extracted:
    """The records to create, grouped by topic, those that are said again, and what was left out."""

    changes: tuple[CreateRecord | UpdateRecord, ...]
    skipped: Mapping[Why, int] = field(hash=False)

    @property
    def left_out(self) -> str:
        """What was left out in words: `3 questions, 2 reactions`; `nothing was said` if nothing."""
        parts = [why.counted(self.skipped[why]) for why in Why if why in self.skipped]
        return ", ".join(parts) or "nothing was said"


@frozen
class _Passage:
    """Words of a message that become a record, their date, and their key for telling repetitions."""

    item: Said
    content: str
    when: When | None
    key: str


@frozen
class _Planned:
    """Where in the plan a record stands that is made, or said again, by this batch."""

    topic: TopicPath
    place: int


_Said = dict[tuple[str, bool], Record | _Planned]
"""What says a text (its key, and whether it stands aside): a record that stands there, or a planned one."""


@define
class _Shelf:
    """What is being planned, by topic, and what says each text: a record there, or a planned one."""

    facts: Facts
    records_of: RecordsOf
    changes: dict[TopicPath, list[CreateRecord | UpdateRecord]] = field(
        factory=dict[TopicPath, list[CreateRecord | UpdateRecord]]
    )
    read: dict[TopicPath, _Said] = field(factory=dict[TopicPath, _Said])

    def put(self, passage: _Passage) -> Why | None:
        """Plan a record; if its text stands there already, the message as its further evidence."""
        item = passage.item
        subject, month = subject_of(item), month_of(item.when)
        aside = item.branch == "abandoned"
        main, monthly = topics_of(subject, month)
        said = self._said(monthly) | self._said(main)
        # On the branch that was taken a text stands anew, even if it was said on an abandoned one.
        key, live = (passage.key, aside), said.get((passage.key, False))
        if live is not None or (aside and key in said):
            return self._again(passage, main, live) if live is not None and not aside else Why.KNOWN
        made = Counter(
            topic
            for topic, changes in self.changes.items()
            for change in changes
            if isinstance(change, CreateRecord)
        )
        path = place_for(subject, month, self.facts, made)
        headings = (subject.title, month, *((ASIDE,) if aside else ()))
        self.read[main][key] = self._plan(path, _record(passage, path, headings))
        return None

    def _plan(self, path: TopicPath, change: CreateRecord | UpdateRecord) -> _Planned:
        planned = self.changes.setdefault(path, [])
        planned.append(change)
        return _Planned(path, len(planned) - 1)

    def _again(self, passage: _Passage, main: TopicPath, found: Record | _Planned) -> Why | None:
        """Plan the message as further evidence; not if it is that already, nor where there is plenty."""
        use = _use(passage.item)
        if isinstance(found, _Planned):
            change = self.changes[found.topic][found.place]
            if use in change.sources or len(change.sources) >= _MOST_CITATIONS:
                return Why.KNOWN
            self.changes[found.topic][found.place] = evolve(change, sources=(*change.sources, use))
            return None
        places = [source.place for source in found.sources]
        known = self.facts.topics.get(path_key(found.path))
        fixed = found.legacy or known is None or known.problems
        if fixed or place(passage.item.source) in places or len(places) >= _MOST_CITATIONS:
            return Why.KNOWN
        change = UpdateRecord(found.id, found.content, passage.when, (use,), add=True)
        self.read[main][passage.key, False] = self._plan(found.path, change)
        return None

    def _said(self, path: TopicPath) -> _Said:
        if path not in self.read:
            known = standing_topic(path, self.facts)
            records = self.records_of(known.path) if known else ()
            self.read[path] = {
                (key, stands_aside(record)): record
                for record in records
                if not is_closed(record)
                for key in _keys(record)
            }
        return self.read[path]


def extract(items: Sequence[Said], facts: Facts, records_of: RecordsOf | None = None) -> Extracted:
    """What of a batch is kept; a pure function of the batch and of the topics of its subjects."""
    shelf = _Shelf(facts, records_of or records_in(facts))
    skipped: Counter[Why] = Counter()
    for item in items:
        for found in _passages(item, facts):
            why = found if isinstance(found, Why) else shelf.put(found)
            if why is not None:
                skipped[why] += 1
    changes = [change for group in shelf.changes.values() for change in group]
    placed = (evolve(change, place=f"memory_changes[{n}]") for n, change in enumerate(changes))
    return Extracted(tuple(placed), dict(skipped))


def records_in(facts: Facts) -> RecordsOf:
    """The records of a topic as the facts know them; what is held is not said yet, so it comes in anew."""

    def records(path: TopicPath) -> Iterator[Record]:
        known = facts.topics.get(path_key(path))
        found = (facts.records[block].record for block in (known.ids if known else ()))
        return (record for record in found if not is_held(facts, record))

    return records


def _passages(item: Said, facts: Facts) -> Iterator[_Passage | Why]:
    if item.origin is not Origin.HUMAN:
        yield Why.NOT_HUMAN
    elif not item.trusted:
        yield Why.PENDING
    elif item.source in facts.forgotten:
        yield Why.FORGOTTEN
    else:
        yield from _kept(item)


def _kept(item: Said) -> Iterator[_Passage | Why]:
    """The runs of sentences worth keeping, and why each of the others is not."""
    run: list[Sentence] = []
    made = 0
    for number, sentence in enumerate(sentences(item.text)):
        if made == _RECORDS_A_MESSAGE or number == _SENTENCES_A_MESSAGE:
            yield Why.MANY
            return
        why = judge(sentence.text)
        if run and (why is not None or not _fits([*run, sentence])):
            made += 1
            yield _passage(item, joined(run))
            run = []
        if why is None:
            run.append(sentence)
        else:
            yield why
    if run:
        yield _passage(item, joined(run)) if made < _RECORDS_A_MESSAGE else Why.MANY


def _fits(run: Sequence[Sentence]) -> bool:
    return len(run) <= _SENTENCES_A_RECORD and len(joined(run)) <= LONGEST_SENTENCE


def _passage(item: Said, words: str) -> _Passage:
    content = harmless(words)
    when = named_day(words, item.when) or item.when
    return _Passage(item, content, when, statement_key(content, when))


def _record(passage: _Passage, path: TopicPath, headings: tuple[str, ...]) -> CreateRecord:
    destination = Destination(path, headings, Position.END)
    return CreateRecord(passage.content, passage.when, (_use(passage.item),), destination)


def _use(item: Said) -> SourceUse:
    name = plain_label(item.speaker) or "Unnamed"
    return SourceUse(item.source, f"{name}, {render_when(item.when)}" if item.when else name)


def _keys(record: Record) -> Iterator[str]:
    for when in record.whens or (None,):
        yield statement_key(record.content, when)
