"""Examples of records that two histories deal with at once: changed, moved, deleted, forgotten, linked to."""

from memory_example import KEYS, MIRA, S1, S2, link, memory
from scriptorium_core.names import TopicPath
from scriptorium_core.problem import Code
from scriptorium_core.syncing import Tidings, United
from scriptorium_core.topics import Record, parse_topic
from scriptorium_core.topics.notes import alternative_of
from scriptorium_core.when import render_when
from two_sides import KEYS_PATH as PATH
from two_sides import Files, one_of, refused, text, trailers, with_text

PEOPLE, NEW = "topics/people/mira.md", "topics/new.md"
BASE = memory()
HEAD, SPARE = KEYS.split("## Spare", 1)
WITHOUT_MARA: Files = {
    **BASE,
    PATH: ("# Keys\n\n## Spare" + SPARE.replace("[Mara](#^key1)", "Mara")).encode(),
    PEOPLE: MIRA.replace("[the key](../keys.md#^key1)", "the key").encode(),
}
LINKING: Files = {
    **BASE,
    NEW: f"""# New

See [it](keys.md#^key1).[^e-dddddddddd] ^new1

[^e-dddddddddd]: Time: `2026`; Sources: [asked]({link(S2)})
""".encode(),
}
DELETED = Tidings(deleted=("key1",))


def records(made: United, path: str = PATH) -> tuple[Record, ...]:
    found, problems = parse_topic(TopicPath(path), text(made, path).encode())
    assert problems == ()
    return found.records


def record(words: str, block: str, source: str) -> str:
    """A record whose evidence bears a label that others use, too."""
    return f"{words}[^e-same] ^{block}\n\n[^e-same]: Time: `2026`; Sources: [said]({link(source)})\n\n"


def contents(made: United, path: str = PATH) -> list[str]:
    return [record.content for record in records(made, path)]


# --- Changed by both -----------------------------------------------------------------------------


def test_two_texts_of_one_record_stand_side_by_side_and_are_marked() -> None:
    one, two = with_text(BASE, "Mara has", "Mara holds"), with_text(BASE, "Mara has", "Mara lost")
    made = one_of(BASE, one, two)
    kept, beside, _ = records(made)
    assert (kept.id, kept.content, beside.content) == ("key1", "Mara holds the key.", "Mara lost the key.")
    assert alternative_of(kept) == alternative_of(beside) == {"key1"}
    assert made.alternatives == ((kept.id, beside.id),)
    assert trailers(made, "Alternatives") == [f"key1 {beside.id}"]
    assert trailers(made, "Created") == [beside.id]


def test_the_mark_is_on_no_evidence_that_another_record_rests_on() -> None:
    label, other = "e-aaaaaaaaaa", "e-bbbbbbbbbb"
    shared = {**BASE, PATH: KEYS.split(f"[^{other}]:", 1)[0].replace(other, label).encode()}
    one, two = with_text(shared, "Mara has", "Mara holds"), with_text(shared, "Mara has", "Mara lost")
    kept, beside, spare = records(one_of(shared, one, two))
    assert alternative_of(kept) == alternative_of(beside) == {"key1"}
    assert alternative_of(spare) == frozenset()
    assert [group.id for group in spare.evidence] == [label]
    assert len({group.id for record in (kept, beside, spare) for group in record.evidence}) == 3


def test_two_texts_of_a_record_of_the_older_form_are_told_apart_by_their_notes() -> None:
    old = f"""One fact.[^mem_1] Two facts.[^mem_2]

[^mem_1]: 2026-04 · Sources: [said]({link(S1)})
[^mem_2]: 2026-04 · Sources: [said]({link(S2)})
"""
    base = memory(keys=old)
    made = one_of(base, with_text(base, "One fact", "A fact"), with_text(base, "One fact", "No fact"))
    kept, untouched, beside = records(made)
    assert [kept.content, untouched.content, beside.content] == ["A fact.", "Two facts.", "No fact."]
    assert alternative_of(kept) == alternative_of(beside) == {"mem_1"}
    assert alternative_of(untouched) == frozenset()
    assert text(made).endswith(old.splitlines()[-1] + "\n")


def test_a_text_is_beside_another_only_once_however_often_it_is_united() -> None:
    one, two = with_text(BASE, "Mara has", "Mara holds"), with_text(BASE, "Mara has", "Mara lost")
    made = text(one_of(BASE, one, two)).encode()
    both = {**one, PATH: made}
    third = with_text(both, "Mara lost", "Mara mislaid")
    again = one_of(both, with_text(both, "Mara lost", "Mara dropped"), third)
    assert contents(again)[:3] == ["Mara holds the key.", "Mara dropped the key.", "Mara mislaid the key."]
    assert {name for record in records(again)[:3] for name in alternative_of(record)} == {"key1"}


