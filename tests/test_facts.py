"""Facts from scratch: what each file contributes, and what wins where two say the same."""

from histories import DOOR, KEYS, archived
from scriptorium_core.facts import (
    ArchiveRows,
    ContextRows,
    Facts,
    TopicRows,
    chronicle,
    contributes,
    facts_of,
    file_facts,
    messages_in,
    shard_of,
)
from scriptorium_core.facts.edited import edited_facts
from scriptorium_core.names import NodeId, SessionId, SourceId, anchor
from scriptorium_core.sources import Context, Origin, Tier, Trust, encode_context
from scriptorium_core.tree import tree_of


def facts(files: dict[str, bytes], *order: str) -> Facts:
    return facts_of(tree_of(files), {block: number for number, block in enumerate(order)})


def test_a_record_is_found_by_its_id_and_by_each_alias() -> None:
    found = facts({"topics/house.md": KEYS, "topics/door.md": DOOR}, "bb")
    assert found.records["old"].record == found.records["bb"].record
    assert (found.records["bb"].order, found.records["old"].order, found.records["aa"].order) == (0, -1, -1)
    assert [known.record.id for known in found.newest] == ["bb", "aa"]
    assert found.next_order == 1


def test_links_evidence_days_and_places_lead_to_the_records() -> None:
    found = facts({"topics/house.md": KEYS, "topics/door.md": DOOR})
    assert found.backlinks == {"aa": ("bb",)}
    assert found.evidence["e-2"] == ("topics/door.md",)
    assert found.citing == {"sources/chat/_v2/s1.md#source-da39bbac67e800a0": ("aa", "bb")}
    assert {day: [event.record for event in events] for day, events in found.days.items()} == {
        "2026-03-01": ["aa"],
        "2026": ["bb"],
    }
    assert found.shards == {shard_of("aa"): ("aa",), shard_of("bb"): ("bb",), shard_of("old"): ("bb",)}


def test_a_broken_topic_still_takes_its_ids() -> None:
    found = facts({"topics/house.md": KEYS + b"\n- a bullet\n"})
    fact = found.topics["topics/house.md"]
    assert fact.ids == ("aa",)
    assert [problem.line for problem in fact.problems] == [9]
    assert found.broken == {"topics/house.md": fact.problems}
    assert "aa" in found.records


def test_of_two_topics_with_one_id_the_first_by_path_wins_and_the_second_is_broken() -> None:
    found = facts({"topics/a.md": KEYS, "topics/b.md": KEYS})
    assert found.records["aa"].record.path == "topics/a.md"
    assert found.topics["topics/a.md"].problems == ()
    (problem,) = found.topics["topics/b.md"].problems
    assert "^aa stands in topics/a.md already" in problem.message
    assert (problem.path, problem.line) == ("topics/b.md", 5)


def test_of_two_names_that_are_alike_the_first_wins_and_the_second_is_broken() -> None:
    found = facts({"topics/Notes.md": KEYS, "topics/notes.md": DOOR})
    assert found.topics["topics/notes.md"].path == "topics/Notes.md"
    assert "differs from topics/Notes.md only in case" in found.broken["topics/notes.md"][0].message
    assert "bb" in found.records


def test_a_topic_whose_name_is_refused_is_broken() -> None:
    assert "reserved device name" in facts({"topics/con.md": KEYS}).broken["topics/con.md"][0].message


def test_a_record_without_an_id_is_not_known_yet() -> None:
    found = facts({"topics/house.md": KEYS.replace(b" ^aa", b"")})
    assert not found.records
    assert not found.newest
    assert found.evidence["e-1"] == ("topics/house.md",)


def test_a_message_has_its_context_from_the_file_beside_its_archive() -> None:
    context = Context(SourceId("chat/s1/m1"), Origin.HUMAN, SessionId("s"), NodeId("n"))
    beside = encode_context(context).encode()
    found = facts({"sources/chat/_v2/s1.md": archived("m1", "m2"), "sources/chat/_v2/s1.jsonl": beside})
    assert found.sources["chat/s1/m1"].context == context
    assert found.sources["chat/s1/m2"].context is None
    assert found.places[found.sources["chat/s1/m1"].place] == "chat/s1/m1"
    assert (found.archives["sources/chat/_v2/s1.md"].frames, found.sources["chat/s1/m1"].tier) == (
        2,
        Tier.OWNER,
    )


