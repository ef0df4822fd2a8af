"""Laws of syncing: two histories become one, whoever unites them, and nothing of either is lost."""

from hypothesis import event, given
from hypothesis import strategies as st

from fork_histories import RULES, Branch, Fork, all_facts, forked, frames_of, made_one, records_of
from scriptorium_core.markdown.links import without_paths
from scriptorium_core.names import CORE_TOPIC, BlockId, TopicPath
from scriptorium_core.syncing import Node, relation, tidings_of
from scriptorium_core.syncing.records import substance
from scriptorium_core.topics import parse_topic
from scriptorium_core.transaction import Rejected
from scriptorium_core.views.derive import Limits, derive_all, is_view


def one_of(fork: Fork) -> Branch:
    made = made_one(fork, fork.one, fork.two)
    assert not isinstance(made, Rejected), made.problems
    return made


def deleted(fork: Fork, branch: Branch) -> set[BlockId]:
    new = branch.told[len(fork.base.told) :]
    return {*map(BlockId, tidings_of([trailers for _, trailers in new]).deleted)}


class TestNothingIsLost:
    """Uniting two histories loses no record and no frame, except what one of them deleted."""

    @given(forked())
    def test_every_record_is_there_unless_one_side_deleted_it(self, fork: Fork) -> None:
        made = one_of(fork)
        gone = deleted(fork, fork.one) | deleted(fork, fork.two)
        there = {*records_of(fork.one.files), *records_of(fork.two.files)}
        event(f"deleted: {bool(gone)}")
        assert there - gone <= records_of(made.files).keys()

    @given(forked())
    def test_every_text_that_either_side_gave_a_record_is_there(self, fork: Fork) -> None:
        made = one_of(fork)
        before, after = records_of(fork.base.files), records_of(made.files)
        contents = {record.content for record in after.values()}
        for branch in (fork.one, fork.two):
            for block, record in records_of(branch.files).items():
                was = before.get(block)
                if was is None or substance(was) != substance(record):
                    assert {without_paths(record.content)} <= set(map(without_paths, contents)), block

    @given(forked())
    def test_every_message_is_there_once(self, fork: Fork) -> None:
        made = one_of(fork)
        assert frames_of(made.files) == {**frames_of(fork.one.files), **frames_of(fork.two.files)}

    @given(forked())
    def test_a_record_that_one_side_deleted_and_the_other_left_alone_stays_away(self, fork: Fork) -> None:
        made = one_of(fork)
        before, two = records_of(fork.base.files), records_of(fork.two.files)
        linked = {link for record in records_of(made.files).values() for link in record.links}
        for block in deleted(fork, fork.one) - linked:
            if block in before and block in two and len(before[block].ids) == len(two[block].ids) == 1:
                assert (block in records_of(made.files)) == (
                    substance(two[block]) != substance(before[block])
                )


class TestWhoeverUnites:
    """What comes of it does not depend on who unites, and uniting again changes nothing."""

    @given(forked())
    def test_the_same_records_and_messages_come_whichever_is_the_first(self, fork: Fork) -> None:
        here, there = made_one(fork, fork.one, fork.two), made_one(fork, fork.two, fork.one)
        assert not isinstance(here, Rejected)
        assert not isinstance(there, Rejected)
        assert frames_of(here.files) == frames_of(there.files)
        texts = [
            sorted(without_paths(r.content) for r in records_of(made.files).values())
            for made in (here, there)
        ]
        ids = [set(records_of(made.files)) for made in (here, there)]
        known = set(records_of(fork.one.files)) | set(records_of(fork.two.files))
        assert ids[0] & known == ids[1] & known
        assert set(texts[0]) == set(texts[1])

    @given(forked())
    def test_what_is_united_already_stays_as_it_is(self, fork: Fork) -> None:
        made = one_of(fork)
        for again in (fork.two, fork.one):
            after = made_one(Fork(again, made, again), made, again)
            assert not isinstance(after, Rejected)
            assert after.files == made.files

    @given(forked())
    def test_a_side_that_did_nothing_takes_nothing_away(self, fork: Fork) -> None:
        for first, second in ((fork.one, fork.base), (fork.base, fork.one)):
            made = made_one(Fork(fork.base, fork.one, fork.base), first, second)
            assert not isinstance(made, Rejected)
            assert {p: d for p, d in made.files.items() if not is_view(p)} == {
                p: d for p, d in fork.one.files.items() if not is_view(p)
            }


class TestViews:
    """The views of what is united equal what would be derived from scratch."""

    @given(forked())
    def test_the_views_are_those_of_the_united_memory(self, fork: Fork) -> None:
        made = one_of(fork)
        data = made.files.get(CORE_TOPIC)
        core = parse_topic(CORE_TOPIC, data)[0] if data is not None else None
        views = derive_all(all_facts(made), core, Limits(RULES.count, RULES.core_tokens, RULES.recent))
        assert {path: found for path, found in made.files.items() if is_view(path)} == views

    @given(forked())
    def test_every_topic_can_be_read(self, fork: Fork) -> None:
        for path, data in one_of(fork).files.items():
            assert not path.startswith("topics/") or not parse_topic(TopicPath(path), data)[1]


NAMES = "abcdefghij"


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Node]:
    """Commits, each with at most two parents among those before it; clocks may be wrong."""
    known: dict[str, Node] = {}
    for name in NAMES[: draw(st.integers(1, len(NAMES)))]:
        parents = draw(st.lists(st.sampled_from(sorted(known)), max_size=2, unique=True)) if known else []
        known[name] = Node(draw(st.integers(0, 20)), tuple(parents))
    return known


def ancestors(known: dict[str, Node], commit: str) -> set[str]:
    return {commit}.union(*(ancestors(known, parent) for parent in known[commit].parents))


class TestStanding:
    """What each of two histories has alone, and where they met last, is what a look at all of them says."""

    @given(graphs(), st.data())
    def test_the_walk_agrees_with_looking_at_everything(
        self, known: dict[str, Node], data: st.DataObject
    ) -> None:
        one, two = (data.draw(st.sampled_from(sorted(known))) for _ in range(2))
        mine, theirs = ancestors(known, one), ancestors(known, two)
        both = mine & theirs
        below = {a for c in both for parent in known[c].parents for a in ancestors(known, parent)}
        wrong_by = max(
            known[before].time - known[commit].time for commit in known for before in ancestors(known, commit)
        )
        found = relation(one, two, known.__getitem__, wrong_by)
        assert set(found.only_one) == mine - theirs
        assert set(found.only_two) == theirs - mine
        assert set(found.bases) == both - below
        for order in (found.only_one, found.only_two):
            for place, commit in enumerate(order):
                assert not set(order[place:]) & (ancestors(known, commit) - {commit})
