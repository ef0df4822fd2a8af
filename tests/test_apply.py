"""Examples of the four operations, with the topics that come out."""

from typing import Any

import pytest

from memory_example import KEYS, MIRA, PENDING, S1, S2, ask, codes, link, memory, topic, written
from operations import SHARED, contents, create, delete, move, update
from scriptorium_core.transaction import Prepared


def test_a_record_is_created_with_ids_of_the_runtime_and_nothing_else_is_rewritten() -> None:
    outcome = ask(memory(), create())
    new = f"New.[^e-NEW] ^ID\n\n[^e-NEW]: Time: `2026-05`; Sources: [said]({link(S1)})\n\n"
    assert isinstance(outcome, Prepared)
    (block,), (evidence,) = outcome.report.created, outcome.report.naming.evidence.values()
    new = new.replace("e-NEW", evidence).replace("ID", block)
    assert written(outcome) == KEYS.replace("## Spare", f"{new}## Spare")


@pytest.mark.parametrize(
    ("position", "where", "order"),
    [
        ("start", {}, ["New.", "Mara has the key."]),
        ("end", {}, ["Mara has the key.", "New."]),
        ("before", {"anchor_memory_id": "key1"}, ["New.", "Mara has the key."]),
        ("after", {"anchor_memory_id": "^key1"}, ["Mara has the key.", "New."]),
    ],
)
def test_a_position_is_relative_to_the_section_or_an_anchor(
    position: str, where: dict[str, str], order: list[str]
) -> None:
    where = {key: value.removeprefix("^") for key, value in where.items()}
    outcome = ask(memory(), create(position=position, **where))
    assert [record.content for record in topic(outcome).records if record.headings == ("Keys",)] == order


def test_an_alias_is_an_anchor_as_well() -> None:
    outcome = ask(memory(), create(position="before", headings=["Keys", "Spare"], anchor_memory_id="old2"))
    assert [record.content for record in topic(outcome).records][1] == "New."


def test_missing_headings_are_made_below_what_there_is_of_them() -> None:
    outcome = ask(memory(), create(headings=["Keys", "Spare", "Old", "Rust"]), create(headings=["Doors"]))
    text = written(outcome)
    assert "\n\n### Old\n\n#### Rust\n\nNew." in text
    assert text.index("# Doors") > text.index("#### Rust")
    assert [record.headings for record in topic(outcome).records][-2:] == [
        ("Keys", "Spare", "Old", "Rust"),
        ("Doors",),
    ]


def test_a_record_without_headings_stands_above_the_first_one() -> None:
    outcome = ask(memory(keys="\ufeff" + KEYS), create(headings=[]))
    assert written(outcome).startswith("\ufeffNew.[^e-")
    assert topic(outcome).records[0].headings == ()


def test_what_follows_a_fence_that_nobody_closed_is_not_swallowed() -> None:
    outcome = ask(memory(keys=KEYS + "\n```\nopen ^x"), create(headings=["Keys", "Spare"]))
    assert "\n```\nopen ^x\n```\n\nNew." in written(outcome)
    assert [record.content for record in topic(outcome).records][-1] == "New."


def test_a_file_keeps_its_line_ends_and_gets_one_where_it_had_none() -> None:
    crlf = ask(memory(keys=KEYS.replace("\n", "\r\n").rstrip()), create(headings=["Keys", "Spare"]))
    text = written(crlf)
    assert text.count("\n") == text.count("\r\n")
    assert "\r\n\r\nNew.[^e-" in text


def test_an_update_keeps_ids_and_position_and_replaces_the_evidence() -> None:
    outcome = ask(memory(), update("old2"))
    assert contents(outcome) == [(("key1",), "Mara has the key."), (("old2", "key2"), "Final.")]
    assert "e-bbbbbbbbbb" not in written(outcome)
    (group,) = topic(outcome).records[1].evidence
    assert (str(group.when), group.sources[0].target) == ("2026-06", link(S2))
    assert written(outcome).startswith(KEYS[: KEYS.index("The spare")])


def test_supersede_keeps_the_earlier_evidence_and_closes_the_last() -> None:
    outcome = ask(memory(), update("key1", supersede=True))
    assert isinstance(outcome, Prepared)
    earlier, last = topic(outcome).records[0].evidence
    assert earlier.fields == (("Status", "verified 0.9"), ("Until", "2026-06"))
    assert (str(last.when), last.fields) == ("2026-06", ())
    assert outcome.report.superseded == ("key1",)
    again = ask(
        {p: outcome.tree.get(p) or b"" for p in outcome.tree.under("")},
        update("key1", supersede=True, time=None),
    )
    assert [dict(group.fields).get("Until") for group in topic(again).records[0].evidence] == [
        "2026-06", "2026-11-01", None,
    ]  # fmt: skip