OLDER = f"""One fact.[^mem_1] # Two facts.[^mem_2]

[^mem_1]: 2026-04 · Sources: [said]({link(S1)})
[^mem_2]: 2026-04 · Sources: [said]({link(S2)})
"""
ONE_LINE, TWO_LINE = OLDER.splitlines()[2:]


def test_two_dates_of_the_evidence_of_an_older_record_stand_side_by_side_once() -> None:
    base = memory(keys=OLDER)
    one, two = (with_text(base, ONE_LINE, ONE_LINE.replace("04", month, 1)) for month in ("05", "06"))
    kept, untouched, beside = records(one_of(base, one, two))
    assert [each.content for each in (kept, untouched, beside)] == ["One fact.", "# Two facts.", "One fact."]
    assert [render_when(each.whens[0]) for each in (kept, beside)] == ["2026-05", "2026-06"]
    assert alternative_of(kept) == alternative_of(beside) == {"mem_1"}


def test_words_that_cannot_stand_alone_are_written_otherwise_before_it_goes_on() -> None:
    base = memory(keys=OLDER)
    remedy = "write it otherwise on the side that has it, then sync again"
    found = [(Code.INVALID_TOPIC_FORMAT, PATH, 1, remedy)]
    without = with_text(with_text(base, " # Two facts.[^mem_2]", ""), TWO_LINE + "\n", "")
    assert refused(base, without, base) == found
    one, two = with_text(base, "# Two facts", "# Two things"), with_text(base, "# Two facts", "# Two words")
    assert refused(base, one, two) == found


def test_texts_beside_others_are_told_in_the_topics_that_they_stand_in() -> None:
    one = with_text(with_text(BASE, "Mara has", "Mara holds"), "Mira asked", "Mira spoke", PEOPLE)
    two = with_text(with_text(BASE, "Mara has", "Mara lost"), "Mira asked", "Mira wrote", PEOPLE)
    made = one_of(BASE, one, two)
    pairs = [(records(made)[0].id, records(made)[1].id), tuple(r.id for r in records(made, PEOPLE))]
    assert sorted(made.alternatives) == sorted(pairs)


# --- Labels and what is left over -----------------------------------------------------------------


def test_one_label_of_two_sides_that_means_two_things_is_two_labels() -> None:
    one, two = (
        {**BASE, NEW: f"# New\n\n{record(words, block, source)}".encode()}
        for words, block, source in (("One.", "one1", S1), ("Two.", "two1", S2))
    )
    two[NEW] += record("Three.", "more", S1).replace("e-same", "e-own").encode()
    found = {each.content: each for each in records(one_of(BASE, one, two), NEW)}
    first, second, third = (found.pop(words) for words in ("One.", "Two.", "Three."))
    assert not found
    assert third.evidence[0].id == "e-own"
    assert [each.sources[0].place for each in (first, second)] == [link(s)[3:] for s in (S1, S2)]
    assert first.evidence[0].id == "e-same" != second.evidence[0].id


def test_a_record_that_is_moved_to_where_its_label_means_another_thing_gets_a_new_one() -> None:
    base = with_text(BASE, "e-bbbbbbbbbb", "e-same")
    made = {**base, NEW: f"# New\n\n{record('One.', 'one1', S1)}".encode()}
    spare = SPARE.replace("e-bbbbbbbbbb", "e-same").replace("(#^key1)", "(keys.md#^key1)")
    moved = {**base, PATH: HEAD.encode(), NEW: f"# New\n\n## Spare{spare}".encode()}
    one, two = records(one_of(base, made, moved), NEW)
    assert (one.content, one.evidence[0].id) == ("One.", "e-same")
    assert (two.ids, two.sources[0].place) == (("old2", "key2"), link(S2)[3:])
    assert two.evidence[0].id != "e-same"


def test_a_remark_in_a_section_that_both_sides_emptied_goes() -> None:
    remark = "```\nremark\n```\n"
    two_spares = BASE[PATH].decode() + "\n" + record("Another.", "more", S1)
    base = {**BASE, PATH: two_spares.encode()}
    without_more = {**BASE, PATH: f"{KEYS}\n{remark}".encode()}
    without_spare = {**BASE, PATH: f"{HEAD}## Spare\n\n{record('Another.', 'more', S1)}".encode()}
    said, told = Tidings(deleted=("more",)), Tidings(deleted=("old2", "key2"))
    made = one_of(base, without_more, without_spare, said, told)
    assert contents(made) == ["Mara has the key."]
    assert remark not in text(made)


