"""Laws of a person's edit and a commit that met: nothing of either is lost, and the person's text stands."""

from collections.abc import Mapping

from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.names import TopicPath
from scriptorium_core.topics import Topic, parse_topic
from scriptorium_core.topics.uniting import unite

PATH = TopicPath("topics/keys.md")
FIRST = 4
"""So many records have both begun with."""


@frozen
class Side:
    """What one side made of the records: their new words (None: gone), new ones after them, new evidence."""

    words: Mapping[int, str | None]
    added: tuple[int, ...]
    fresh_evidence: bool
    heading: bool


def sides(name: str) -> st.SearchStrategy[Side]:
    numbers = st.integers(0, FIRST - 1)
    said = st.sampled_from([None, f"{name} says.", "Both say."])
    added = st.lists(st.integers(0, FIRST), max_size=3).map(tuple)
    return st.builds(
        Side, st.dictionaries(numbers, said, max_size=FIRST), added, st.booleans(), st.booleans()
    )


def written(words: str, block: str, label: str) -> str:
    line = f"[^{label}]: Time: `2026`; Sources: [me](../sources/chat/_v2/s1.md#source-1)\n"
    return f"{words}[^{label}]{f' ^{block}' if block else ''}\n\n{line}\n"


def topic(side: Side, name: str, committed: bool) -> Topic:
    """The topic as a side has it; what a person adds has no id yet."""
    text = "# Keys\n\n"
    for place in range(FIRST + 1):
        for number, at in enumerate(side.added):
            if at == place:
                text += f"## {name}\n\n" if side.heading else ""
                block = f"{name[0]}{number}00" if committed else ""
                text += written(f"{name} adds {number}.", block, f"ev-{name[0]}{number}")
        if place < FIRST:
            words = side.words.get(place, f"Record {place}.")
            changed = place in side.words and side.fresh_evidence
            if words is not None:
                text += written(words, f"{place}abc", f"ev-{name[0]}x{place}" if changed else f"ev-{place}")
    found, faults = parse_topic(PATH, text.encode())
    assert faults == ()
    return found


NOTHING = Side({}, (), fresh_evidence=False, heading=False)


class TestNothingOfEitherSideIsLost:
    """Disjoint records merge; of the same one the person's text stands; every citation has its evidence."""

    @given(sides("person"), sides("engine"))
    def test_every_record_is_as_the_side_has_it_that_changed_it(self, mine: Side, other: Side) -> None:
        base = topic(NOTHING, "base", committed=True)
        united = unite(base, topic(mine, "person", committed=False), topic(other, "engine", committed=True))
        found, faults = parse_topic(PATH, b"".join(s.text.encode() for s in united.topic.spans))
        assert faults == ()
        wanted = [mine.words.get(n, other.words.get(n, f"Record {n}.")) for n in range(FIRST)]
        for number, words in enumerate(wanted):
            said = [record.content for record in found.records if record.id == f"{number}abc"]
            assert said == ([words] if words is not None else [])
        new = [record.content for record in found.records if not record.id.endswith("abc")]
        added = [f"person adds {n}." for n in range(len(mine.added))]
        assert sorted(new) == sorted([*added, *(f"engine adds {n}." for n in range(len(other.added)))])

    @given(sides("person"), sides("engine"))
    def test_exactly_what_both_changed_differently_is_overruled(self, mine: Side, other: Side) -> None:
        base = topic(NOTHING, "base", committed=True)
        ours, theirs = topic(mine, "person", committed=False), topic(other, "engine", committed=True)

        def text(of: Topic, block: str) -> str | None:
            return next((of.texts[r.span].strip() for r in of.records if r.id == block), None)

        both = [f"{n}abc" for n in range(FIRST) if n in mine.words and n in other.words]
        met = [block for block in both if text(ours, block) != text(theirs, block)]
        assert list(unite(base, ours, theirs).overruled) == met

    @given(sides("person"))
    def test_what_only_one_side_touched_is_that_sides_text(self, mine: Side) -> None:
        base, ours = topic(NOTHING, "base", committed=True), topic(mine, "person", committed=False)
        assert unite(base, ours, base).topic.texts == ours.texts
        records = [(r.ids, r.content) for r in unite(base, base, ours).topic.records]
        assert records == [(r.ids, r.content) for r in ours.records]
