"""Laws of organizing: each topic once, nothing lost, nothing new, and nothing left to do twice."""

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from memory_plans import Entry, Group, Memory, Note, Page, Section
from scriptorium_core.changes import Caller
from scriptorium_core.facts import facts_of
from scriptorium_core.names import SourceId, TopicPath
from scriptorium_core.sources.frame import Frame, Provenance, Tier, Trust
from scriptorium_core.topics.model import Record
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.transaction import Edit, Prepared, Rules, Snapshot, prepare
from scriptorium_core.tree import tree_of
from scriptorium_core.writing.organizing import Run, decode_run, encode_run, tidy_up
from scriptorium_core.writing.portions import Sized, portions
from strategies import topic_paths
from topic_strategies import memories

OWNER = Provenance("p", "owner", Tier.OWNER, Trust.TRUSTED)
TEXTS = (
    "Mara has the key.",
    "mara has the KEY",
    "The spare hangs by the door.",
    "I ran there yesterday.",
    "钥匙。",
)
HEADINGS = ((), ((1, "Mara"),), ((1, "Mara"), (2, "2026-04")), ((1, "Mara"), (2, "2026-05")), ((1, "Bo"),))
PATHS = ("topics/mara.md", "topics/mara/2026-04.md", "topics/bo.md", "topics/core.md")


@st.composite
def repetitive(draw: st.DrawFn) -> Memory:
    """A memory that says the same things again and again, here and there."""
    frames = tuple(
        Frame(SourceId(f"chat/s1/m{n}"), "user", f"Said {n}.", "", None, "", OWNER) for n in range(3)
    )
    pages: list[Page] = []
    number = 0
    for path in draw(st.lists(st.sampled_from(PATHS), min_size=1, max_size=3, unique=True)):
        sections: list[Section] = []
        for headings in draw(st.lists(st.sampled_from(HEADINGS), min_size=1, max_size=3)):
            made: list[Entry] = []
            for text in draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4)):
                fields = draw(st.sampled_from(("", "", "", "; Until: 2026-06")))
                note = Note(draw(st.sampled_from(("2026-04-22", "2026", "undated"))), draw(NUMBERS), fields)
                made.append(Entry((f"{number:08x}",), (Group(text, (note,)),)))
                number += 1
            extra = draw(st.sampled_from(("", "", "", "<!-- here -->")))
            sections.append(Section(headings, tuple(made), extra))
        pages.append(Page(TopicPath(path), tuple(sections), draw(st.sampled_from(("\n", "\r\n")))))
    return Memory(frames, tuple(pages))


NUMBERS = st.lists(st.integers(0, 2), min_size=1, max_size=2).map(tuple)
ANY = repetitive() | memories()
LIMITS = st.sampled_from((300, 800, 65_536))


def base_of(memory: Memory) -> Snapshot:
    tree = tree_of(memory.files)
    return Snapshot(tree, facts_of(tree, memory.order))


def without_remarks(memory: Memory) -> Memory:
    pages = (
        evolve(page, sections=tuple(evolve(section, extra="") for section in page.sections))
        for page in memory.pages
    )
    return evolve(memory, pages=tuple(pages))


def organized(base: Snapshot, limit: int) -> Prepared:
    """The memory organized as one transaction, under all laws of an organizing pass."""
    paths = [TopicPath(path) for path in base.tree.under("topics/")]
    done = tidy_up(base.tree, base.facts, paths, limit)
    cited = frozenset(base.facts.places[place] for place in base.facts.citing)
    shown = len({known.record.id for known in base.facts.records.values()})
    edit = Edit(done.tree, kind="organize", shown=shown)
    outcome = prepare(base, edit, Rules(Caller(), len, cited))
    assert isinstance(outcome, Prepared), outcome
    return outcome


def records(base: Snapshot) -> list[Record]:
    found = (TopicPath(path) for path in base.tree.under("topics/"))
    return [record for path in found for record in parse_topic(path, base.tree.get(path) or b"")[0].records]


def after(prepared: Prepared, base: Snapshot) -> Snapshot:
    files = {path: prepared.tree.get(path) or b"" for path in prepared.tree.under("")}
    tree = tree_of(files)
    return Snapshot(tree, facts_of(tree, base.facts.created))


