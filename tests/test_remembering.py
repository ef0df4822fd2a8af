"""Examples of words that the owner saves: verbatim, once, each paragraph a record."""

import pytest

from memory_example import KEYS, codes, memory, snapshot
from scriptorium_core.changes import Caller, NewSource, apply_changes, bring
from scriptorium_core.changes.apply import Applied
from scriptorium_core.facts import Facts, facts_of
from scriptorium_core.names import CORE_TOPIC
from scriptorium_core.topics import Record
from scriptorium_core.transaction import Edit, Prepared, Rules, Snapshot, prepare
from scriptorium_core.tree import tree_of
from scriptorium_core.when import When
from scriptorium_core.writing.remembering import Keeping, Wish, keeping, paragraphs, verbatim

DAY = When(2026, 5, 1)
OWNER = Caller()


def wish(text: str, topic: str = "", day: When = DAY) -> Wish:
    return Wish(text, day, f"{day}T09:00:00+00:00", topic)


def kept(base: Snapshot, asked: Wish) -> tuple[Keeping, dict[str, bytes]]:
    """What is planned, and the files of the memory that has it."""
    found = keeping(asked, OWNER, base.facts)
    assert isinstance(found, Keeping), found
    applied = apply_changes(base.tree, base.facts, found.changes, found.brought.places, str(asked.day))
    assert isinstance(applied, Applied), applied
    brought = found.brought
    outcome = prepare(
        base, Edit(applied.tree, frames=brought.frames, contexts=brought.contexts), Rules(OWNER, len)
    )
    assert isinstance(outcome, Prepared), outcome
    files = {path: outcome.tree.get(path) for path in outcome.tree.under("")}
    return found, {path: data for path, data in files.items() if data is not None}


def read(files: dict[str, bytes]) -> Facts:
    return facts_of(tree_of(files))


def records(facts: Facts, path: str) -> list[Record]:
    return [known.record for known in facts.records.values() if known.record.path == path]


def test_words_are_archived_as_they_are_and_become_a_verified_record() -> None:
    found, files = kept(snapshot(memory()), wish("  The boiler  is\tnew.\n"))
    facts = read(files)
    source = facts.sources[found.source]
    assert (source.text, source.at, source.label) == (
        "  The boiler  is\tnew.\n",
        "2026-05-01T09:00:00+00:00",
        "Owner (owner/local)",
    )
    (record,) = records(facts, "topics/notes.md")
    assert (record.content, record.headings) == ("The boiler  is\tnew.", ("Notes", "2026-05"))
    (group,) = record.evidence
    assert (group.fields, group.when) == ((("Status", "verified 0.95"),), DAY)
    assert [cited.label for cited in group.sources] == ["Owner, 2026-05-01"]


@pytest.mark.parametrize("again", ["The boiler is new.", "The boiler is new.\n", " \tThe boiler is new."])
def test_the_same_words_are_known_on_any_day_and_for_any_topic(again: str) -> None:
    first, files = kept(snapshot(memory()), wish("The boiler is new."))
    for asked in (wish(again, day=When(2027, 1, 2)), wish(again, "core")):
        found = keeping(asked, OWNER, read(files))
        assert isinstance(found, Keeping)
        assert (found.known, found.changes, found.source) == (True, (), first.source)


def test_every_paragraph_is_a_record_that_cites_the_one_source() -> None:
    found, files = kept(snapshot(memory()), wish("One.\n\nTwo,\nstill two.\r\n \r\nThree."))
    facts = read(files)
    place = facts.sources[found.source].place
    made = records(facts, "topics/notes.md")
    assert [record.content for record in made] == ["One.", "Two,\nstill two.", "Three."]
    assert all([cited.place for cited in record.sources] == [place] for record in made)


