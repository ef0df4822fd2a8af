"""The questions that records carry: one key for all spellings, and no change of a record that loses them."""

import pytest

from memory_example import memory, snapshot
from scriptorium_core.changes import Caller, apply_changes, carry_out
from scriptorium_core.changes.apply import Applied
from scriptorium_core.changes.model import (
    Change,
    Destination,
    MoveRecords,
    Position,
    Request,
    SourceUse,
    UpdateRecord,
    WriteTopic,
)
from scriptorium_core.facts import Facts, facts_of
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.topics import Record
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.topics.questions import (
    NORMALISER,
    ask_fields,
    normalised,
    question_key,
    questions_of,
)
from scriptorium_core.transaction import Edit, Prepared, Rules, Snapshot, prepare
from scriptorium_core.transaction.adopting import fields_put_back
from scriptorium_core.transaction.staging import Stage, edit_of, staged, written
from scriptorium_core.tree import tree_of
from scriptorium_core.when import When
from scriptorium_core.writing.remembering import Keeping, Wish, keeping

DAY = When(2026, 5, 1)
FIRST, SECOND = "Where is the key; is it 100% safe?", "Wo liegt; Ask: der Schlüssel?"


def changed(base: Snapshot, changes: tuple[Change, ...], edit: Edit | None = None) -> dict[str, bytes]:
    """The files of a memory after some operations."""
    applied = apply_changes(base.tree, base.facts, changes, {}, "2026-05-02")
    assert isinstance(applied, Applied), applied
    done = prepare(base, edit or Edit(applied.tree, deleted=applied.deleted), Rules(Caller(), len))
    assert isinstance(done, Prepared), done
    files = {path: done.tree.get(path) for path in done.tree.under("")}
    return {path: data for path, data in files.items() if data is not None}


def asked() -> tuple[dict[str, bytes], Record]:
    """A memory with a record that carries two questions."""
    base = snapshot(memory())
    wish = Wish("The key is under the pot.", DAY, f"{DAY}T09:00:00Z", "", (FIRST, SECOND, FIRST.upper()))
    found = keeping(wish, Caller(), base.facts)
    assert isinstance(found, Keeping), found
    applied = apply_changes(base.tree, base.facts, found.changes, found.brought.places, str(DAY))
    assert isinstance(applied, Applied), applied
    brought = found.brought
    edit = Edit(applied.tree, frames=brought.frames, contexts=brought.contexts)
    files = changed(base, (), edit)
    return files, the_record(facts_of(tree_of(files)))


def the_record(facts: Facts) -> Record:
    (block,) = facts.asked[question_key(FIRST)]
    return facts.records[block].record


def test_a_question_has_one_key_however_it_is_typed() -> None:
    assert NORMALISER == 1
    assert normalised("  Wo\tist\n STRASSE  Cafe\u0301? ") == "wo ist strasse caf\u00e9?"
    assert question_key("Where is the key?") == question_key(" where  IS the key? ")
    assert question_key("Where is the key") != question_key("Where is the key?")
    # Whoever changes what is normalised raises its number, and writes down the new key here.
    assert question_key("a").startswith("ca978112ca1bbdca")


def test_any_question_stands_in_one_field_and_is_read_back() -> None:
    files, record = asked()
    assert questions_of(record) == (FIRST, SECOND)
    (group,) = record.evidence
    assert [name for name, _ in group.fields] == ["Status", "Ask", "Ask"]
    assert b"Ask: Where is the key%3B is it 100%25 safe?" in files[record.path]
    assert ask_fields(("", " \n ", "a\u2028b\x00c")) == (("Ask", "a b c"),)


