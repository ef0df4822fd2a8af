"""Laws of policies: what rules give and take, and that nobody's view or refusal tells of what is denied."""

from collections.abc import Callable, Collection
from typing import Any

from attrs import evolve
from hypothesis import assume, event, given
from hypothesis import strategies as st

from policy_strategies import memories_seen
from scriptorium_core.budget import estimate
from scriptorium_core.changes import Applied, apply_changes, bring, decode_request
from scriptorium_core.changes.callers import caller_of
from scriptorium_core.facts import Facts, facts_of
from scriptorium_core.facts.permitted import permitted_facts
from scriptorium_core.policy import OWNER, Actor, Policy, Right, allows, everywhere
from scriptorium_core.policy.patterns import matches
from scriptorium_core.policy.reading import parse_policy, render_policy
from scriptorium_core.policy.rules import BUILT_IN, POLICY_FILE, Named, Rule
from scriptorium_core.transaction import Edit, Prepared, Rejected, Rules, Snapshot, prepare
from scriptorium_core.transaction.permitting import Gate, prepare_for, seen
from scriptorium_core.tree import tree_of
from test_trust import requests
from topic_strategies import Memory

__all__: list[str] = []

TODAY = "2026-11-01"
OWN = Named("secretary", "agent")
NAMES = [*(actor.name for actor in BUILT_IN[1:]), OWN.name]
STEPS = st.sampled_from(["a", "b", "private", "*", "**", "p?", "core.md"])
PATTERNS = st.one_of(
    st.lists(STEPS, min_size=1, max_size=3).map(lambda steps: "/".join(["topics", *steps])),
    st.sampled_from(["**", "core", "topics", "sources/**", "sources/chat", "policy.toml", "secrets/mail"]),
)
PATHS = st.one_of(
    st.lists(st.sampled_from(["a", "b", "private", "pq", "core"]), min_size=1, max_size=3).map(
        lambda steps: "/".join(["topics", *steps]) + ".md"
    ),
    st.sampled_from(["sources/chat/_v2/s1.md", "policy.toml", "secrets/mail"]),
)
RULES = st.builds(
    Rule,
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=2).map(tuple),
    st.booleans(),
    st.lists(st.sampled_from(Right), min_size=1, max_size=4).map(tuple),
    st.lists(PATTERNS, min_size=1, max_size=2).map(tuple),
)
POLICIES = st.lists(RULES, max_size=5).map(lambda rules: Policy(tuple(rules), (OWN,)))
ACTORS = st.sampled_from([*(Actor(name) for name in NAMES), Actor("stranger")])
RIGHTS = st.sampled_from(Right)


def _more(policy: Policy, rule: Rule) -> Policy:
    return evolve(policy, rules=(*policy.rules, rule))


