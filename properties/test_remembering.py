"""Laws of words that are saved on purpose."""

from typing import Any

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_example import memory, snapshot
from scriptorium_core.changes import Caller, apply_changes
from scriptorium_core.changes.apply import Applied
from scriptorium_core.changes.model import (
    Change,
    DeleteRecord,
    Destination,
    MoveRecords,
    Position,
    SourceUse,
    UpdateRecord,
)
from scriptorium_core.facts import facts_of
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.topics.questions import questions_of
from scriptorium_core.transaction import Edit, Prepared, Rules, prepare
from scriptorium_core.tree import tree_of
from scriptorium_core.when import When
from scriptorium_core.writing.remembering import Keeping, Wish, keeping

OWNER = Caller()
TEXT = "The key is here.\n\nThe lamp is there."
WISH = Wish(TEXT, When(2026, 5, 1), "2026-05-01T09:00:00Z", "", ("Where?",))
STEPS = ("reword", "supersede", "say again", "move", "delete", "remember")
Files = dict[str, bytes]


def committed(files: Files, changes: tuple[Change, ...], **more: Any) -> Files:
    """The files of a memory after some operations; as they were where these are refused."""
    base = snapshot(files)
    applied = apply_changes(base.tree, base.facts, changes, more.pop("places", {}), "2026-06-01")
    if not isinstance(applied, Applied):
        return files
    done = prepare(base, Edit(applied.tree, deleted=applied.deleted, **more), Rules(OWNER, len))
    if not isinstance(done, Prepared):
        return files
    found = {path: done.tree.get(path) for path in done.tree.under("")}
    return {path: data for path, data in found.items() if data is not None}


def remembered(files: Files, wish: Wish = WISH) -> Files:
    """The files after the words are saved."""
    found = keeping(wish, OWNER, snapshot(files).facts)
    assert isinstance(found, Keeping), found
    if found.known:
        return files
    brought = found.brought
    return committed(
        files, found.changes, frames=brought.frames, contexts=brought.contexts, places=brought.places
    )


def corrected(files: Files, block: BlockId, step: str, number: int) -> Files:
    """The files after one correction of a record, if it is still there."""
    facts = facts_of(tree_of(files))
    known = facts.records.get(block)
    if step == "remember":
        return remembered(
            files, evolve(WISH, day=When(2026, 5, 2 + number % 20), topic=("", "core")[number % 2])
        )
    if known is None:
        return files
    uses = tuple(SourceUse(facts.places[each.place], "me") for each in known.record.sources)
    content = known.record.content if step == "say again" else f"It is elsewhere, place {number}."
    update = UpdateRecord(block, content, When(2026, 5), uses)
    there = Destination(TopicPath(f"topics/t{number % 3}.md"), ("T",), Position.END)
    changes: dict[str, Change] = {
        "reword": update,
        "supersede": evolve(update, supersede=True),
        "say again": evolve(update, add=True),
        "move": MoveRecords((block,), there),
        "delete": DeleteRecord(block),
    }
    return committed(files, (changes[step],))


class TestRemembering:
    """The same text again changes nothing, also after the record was corrected."""

    @settings(max_examples=40)
    @given(st.lists(st.tuples(st.booleans(), st.sampled_from(STEPS), st.integers(0, 40)), max_size=6))
    def test_saving_again_after_any_corrections_changes_nothing(
        self, steps: list[tuple[bool, str, int]]
    ) -> None:
        files = remembered(memory())
        known = facts_of(tree_of(files))
        (source,) = (s for s in known.sources.values() if s.text == TEXT)
        first, second = known.citing[source.place]
        for which, step, number in steps:
            files = corrected(files, first if which else second, step, number)
        again = keeping(WISH, OWNER, snapshot(files).facts)
        assert isinstance(again, Keeping)
        assert (again.known, again.changes) == (True, ())
        assert remembered(files) == files

    @settings(max_examples=40)
    @given(st.lists(st.tuples(st.sampled_from(STEPS[:4]), st.integers(0, 40)), max_size=6))
    def test_no_correction_loses_a_question(self, steps: list[tuple[str, int]]) -> None:
        files = remembered(memory())
        known = facts_of(tree_of(files))
        (source,) = (s for s in known.sources.values() if s.text == TEXT)
        first, _ = known.citing[source.place]
        for step, number in steps:
            files = corrected(files, first, step, number)
        assert questions_of(facts_of(tree_of(files)).records[first].record) == ("Where?",)
