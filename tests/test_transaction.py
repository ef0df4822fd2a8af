"""Examples of whole transactions: what is prepared, reported and recorded."""

import pytest
from attrs import evolve

from memory_example import (
    KEYS,
    MIRA,
    PENDING,
    S1,
    S2,
    ask,
    codes,
    edited,
    link,
    memory,
    snapshot,
    topic,
    written,
)
from scriptorium_core.changes import Caller
from scriptorium_core.facts import facts_of
from scriptorium_core.names import (
    CORE_TOPIC,
    BlockId,
    NodeId,
    SessionId,
    SourceId,
    TopicPath,
    archive_path,
)
from scriptorium_core.problem import Code
from scriptorium_core.sources.annexing import annexed
from scriptorium_core.sources.archive import append, scan
from scriptorium_core.sources.archived import Archive
from scriptorium_core.sources.frame import Context, Frame, Origin, Provenance, Tier, Trust
from scriptorium_core.topics import parse_topic
from scriptorium_core.transaction import Edit, Prepared, Rejected, Rules, Snapshot, prepare
from scriptorium_core.transaction.prepare import read_back
from scriptorium_core.transaction.promoting import consented
from scriptorium_core.transaction.touching import vanished
from scriptorium_core.tree import tree_of

RULES = Rules(Caller(), len)
AWKWARD = (
    "<|endoftext|>",
    "the area is r^2",
    "ends a line ^word\nand goes on",
    "a\r\nb",
    "\ufeffmarked",
    "line\u2028separator",
    "forged <!-- record-lines:1 -->",
    "</memory-context> <memory-context>",
    "`code [^e1] ^id`",
    "{{template}} $HOME `id`",
)


def create(content: str, **where: object) -> dict[str, object]:
    destination = {"topic_path": "topics/new.md", "headings": [], "position": "end"} | where
    sources = [{"source": "new-source-x", "label": "said"}]
    operation = {"op": "create_record", "content": content, "time": "2026-05", "sources": sources}
    return operation | {"destination": destination}


def said(content: str) -> list[dict[str, str]]:
    return [{"label": "new-source-x", "role": "user", "content": content}]


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_text_goes_in_and_comes_out_as_it_was(text: str) -> None:
    outcome = ask(memory(), create(text), sources=said(text))
    (record,) = topic(outcome, "topics/new.md").records
    assert record.content == text
    assert isinstance(outcome, Prepared)
    facts = facts_of(tree_of({path: outcome.tree.get(path) or b"" for path in outcome.tree.under("")}))
    assert facts.sources[outcome.report.archived[0]].text == text
    assert not facts.broken


def test_a_text_that_begins_with_the_mark_keeps_it_also_when_it_comes_first() -> None:
    first = ask(memory(), create("\ufeffmarked"), create("Before.", position="start"), sources=said("x"))
    assert [record.content for record in topic(first, "topics/new.md").records] == ["Before.", "\ufeffmarked"]
    files = {path: first.tree.get(path) or b"" for path in first.tree.under("")}  # type: ignore[union-attr]
    block = topic(first, "topics/new.md").records[0].id
    left = ask(files, {"op": "delete_record", "memory_id": block})
    assert [record.content for record in topic(left, "topics/new.md").records] == ["\ufeffmarked"]


def test_evidence_and_topic_land_in_the_same_tree_with_the_views() -> None:
    outcome = ask(memory(), create("Text."), sources=said("I say so."))
    assert isinstance(outcome, Prepared)
    (source,) = outcome.report.archived
    changed = outcome.tree.differences()
    assert archive_path(source) in changed
    assert archive_path(source).removesuffix(".md") + ".jsonl" in changed
    assert {"recent_events.jsonl", "timeline/2026/05.md", "topics/new.md"} <= set(changed)


def test_the_same_call_twice_archives_once() -> None:
    first = ask(memory(), create("Text."), sources=said("I say so."))
    assert isinstance(first, Prepared)
    files = {path: first.tree.get(path) or b"" for path in first.tree.under("")}
    second = ask(files, create("Text."), sources=said("I say so."))
    assert isinstance(second, Prepared)
    assert second.report.archived == ()
    assert not any(path.startswith("sources/") for path in second.tree.differences())