class TestRules:
    """Deny beats allow, what no rule names is denied, and a policy that locks the owner out is refused."""

    @given(POLICIES, RULES, ACTORS, RIGHTS, PATHS)
    def test_another_denial_never_permits(
        self, policy: Policy, rule: Rule, actor: Actor, right: Right, path: str
    ) -> None:
        after = _more(policy, evolve(rule, allow=False))
        assert allows(policy, actor, right, path) or not allows(after, actor, right, path)

    @given(POLICIES, RULES, ACTORS, RIGHTS, PATHS)
    def test_another_allowance_never_forbids(
        self, policy: Policy, rule: Rule, actor: Actor, right: Right, path: str
    ) -> None:
        after = _more(policy, evolve(rule, allow=True))
        assert allows(after, actor, right, path) or not allows(policy, actor, right, path)

    @given(POLICIES, RULES, RIGHTS, PATHS)
    def test_a_denial_that_means_it_wins(self, policy: Policy, rule: Rule, right: Right, path: str) -> None:
        denying = evolve(rule, allow=False, rights=(right,))
        assume(any(matches(pattern, path) for pattern in denying.paths))
        assert not allows(_more(policy, denying), Actor(denying.actors[0]), right, path)

    @given(POLICIES, st.randoms(use_true_random=False), ACTORS, RIGHTS, PATHS)
    def test_the_order_of_rules_does_not_matter(
        self, policy: Policy, chance: Any, actor: Actor, right: Right, path: str
    ) -> None:
        rules = list(policy.rules)
        chance.shuffle(rules)
        other = evolve(policy, rules=tuple(rules))
        assert allows(policy, actor, right, path) is allows(other, actor, right, path)

    @given(ACTORS, RIGHTS, PATHS)
    def test_what_no_rule_names_is_denied(self, actor: Actor, right: Right, path: str) -> None:
        assert not allows(Policy((), (OWN,)), actor, right, path)

    @given(POLICIES, RIGHTS, PATHS)
    def test_the_owner_may_do_everything(self, policy: Policy, right: Right, path: str) -> None:
        assert allows(policy, OWNER, right, path)

    @given(POLICIES, ACTORS, RIGHTS, PATHS)
    def test_everywhere_is_each_path(self, policy: Policy, actor: Actor, right: Right, path: str) -> None:
        inside = path.startswith(("topics/", "sources/"))
        assert not everywhere(policy, actor, right) or not inside or allows(policy, actor, right, path)

    @given(POLICIES)
    def test_a_policy_reads_back_as_it_was_written(self, policy: Policy) -> None:
        again, problems = parse_policy(render_policy(policy).encode())
        assert problems == ()
        assert [evolve(rule, place="") for rule in again.rules] == list(policy.rules)
        assert again.actors == policy.actors

    @given(
        st.binary(max_size=200)
        | st.text(alphabet='[]="rules.actdenypath\n #{}1', max_size=80).map(str.encode)
    )
    def test_any_text_is_read_or_refused_with_its_place(self, data: bytes) -> None:
        _, problems = parse_policy(data)
        assert all(each.path == POLICY_FILE and each.message and each.remedy for each in problems)

    @given(POLICIES, RULES)
    def test_a_policy_that_denies_the_owner_anything_is_refused(self, policy: Policy, rule: Rule) -> None:
        locking = evolve(rule, allow=False, actors=(*rule.actors, OWNER.name))
        _, problems = parse_policy(render_policy(_more(policy, locking)).encode())
        assert any("lock the owner out" in each.message for each in problems)


# --- What is seen ------------------------------------------------------------------------------------


def _dictionaries(facts: Facts) -> dict[str, object]:
    """All that facts say, but for the orders of creation, of which only the owner is told."""
    found: dict[str, object] = {}
    for name, value in facts._asdict().items():
        if name in ("next_order", "created"):
            continue
        if name == "newest":
            found[name] = [known.record for known in value]
        elif name == "records":
            found[name] = {key: value[key].record for key in value}
        else:
            found[name] = {key: value[key] for key in value}
    return found


def _without(memory: Memory, denied: Collection[str]) -> Facts:
    files = {path: data for path, data in memory.files.items() if path not in denied}
    return facts_of(tree_of(files), memory.order)


class TestSeeing:
    """Denied records do not show: what is seen is what there would be without the denied topics."""

    @given(memories_seen())
    def test_the_facts_are_those_of_a_memory_without_them(self, case: tuple[Memory, frozenset[str]]) -> None:
        memory, denied = case
        facts = facts_of(tree_of(memory.files), memory.order)
        shown = permitted_facts(facts, lambda path: path not in denied)
        assert _dictionaries(shown) == _dictionaries(_without(memory, denied))
        event(f"{len(denied)} hidden")

    @given(memories_seen())
    def test_a_slice_of_the_newest_is_what_a_list_gives(self, case: tuple[Memory, frozenset[str]]) -> None:
        memory, denied = case
        facts = facts_of(tree_of(memory.files), memory.order)
        newest = permitted_facts(facts, lambda path: path not in denied).newest
        for piece in (slice(None, 2), slice(1, 3), slice(None), slice(-2, None), slice(None, None, 2)):
            assert list(newest[piece]) == list(newest)[piece]
        assert len(newest) == len(list(newest))


# --- What is refused -------------------------------------------------------------------------------