def grounds(base: Snapshot) -> set[tuple[str, str, str, tuple[tuple[str, str], ...]]]:
    """What each id says it rests on: id, date, place, fields."""
    return {
        (block, str(group.when), source.place, group.fields)
        for record in records(base)
        for block in record.ids
        for group in record.evidence
        for source in group.sources
    }


class TestPortionsCoverTheMemory:
    """Every topic is in exactly one portion, and no portion of several is larger than its bound."""

    @given(
        st.dictionaries(topic_paths().map(TopicPath), st.integers(0, 50), max_size=12),
        st.integers(1, 100),
        st.data(),
    )
    def test_each_topic_is_in_one_portion(
        self, tokens: dict[TopicPath, int], goal: int, data: st.DataObject
    ) -> None:
        links = st.lists(st.sampled_from([*tokens, TopicPath("topics/gone.md")]), max_size=3)
        drawn = {path: data.draw(links) for path in tokens}
        topics = [Sized(path, size, frozenset(drawn[path])) for path, size in tokens.items()]
        found = portions(topics, goal)
        assert sorted(path for portion in found for path in portion) == sorted(tokens)
        assert all(len(each) == 1 or sum(tokens[path] for path in each) <= goal for each in found)
        assert found == portions(reversed(topics), goal)


class TestNothingIsLost:
    """Organizing keeps every id, and every date and citation of each; it brings no source and no record."""

    @given(ANY, LIMITS)
    def test_ids_citations_and_dates_stay(self, memory: Memory, limit: int) -> None:
        base = base_of(memory)
        prepared = organized(base, limit)
        new = after(prepared, base)
        assert grounds(base) <= grounds(new)
        assert {block for r in records(base) for block in r.ids} == {b for r in records(new) for b in r.ids}
        assert prepared.report.created == prepared.report.deleted == ()
        assert new.facts.citing.keys() == base.facts.citing.keys()
        assert not new.facts.broken

    @given(ANY, LIMITS)
    def test_what_has_an_end_stays_by_itself(self, memory: Memory, limit: int) -> None:
        base = base_of(memory)
        old = {block: record for record in records(base) for block in record.ids}
        for record in records(after(organized(base, limit), base)):
            together = {old[block].id: old[block] for block in record.ids}.values()
            if len(together) > 1:
                assert all(not group.fields for each in together for group in each.evidence)

    @given(ANY, LIMITS)
    def test_doing_it_twice_changes_nothing_the_second_time(self, memory: Memory, limit: int) -> None:
        base = base_of(memory)
        once = after(organized(base, limit), base)
        assert not organized(once, limit).tree.differences()

    @given(repetitive())
    def test_what_is_said_twice_of_one_subject_is_said_once(self, memory: Memory) -> None:
        base = base_of(without_remarks(memory))
        said = [
            (record.path, record.headings, record.content)
            for record in records(after(organized(base, 65_536), base))
            if not any(group.fields for group in record.evidence) and "yesterday" not in record.content
        ]
        assert len(said) == len(set(said))

    @given(repetitive(), st.sampled_from((300, 800)))
    def test_a_topic_that_is_cut_keeps_to_the_limit_as_far_as_records_are_small(
        self, memory: Memory, limit: int
    ) -> None:
        plain = [
            evolve(page, sections=tuple(evolve(each, extra="") for each in page.sections))
            for page in memory.pages
        ]
        base = base_of(evolve(memory, pages=tuple(plain)))
        new = after(organized(base, limit), base)
        for path in new.tree.under("topics/"):
            data = new.tree.get(path) or b""
            alone = len(parse_topic(TopicPath(path), data)[0].records) == 1
            assert path == "topics/core.md" or alone or len(data) <= limit


class TestARunIsKept:
    """How far a run has come is read back as it was written; whatever else stands there is no run."""

    @given(st.text(max_size=5), st.text(max_size=5), st.frozensets(topic_paths().map(TopicPath), max_size=3))
    def test_a_run_is_read_back(self, begun: str, writer: str, done: frozenset[TopicPath]) -> None:
        run = Run(begun, writer, done)
        assert decode_run(encode_run(run)) == run

    @given(
        st.binary(max_size=20)
        | st.sampled_from((b'{"begun_at": 1}', b"[1]", b'{"begun_at": "", "done": {}}'))
    )
    def test_anything_else_is_none(self, data: bytes) -> None:
        assert decode_run(data) == Run()