def test_what_is_said_again_gets_further_evidence_and_all_that_was_open_is_closed_together() -> None:
    outcome = ask(memory(), update("key1", "Mara has the key.", add=True))
    assert contents(outcome)[0] == (("key1",), "Mara has the key.")
    assert [(str(group.when), group.fields) for group in topic(outcome).records[0].evidence] == [
        ("2026-04", (("Status", "verified 0.9"),)), ("2026-06", ()),
    ]  # fmt: skip
    assert isinstance(outcome, Prepared)
    assert outcome.report.superseded == ()
    files = {path: outcome.tree.get(path) or b"" for path in outcome.tree.under("")}
    after = ask(files, update("key1", "Bo has the key.", supersede=True, time="2026-07"))
    groups = topic(after).records[0].evidence
    assert [dict(group.fields).get("Until") for group in groups] == ["2026-07", "2026-07", None]


def test_each_passage_keeps_its_evidence_where_the_whole_is_said_again() -> None:
    note = f"Time: `2026`; Sources: [said]({link(S1)})"
    notes = f"[^e-aaaaaaaaaa]: {note}\n[^e-bbbbbbbbbb]: {note}\n"
    text = f"# K\n\nOne.[^e-aaaaaaaaaa] Two.[^e-bbbbbbbbbb] ^k\n\n{notes}"
    outcome = ask(memory(keys=text), update("k", "One. Two.", add=True))
    quotes = [group.quote for group in topic(outcome).records[0].evidence]
    assert quotes == ["One.", "Two.", "Two."]


def test_evidence_that_was_closed_already_keeps_its_end() -> None:
    closed = KEYS.replace("; Status: verified 0.9", "; Until: 2026-05")
    outcome = ask(memory(keys=closed), update("key1", supersede=True))
    assert dict(topic(outcome).records[0].evidence[0].fields) == {"Until": "2026-05"}


def test_a_definition_that_two_records_share_stays_open_for_the_other() -> None:
    outcome = ask(memory(keys=SHARED), update("key1", supersede=True))
    one, two = topic(outcome).records
    assert [dict(group.fields) for group in one.evidence] == [{"Until": "2026-06"}, {}]
    assert [(group.id, group.fields) for group in two.evidence] == [("e-aaaaaaaaaa", ())]
    assert one.evidence[0].when == two.evidence[0].when


def test_a_definition_that_two_records_share_goes_with_the_last_of_them() -> None:
    outcome = ask(memory(keys=SHARED), delete("key1"))
    assert [group.id for group in topic(outcome).records[0].evidence] == ["e-aaaaaaaaaa"]
    both = ask(memory(keys=SHARED), delete("key1"), delete("key2"))
    assert isinstance(both, Prepared)
    assert both.tree.get("topics/keys.md") is None
    moved = ask(memory(keys=SHARED), move("key1"))
    assert topic(moved).records[0].evidence[0].id == "e-aaaaaaaaaa"
    assert topic(moved, "topics/people/mira.md").records[-1].evidence[0].id == "e-aaaaaaaaaa"


def test_a_deleted_record_takes_its_definitions_and_empty_headings_along() -> None:
    outcome = ask(memory(), delete("key2"))
    assert written(outcome) == KEYS[: KEYS.index("\n## Spare")]
    assert isinstance(outcome, Prepared)
    assert set(outcome.report.deleted) == {"old2", "key2"}


def test_a_repeated_heading_without_a_record_goes_as_well() -> None:
    outcome = ask(memory(keys=KEYS.replace("## Spare", "## Spare\n\n## Spare")), update("key1"))
    assert written(outcome).count("## Spare") == 1


def test_a_topic_without_records_is_deleted() -> None:
    outcome = ask(memory(), delete("mira1"))
    assert isinstance(outcome, Prepared)
    assert outcome.tree.get("topics/people/mira.md") is None


def test_an_alias_alone_leaves_its_paragraph() -> None:
    text = KEYS.replace("^old2 ^key2", "^key\t^key2\n^key22")
    outcome = ask(memory(keys=text), delete("key"))
    assert contents(outcome)[1][0] == ("key2", "key22")
    assert contents(ask(memory(keys=text), delete("key2")))[1][0] == ("key", "key22")
    assert contents(ask(memory(), delete("key2"), delete("old2"))) == [(("key1",), "Mara has the key.")]


def test_a_record_that_another_links_to_is_not_deleted_but_with_the_other() -> None:
    places = {place for code, place in codes(ask(memory(), delete("key1"))) if code == "LINK_DANGLING"}
    assert places == {"topics/keys.md", "topics/people/mira.md"}
    assert isinstance(ask(memory(), delete("key1"), delete("key2"), delete("mira1")), Prepared)


