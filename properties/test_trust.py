"""Laws of who may say what: nothing that stood is changed but by the owner, and consent is one line."""

from collections.abc import Mapping
from typing import Any

from hypothesis import event, given, note
from hypothesis import strategies as st

from scriptorium_core.budget import estimate
from scriptorium_core.changes import Applied, Caller, apply_changes, bring, decode_request
from scriptorium_core.facts import facts_of
from scriptorium_core.names import CORE_TOPIC, SourceId, TopicPath
from scriptorium_core.policy import overwritten
from scriptorium_core.problem import Problem
from scriptorium_core.recall.documents import record_document
from scriptorium_core.sources.archive import is_archive, scan
from scriptorium_core.sources.header import Tier, Trust
from scriptorium_core.topics import parse_topic
from scriptorium_core.topics.edit import tidy
from scriptorium_core.transaction import Edit, Prepared, Rules, Snapshot, prepare
from scriptorium_core.tree import tree_of
from scriptorium_core.when import When
from scriptorium_core.writing.remembering import Keeping, Wish, keeping, paragraphs, verbatim
from strategies import awkward_texts, partial_dates, sentences, words
from topic_strategies import Memory, memories

TODAY = "2026-11-01"
OWNER, FRIEND, STRANGER = Caller(), Caller.paired("tg/1", "Mira"), Caller.unknown("tg/9", "Zed")
Files = Mapping[str, bytes]


def committed(files: Files) -> Snapshot:
    tree = tree_of(files)
    return Snapshot(tree, facts_of(tree))


def files_of(outcome: Prepared) -> Files:
    found = {path: outcome.tree.get(path) for path in outcome.tree.under("")}
    return {path: data for path, data in found.items() if data is not None}


def ask(base: Snapshot, request: Mapping[str, Any], caller: Caller) -> Prepared | tuple[Problem, ...]:
    """What a door does with structured changes."""
    decoded, problems = decode_request(request)
    brought = bring(decoded.sources, caller)
    applied = apply_changes(base.tree, base.facts, decoded.changes, brought.places, TODAY)
    if problems or not isinstance(applied, Applied):
        return problems if isinstance(applied, Applied) else (*problems, *applied)
    return done(base, Edit(applied.tree, applied.deleted, brought.frames, brought.contexts), caller)


def done(base: Snapshot, edit: Edit, caller: Caller) -> Prepared | tuple[Problem, ...]:
    outcome = prepare(base, edit, Rules(caller, estimate))
    return outcome if isinstance(outcome, Prepared) else outcome.problems


@st.composite
def requests(draw: st.DrawFn, base: Snapshot) -> dict[str, Any]:
    """One to three operations on whatever there is, citing new and archived sources; or only additions."""
    facts = base.facts
    blocks = st.sampled_from(sorted(facts.records) or ["nowhere"])
    topics = st.sampled_from([*(topic.path for topic in facts.topics.values()), CORE_TOPIC, "topics/new.md"])
    new = {"label": "new-source-a", "role": draw(st.sampled_from(("user", "tool", "assistant")))}
    modest = draw(st.booleans())
    cited = st.sampled_from(["new-source-a", *([] if modest else sorted(facts.sources))])
    names = ("create_record", *(() if modest else ("update_record", "delete_record", "move_records")))

    def place() -> dict[str, Any]:
        block = draw(blocks)
        known = facts.records.get(block)
        if known is not None and draw(st.booleans()):
            where = {"topic_path": known.record.path, "headings": list(known.record.headings)}
            side = draw(st.sampled_from(("before", "after")))
            return where | {"position": side, "anchor_memory_id": block}
        headings = draw(st.lists(words(), max_size=2))
        return {
            "topic_path": draw(topics),
            "headings": headings,
            "position": draw(st.sampled_from(("start", "end"))),
        }

    def said() -> dict[str, Any]:
        text = draw(sentences() | awkward_texts().map(lambda text: verbatim(text.strip()) or "keys."))
        sources = [{"source": draw(cited), "label": draw(words())}]
        return {"content": text, "time": draw(st.none() | partial_dates()), "sources": sources}

    def operation() -> dict[str, Any]:
        match draw(st.sampled_from(names)):
            case "create_record":
                return {"op": "create_record", "destination": place(), **said()}
            case "update_record":
                return {
                    "op": "update_record",
                    "memory_id": draw(blocks),
                    "supersede": draw(st.booleans()),
                    **said(),
                }
            case "delete_record":
                return {"op": "delete_record", "memory_id": draw(blocks)}
            case _:
                return {"op": "move_records", "memory_ids": [draw(blocks)], "destination": place()}

    changes = [operation() for _ in range(draw(st.integers(1, 3)))]
    return {"memory_changes": changes, "sources": [new | {"content": draw(sentences())}]}


@st.composite
def whole_texts(draw: st.DrawFn, base: Snapshot) -> Edit:
    """Some topic with a piece of it replaced by anything, or with something added to its end."""
    path = draw(st.sampled_from(sorted(topic.path for topic in base.facts.topics.values())))
    text = (base.tree.get(path) or b"").decode()
    source = draw(st.sampled_from(sorted(base.facts.sources)))
    fields = draw(st.sampled_from(("", "; Status: verified 1")))
    added = f"\n\nNew.[^e1]\n\n[^e1]: 2026 · Sources: {source}{fields}\n"
    if draw(st.booleans()):
        return Edit(base.tree.put(path, (text + added).encode()))
    at = draw(st.integers(0, len(text)))
    until = draw(st.integers(at, min(len(text), at + 40)))
    piece = draw(st.sampled_from(("", added)) | awkward_texts())
    return Edit(base.tree.put(path, (text[:at] + piece + text[until:]).encode()))