@pytest.mark.parametrize(
    ("supersede", "add"),
    [(False, False), (True, False), (False, True)],
    ids=["replaced", "superseded", "said again"],
)
def test_every_update_keeps_them(supersede: bool, add: bool) -> None:
    files, record = asked()
    facts = facts_of(tree_of(files))
    (cited,) = record.sources
    use = SourceUse(facts.places[cited.place], "me")
    content = record.content if add else "The key is in the shed."
    update = UpdateRecord(record.id, content, When(2026, 6), (use,), supersede, add=add)
    after = facts_of(tree_of(changed(snapshot(files), (update,))))
    assert questions_of(the_record(after)) == (FIRST, SECOND)
    assert the_record(after).content == content
    assert after.asked[question_key(SECOND)] == (record.id,)


def test_a_move_and_another_program_keep_them() -> None:
    files, record = asked()
    there = Destination(TopicPath("topics/house.md"), ("House",), Position.END)
    after = changed(snapshot(files), (MoveRecords((record.id,), there),))
    moved = the_record(facts_of(tree_of(after)))
    assert (moved.path, questions_of(moved)) == ("topics/house.md", (FIRST, SECOND))

    path = TopicPath(moved.path)
    before, _ = parse_topic(path, after[path])
    bare = b"\n".join(line.partition(b"; Status:")[0] for line in after[path].split(b"\n"))
    lost, _ = parse_topic(path, bare)
    assert questions_of(lost.records[0]) == ()
    assert fields_put_back([before], [lost])[path] == after[path]


def test_what_is_deleted_is_asked_for_no_more_and_another_id_is_no_other_record() -> None:
    files, record = asked()
    facts = facts_of(tree_of(files))
    assert facts.asked.get(question_key("Where?")) is None
    assert facts.asked[question_key(FIRST)] == (record.id,)
    assert BlockId(record.id) in facts.records


def test_a_fold_that_composes_anew_is_folded_once_more() -> None:
    # Capital H with a line below and a combining mark: lower case first, then one character.
    for text in ("\u1e96", "H\u0331", "\u0390", "\u03b9\u0308\u0301", "\u01f0", "J\u030c", "\u0345\u0399"):
        once = normalised(text)
        assert normalised(once) == once


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_whole_topic_written_with_other_evidence_keeps_them(ending: str) -> None:
    files, record = asked()
    base = snapshot(files)
    whole = files[record.path].decode().replace("\n", ending)
    (group,) = record.evidence

    def after_writing(text: str) -> Record:
        request = Request((), files=(WriteTopic(TopicPath(record.path), text),))
        done = carry_out(base.tree, base.facts, request, {}, "2026-05-02")
        assert isinstance(done, Applied), done
        prepared = prepare(base, Edit(done.tree), Rules(Caller(), len))
        assert isinstance(prepared, Prepared), prepared
        tree = {path: prepared.tree.get(path) for path in prepared.tree.under("")}
        after = facts_of(tree_of({path: data for path, data in tree.items() if data is not None}))
        return after.records[record.id].record

    anew = whole.replace(group.id, "e1").replace("under the pot", "in the shed")
    bare = anew.partition("; Status:")[0] + ending
    after = after_writing(bare)
    assert (after.content, questions_of(after)) == ("The key is in the shed.", (FIRST, SECOND))
    assert [name for name, _ in after.evidence[0].fields] == ["Ask", "Ask"], "its standing was of other words"
    assert questions_of(after_writing(f"{bare.rstrip()}; Ask: Where?{ending}")) == ("Where?",)
    # Whoever takes them out of a definition that stays means it.
    assert questions_of(after_writing(whole.partition("; Ask:")[0] + ending)) == ()


def test_a_writer_that_edits_the_text_of_a_topic_keeps_them() -> None:
    files, record = asked()
    base = snapshot(files)
    bare = files[record.path].decode().replace(record.evidence[0].id, "e1").partition("; Status:")[0]
    stage = written(staged(base, Caller(), "2026-05-02"), record.path, f"{bare}\n")
    assert isinstance(stage, Stage), stage
    data = edit_of(stage, "write").tree.get(record.path)
    topic, problems = parse_topic(TopicPath(record.path), data or b"")
    assert problems == ()
    assert questions_of(topic.records[0]) == (FIRST, SECOND)