def test_merging_is_an_update_with_deletes_and_splitting_one_with_creates() -> None:
    merged = ask(memory(), update("key1", "Both keys."), delete("key2"))
    assert contents(merged) == [(("key1",), "Both keys.")]
    split = ask(memory(), update("key1", "One half."), create("The other half."))
    assert [content for _, content in contents(split)][:2] == ["One half.", "The other half."]


@pytest.mark.parametrize(
    ("operations", "code", "place"),
    [
        ([update("key1"), update("key1")], "INVALID_ARGUMENT", "memory_changes[1]"),
        ([update("old2"), delete("key2")], "INVALID_ARGUMENT", "memory_changes[1]"),
        ([delete("mira1"), move("mira1")], "INVALID_ARGUMENT", "memory_changes[1]"),
        ([move("mira1"), move("mira1")], "INVALID_ARGUMENT", "memory_changes[1]"),
        ([move("old2", "key2"), delete("old2")], "INVALID_ARGUMENT", "memory_changes[0]"),
        ([update("nope")], "MEMORY_NOT_FOUND", "memory_changes[0].memory_id"),
        ([delete("nope")], "MEMORY_NOT_FOUND", "memory_changes[0].memory_id"),
        ([move("key1", "nope")], "MEMORY_NOT_FOUND", "memory_changes[0].memory_ids[1]"),
        ([create(position="after", anchor_memory_id="key2")], "INVALID_ARGUMENT",
         "memory_changes[0].destination.anchor_memory_id"),
        ([create(position="after", anchor_memory_id="nope")], "MEMORY_NOT_FOUND",
         "memory_changes[0].destination.anchor_memory_id"),
        ([update("key1", source="chat/s1/none")], "MISSING_SOURCE", "memory_changes[0].sources[0].source"),
        ([update("key1", source="new-source-x")], "MISSING_SOURCE", "memory_changes[0].sources[0].source"),
        ([update("key1", source="nonsense")], "INVALID_TOPIC_FORMAT", "memory_changes[0].sources[0].source"),
        ([create(topic_path="topics/KEYS.md")], "INVALID_TOPIC_FORMAT",
         "memory_changes[0].destination.topic_path"),
        ([update("key1", source=PENDING)], "SOURCE_PENDING", "topics/keys.md"),
        ([create("see [x](#^nope)")], "LINK_DANGLING", "topics/keys.md"),
        ([create("see [x](people/mira.md)")], "INVALID_TOPIC_FORMAT", "topics/keys.md"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_with_code_and_place(
    operations: list[dict[str, Any]], code: str, place: str
) -> None:
    assert (code, place) in codes(ask(memory(), *operations))


def test_all_problems_of_a_request_are_reported_together() -> None:
    found = codes(
        ask(
            memory(),
            create("x", topic_path="topics/KEYS.md") | {"sources": [{"source": "a/b/c", "label": "l"}]},
            delete("no"),
            move("nowhere"),
        )
    )
    assert [code for code, _ in found] == [
        "MISSING_SOURCE", "INVALID_TOPIC_FORMAT", "MEMORY_NOT_FOUND", "MEMORY_NOT_FOUND",
    ]  # fmt: skip


def test_a_source_that_the_request_brings_is_called_by_its_label() -> None:
    new = [{"label": "new-source-x", "role": "user", "content": "I keep it."}]
    outcome = ask(memory(), update("key1", source="new-source-x"), sources=new)
    assert isinstance(outcome, Prepared)
    (source,) = outcome.report.archived
    assert topic(outcome).records[0].sources[0].target == link(source)


def test_a_quarantined_topic_is_not_written_and_all_others_are() -> None:
    files = memory(keys=KEYS, people__mira=MIRA + "\nuncited prose\n")
    assert codes(ask(files, update("mira1"))) == [("INVALID_TOPIC_FORMAT", "memory_changes[0].memory_id")]
    assert codes(ask(files, create(topic_path="topics/people/mira.md"))) == [
        ("INVALID_TOPIC_FORMAT", "memory_changes[0].destination.topic_path")
    ]
    assert isinstance(ask(files, update("key1")), Prepared)
    moved = ask(files, move("key1", topic_path="topics/new.md", headings=[]))
    assert isinstance(moved, Prepared)
    assert moved.tree.get("topics/people/mira.md") == files["topics/people/mira.md"]


def test_paragraphs_do_not_flow_together_where_a_definition_between_them_goes() -> None:
    note = f"Time: `2026`; Sources: [s]({link(S1)})"
    text = f"A.[^e-1] ^a\n[^e-2]: {note}\nB.[^e-1] ^b\n\nC.[^e-2] ^c\n\n[^e-1]: {note}\n"
    outcome = ask(memory(keys=text), delete("c"))
    assert written(outcome) == f"A.[^e-1] ^a\n\nB.[^e-1] ^b\n\n[^e-1]: {note}\n"
