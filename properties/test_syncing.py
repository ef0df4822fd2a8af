"""Laws of syncing: two histories become one, whoever unites them, and nothing of either is lost."""

from hypothesis import assume, event, given

from fork_histories import RULES, Branch, Fork, all_facts, forked, frames_of, made_one, records_of
from scriptorium_core.names import CORE_TOPIC
from scriptorium_core.syncing import tidings_of
from scriptorium_core.syncing.records import substance
from scriptorium_core.topics import parse_topic
from scriptorium_core.transaction import Rejected
from scriptorium_core.tree import tree_of
from scriptorium_core.views.derive import Limits, derive_all, is_view


def one_of(fork: Fork) -> Branch:
    made = made_one(fork, fork.one, fork.two)
    assert not isinstance(made, Rejected), made.problems
    return made


def deleted(fork: Fork, branch: Branch) -> set[str]:
    new = branch.told[len(fork.base.told) :]
    return {*tidings_of([trailers for _, trailers in new]).deleted}


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
                    assert {_bare(record.content)} <= set(map(_bare, contents)), block

    @given(forked())
    def test_every_message_is_there_once(self, fork: Fork) -> None:
        made = one_of(fork)
        assert frames_of(made.files) == {**frames_of(fork.one.files), **frames_of(fork.two.files)}

    @given(forked())
    def test_a_record_that_one_side_deleted_and_the_other_left_alone_stays_away(self, fork: Fork) -> None:
        made = one_of(fork)
        before, one, two = (records_of(b.files) for b in (fork.base, fork.one, fork.two))
        linked = {link for record in records_of(made.files).values() for link in record.links}
        for block in deleted(fork, fork.one) - linked:
            if block in before and block in two and len(before[block].ids) == len(two[block].ids) == 1:
                assert (block in records_of(made.files)) == (
                    substance(two[block]) != substance(before[block])
                )
        assert one is not None


def _bare(content: str) -> str:
    from scriptorium_core.markdown.links import without_paths

    return without_paths(content)


class TestWhoeverUnites:
    """What comes of it does not depend on who unites, and uniting again changes nothing."""

    @given(forked())
    def test_the_same_records_and_messages_come_whichever_is_the_first(self, fork: Fork) -> None:
        here, there = made_one(fork, fork.one, fork.two), made_one(fork, fork.two, fork.one)
        assert not isinstance(here, Rejected)
        assert not isinstance(there, Rejected)
        assert frames_of(here.files) == frames_of(there.files)
        texts = [sorted(_bare(r.content) for r in records_of(made.files).values()) for made in (here, there)]
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
    def test_a_third_change_can_follow(self, fork: Fork) -> None:
        made = one_of(fork)
        assume(records_of(made.files))
        for path, data in made.files.items():
            assert not path.startswith("topics/") or not parse_topic(path, data)[1]  # type: ignore[arg-type]
        assert tree_of(made.files).get("relations.json") is None