def test_an_archive_alone_is_read_with_what_stands_beside_it() -> None:
    path, data = "sources/chat/_v2/s1.md", archived("m1", "m2")
    context = Context(SourceId("chat/s1/m2"), Origin.HUMAN, SessionId("s"), NodeId("n"))
    beside = encode_context(context).encode()
    assert [each.context for each in messages_in(path, data, beside)] == [None, context]
    assert [each.context for each in messages_in(path, data, None)] == [None, None]
    assert messages_in(path, None, beside) == ()
    (older,) = messages_in("sources/D1.md", b'# D1\n\n<a id="d1-2"></a>\n[] Tom: Hello! [D1:2]\n', beside)
    assert (older.id, older.context) == ("D1:2", None)


def test_an_archive_of_version_2_goes_before_an_older_one_with_the_same_id() -> None:
    older = f'# s1\n\n<a id="{anchor("chat/s1/m1")}"></a>\n<!-- source-id:chat/s1/m1 -->\n[] user: older\n'
    found = facts(
        {"sources/chat/s1.md": older.encode(), "sources/chat/_v2/s1.md": archived("m1", trust=Trust.PENDING)}
    )
    assert found.sources["chat/s1/m1"].path == "sources/chat/_v2/s1.md"
    assert not found.sources["chat/s1/m1"].trusted
    assert len(found.places) == 2


def test_a_truncated_archive_keeps_the_frames_before_the_fault() -> None:
    data = archived("m1", "m2")
    fact = facts({"sources/chat/_v2/s1.md": data[:-20]}).archives["sources/chat/_v2/s1.md"]
    assert (fact.frames, fact.broken_at) == (1, 12)


def test_each_kind_of_file_contributes_its_own_rows() -> None:
    assert isinstance(file_facts("topics/house.md", KEYS), TopicRows)
    assert isinstance(file_facts("sources/D1.md", b"# D1\n"), ArchiveRows)
    assert isinstance(file_facts("sources/chat/_v2/s1.jsonl", b"{"), ContextRows)
    assert file_facts("core.md", KEYS) is None


def test_what_is_no_memory_contributes_nothing() -> None:
    for path in (
        "topics/.trash/a.md",
        "topics/a.txt",
        "sources/README.md",
        "timeline/2026.md",
        "topics/\udcff.md",
    ):
        assert not contributes(path)


def test_the_first_mention_gives_the_order_and_deleted_ids_keep_theirs() -> None:
    said = chronicle(
        [
            ("2026-03-01", [("Created", "aa bb")]),
            ("2026-03-02", [("Deleted", "aa"), ("Forgotten", "aa chat/s%201/m1")]),
            ("2026-03-03", [("created", "cc aa"), ("Forgotten", "aa")]),
        ]
    )
    assert said.order == {"aa": 0, "bb": 1, "cc": 2}
    assert said.forgotten == {"aa": "2026-03-02", "chat/s 1/m1": "2026-03-02"}


def test_files_that_are_no_memory_say_nothing() -> None:
    files = {"topics/house.md": KEYS}
    others = {"topics/.trash/a.md": DOOR, "topics/notes.txt": b"words", "sources/readme.txt": b"words"}
    assert facts(files | others) == facts(files)


def test_the_facts_after_an_edit_are_those_of_the_edited_files_and_of_the_others() -> None:
    known = facts({"topics/house.md": KEYS, "topics/door.md": DOOR})
    shed = KEYS.replace(b"^aa", b"^cc").replace(b"House", b"Shed")
    after = edited_facts(known, {"topics/house.md": None, "topics/shed.md": shed, "sources/x.md": b""})
    assert sorted(after.records) == ["bb", "cc", "old"]
    assert (len(after.records), len(after.topics)) == (3, 2)
    assert "aa" not in after.records
    assert after.records["cc"].record.path == "topics/shed.md"
    assert sorted(after.topics) == ["topics/door.md", "topics/shed.md"]