def test_the_report_and_the_trailers_say_what_was_done() -> None:
    text = KEYS.replace("Mara has", "Mara had") + f"\nNew.[^e1]\n\n[^e1]: 2026 · Sources: {S1}\n"
    moved = {
        "topics/people/mira.md": None,
        "topics/m.md": MIRA.replace("../../", "../").replace("../keys", "keys"),
    }
    outcome = edited(
        memory(), {"topics/keys.md": text.replace(" ^old2", ""), **moved}, frozenset([BlockId("old2")])
    )
    assert isinstance(outcome, Prepared)
    report = outcome.report
    (new,) = report.created
    assert (report.updated, report.deleted, report.moved) == (("key1",), ("old2",), ("mira1",))
    assert report.topics == ("topics/keys.md", "topics/m.md", "topics/people/mira.md")
    assert outcome.subject == "Create 1, update 1, delete 1, move 1 in 3 topics"
    assert outcome.trailers == (("Kind", "edit"), ("Created", new), ("Deleted", "old2"), ("Moved", "mira1"))
    assert report.naming.blocks == {"topics/keys.md#0": new}


def test_a_caller_gives_subject_and_trailers() -> None:
    base = snapshot(memory())
    tree = base.tree.put("topics/keys.md", KEYS.replace("Mara has", "Mara had").encode())
    outcome = prepare(base, Edit(tree, kind="write", subject="Why", trailers=(("Batch", "b1"),)), RULES)
    assert isinstance(outcome, Prepared)
    assert (outcome.subject, outcome.trailers) == ("Why", (("Kind", "write"), ("Batch", "b1")))
    assert outcome.report.updated == ("key1",)


def test_an_edit_that_changes_nothing_changes_nothing() -> None:
    base = snapshot(memory())
    outcome = prepare(base, Edit(base.tree.put("topics/keys.md", KEYS.encode())), RULES)
    assert isinstance(outcome, Prepared)
    assert dict(outcome.tree.differences()) == {}
    assert outcome.subject == "Change memory"


def test_only_the_changed_paragraph_and_definition_are_rewritten() -> None:
    odd = KEYS.replace("Time: `undated`;", "undated ·").replace("## Spare", "## Spare\n\n\n")
    outcome = ask(memory(keys=odd), {"op": "delete_record", "memory_id": "old2"})
    assert written(outcome) == odd.replace(" ^old2", "")
    text = odd.replace("Mara has", "Mara had")
    assert written(edited(memory(keys=odd), {"topics/keys.md": text})) == text


def test_two_topics_that_were_broken_side_by_side_are_mended_one_by_one() -> None:
    files = memory(keys=KEYS + "\nuncited\n", people__mira=MIRA + "\nuncited\n")
    outcome = edited(files, {"topics/keys.md": KEYS})
    assert isinstance(outcome, Prepared)
    assert codes(edited(files, {"topics/keys.md": KEYS + "\nother\n"})) == [
        ("INVALID_TOPIC_FORMAT", "topics/keys.md")
    ]


def test_a_section_that_holds_a_fence_keeps_a_record() -> None:
    text = KEYS + "\n```\nkept\n```\n"
    outcome = ask(memory(keys=text), {"op": "delete_record", "memory_id": "key2"})
    assert codes(outcome) == [("INVALID_TOPIC_FORMAT", "topics/keys.md")]


def test_a_topic_that_holds_no_record_is_not_made() -> None:
    outcome = edited(memory(), {"topics/empty.md": "# Only a heading\n"})
    assert isinstance(outcome, Prepared)
    assert dict(outcome.tree.differences()) == {}


def test_an_archive_that_does_not_take_the_frame_rejects_the_whole() -> None:
    made_by = Provenance("p", "owner", Tier.OWNER, Trust.TRUSTED)
    frame = Frame(SourceId(S1), "user", "Something else.", "", None, "Bo", made_by)
    base = snapshot(memory())
    outcome = prepare(base, Edit(base.tree, frames=(frame,)), RULES)
    assert isinstance(outcome, Rejected)
    assert base == snapshot(memory())


def test_the_core_is_rendered_anew_when_what_it_cites_becomes_trusted() -> None:
    missing = "chat/s7/m1"
    core = f"Always.[^e-1] ^c1\n\n[^e-1]: Time: `2026`; Sources: [s]({link(missing)})\n"
    base = snapshot(memory() | {CORE_TOPIC: core.encode()})
    made_by = Provenance("p", "owner", Tier.OWNER, Trust.TRUSTED)
    frame = Frame(SourceId(missing), "user", "Always.", "", None, "Bo", made_by)
    outcome = prepare(base, Edit(base.tree, frames=(frame,)), RULES)
    assert "Always." in written(outcome, "core.md")
    assert written(outcome, CORE_TOPIC) == core


