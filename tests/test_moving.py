"""Examples of records that move, and of those of the older form that are changed where they stand."""

from memory_example import KEYS, MIRA, ODD, S1, S2, ask, codes, link, memory, topic, written
from operations import SHARED, contents, delete, move, update
from scriptorium_core.transaction import Prepared

LEGACY = f"""# House

No. No.[^mem_no] m[^mem_a][^mem_b] Yes: no. No.[^mem_yes] Old remark

[^mem_no]: 2025-10 · Sources: [a]({link(S1)})
[^mem_a]: Time: `2025`; Sources: [b]({link(S1)})
[^mem_b]: Time: `2025`; Sources: [b]({link(S1)})
[^mem_yes]: Time: `2025-11`; Sources: [c]({link(S2)})
"""


def test_a_move_keeps_ids_content_time_and_sources_and_links_follow() -> None:
    outcome = ask(memory(), move("key1"))
    moved = topic(outcome, "topics/people/mira.md")
    assert contents(outcome, "topics/people/mira.md")[1] == (("key1",), "Mara has the key.")
    (group,) = moved.records[1].evidence
    assert (str(group.when), group.fields) == ("2026-04", (("Status", "verified 0.9"),))
    assert group.sources[0].target == link(S1, "topics/people/mira.md")
    assert "[the key](mira.md#^key1)" in written(outcome, "topics/people/mira.md")
    assert "[Mara](people/mira.md#^key1)" in written(outcome)
    assert isinstance(outcome, Prepared)
    assert (outcome.report.moved, outcome.report.updated) == (("key1",), ())


def test_links_to_other_files_are_spelled_anew_by_a_move() -> None:
    extra = f"See [s]({link(S1)}), [p](<odd name.txt#x>), [w](#Work), [x](https://e.org) `[s](x.md)`."
    text = KEYS.replace("Mara has the key.", extra)
    outcome = ask(memory(keys=text, people__mira=MIRA), move("key1"))
    content = contents(outcome, "topics/people/mira.md")[1][1]
    target = link(S1, "topics/people/mira.md")
    assert (
        content == f"See [s]({target}), [p](<../odd name.txt#x>), [w](#Work), [x](https://e.org) `[s](x.md)`."
    )


def test_records_move_within_a_topic_together_and_in_the_order_that_is_asked_for() -> None:
    where = {"topic_path": "topics/keys.md", "headings": ["Keys", "Locks"], "position": "start"}
    outcome = ask(memory(), move("old2", "key2", "key1", **where))
    assert [record.ids for record in topic(outcome).records] == [("old2", "key2"), ("key1",)]
    assert {record.headings for record in topic(outcome).records} == {("Keys", "Locks")}
    assert "## Spare" not in written(outcome)


def test_a_merged_record_moves_only_as_a_whole_and_in_its_order() -> None:
    for ids in (("key2",), ("key2", "old2"), ("old2", "key1", "key2")):
        assert ("INVALID_ARGUMENT", "memory_changes[0].memory_ids[0]") in codes(ask(memory(), move(*ids)))


def test_a_moved_definition_may_meet_one_that_means_the_same() -> None:
    same = MIRA + SHARED.replace("# Keys", "").replace("key", "mkey").replace("../sources", ".././../sources")
    same = same.replace("One.", "Three.").replace("Two.", "Four.")
    outcome = ask(memory(keys=SHARED, people__mira=same), move("key1"))
    assert contents(outcome, "topics/people/mira.md")[-1] == (("key1",), "One.")
    other = same.replace("`2026`; Sources: [said]", "`2025`; Sources: [said]")
    outcome = ask(memory(keys=SHARED, people__mira=other), move("key1"))
    assert codes(outcome) == [("INVALID_TOPIC_FORMAT", "memory_changes[0].destination.topic_path")]


def test_content_operations_come_first_and_then_the_moves() -> None:
    outcome = ask(memory(), move("key1"), update("key1", "Mara had it."))
    assert contents(outcome, "topics/people/mira.md")[1] == (("key1",), "Mara had it.")
    assert topic(outcome, "topics/people/mira.md").records[1].sources[0].target == link(
        S2, "topics/people/mira.md"
    )


def test_a_source_whose_id_holds_a_blank_is_cited_and_moved() -> None:
    outcome = ask(memory(), update("key1", source=ODD), move("key1"))
    record = topic(outcome, "topics/people/mira.md").records[-1]
    assert record.sources[0].target == link(ODD, "topics/people/mira.md")


def test_a_move_to_a_place_that_is_not_there_is_refused() -> None:
    outcome = ask(memory(), move("key1", position="after", anchor_memory_id="nope"))
    assert codes(outcome) == [("MEMORY_NOT_FOUND", "memory_changes[0].destination.anchor_memory_id")]


class TestLegacy:
    """The older form: several units in a paragraph, each cited by footnotes named `mem_…`."""

    def test_a_unit_is_updated_where_it_stands(self) -> None:
        outcome = ask(memory(keys=LEGACY), update("mem_yes", "Yes, now."))
        assert "m[^mem_a][^mem_b] Yes, now.[^mem_yes] Old remark" in written(outcome)
        first = ask(memory(keys=LEGACY), update("mem_no", "Never."))
        assert "\nNever.[^mem_no] m[^mem_a][^mem_b] Yes: no. No.[^mem_yes] Old remark" in written(first)

    def test_a_unit_of_two_ids_keeps_both_with_the_same_evidence(self) -> None:
        outcome = ask(memory(keys=LEGACY), update("mem_a", "New m."))
        record = topic(outcome).records[1]
        assert (record.ids, record.content) == (("mem_a", "mem_b"), "New m.")
        assert [str(group.when) for group in record.evidence] == ["2026-06", "2026-06"]

    def test_a_unit_is_deleted_without_its_neighbours(self) -> None:
        outcome = ask(memory(keys=LEGACY), delete("mem_a"))
        assert "\nNo. No.[^mem_no] Yes: no. No.[^mem_yes] Old remark\n" in written(outcome)
        assert "mem_b" not in written(outcome)

    def test_a_unit_moves_alone_and_the_last_one_takes_the_remark_along(self) -> None:
        outcome = ask(memory(keys=LEGACY, people__mira=MIRA), move("mem_no"))
        assert "\nm[^mem_a][^mem_b] Yes:" in written(outcome)
        assert contents(outcome, "topics/people/mira.md")[-1] == (("mem_no",), "No. No.")
        last = ask(memory(keys=LEGACY, people__mira=MIRA), move("mem_no", "mem_a", "mem_yes"))
        assert "Yes: no. No.[^mem_yes] Old remark\n" in written(last, "topics/people/mira.md")

    def test_citations_of_a_unit_may_stand_apart(self) -> None:
        text = LEGACY.replace("[^mem_a][^mem_b]", "[^mem_a] [^mem_b]")
        assert "m[^mem" not in written(ask(memory(keys=text), delete("mem_b")))

    def test_a_unit_that_would_be_no_paragraph_of_its_own_stays(self) -> None:
        text = LEGACY.replace(" m[", " # m[")
        outcome = ask(memory(keys=text, people__mira=MIRA), move("mem_a"))
        assert codes(outcome) == [("INVALID_TOPIC_FORMAT", "memory_changes[0].destination")]

    def test_it_keeps_no_earlier_evidence(self) -> None:
        outcome = ask(memory(keys=LEGACY), update("mem_yes", supersede=True))
        assert codes(outcome) == [("INVALID_ARGUMENT", "memory_changes[0].supersede")]