@st.composite
def requests_seen(draw: st.DrawFn) -> tuple[Snapshot, Snapshot, Gate, dict[str, Any], frozenset[str]]:
    memory, denied = draw(memories_seen())
    tree = tree_of(memory.files)
    base = Snapshot(tree, facts_of(tree, memory.order))
    reduced = tree_of({path: data for path, data in memory.files.items() if path not in denied})
    everything = Rule((OWN.name,), True, tuple(Right), ("topics/**", "sources/**"))
    denying = Rule((OWN.name,), False, (Right.READ,), tuple(sorted(denied)))
    gate = Gate(Policy((everything, *([denying] if denied else [])), (OWN,)), Actor(OWN.name))
    assume(all((path in denied) is not gate.allows(Right.READ, path) for path in memory.files))
    # It may name whatever there is, hidden or not: ids can be guessed.
    request = draw(requests(base))
    held, wanted = _held_by_hidden(base.facts, denied), draw(st.booleans())
    if held and wanted:
        request["memory_changes"] = [{"op": "delete_record", "memory_id": draw(st.sampled_from(held))}]
    return base, Snapshot(reduced, facts_of(reduced)), gate, request, denied


def _held_by_hidden(facts: Facts, denied: Collection[str]) -> list[str]:
    """The records that may be seen, and to which hidden ones link."""

    def is_hidden(block: str) -> bool:
        return facts.records[block].record.path in denied

    linked = (block for block in facts.backlinks if block in facts.records and not is_hidden(block))
    return sorted(block for block in linked if any(map(is_hidden, facts.backlinks[block])))


def _asked(
    base: Snapshot, request: dict[str, Any], gate: Gate, how: Callable[[Edit, Rules], Prepared | Rejected]
) -> Prepared | Rejected:
    caller = caller_of(gate.actor, gate.policy)
    decoded, problems = decode_request(request)
    if problems:
        return Rejected(problems)
    brought = bring(decoded.sources, caller)
    applied = apply_changes(base.tree, base.facts, decoded.changes, brought.places, TODAY)
    if not isinstance(applied, Applied):
        return Rejected(applied)
    edit = Edit(applied.tree, applied.deleted, brought.frames, brought.contexts)
    return how(edit, Rules(caller, estimate))


class TestRefusing:
    """Enforced in the planner: a refusal never leaks."""

    @given(requests_seen())
    def test_a_refusal_says_what_it_would_say_without_what_is_denied(
        self, case: tuple[Snapshot, Snapshot, Gate, dict[str, Any], frozenset[str]]
    ) -> None:
        base, reduced, gate, request, denied = case
        shown = seen(base, gate.may())
        found = _asked(shown, request, gate, lambda edit, rules: prepare_for(gate, base, edit, rules))
        there = _asked(reduced, request, gate, lambda edit, rules: prepare(reduced, edit, rules))
        event(f"{type(found).__name__}, and without {type(there).__name__}")
        if isinstance(found, Prepared):
            assert isinstance(there, Prepared)
            return
        named = str(request)
        told = " ".join(f"{each.message} {each.path} {each.remedy}" for each in found.problems)
        secrets = set(denied) | {
            block for topic in base.facts.topics.values() if topic.path in denied for block in topic.ids
        }
        assert not [secret for secret in secrets if secret in told and secret not in named]
        if isinstance(there, Rejected) and not any("may not" in each.message for each in found.problems):
            assert found.problems == there.problems

    @given(requests_seen())
    def test_what_is_denied_stays_but_for_the_paths_of_its_links(
        self, case: tuple[Snapshot, Snapshot, Gate, dict[str, Any], frozenset[str]]
    ) -> None:
        base, _, gate, request, denied = case
        shown = seen(base, gate.may())
        found = _asked(shown, request, gate, lambda edit, rules: prepare_for(gate, base, edit, rules))
        if isinstance(found, Rejected):
            return
        after = facts_of(found.tree)
        for topic in (each for each in base.facts.topics.values() if each.path in denied):
            assert [block for block in topic.ids if after.records[block].record.path != topic.path] == []