def test_a_definition_that_each_side_left_to_the_other_goes() -> None:
    label = "e-aaaaaaaaaa"
    shared = with_text(BASE, "[^e-bbbbbbbbbb] ^old2", f"[^{label}][^e-bbbbbbbbbb] ^old2")
    note = f"[^e-1]: Time: `2026`; Sources: [said]({link(S2)})\n"
    one = with_text(
        with_text(shared, f"[^{label}] ^key1", "[^e-1] ^key1"), "## Spare\n", f"{note}\n## Spare\n"
    )
    made = one_of(shared, one, with_text(shared, f"[^{label}][^e-bb", "[^e-bb"))
    assert {group.id for each in records(made) for group in each.evidence} == {"e-1", "e-bbbbbbbbbb"}
    assert f"[^{label}]:" not in text(made)


# --- Moved, and put where it was not ----------------------------------------------------------------


def test_a_record_that_one_side_moved_and_the_other_changed_stands_changed_where_it_was_moved() -> None:
    moved = {
        **BASE,
        PATH: HEAD.encode(),
        NEW: ("# New\n\n## Spare" + SPARE.replace("(#^key1)", "(keys.md#^key1)")).encode(),
    }
    changed = with_text(BASE, "The spare hangs", "The spare lies")
    for one, two in ((moved, changed), (changed, moved)):
        made = one_of(BASE, one, two)
        assert contents(made) == ["Mara has the key."]
        assert contents(made, NEW) == ["The spare lies by the door, see [Mara](keys.md#^key1)."]
        assert records(made, NEW)[0].ids == ("old2", "key2")


def test_records_that_one_side_merged_and_of_which_the_other_changed_one_stand_beside_that_one() -> None:
    base = {**BASE, PATH: f"{HEAD}{record('Another.', 'more', S1)}".encode()}
    merged = with_text(base, record("Another.", "more", S1), "")
    merged = with_text(merged, "Mara has the key.", "Mara has the key, and another.")
    merged = with_text(merged, "^key1\n", "^key1 ^more\n")
    made = one_of(base, merged, with_text(base, "Mara has", "Mara lost"))
    assert contents(made) == ["Mara has the key, and another.", "Mara lost the key."]
    assert records(made)[0].ids == ("key1", "more")


# --- Deleted, lost, forgotten ----------------------------------------------------------------------


def test_a_record_that_vanished_without_a_word_is_there() -> None:
    made = one_of(BASE, WITHOUT_MARA, BASE)
    assert contents(made) == ["Mara has the key.", "The spare hangs by the door, see Mara."]
    assert trailers(made, "Created") == ["key1"]


def test_a_record_that_was_deleted_stays_away_unless_the_other_side_changed_it() -> None:
    assert contents(one_of(BASE, WITHOUT_MARA, BASE, DELETED)) == ["The spare hangs by the door, see Mara."]
    made = one_of(BASE, WITHOUT_MARA, with_text(BASE, "Mara has", "Mara lost"), DELETED)
    assert contents(made)[0] == "Mara lost the key."


def test_a_topic_that_one_side_removed_has_what_the_other_changed_of_it() -> None:
    without = {path: data for path, data in BASE.items() if path != PEOPLE}
    said = Tidings(deleted=("mira1",))
    assert one_of(BASE, without, BASE, said).prepared.tree.get(PEOPLE) is None
    made = one_of(BASE, without, with_text(BASE, "Mira asked", "Mira wrote", PEOPLE), said)
    assert contents(made, PEOPLE) == ["Mira wrote about [the key](../keys.md#^key1)."]


def test_a_record_that_was_deleted_stays_where_the_other_side_made_a_link_to_it() -> None:
    made = one_of(BASE, WITHOUT_MARA, LINKING, DELETED)
    assert contents(made)[0] == "Mara has the key."
    assert contents(made, NEW) == ["See [it](keys.md#^key1)."]


def test_a_record_that_was_forgotten_is_linked_to_by_nothing() -> None:
    elsewhere = {**LINKING, "topics/tea.md": f"# Tea\n\n{record('Green.', 'tea1', S1)}".encode()}
    made = one_of(BASE, WITHOUT_MARA, elsewhere, Tidings(forgotten=("key1",)))
    assert contents(made, "topics/tea.md") == ["Green."]
    assert contents(made) == ["The spare hangs by the door, see Mara."]
    assert contents(made, NEW) == ["See it."]
    assert trailers(made, "Forgotten") == []


def test_what_rests_on_a_message_that_the_other_side_forgot_goes_and_is_named() -> None:
    told = Tidings(forgotten=("key1", S2), erased=("key1",))
    made = one_of(BASE, LINKING, WITHOUT_MARA, told=told)
    assert [path for path in (PATH, PEOPLE, NEW) if made.prepared.tree.get(path) is not None] == []
    assert trailers(made, "Forgotten") == [f"{S2} key1 key2 mira1 new1 old2"]
    assert trailers(made, "Erased") == ["key1"]