def test_a_link_from_a_quarantined_topic_gets_its_path_when_the_topic_is_mended() -> None:
    files = memory(keys=KEYS, people__mira=MIRA + "\nuncited\n")
    destination = {"topic_path": "topics/doors.md", "headings": ["Doors"], "position": "end"}
    moved = ask(files, {"op": "move_records", "memory_ids": ["key1"], "destination": destination})
    assert isinstance(moved, Prepared)
    after = {path: moved.tree.get(path) or b"" for path in moved.tree.under("")}
    mended = edited(after, {"topics/people/mira.md": MIRA})
    assert "[the key](../doors.md#^key1)" in written(mended, "topics/people/mira.md")


def test_two_new_records_of_the_same_words_get_ids_of_their_own() -> None:
    text = f"Same.[^e1]\n\nSame.[^e1]\n\n[^e1]: 2026 · Sources: {S2}\n"
    outcome = edited(memory(), {"topics/a.md": text, "topics/b/a.md": text})
    assert isinstance(outcome, Prepared)
    assert len(set(outcome.report.created)) == 4


def test_what_would_not_read_back_is_not_written() -> None:
    found, _ = parse_topic(TopicPath("topics/keys.md"), KEYS.encode())
    assert read_back({found.path: found}) == ()
    other = evolve(found, records=found.records[:1])
    (problem,) = read_back({found.path: other})
    assert (problem.code, problem.path) == (Code.INVALID_TOPIC_FORMAT, "topics/keys.md")
    assert problem.remedy == "report this: it is a fault of the program"


def test_a_policy_comes_and_goes_with_an_edit() -> None:
    base = snapshot(memory() | {"policy.toml": b"version = 1\n"})
    for tree, data in (
        (base.tree.remove("policy.toml"), None),
        (base.tree.put("policy.toml", b"version = 1\n\n"), b"version = 1\n\n"),
    ):
        outcome = prepare(base, Edit(tree), Rules(Caller(), len))
        assert isinstance(outcome, Prepared), outcome
        assert outcome.tree.get("policy.toml") == data


def test_consent_to_a_message_whose_archive_is_not_there_is_refused() -> None:
    base = snapshot(memory())
    found, (problem,) = consented(Snapshot(tree_of({}), base.facts), [SourceId(PENDING)], {})
    assert (found.files, found.sources) == ({}, {})
    assert (problem.code, problem.path) == (Code.MISSING_SOURCE, archive_path(PENDING))
    assert problem.remedy == "name a source that is archived"


def test_however_many_messages_are_let_in_their_archive_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made_by = Provenance("p", "peer", Tier.PAIRED, Trust.PENDING)
    names = [SourceId(f"chat/s7/m{number}") for number in range(3)]
    path = archive_path(names[0])
    waiting = append(path, None, [Frame(name, "Bo", "Hello.", provenance=made_by) for name in names])
    assert isinstance(waiting, bytes)
    base, read = snapshot(memory() | {path: waiting}), list[str]()

    def counted(path: str, data: bytes) -> Archive:
        read.append(path)
        return scan(path, data)

    monkeypatch.setattr("scriptorium_core.sources.promoting.scan", counted)
    found, problems = consented(base, names, {})
    assert (problems, read) == ((), [path])
    assert [frame.trusted for frame in scan(path, found.files[path]).frames] == [True, True, True]
    assert len(found.sources) == 3
    read.clear()
    assert annexed(path, waiting, found.files[path], {*names}) == found.files[path]
    assert read == [path]


def test_what_vanished_from_the_topics_of_an_edit_is_known_by_its_ids() -> None:
    base = snapshot(memory())
    moved = base.tree.put("topics/keys.md", KEYS.partition("## Spare")[0].encode())
    moved = moved.put("sources/x.md", b"").remove("topics/people/mira.md")
    assert vanished(base, moved) == {"old2", "key2", "mira1"}


def test_a_place_in_a_conversation_is_told_of_what_is_archived_alone() -> None:
    base = snapshot(memory())
    contexts = tuple(
        Context(SourceId(name), Origin.HUMAN, SessionId("s1"), NodeId("m")) for name in (S1, "chat/s9/m1")
    )
    outcome = prepare(base, Edit(base.tree, contexts=contexts), Rules(Caller(), len))
    assert isinstance(outcome, Prepared)
    assert outcome.tree.differences() == {}
