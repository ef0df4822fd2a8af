"""What the writer without a model keeps, leaves out, and where it puts it."""

from collections.abc import Sequence

import pytest
from attrs import evolve

from demo_play import EMPTY, commit, records, snapshot, whole
from scriptorium_core.changes import CreateRecord, SourceUse, UpdateRecord
from scriptorium_core.facts.derive import facts_of
from scriptorium_core.facts.model import Facts
from scriptorium_core.names import BlockId, SourceId, TopicPath
from scriptorium_core.sources.frame import Branch, Origin
from scriptorium_core.topics.model import Record
from scriptorium_core.tree import tree_of
from scriptorium_core.when import When
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.extractive import extract
from scriptorium_core.writing.harmless import harmless
from scriptorium_core.writing.placing import ROOM, slug, subject_of
from scriptorium_core.writing.worth import Why

DAY = "2023-05-08T13:56"
DAY_SAID = When(2023, 5, 8)
CAROLINE = SourceUse("chat/s1/m1", "Caroline, 2023-05-08")


def said(text: str, at: str = DAY, *, speaker: str = "Caroline", branch: Branch = "live") -> Said:
    return Said(SourceId("chat/s1/m1"), speaker, Origin.HUMAN, text, at, branch=branch)


def contents(*items: Said, facts: Facts = EMPTY.facts) -> list[str]:
    return [change.content for change in extract(items, facts).changes]


def skipped(*items: Said, facts: Facts = EMPTY.facts) -> dict[Why, int]:
    return dict(extract(items, facts).skipped)


def paths(items: Sequence[Said], facts: Facts = EMPTY.facts) -> list[str]:
    made = [change for change in extract(items, facts).changes if isinstance(change, CreateRecord)]
    return [change.destination.topic_path for change in made]


def topic(path: str, count: int, text: str = "Fact number {}.", fields: str = "") -> dict[str, bytes]:
    """A topic of `count` records of 2023-05-08, each with evidence of its own."""
    source = "[x](../../sources/chat/_v2/s1.md#source-d27322333c5a46bd)"
    note = f"Time: `2023-05-08`; Sources: {source}{fields}"
    blocks = [f"{text.format(n)}[^e-{n:010x}] ^{n:08x}\n\n[^e-{n:010x}]: {note}\n" for n in range(count)]
    return {path: "\n".join(["# Caroline\n", *blocks]).encode()}


def test_neighbouring_sentences_make_one_record_and_others_another() -> None:
    text = "Hi! I moved to Bonn. My flat is small. How are you? I bought a bike."
    assert contents(said(text)) == ["I moved to Bonn. My flat is small.", "I bought a bike."]


def test_a_record_is_bounded_in_sentences_and_characters() -> None:
    assert contents(said("I like tea a lot. " * 5)) == [
        "I like tea a lot. I like tea a lot. I like tea a lot. I like tea a lot.",
        "I like tea a lot.",
    ]
    long, other = "I " + "walk " * 80 + "home.", "I " + "talk " * 80 + "there."
    assert contents(said(f"{long} {other}")) == [long, other]


def test_one_message_gives_a_dozen_records_at_most() -> None:
    cats = [f"I have {number} cats now." for number in range(15)]
    found = extract([said("\n\n".join(f"{cat} Right?" for cat in cats))], EMPTY.facts)
    assert (len(found.changes), found.skipped) == (12, {Why.QUESTION: 12, Why.MANY: 1})
    runs = extract([said(" ".join(f"I have {number} cats now." for number in range(50)))], EMPTY.facts)
    assert (len(runs.changes), runs.skipped) == (12, {Why.MANY: 1})
    last = extract([said(" ".join(f"I have {number} cats now." for number in range(49)))], EMPTY.facts)
    assert (len(last.changes), last.skipped) == (12, {Why.MANY: 1})


def test_of_a_very_long_message_the_beginning_is_read() -> None:
    found = extract([said("Right? " * 2000 + "I have cats.")], EMPTY.facts)
    assert (found.changes, found.skipped) == ((), {Why.QUESTION: 1000, Why.MANY: 1})


def test_a_record_cites_speaker_and_day() -> None:
    (change,) = extract([said("I moved to Bonn.", speaker="Ann [x]\n")], EMPTY.facts).changes
    assert (str(change.time), change.place) == ("2023-05-08", "memory_changes[0]")
    assert [(use.source, use.label) for use in change.sources] == [("chat/s1/m1", "Ann (x), 2023-05-08")]
    assert isinstance(change, CreateRecord)
    assert change.destination.headings == ("Ann [x]", "2023-05")


def test_what_has_neither_date_nor_name_is_written_all_the_same() -> None:
    (change,) = extract([said("I moved to Bonn.", "", speaker="\x00")], EMPTY.facts).changes
    assert (change.time, change.sources[0].label) == (None, "Unnamed")
    assert isinstance(change, CreateRecord)
    assert change.destination.headings == ("Unnamed", "undated")


