"""Laws of the writer without a model: verbatim, always accepted, never twice, each name its own topic."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.budget import estimate
from scriptorium_core.changes.apply import Applied, apply_changes
from scriptorium_core.changes.content import content_fault
from scriptorium_core.changes.model import Caller, CreateRecord
from scriptorium_core.changes.sources import place
from scriptorium_core.facts.derive import facts_of
from scriptorium_core.markdown.footnotes import label_fault
from scriptorium_core.names import NodeId, SessionId, SourceId, TopicPath, path_key, topic_path
from scriptorium_core.sources.frame import Branch, Context, Frame, Origin
from scriptorium_core.terms import fold
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.transaction.model import Edit, Prepared, Rules, Snapshot
from scriptorium_core.transaction.prepare import prepare
from scriptorium_core.tree import tree_of
from scriptorium_core.writing.batch import said_in
from scriptorium_core.writing.branches import stands_aside, with_branches
from scriptorium_core.writing.extractive import Extracted, extract
from scriptorium_core.writing.harmless import harmless, plain_label, plain_title
from scriptorium_core.writing.placing import slug
from scriptorium_core.writing.sentences import collapse, joined, sentences
from scriptorium_core.writing.worth import Why, judge
from strategies import AWKWARD, NAMES_ALIKE, awkward_texts

BRANCHES: tuple[Branch, ...] = get_args(Branch)
EMPTY = Snapshot(tree_of({}), facts_of(tree_of({})))
NAMES = (
    "Mara",
    "mara",
    "Bo",
    "李小龙",
    "../x",
    "con",
    "",
    "[a](b)",
    *(n for pair in NAMES_ALIKE for n in pair),
)

BEGINNINGS = ("I like ", "", "I moved to Bonn. We ate ", "Hi!\n- I like ", "我喜欢茶。我有")
ENDINGS = (".", "", " ^word", "[^", "\nI ran home. Really?")


def texts() -> st.SearchStrategy[str]:
    """What may be said: plain or awkward, mostly something that is kept."""
    awkward = st.sampled_from(AWKWARD) | awkward_texts() | st.text(max_size=20)
    return st.builds("".join, st.tuples(st.sampled_from(BEGINNINGS), awkward, st.sampled_from(ENDINGS)))


def bare(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text)))


def names() -> st.SearchStrategy[str]:
    return st.sampled_from(NAMES) | st.text(max_size=8)


@st.composite
def batches(draw: st.DrawFn) -> tuple[list[Frame], list[Context]]:
    """One to four messages with their contexts."""
    frames: list[Frame] = []
    contexts: list[Context] = []
    for number in range(draw(st.integers(1, 4))):
        source = SourceId(f"chat/s1/m{number}")
        at = draw(st.sampled_from(("2026-03-02T09:00:00", "2026-04-01", "")))
        frames.append(Frame(source, "user", draw(texts()), at, speaker_name=draw(names())))
        scope = draw(st.sampled_from((None, None, "/home/a/app", "/srv/app", "x", "/\x00/[^e1]")))
        branch = draw(st.sampled_from(BRANCHES))
        node = NodeId(f"m{number}")
        contexts.append(
            Context(source, Origin.HUMAN, SessionId("s1"), node, branch=branch, scope=scope, at=at)
        )
    return frames, contexts


def written(base: Snapshot, batch: tuple[list[Frame], list[Context]], found: Extracted) -> Prepared:
    frames, contexts = batch
    places = {str(frame.id): place(frame.id) for frame in frames}
    applied = apply_changes(base.tree, base.facts, found.changes, places, "2026-05-01")
    assert isinstance(applied, Applied), applied
    tree = with_branches(applied.tree, contexts, base.facts)
    edit = Edit(tree, applied.deleted, tuple(frames), tuple(contexts), kind="write")
    rules = Rules(Caller(), estimate, frozenset(frame.id for frame in frames))
    prepared = prepare(base, edit, rules)
    assert isinstance(prepared, Prepared), prepared
    return prepared


def snapshot(prepared: Prepared) -> Snapshot:
    tree = tree_of({path: prepared.tree.get(path) or b"" for path in prepared.tree.under("")})
    return Snapshot(tree, facts_of(tree))


class TestWordsStayWords:
    """Anything that would be read as structure comes out as harmless text that reads as it was said."""

    @given(texts() | awkward_texts())
    def test_any_words_can_be_the_content_of_a_record(self, text: str) -> None:
        assert content_fault(harmless(text)) == ("" if collapse(text) else "is blank")

    @given(texts())
    def test_nothing_but_backslashes_is_added(self, text: str) -> None:
        assert harmless(text).replace("\\", "") == collapse(text).replace("\\", "")

    @given(texts())
    def test_harmless_words_are_left_alone(self, text: str) -> None:
        assert harmless(harmless(text)) == harmless(text)

    @given(names())
    def test_any_name_can_be_a_label_and_a_heading(self, name: str) -> None:
        label, title = plain_label(name), plain_title(name)
        assert label_fault(label) in ("", "is blank")
        assert title.isprintable()
        assert title == title.strip()


class TestRecordsAreVerbatim:
    """What is kept is what was said: sentences of the message, white space collapsed."""

    @given(texts())
    def test_sentences_stand_in_the_message_in_this_order(self, text: str) -> None:
        rest = collapse(text)
        for sentence in sentences(text):
            assert sentence.text
            _, found, rest = rest.partition(sentence.text)
            assert found == sentence.text

    @given(
        st.lists(st.sampled_from(("I like tea.", "我住在北京。", "So do I!", "Dr. Ito came.")), min_size=1)
    )
    def test_the_sentences_of_a_line_join_to_the_line(self, parts: list[str]) -> None:
        line = " ".join(parts)
        assert joined(list(sentences(line))) == line

    @given(texts())
    def test_judging_any_sentence_ends_in_a_reason_or_none(self, text: str) -> None:
        assert judge(text) in (None, *Why)

    @given(batches())
    def test_every_record_is_words_of_the_message_that_it_cites(
        self, batch: tuple[list[Frame], list[Context]]
    ) -> None:
        said = {frame.id: frame.content for frame in batch[0]}
        for change in extract(said_in(*batch), EMPTY.facts).changes:
            use, *others = change.sources
            for other in others:
                assert bare(change.content) in bare(said[SourceId(other.source)])
            words = "".join(change.content.replace("\\", "").split())
            assert words in "".join(
                part
                for s in sentences(said[SourceId(use.source)])
                for part in s.text.replace("\\", "").split()
            )


class TestEveryExtractIsAccepted:
    """Records that the writer makes pass every check of a transaction."""

    @given(batches())
    def test_what_is_extracted_is_committed_as_it_was_meant(
        self, batch: tuple[list[Frame], list[Context]]
    ) -> None:
        found = extract(said_in(*batch), EMPTY.facts)
        prepared = written(EMPTY, batch, found)
        paths = [TopicPath(path) for path in prepared.tree.under("topics/")]
        topics = [parse_topic(path, prepared.tree.get(path) or b"")[0] for path in paths]
        committed = sorted((r.path, r.headings, r.content) for topic in topics for r in topic.records)
        made = [change for change in found.changes if isinstance(change, CreateRecord)]
        meant = [(c.destination.topic_path, c.destination.headings, c.content) for c in made]
        assert committed == sorted(meant)

    @given(batches())
    def test_what_was_said_on_an_abandoned_branch_stands_aside(
        self, batch: tuple[list[Frame], list[Context]]
    ) -> None:
        base = snapshot(written(EMPTY, batch, extract(said_in(*batch), EMPTY.facts)))
        abandoned = {place(context.id) for context in batch[1] if context.branch == "abandoned"}
        for known in base.facts.newest:
            assert stands_aside(known.record) == ({s.place for s in known.record.sources} <= abandoned)

    @given(batches())
    def test_the_same_messages_are_not_written_twice(self, batch: tuple[list[Frame], list[Context]]) -> None:
        items = said_in(*batch)
        base = snapshot(written(EMPTY, batch, extract(items, EMPTY.facts)))
        assert extract(items, base.facts).changes == ()


class TestEachNameHasItsTopic:
    """Different names never collide in case or Unicode form; spellings of one name share its topic."""

    @given(names())
    def test_the_file_of_a_name_is_safe(self, name: str) -> None:
        path = f"topics/people/{slug(name)}.md"
        assert topic_path(path) == path
        assert (
            topic_path(f"topics/people/{slug(name)}/2026-03.md") == f"topics/people/{slug(name)}/2026-03.md"
        )

    @given(names(), names())
    def test_two_names_share_a_file_only_if_they_are_spellings_of_one(self, one: str, other: str) -> None:
        alike = path_key(path_key(collapse(one))) == path_key(path_key(collapse(other)))
        assert (path_key(slug(one)) == path_key(slug(other))) == alike
        assert (slug(one) == slug(other)) == alike
