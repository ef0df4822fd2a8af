"""Laws of leases: a batch is one agent's for ten minutes, and nobody can keep it for ever."""

import json

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.problem import Code
from scriptorium_core.writing import leasing
from scriptorium_core.writing.leasing import (
    ATTEMPTS,
    LENGTH,
    MOST,
    Lapsed,
    Lease,
    Leases,
    Mine,
    Others,
    Unknown,
    Written,
    after_outcome,
    decode_leases,
    encode_leases,
    ended,
    granted,
    holding,
    is_open,
    open_leases,
    own,
    put,
    standing,
)
from scriptorium_core.writing.outcome import NothingDue, NothingToKeep, Outcome, Wrote, fail

BEGIN = 1_775_217_600
names = st.sampled_from(["ada", "bo", "cy"])
batches = st.sampled_from(["b-1", "b-2", "b-3", "b-4"])
sessions = st.sampled_from(["chat/a", "chat/b", "codex/ü"])
messages = st.lists(st.sampled_from(["chat/a/1", "chat/a/2", "chat/b/1"]), unique=True, max_size=3)
times = st.integers(BEGIN - 2 * LENGTH, BEGIN + 4 * LENGTH)
outcomes: st.SearchStrategy[Outcome] = (
    st.builds(fail, st.sampled_from(sorted(Code)))
    | st.just(Wrote("c1"))
    | st.just(NothingToKeep("small talk", "c2"))
    | st.just(NothingDue())
)
leases_made = st.builds(leasing.lease, batches, sessions, names, messages, st.text(), st.none(), times, times)


@st.composite
def known(draw: st.DrawFn) -> tuple[Leases, int]:
    """What agents did, one after the other, with a clock that may be set back; and the time by then."""
    leases: Leases = ()
    now = BEGIN
    for _ in range(draw(st.integers(0, 12))):
        now = draw(times)
        each = evolve(draw(leases_made), begun=now, until=now + LENGTH)
        found = granted(leases, each, now)
        leases = found if isinstance(found, tuple) else leases
        if draw(st.booleans()) and leases:
            some = draw(st.sampled_from(leases))
            leases = put(leases, after_outcome(some, draw(outcomes), now), now)
    return leases, now


class TestOneHolder:
    """One lease per batch; two agents get different batches."""

    @given(known(), times)
    def test_no_session_no_batch_and_no_message_has_two_open_leases(
        self, made: tuple[Leases, int], now: int
    ) -> None:
        leases, last = made
        assert len({each.batch for each in leases}) == len(leases) <= MOST
        if now != last:
            return  # a clock that went back may open what was granted over: see the next law
        found = open_leases(leases, now)
        assert len({each.session for each in found}) == len(found)
        refs = [ref for each in found for ref in each.refs]
        assert len(refs) == len(set(refs))

    @given(known(), leases_made)
    def test_what_is_granted_is_its_holders_and_what_is_not_is_somebody_elses(
        self, made: tuple[Leases, int], fresh: Lease
    ) -> None:
        leases, now = made
        wanted = evolve(fresh, begun=now, until=now + LENGTH)
        found = granted(leases, wanted, now)
        if isinstance(found, Lease):
            assert is_open(found, now)
            assert found.holder != wanted.holder
            assert found == holding(leases, wanted.session, now, wanted.refs) or found in leases
        else:
            assert standing(found, wanted.batch, wanted.holder, now) == Mine(wanted)
            assert own(found, wanted.holder, now, wanted.session) == wanted

    @given(known(), batches, names)
    def test_a_batch_stands_towards_each_in_one_way(
        self, made: tuple[Leases, int], batch: str, name: str
    ) -> None:
        leases, now = made
        mine = [who for who in ("ada", "bo", "cy") if isinstance(standing(leases, batch, who, now), Mine)]
        assert len(mine) <= 1
        match standing(leases, batch, name, now):
            case Unknown():
                assert batch not in {each.batch for each in leases}
            case Mine(lease):
                assert (lease.holder, is_open(lease, now)) == (name, True)
            case Others(lease):
                assert lease.holder != name
                assert is_open(lease, now)
            case Written(lease):
                assert lease.end == "written"
            case Lapsed(lease):
                assert not is_open(lease, now)
                assert lease.end != "written"


class TestTenMinutes:
    """A lease that runs out returns the batch; it is offered again, to anyone."""

    @given(known(), sessions)
    def test_ten_minutes_after_the_last_thing_that_happened_all_is_free(
        self, made: tuple[Leases, int], session: str
    ) -> None:
        leases, now = made
        latest = max([now, *(each.begun for each in leases)])
        assert open_leases(leases, latest + LENGTH) == ()
        assert holding(leases, session, latest + LENGTH) is None

    @given(leases_made, st.lists(st.tuples(st.integers(0, LENGTH - 1), outcomes), max_size=8))
    def test_no_holder_keeps_a_batch_longer_than_its_attempts(
        self, lease: Lease, tries: list[tuple[int, Outcome]]
    ) -> None:
        first = begun = BEGIN
        lease = evolve(lease, begun=begun, until=begun + LENGTH)
        for later, outcome in tries:
            begun += later
            if not is_open(lease, begun):
                break
            lease = after_outcome(lease, outcome, begun)
        assert lease.until <= first + ATTEMPTS * LENGTH
        assert 0 <= lease.attempts <= ATTEMPTS
        assert lease.attempts > 0 or lease.end

    @given(leases_made, times)
    def test_a_clock_behind_the_beginning_holds_nothing(self, lease: Lease, now: int) -> None:
        assert is_open(lease, now) == (lease.begun <= now < lease.begun + LENGTH)

    @given(leases_made, outcomes, st.sampled_from(["written", "rejected", "taken over", "overtaken"]))
    def test_what_has_ended_stays_as_it_ended(self, lease: Lease, outcome: Outcome, how: leasing.End) -> None:
        over = ended(lease, how, "c9")
        assert ended(over, "written", "other") == over
        assert not is_open(over, over.begun)
        assert over.attempts == 0


class TestTheFile:
    """Leases survive processes: what is written is read again, and what cannot be read frees its batch."""

    @given(known())
    def test_what_is_written_is_read_again(self, made: tuple[Leases, int]) -> None:
        leases, _ = made
        assert decode_leases(encode_leases(leases)) == leases

    @given(known(), st.integers(0, 2000), st.integers(0, 255))
    def test_a_damaged_file_gives_leases_or_none_and_never_fails(
        self, made: tuple[Leases, int], place: int, byte: int
    ) -> None:
        data = bytearray(encode_leases(made[0]))
        data[place % len(data)] = byte
        found = decode_leases(bytes(data))
        assert len({each.batch for each in found}) == len(found)
        assert decode_leases(bytes(data[: place % len(data)])) == ()

    @given(
        st.recursive(
            st.none() | st.integers() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        )
    )
    def test_nothing_is_made_of_anything_else(self, value: object) -> None:
        assert decode_leases(json.dumps({"leases": [value]}).encode()) == ()
