"""Laws of forgetting: what is forgotten never returns, what is erased is nowhere, and the rest stays."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.changes import Caller, apply_changes, decode_request
from scriptorium_core.facts import Facts, chronicle, facts_of
from scriptorium_core.forgetting import Scope, cleaned, finished, retract, scope_of, words_of
from scriptorium_core.names import CORE_TOPIC, NodeId, SessionId, SourceId, TopicPath, anchor, archive_path
from scriptorium_core.sources.archive import scan
from scriptorium_core.sources.archived import is_erased
from scriptorium_core.sources.frame import Context, Frame, Origin, Provenance, Tier, Trust
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.trailers import Trailer
from scriptorium_core.transaction import Edit, Prepared, Rejected, Rules, Snapshot, prepare
from scriptorium_core.tree import Tree, tree_of
from scriptorium_core.views.derive import Limits, derive_all, is_view

TOPICS = ("topics/keys.md", "topics/people/mira.md", "topics/core.md")
MADE_BY = Provenance("p", "owner", Tier.OWNER, Trust.TRUSTED)
SAID = {
    SourceId(
        f"chat/s/m{number}"
    ): f"Message {number}: {'zebra quagga okapi gnu tapir'.split()[number]} words."
    for number in range(5)
}

# A step: ("write", sources, content, topic, which record it links to) or ("forget", which name).
contents = st.sampled_from(
    [f"Fact {n} about the {word}." for n, word in enumerate(("key", "door", "cat", "猫"))]
)
writes = st.tuples(
    st.just("write"),
    st.lists(st.sampled_from(sorted(SAID)), min_size=1, max_size=2, unique=True),
    contents,
    st.sampled_from(TOPICS),
    st.none() | st.integers(0, 5),
)
forgets = st.tuples(st.just("forget"), st.integers(0, 11))
steps = st.lists(writes | forgets, max_size=12)


@define
class Played:
    """A memory in the core alone: its files, its commits, and every state that it went through."""

    files: dict[str, bytes] = field(factory=dict)
    commits: list[tuple[str, Sequence[Trailer]]] = field(factory=list)
    states: list[Mapping[str, bytes]] = field(factory=list)
    scopes: list[Scope] = field(factory=list)

    def base(self) -> Snapshot:
        """The present state, its facts from scratch each time."""
        tree, said = tree_of(self.files), chronicle(self.commits)
        return Snapshot(tree, facts_of(tree, said.order, said.forgotten))

    def take(self, prepared: Prepared | Rejected) -> None:
        """Commit what may be committed."""
        if isinstance(prepared, Prepared):
            for path, data in prepared.tree.differences().items():
                if data is None:
                    del self.files[path]
                else:
                    self.files[path] = data
            self.commits.append(("2026-05-01", prepared.trailers))
            self.states.append(dict(self.files))

    def write(self, sources: Sequence[SourceId], content: str, topic: str, link: int | None) -> None:
        """Archive the messages (again) and write a record that cites them, and links to another one."""
        base = self.base()
        known = [each.record for each in base.facts.newest]
        if link is not None and known:
            other = known[link % len(known)]
            content = f"{content} See [it]({'../' * topic.count('/')}{other.path}#^{other.id})."
        change = {
            "op": "create_record",
            "content": content,
            "time": "2026-04-22",
            "sources": [{"source": source, "label": "said"} for source in sources],
            "destination": {"topic_path": topic, "headings": ["All"], "position": "end"},
        }
        request, problems = decode_request({"memory_changes": [change]})
        assert not problems
        places: dict[str, str] = {source: f"{archive_path(source)}#{anchor(source)}" for source in sources}
        applied = apply_changes(base.tree, base.facts, request.changes, places, "2026-05-01")
        if not isinstance(applied, tuple):
            frames = tuple(Frame(source, "user", SAID[source], "", None, "Bo", MADE_BY) for source in sources)
            contexts = tuple(
                Context(source, Origin.HUMAN, SessionId("s"), NodeId(source)) for source in sources
            )
            edit = Edit(applied.tree, applied.deleted, frames, contexts, "write")
            self.take(prepare(base, edit, Rules(Caller(), len)))

    def forget(self, which: int) -> None:
        """Forget one of the records or messages."""
        base = self.base()
        names = [*sorted(base.facts.records), *sorted(base.facts.sources)]
        scope = scope_of(base.facts, [names[which % len(names)]], "2026-05-01") if names else ()
        if isinstance(scope, Scope):
            edit = retract(base, scope, Caller(), unlink=True)
            assert isinstance(edit, Edit)
            prepared = prepare(base, edit, Rules(Caller(), len))
            if isinstance(prepared, Prepared):
                self.scopes.append(scope)
            self.take(prepared)


def played(plan: Sequence[Any]) -> Played:
    memory = Played()
    for step, *arguments in plan:
        getattr(memory, step)(*arguments)
    return memory


def current(facts: Facts) -> set[str]:
    """The ids that stand, and the messages that are cited."""
    cited = {facts.places[place] for place in facts.citing if place in facts.places and facts.citing[place]}
    return {*facts.records, *cited}


def without(memory: Played, path: str, data: bytes, scope: Scope) -> bytes | None:
    """A file of some state after the erasure of a scope from all states."""
    texts = [
        text
        for state in memory.states
        for p, d in state.items()
        for text in cleaned(p, d, scope.targets).texts
    ]
    return finished(path, cleaned(path, data, scope.targets), words_of(texts))


class TestNothingForgottenReturns:
    """Over any sequence of writes, forgets and writing the same again, no forgotten id is current again."""

    @given(steps)
    def test_no_forgotten_name_is_current(self, plan: Sequence[Any]) -> None:
        memory = Played()
        for step, *arguments in plan:
            getattr(memory, step)(*arguments)
            facts = memory.base().facts
            assert current(facts).isdisjoint(facts.forgotten)

    @given(steps)
    def test_what_was_forgotten_is_tombstoned(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        forgotten = memory.base().facts.forgotten
        for scope in memory.scopes:
            assert {*scope.targets.ids, *scope.targets.sources} <= {*forgotten}


class TestTheRestStays:
    """Retracting leaves a sound memory: all links land, and all views are those that would be derived."""

    @given(steps)
    def test_links_land_and_views_are_derived(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        base = memory.base()
        assert all(link in base.facts.records for each in base.facts.newest for link in each.record.links)
        assert not base.facts.broken
        core = memory.files.get(CORE_TOPIC)
        topic = parse_topic(CORE_TOPIC, core)[0] if core is not None else None
        views = derive_all(base.facts, topic, Limits(len))
        assert {path: data for path, data in memory.files.items() if is_view(path)} == views

    @given(steps)
    def test_other_records_keep_their_ids(self, plan: Sequence[Any]) -> None:
        memory = Played()
        for step, *arguments in plan:
            before = set(memory.base().facts.records)
            count = len(memory.scopes)
            getattr(memory, step)(*arguments)
            gone = {block for scope in memory.scopes[count:] for block in scope.targets.ids}
            assert before - set(memory.base().facts.records) == gone


class TestErasedIsNowhere:
    """After erasing, no state of the history names or says what went; all else in it is as it was."""

    @given(steps)
    def test_no_state_holds_it(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        for scope in memory.scopes:
            words = [SAID[source].encode() for source in scope.targets.sources]
            for state in memory.states:
                left = {path: without(memory, path, data, scope) for path, data in state.items()}
                for path, data in left.items():
                    assert data is None or not any(word in data for word in words)
                    assert data is None or not any(
                        f"^{block}".encode() in data for block in scope.targets.ids
                    ), path

    @given(steps)
    def test_every_file_stays_readable_and_erasing_again_changes_nothing(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        for scope in memory.scopes[-1:]:
            for state in memory.states:
                left = {path: without(memory, path, data, scope) for path, data in state.items()}
                facts = facts_of(_tree(left))
                assert not facts.broken
                assert all(link in facts.records for each in facts.newest for link in each.record.links)
                for path, data in left.items():
                    assert data is None or cleaned(path, data, scope.targets).data == data

    @given(steps)
    def test_frames_keep_their_ids_and_others_their_bytes(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        for scope in memory.scopes[-1:]:
            for state in memory.states:
                for path in (path for path in state if path.startswith("sources/") and path.endswith(".md")):
                    old, new = (
                        scan(path, state[path]),
                        scan(path, without(memory, path, state[path], scope) or b""),
                    )
                    assert new.complete
                    assert [frame.id for frame in new.frames] == [frame.id for frame in old.frames]
                    for before, after in zip(old.frames, new.frames, strict=True):
                        assert is_erased(after) == (before.id in scope.targets.sources)
                        assert is_erased(after) or after.record == before.record
                        assert after.trusted == before.trusted


def _tree(files: Mapping[str, bytes | None]) -> Tree:
    return tree_of({path: data for path, data in files.items() if data is not None})


def test_a_plan_reaches_what_the_laws_are_about() -> None:
    one, two = sorted(SAID)[:2]
    plan = [
        ("write", [one], "Fact 0 about the key.", "topics/keys.md", None),
        ("write", [one, two], "Fact 1 about the door.", "topics/keys.md", 0),
        ("forget", 99),
    ]
    memory = played(plan)
    assert len(memory.states) == 3
    assert memory.scopes
    assert memory.base().facts.forgotten
    assert parse_topic(TopicPath("topics/keys.md"), memory.files["topics/keys.md"])[1] == ()