@pytest.mark.parametrize(
    ("item", "why"),
    [
        (evolve(said("I am an assistant."), origin=Origin.ASSISTANT), Why.NOT_HUMAN),
        (evolve(said("I moved to Bonn."), trusted=False), Why.PENDING),
        (evolve(said("I moved to Bonn."), source=SourceId("chat/s1/gone")), Why.FORGOTTEN),
    ],
)
def test_only_people_are_quoted_whose_words_are_trusted_and_not_forgotten(item: Said, why: Why) -> None:
    facts = facts_of(tree_of({}), forgotten={"chat/s1/gone": "2026-01-01"})
    found = extract([item], facts)
    assert (found.changes, found.skipped) == ((), {why: 1})


def test_the_reasons_are_said_in_words() -> None:
    found = extract([said("Really? Thanks a lot! Why?")], EMPTY.facts)
    assert found.left_out == "2 questions, 1 greeting or thanks"
    assert extract([], EMPTY.facts).left_out == "nothing was said"


def test_what_was_said_in_a_project_goes_to_the_project() -> None:
    items = [
        evolve(said("Always use tabs here."), scope=scope, speaker=speaker)
        for scope, speaker in (
            ("/home/a/app", "Ann"),
            ("/home/a/app", "Bo"),
            ("/srv/app", "Ann"),
            ("app", "Ann"),
        )
    ]
    one, known, other, bare = (subject_of(item) for item in items)
    assert one == known
    assert (one.title, other.title, bare.title) == ("app", "app", "app")
    assert [subject.stem for subject in (one, other, bare)] == [
        "topics/projects/app~" + one.stem[-8:],
        "topics/projects/app~" + other.stem[-8:],
        "topics/projects/app",
    ]
    assert one.stem != other.stem
    assert subject_of(evolve(items[0], scope="/")).stem == "topics/people/ann"
    assert subject_of(evolve(items[0], scope="/\x00")).title == "Unnamed"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Caroline", "caroline"),
        ("Jose\u0301  Núñez", "josé-núñez"),
        ("李小龙", "李小龙"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("Ann-Marie", "ann-marie~f0c76d62"),
        ("../etc/passwd", "etc-passwd~7fef78f5"),
        ("con", "con~1143da2b"),
        ("", "~e3b0c442"),
    ],
)
def test_a_name_becomes_a_file_name(name: str, file: str) -> None:
    assert slug(name) == file


def test_a_very_long_name_is_cut_and_marked() -> None:
    assert slug("李" * 60) == "李" * 20 + "~" + slug("李" * 60)[-8:]


def test_a_full_topic_is_split_by_month_and_a_full_month_is_numbered() -> None:
    base = facts_of(tree_of(topic("topics/people/caroline.md", ROOM - 1)))
    items = [said(f"I have {n} cats.") for n in range(ROOM + 2)]
    found = paths(items, base)
    assert found == [
        "topics/people/caroline.md",
        *["topics/people/caroline/2023-05.md"] * ROOM,
        "topics/people/caroline/2023-05~2.md",
    ]


def test_a_quarantined_topic_is_not_touched() -> None:
    facts = facts_of(tree_of({"topics/people/caroline.md": b"half an edit"}))
    assert paths([said("I moved to Bonn.")], facts) == ["topics/people/caroline/2023-05.md"]


def test_a_topic_keeps_the_spelling_that_it_has() -> None:
    facts = facts_of(tree_of(topic("topics/People/Caroline.md", 1)))
    assert paths([said("I moved to Bonn.")], facts) == ["topics/People/Caroline.md"]


def test_a_topic_that_a_person_called_in_their_own_way_is_the_speakers() -> None:
    facts = facts_of(tree_of(topic("topics/people/Anna Lena.md", 1, "I moved to Bonn.")))
    assert paths([said("I moved to Rome.", speaker="Anna Lena")], facts) == ["topics/people/Anna Lena.md"]
    (again,) = extract([said("I moved to Bonn.", speaker="Anna Lena")], facts).changes
    assert isinstance(again, UpdateRecord)


def test_what_a_topic_says_already_is_not_written_again() -> None:
    facts = facts_of(tree_of(topic("topics/people/caroline.md", 1, "I moved to  BONN!")))
    again = UpdateRecord(BlockId("00000000"), "I moved to  BONN!", DAY_SAID, (CAROLINE,), add=True)
    assert extract([said("I moved to Bonn.")], facts).changes == (evolve(again, place="memory_changes[0]"),)
    monthly = facts_of(tree_of(topic("topics/people/caroline/2023-05.md", 1, "I moved to Bonn!")))
    (change,) = extract([said("I moved to Bonn.")], monthly).changes
    assert isinstance(change, UpdateRecord)
    assert change.add
    assert skipped(said("I moved to Bonn."), said("I moved to Bonn!"), facts=EMPTY.facts) == {Why.KNOWN: 1}
    assert skipped(said("I moved to Bonn."), said("I moved to Bonn!", speaker="Mel")) == {}