def test_a_topic_is_named_as_people_name_it_and_keeps_its_own_heading() -> None:
    for name in ("keys", "keys.md", "topics/keys.md", "KEYS"):
        _, files = kept(snapshot(memory()), wish("A third one.", name))
        made = [
            record for record in records(read(files), "topics/keys.md") if record.content == "A third one."
        ]
        assert [record.headings for record in made] == [("Keys", "2026-05")]
    _, files = kept(snapshot(memory()), wish("New.", "people/ada lovelace"))
    assert [r.headings for r in records(read(files), "topics/people/ada lovelace.md")] == [
        ("Ada lovelace", "2026-05")
    ]


def test_the_core_has_no_months() -> None:
    _, files = kept(snapshot(memory()), wish("Speak Dutch.", "core"))
    (record,) = records(read(files), CORE_TOPIC)
    assert record.headings == ("Core",)
    assert b"Speak Dutch." in files["core.md"]


def test_notes_that_are_quarantined_are_passed_by_and_a_named_topic_is_not() -> None:
    base = snapshot(memory(keys=KEYS, notes="uncited\n"))
    found, _ = kept(base, wish("One."))
    assert [change.destination.topic_path for change in found.changes] == ["topics/notes/2026-05.md"]
    planned = keeping(wish("One.", "notes"), OWNER, base.facts)
    assert isinstance(planned, Keeping)
    applied = apply_changes(base.tree, base.facts, planned.changes, planned.brought.places, "2026-05-01")
    assert codes(applied) == [("INVALID_TOPIC_FORMAT", "text.destination.topic_path")]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (wish(""), "INVALID_ARGUMENT"),
        (wish(" \n\t\n"), "INVALID_ARGUMENT"),
        (wish("\ud800"), "INVALID_ARGUMENT"),
        (wish("x", "../out"), "PATH_OUTSIDE_WORKSPACE"),
        (wish("x", "/etc/x"), "PATH_OUTSIDE_WORKSPACE"),
        (wish("x", "a:b"), "INVALID_ARGUMENT"),
        (wish("\n\n".join(["x"] * 65)), "INVALID_ARGUMENT"),
    ],
)
def test_what_cannot_be_saved_is_said(asked: Wish, code: str) -> None:
    found = keeping(asked, OWNER, snapshot(memory()).facts)
    assert isinstance(found, tuple)
    assert [problem.code for problem in found] == [code]


def test_only_the_owner_saves_words_as_verified() -> None:
    for caller in (Caller.paired("tg/1"), Caller.unknown("tg/9")):
        found = keeping(wish("Trust me."), caller, snapshot(memory()).facts)
        assert codes(found) == [("NOT_PERMITTED", "")]


def test_words_that_were_forgotten_do_not_come_back() -> None:
    found = keeping(wish("The boiler is new."), OWNER, snapshot(memory()).facts)
    assert isinstance(found, Keeping)
    facts = snapshot(memory(), {found.source: "2026-04-01"}).facts
    assert codes(keeping(wish("The boiler is new."), OWNER, facts)) == [("FORGOTTEN", "text")]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("plain *words*, r^2", "plain *words*, r^2"),
        ("# not a heading", "\\# not a heading"),
        ("see [it](keys.md#^key1)", "see [it]\\(keys.md#^key1)"),
        ("see [it](https://example.org)", "see [it](https://example.org)"),
        ("ends ^id", "ends \\^id"),
        ("cites[^e1]", "cites[\\^e1]"),
    ],
)
def test_words_stay_as_they_are_where_the_format_reads_nothing_in_them(text: str, content: str) -> None:
    assert verbatim(text) == content


def test_blank_lines_of_any_kind_part_paragraphs() -> None:
    assert paragraphs("a\n\n\n b \r\r c\n \t\nd\ne") == ("a", "b", "c", "d\ne")


def test_a_request_that_brings_the_same_words_means_a_source_of_its_own() -> None:
    found, files = kept(snapshot(memory()), wish("The boiler is new.\n"))
    brought = bring((NewSource("new-source-1", "user", "The boiler is new."),), OWNER)
    assert brought.frames[0].id != found.source
    base = Snapshot(tree_of(files), read(files))
    outcome = prepare(base, Edit(base.tree, frames=brought.frames), Rules(OWNER, len))
    assert isinstance(outcome, Prepared)