def stands_as_it_was(before: Files, after: Files) -> None:
    """Archives only grow, records stay as they are, and every letter of a topic comes again, in order."""
    old, new = committed(before).facts, committed(after).facts
    for path, data in before.items():
        if path.startswith("sources/"):
            assert after[path].startswith(data)
        if path.startswith("topics/"):
            (was, _), (now, _) = (parse_topic(TopicPath(path), files[path]) for files in (before, after))
            # A heading with nothing below it is no memory; the next commit of its topic drops it.
            assert overwritten(tidy(was), now) is None
    for block, known in old.records.items():
        assert new.records[block].record == known.record
    assert before.get(CORE_TOPIC) == after.get(CORE_TOPIC)


class TestWhoMaySayWhat:
    """Callers below the owner may only append, and never to `topics/core.md`."""

    @given(memories(), st.data())
    def test_nothing_that_stood_before_a_request_of_somebody_else_is_changed(
        self, memory: Memory, data: st.DataObject
    ) -> None:
        files: Files = memory.files
        for _ in range(3):
            base = committed(files)
            caller = data.draw(st.sampled_from((OWNER, FRIEND, STRANGER, STRANGER)))
            if len(base.facts.topics) > 0 and data.draw(st.booleans()):
                outcome = done(base, data.draw(whole_texts(base)), caller)
            else:
                outcome = ask(base, data.draw(requests(base)), caller)
            event(f"{caller.tier}: {type(outcome).__name__}")
            note(outcome)
            if not isinstance(outcome, Prepared):
                assert base == committed(files)
                continue
            after = files_of(outcome)
            if caller.tier is not Tier.OWNER:
                stands_as_it_was(files, after)
            if caller.tier is None:
                is_held(base, outcome)
            files = after


def is_held(base: Snapshot, outcome: Prepared) -> None:
    """What an unknown speaker brought is in no view but those of time, and is not found."""
    after = files_of(outcome)
    facts = committed(after).facts
    for block in outcome.report.created:
        document = record_document(facts, facts.records[block].record)
        assert document.trust is Trust.PENDING
        assert all(not facts.sources[source].trusted for source in document.sources)
    assert all(not facts.sources[source].trusted for source in outcome.report.archived)
    changed = {path for path in outcome.tree.differences() if not path.startswith(("topics/", "sources/"))}
    views = {path for path in changed if base.tree.get(path) != after.get(path)}
    assert all(path == "recent_events.jsonl" or path.startswith("timeline/") for path in views)


class TestConsent:
    """Existing bytes never change, but for promotion (`trust_state` pending → trusted) and erasure."""

    @given(memories(), st.data())
    def test_consent_changes_one_line_for_each_message_and_nothing_else(
        self, memory: Memory, data: st.DataObject
    ) -> None:
        base = committed(memory.files)
        named = data.draw(st.lists(st.sampled_from(sorted(base.facts.sources)), min_size=1))
        edit = Edit(base.tree, kind="promote", promoted=tuple(map(SourceId, named)))
        outcome = done(base, edit, OWNER)
        assert isinstance(outcome, Prepared), outcome
        waiting = {name for name in named if not base.facts.sources[name].trusted}
        assert set(outcome.report.promoted) == waiting
        event(f"{len(waiting)} let in")
        after, lines = files_of(outcome), 0
        for path, old in memory.files.items():
            if not is_archive(path):
                assert after[path] == old
                continue
            pairs = list(zip(old.split(b"\n"), after[path].split(b"\n"), strict=True))
            changed = [new for was, new in pairs if was != new]
            assert all(line.startswith(b"<!-- source-meta:") for line in changed)
            lines += len(changed)
            assert [f.record for f in scan(path, old).frames] == [
                f.record for f in scan(path, after[path]).frames
            ]
        assert lines == len(waiting)
        again = done(committed(after), edit, OWNER)
        assert isinstance(again, Prepared)
        assert dict(again.tree.differences()) == {}
        for caller in (FRIEND, STRANGER):
            assert not isinstance(done(base, edit, caller), Prepared)


class TestSavedWords:
    """The text becomes a record, verbatim; the same text again changes nothing."""

    @given(awkward_texts() | sentences(), st.sampled_from(("", "core", "people/ada")))
    def test_any_words_are_archived_as_they_are_and_are_known_afterwards(self, text: str, topic: str) -> None:
        base = committed({})
        wish = Wish(text, When(2026, 5, 1), "2026-05-01T09:00:00+00:00", topic)
        found = keeping(wish, OWNER, base.facts)
        if not isinstance(found, Keeping):
            assert not any(map(verbatim, paragraphs(text)))
            return
        applied = apply_changes(base.tree, base.facts, found.changes, found.brought.places, TODAY)
        assert isinstance(applied, Applied), applied
        brought = found.brought
        edit = Edit(applied.tree, frames=brought.frames, contexts=brought.contexts, kind="remember")
        outcome = done(base, edit, OWNER)
        assert isinstance(outcome, Prepared), outcome
        facts = committed(files_of(outcome)).facts
        assert facts.sources[found.source].text == text
        said = [facts.records[block].record.content for block in outcome.report.created]
        assert said == [content for part in paragraphs(text) if (content := verbatim(part))]
        again = keeping(wish, OWNER, facts)
        assert isinstance(again, Keeping)
        assert (again.known, again.source) == (True, found.source)