def test_what_others_say_as_well_and_what_is_said_often_is_cited_within_bounds() -> None:
    many = [evolve(said("I moved to Bonn."), source=SourceId(f"chat/s1/n{n}")) for n in range(30)]
    found = extract(many, EMPTY.facts)
    (change,) = found.changes
    assert (len(change.sources), found.skipped) == (24, {Why.KNOWN: 6})


def test_what_was_closed_since_is_a_record_anew() -> None:
    closed = facts_of(tree_of(topic("topics/people/caroline.md", 1, "I live in Bonn.", "; Until: 2023-06")))
    (change,) = extract([said("I live in Bonn.")], closed).changes
    assert isinstance(change, CreateRecord)


def test_a_message_on_an_abandoned_branch_is_no_further_evidence() -> None:
    facts = facts_of(tree_of(topic("topics/people/caroline.md", 1, "I moved to Bonn.")))
    assert skipped(said("I moved to Bonn.", branch="abandoned"), facts=facts) == {Why.KNOWN: 1}


def test_yesterday_is_another_day_each_time() -> None:
    facts = facts_of(tree_of(topic("topics/people/caroline.md", 1, "I ran a race yesterday!")))
    (again,) = extract([said("I ran a race yesterday.", "2023-05-09")], facts).changes
    assert isinstance(again, UpdateRecord)
    assert contents(said("I ran a race yesterday.", "2023-06-01"), facts=facts) == ["I ran a race yesterday."]


def test_a_caller_may_look_up_records_itself() -> None:
    facts = facts_of(tree_of(topic("topics/people/caroline.md", 1, "I moved to Bonn!")))
    asked: list[TopicPath] = []

    def nothing(path: TopicPath) -> tuple[Record, ...]:
        asked.append(path)
        return ()

    assert len(extract([said("I moved to Bonn.")], facts, nothing).changes) == 1
    assert asked == ["topics/people/caroline.md"]


def test_what_stands_only_on_an_abandoned_branch_is_written_apart_and_does_not_count_as_known() -> None:
    aside = said("I moved to Bonn.", branch="abandoned")
    (change,) = extract([aside], EMPTY.facts).changes
    assert isinstance(change, CreateRecord)
    assert change.destination.headings == ("Caroline", "2023-05", "On an abandoned branch")
    note = "; Branch: s1@m1"
    facts = facts_of(tree_of(topic("topics/people/caroline.md", 1, "I moved to Bonn!", note)))
    assert skipped(aside, facts=facts) == {Why.KNOWN: 1}
    assert contents(evolve(aside, branch="live"), facts=facts) == ["I moved to Bonn."]
    assert skipped(said("I moved to Bonn."), aside) == {Why.KNOWN: 1}


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I like [^e1] and [^e-2]: both", "I like [\\^e1] and [\\^e-2]: both"),
        ("I end in ^word", "I end in \\^word"),
        ("the area is r^2", "the area is r^2"),
        ("# I am no heading", "\\# I am no heading"),
        ("```I``` open", "\\```I``` open"),
        ("<!-- I --> hide", "\\<!-- I --> hide"),
        ("- I list", "\\- I list"),
        ("[a [b](x.md) c](y.md)", "[a [b]\\(x.md) c]\\(y.md)"),
        ("see [it](#^id)", "see [it]\\(#^id)"),
        (
            "see [it](https://example.org/a) and `[it](x.md)`",
            "see [it](https://example.org/a) and `[it](x.md)`",
        ),
        ("a\x00b\u2028c\ufeff", "a b c"),
    ],
)
def test_words_that_imitate_structure_stay_words(text: str, content: str) -> None:
    assert harmless(text) == content


def test_the_demo_is_accepted_and_its_abandoned_branch_does_not_pose_as_current() -> None:
    batch = whole()
    found = extract(batch.items, EMPTY.facts)
    prepared = commit(EMPTY, found.changes, batch)
    written = records(prepared)
    assert [record.content for record in written] == [change.content for change in found.changes]
    aside = [record for record in written if "Hotel Azul" in record.content]
    assert [dict(record.evidence[0].fields) for record in aside] == [{"Branch": "porto@m7"}]
    assert [record.evidence[0].fields for record in written if record not in aside] == [()] * 8
    assert "I prefer trains to planes, even if they take longer." in written[1].content
    assert not any("about 32 euros" in record.content for record in written)


def test_the_demo_is_not_written_twice() -> None:
    batch = whole()
    base = snapshot(commit(EMPTY, extract(batch.items, EMPTY.facts).changes, batch))
    again = extract(batch.items, base.facts)
    assert again.changes == ()
    assert again.skipped[Why.KNOWN] == 9
