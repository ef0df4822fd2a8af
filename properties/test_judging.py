"""What a person decides is about the text they saw, changes the standing alone, and is never guessed."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.changes import Caller
from scriptorium_core.facts import facts_of
from scriptorium_core.facts.once import Claim, claim_of, claims_in, retold
from scriptorium_core.knowledge.judging import Verdict, judged, text_key
from scriptorium_core.knowledge.likeness import alike, at_odds, worded
from scriptorium_core.knowledge.pairing import near_pairs
from scriptorium_core.knowledge.resolving import AHEAD, MOST, Found, Unclear, by_search
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.policy import OWNER
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.topics.records import Record
from scriptorium_core.topics.standing import noted_at, read_noted
from scriptorium_core.trailers import format_message, parse_message
from scriptorium_core.transaction import Edit, Rejected, Snapshot
from scriptorium_core.tree import tree_of
from scriptorium_core.when import When

TOPIC = TopicPath("topics/keys.md")
OTHER = TopicPath("topics/other.md")
POOL = "key shed door brass not 7 9 hangs blue the of".split()
WORDS = st.lists(st.sampled_from(POOL), min_size=1, max_size=9)
STATES = "verified 0.95|supported 0.75|plausible 0.5|unverified|disputed|retracted 0".split("|")
DEFINED = st.fixed_dictionaries(
    {},
    optional={
        "Status": st.sampled_from(STATES),
        "Checked": st.sampled_from(["2024-02-03", "2025", "2026-01"]),
        "Fresh": st.sampled_from(["stable", "dynamic 9d", "immutable"]),
        "Reuse": st.sampled_from(["always", "revalidate"]),
        "Branch": st.just("s1@u2"),
        "Ask": st.just("Where is it?"),
    },
)
TODAY = When(2026, 11, 30)


def snapshot(contents: Sequence[str], fields: Sequence[dict[str, str]]) -> Snapshot:
    """A topic with a record for each content, its definition with these fields."""
    said = "Time: `2026-03-01`; Sources: [me](../sources/c/_v2/s.md#source-1)"
    blocks = [
        f"{content}[^e-{n}] ^k{n}\n\n[^e-{n}]: {said}"
        + "".join(f"; {name}: {value}" for name, value in noted.items())
        for n, (content, noted) in enumerate(zip(contents, fields, strict=True))
    ]
    text = "# Keys\n\n" + "\n\n".join(blocks) + "\n"
    tree = tree_of({TOPIC: text.encode()})
    return Snapshot(tree, facts_of(tree))


def records(base: Snapshot) -> tuple[Record, ...]:
    return parse_topic(TOPIC, base.tree.get(TOPIC) or b"")[0].records


class TestVerdicts:
    """Each verdict is an edit of the evidence definition; nothing else changes, and only validate renews."""

    @given(fields=st.lists(DEFINED, min_size=2, max_size=3), verdict=st.sampled_from(Verdict))
    def test_only_the_status_of_that_record_changes_and_the_check_by_validate_alone(
        self, fields: list[dict[str, str]], verdict: Verdict
    ) -> None:
        base = snapshot([f"The key {n} hangs." for n in range(len(fields))], fields)
        one, *others = records(base)
        edit = judged(base, verdict, one.id, text_key(one), TODAY, Caller())
        if isinstance(edit, Rejected):
            assert verdict in (Verdict.APPROVE, Verdict.DISCARD)
            return
        now, *rest = records(Snapshot(edit.tree, base.facts))
        assert rest == others
        assert now.content == one.content
        before, after = ({n: v for g in r.evidence for n, v in g.fields} for r in (one, now))
        changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        assert changed <= ({"Status", "Checked"} if verdict is Verdict.VALIDATE else {"Status"})
        if verdict is Verdict.VALIDATE:
            place = noted_at(now)
            assert place is not None
            assert read_noted(place.fields)[0].checked == TODAY

    @given(fields=DEFINED, verdict=st.sampled_from(Verdict), seen=st.text(max_size=20))
    def test_a_verdict_on_another_text_changes_nothing(
        self, fields: dict[str, str], verdict: Verdict, seen: str
    ) -> None:
        base = snapshot(["The key hangs."], [fields])
        (one,) = records(base)
        if seen.strip().lower() != text_key(one):
            assert isinstance(judged(base, verdict, one.id, seen, TODAY, Caller()), Rejected)

    @given(fields=DEFINED, verdict=st.sampled_from(Verdict))
    def test_twice_is_as_once(self, fields: dict[str, str], verdict: Verdict) -> None:
        base = snapshot(["The key hangs."], [fields])
        (one,) = records(base)
        edit = judged(base, verdict, one.id, text_key(one), TODAY, Caller())
        if isinstance(edit, Edit):
            now = Snapshot(edit.tree, facts_of(edit.tree))
            again = judged(now, verdict, one.id, text_key(one), TODAY, Caller())
            assert isinstance(again, Rejected) or again.tree.get(TOPIC) == edit.tree.get(TOPIC)


class TestTargets:
    """A target that is not clearly ahead is never guessed: up to eight candidates."""

    @given(
        scores=st.lists(st.floats(0, 100), min_size=1, max_size=12),
        held=st.integers(0, 3),
        name=st.sampled_from(["key", "key shed", "key shed brass door"]),
    )
    def test_what_is_meant_is_ahead_of_all_others(self, scores: list[float], held: int, name: str) -> None:
        scores = sorted(scores, reverse=True)
        base = snapshot([f"Of {n} it is said." for n in range(len(scores))], [{} for _ in scores])
        hits = [Found(BlockId(f"k{n}"), score, held) for n, score in enumerate(scores)]
        found = by_search(base.facts, name, hits)
        if isinstance(found, Record):
            assert found.id == "k0"
            assert all(scores[0] >= AHEAD * score for score in scores[1:])
            assert 2 * held >= len(name.split())
        else:
            assert isinstance(found, Unclear)
            assert 1 <= len(found.records) <= MOST
            assert len({record.id for record in found.records}) == len(found.records)

    @given(scores=st.lists(st.floats(0.1, 100), min_size=1, max_size=6))
    def test_a_tie_is_never_decided(self, scores: list[float]) -> None:
        scores = [max(scores), *sorted(scores, reverse=True)]
        base = snapshot([f"Of {n} it is said." for n in range(len(scores))], [{} for _ in scores])
        hits = [Found(BlockId(f"k{n}"), score, 3) for n, score in enumerate(scores)]
        assert isinstance(by_search(base.facts, "key", hits), Unclear)


class TestPairs:
    """Near-duplicates and contradictions are listed, and found as if all records were compared."""

    @given(texts=st.lists(st.tuples(WORDS, st.sampled_from([TOPIC, OTHER])), max_size=7))
    def test_every_pair_is_found_that_comparing_all_would_find(
        self, texts: list[tuple[list[str], TopicPath]]
    ) -> None:
        base = snapshot([f"{' '.join(words)}." for words, _ in texts], [{} for _ in texts])
        known = [record._replace(path=path) for record, (_, path) in zip(records(base), texts, strict=True)]
        said = {record.id: worded(record.content) for record in known}
        expected = {
            (one.id, other.id, not alike(said[one.id], said[other.id]))
            for n, one in enumerate(known)
            for other in known[n + 1 :]
            if alike(said[one.id], said[other.id]) or at_odds(said[one.id], said[other.id])
            if one.path == other.path or len(said[one.id].plain & said[other.id].plain) > 2
        }
        assert {(one.id, other.id, odds) for one, other, odds in near_pairs(known)} == expected


class TestClaims:
    """A key is bound to the hash of its request, and a commit says so in a way that is read back."""

    @given(
        key=st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=40),
        one=st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
        other=st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
    )
    def test_what_is_claimed_is_read_back(self, key: str, one: dict[str, int], other: dict[str, int]) -> None:
        claim, second = claim_of(OWNER, key, one), claim_of(OWNER, key, other)
        assert isinstance(claim, Claim)
        made = claims_in(parse_message(format_message("subject", [claim.trailer]))[1])
        assert [(each.key, each.request) for each in made] == [(claim.key, claim.request)]
        assert (claim == second) == (one == other)
        told = claims_in(retold([("f" * 40, each) for each in made]))
        assert [(each.key, each.request, each.commit) for each in told] == [
            (each.key, each.request, "f" * 40) for each in made
        ]
