"""Laws of going back: undo is the inverse of a commit, and restoring takes a text from where it was."""

from collections.abc import Mapping
from itertools import pairwise

from attrs import frozen
from hypothesis import assume, event, given
from hypothesis import strategies as st

from memory_plans import Memory
from scriptorium_core.changes import Caller
from scriptorium_core.facts import facts_of
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.problem import Code
from scriptorium_core.topics import Record, parse_topic
from scriptorium_core.topics.merge import merge
from scriptorium_core.topics.model import Topic
from scriptorium_core.transaction import Edit, Rejected, Rules, Snapshot, prepare
from scriptorium_core.transaction.restoring import restored_records, restored_topic
from scriptorium_core.transaction.undoing import undone
from scriptorium_core.tree import tree_of
from topic_strategies import histories

Files = Mapping[str, bytes]
COMMIT = "c" * 40


@frozen
class Commit:
    """Two states with a transaction between them."""

    before: Files
    after: Files

    @property
    def paths(self) -> list[str]:
        return differing(self.before, self.after)


def differing(one: Files, two: Files) -> list[str]:
    return sorted(path for path in one.keys() | two.keys() if one.get(path) != two.get(path))


def snapshot(files: Files) -> Snapshot:
    tree = tree_of(files)
    return Snapshot(tree, facts_of(tree))


def committed(base: Files, edit: Edit | Rejected) -> Files | Rejected:
    """What stands there after an edit."""
    outcome = prepare(snapshot(base), edit, Rules(Caller(), len)) if isinstance(edit, Edit) else edit
    if isinstance(outcome, Rejected):
        return outcome
    found = {path: outcome.tree.get(path) for path in outcome.tree.under("")}
    return {path: data for path, data in found.items() if data is not None}


def to(memory: Memory, base: Files) -> Files:
    """The next state of a history, committed on `base`; messages are archived beforehand."""
    wanted = memory.files
    archived = {**base, **{path: data for path, data in wanted.items() if path.startswith("sources/")}}
    tree = tree_of(archived)
    for path in (*base, *wanted):
        if path.startswith("topics/"):
            tree = tree.put(path, wanted[path]) if path in wanted else tree.remove(path)
    after = committed(archived, Edit(tree, frozenset(ids(archived) - ids(wanted))))
    assume(not isinstance(after, Rejected))
    assert not isinstance(after, Rejected)
    return after


def commits(memories: tuple[Memory, ...]) -> list[Commit]:
    """The history as commits, the first of which makes what there is."""
    states = [to(memories[0], {})]
    for memory in memories[1:]:
        states.append(to(memory, states[-1]))
    return [Commit(*pair) for pair in pairwise(states)]


def ids(files: Files) -> set[BlockId]:
    return {block for record in records(files) for block in record.ids}


def records(files: Files) -> list[Record]:
    return [
        record
        for path in sorted(files)
        if path.startswith("topics/")
        for record in parse_topic(TopicPath(path), files[path])[0].records
    ]


def topics(files: Files) -> Files:
    return {path: data for path, data in files.items() if path.startswith("topics/")}


def undo(commit: Commit, now: Files) -> Files | Rejected:
    edit = undone(tree_of(commit.before), tree_of(commit.after), snapshot(now), commit.paths, COMMIT)
    return committed(now, edit)


class TestUndo:
    """`undo(commit)`: the inverse of a commit as a new commit."""

    @given(histories(steps=1))
    def test_undo_after_a_commit_is_nothing(self, memories: tuple[Memory, ...]) -> None:
        (commit,) = commits(memories)
        assume(topics(commit.before) != topics(commit.after))
        again = undo(commit, commit.after)
        assert not isinstance(again, Rejected)
        assert topics(again) == topics(commit.before)
        # Undone once more it is the same, and no message went.
        twice = undo(commit, again)
        assert not isinstance(twice, Rejected)
        assert topics(twice) == topics(again)
        assert {path for path in commit.after if path.startswith("sources/")} <= again.keys()

    @given(histories(steps=2))
    def test_later_commits_stay_or_every_conflict_is_named(self, memories: tuple[Memory, ...]) -> None:
        first, *later = commits(memories)
        assume(topics(first.before) != topics(first.after))
        now = (later or [first])[-1].after
        outcome = undo(first, now)
        if isinstance(outcome, Rejected):
            event("refused")
            assert outcome.problems
            return
        event("done")
        made = ids(first.after) - ids(first.before)
        assert ids(now) - made <= ids(outcome)


class TestRestore:
    """`restore(ids or path, revision)`: the earlier text as a new commit, through the same checks."""

    @given(histories(steps=2), st.data())
    def test_a_record_comes_back_as_it_was(self, memories: tuple[Memory, ...], data: st.DataObject) -> None:
        history = commits(memories)
        old, now = history[0].before, history[-1].after
        assume(records(old))
        record = data.draw(st.sampled_from(records(old)))
        paths = differing(old, now)
        edit = restored_records(tree_of(old), paths, snapshot(now), [record.id], COMMIT)
        outcome = committed(now, edit)
        if isinstance(outcome, Rejected):
            event(str(outcome.problems[0].code))
            assert {problem.code for problem in outcome.problems} <= {
                Code.INVALID_ARGUMENT,
                Code.LINK_DANGLING,
                Code.INVALID_TOPIC_FORMAT,
            }
            return
        (found,) = [each for each in records(outcome) if record.id in each.ids]
        assert meaning(found) == meaning(record)
        assert ids(outcome) == ids(now) | {*record.ids}

    @given(histories(steps=2), st.data())
    def test_a_topic_comes_back_byte_for_byte(
        self, memories: tuple[Memory, ...], data: st.DataObject
    ) -> None:
        history = commits(memories)
        old, now = history[0].before, history[-1].after
        assume(topics(old))
        path = TopicPath(data.draw(st.sampled_from(sorted(topics(old)))))
        outcome = committed(now, restored_topic(tree_of(old), snapshot(now), path, COMMIT, drop=True))
        if isinstance(outcome, Rejected):
            assert outcome.problems
            return
        before, after = (parse_topic(path, files[path])[0] for files in (old, outcome))
        assert [meaning(record) for record in after.records] == [meaning(record) for record in before.records]


class TestMerge:
    """Two edits of one topic are taken together where they do not meet."""

    @given(histories(steps=2))
    def test_what_only_one_side_changed_is_taken_and_whose_it_is_decides_nothing(
        self, memories: tuple[Memory, ...]
    ) -> None:
        chosen = (memories[0], memories[1], memories[-1])
        for path in sorted(memories[0].files):
            if path.startswith("topics/") and all(path in memory.files for memory in chosen):
                base, ours, theirs = (parse_topic(TopicPath(path), m.files[path])[0] for m in chosen)
                assert texts(merge(base, ours, base)) == texts(ours)
                assert texts(merge(base, base, theirs)) == texts(theirs)
                assert texts(merge(base, ours, ours)) == texts(ours)
                one, two = merge(base, ours, theirs), merge(base, theirs, ours)
                assert isinstance(one, Topic) == isinstance(two, Topic)
                assert not isinstance(one, Topic) or texts(one) == texts(two)


def texts(topic: object) -> list[str]:
    assert isinstance(topic, Topic), topic
    return [text.strip() for text in topic.texts if text.strip()]


def meaning(record: Record) -> object:
    groups = tuple(
        (group.when, tuple(s.place for s in group.sources), group.fields) for group in record.evidence
    )
    return record.ids, record.links, groups, record.legacy
