"""Memories that write, change, delete and forget by plan, in the core alone, and all that they were."""

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field
from hypothesis import strategies as st

from scriptorium_core.changes import Caller, apply_changes, decode_request
from scriptorium_core.facts import chronicle, facts_of
from scriptorium_core.forgetting import (
    Cleaned,
    Scope,
    Targets,
    cleaned,
    finished,
    retract,
    scope_of,
    words_of,
)
from scriptorium_core.names import NodeId, SessionId, SourceId, anchor, archive_path
from scriptorium_core.sources.frame import Context, Frame, Origin, Provenance, Tier, Trust
from scriptorium_core.trailers import Trailer
from scriptorium_core.transaction import Edit, Prepared, Rejected, Rules, Snapshot, prepare
from scriptorium_core.tree import tree_of

__all__ = ["SAID", "Played", "erased", "linked_plans", "plans", "played"]

State = Mapping[str, bytes]

_TOPICS = ("topics/keys.md", "topics/people/mira.md", "topics/core.md")
_MADE_BY = Provenance("p", "owner", Tier.OWNER, Trust.TRUSTED)
SAID = {
    SourceId(f"chat/s/m{number}"): f"Message {number}: {word} words."
    for number, word in enumerate(("zebra", "quagga", "okapi"))
}

# A step names a method of `Played` and its arguments; `which` counts modulo all that there are.
_CONTENTS = st.sampled_from(
    [f"Fact {n} about the {word}." for n, word in enumerate(("key", "door", "cat", "猫"))]
)
_CITED = st.lists(st.sampled_from(sorted(SAID)), min_size=1, max_size=2, unique=True)
_WHICH = st.integers(0, 3)
_WRITES = st.tuples(st.just("write"), _CITED, _CONTENTS, st.sampled_from(_TOPICS), st.none() | _WHICH)
_CHANGES = st.one_of(
    _WRITES,
    st.tuples(st.just("update"), _WHICH, _CITED, _CONTENTS),
    st.tuples(st.just("delete"), _WHICH),
    st.tuples(st.just("forget"), st.just("records"), _WHICH),
    st.tuples(st.just("forget"), st.just("sources"), _WHICH),
)


def plans() -> st.SearchStrategy[list[tuple[Any, ...]]]:
    """Steps of a memory: first some records, then what becomes of them."""
    return st.builds(operator.add, st.lists(_WRITES, max_size=4), st.lists(_CHANGES, max_size=6))


def linked_plans() -> st.SearchStrategy[list[tuple[Any, ...]]]:
    """Steps of a memory that begin with a record, and another one that links to it from another topic."""
    one, two, _ = sorted(SAID)
    first = st.permutations(_TOPICS).map(
        lambda topics: [("write", [one], "One.", topics[0], None), ("write", [two], "Two.", topics[1], 0)]
    )
    return st.builds(operator.add, first, st.lists(_CHANGES, min_size=2, max_size=5))


@define
class Played:
    """A memory in the core alone: its files, its commits, and every state that it went through."""

    files: dict[str, bytes] = field(factory=dict)
    commits: list[tuple[str, Sequence[Trailer]]] = field(factory=list)
    states: list[State] = field(factory=list)
    scopes: list[Scope] = field(factory=list)
    _base: Snapshot | None = None

    def base(self) -> Snapshot:
        """The present state, its facts from scratch after each commit."""
        if self._base is None:
            tree, said = tree_of(self.files), chronicle(self.commits)
            self._base = Snapshot(tree, facts_of(tree, said.order, said.forgotten))
        return self._base

    def write(self, sources: Sequence[SourceId], content: str, topic: str, link: int | None) -> None:
        """Archive the messages (again) and write a record that cites them, and links to another one."""
        known = [each.record for each in self.base().facts.newest]
        if link is not None and known:
            other = known[link % len(known)]
            content = f"{content} See [it]({'../' * topic.count('/')}{other.path}#^{other.id})."
        destination = {"topic_path": topic, "headings": ["All"], "position": "end"}
        self._change({"op": "create_record", "destination": destination, **_said(sources, content)}, sources)

    def update(self, which: int, sources: Sequence[SourceId], content: str) -> None:
        """Let a record rest on other messages, and say something else."""
        if (name := self._record(which)) is not None:
            self._change({"op": "update_record", "memory_id": name, **_said(sources, content)}, sources)

    def delete(self, which: int) -> None:
        """Delete a record, if no other one links to it; its messages stay."""
        if (name := self._record(which)) is not None:
            self._change({"op": "delete_record", "memory_id": name}, ())

    def forget(self, kind: str, which: int) -> None:
        """Forget one of the `records` or `sources`."""
        base = self.base()
        names: list[str] = sorted(getattr(base.facts, kind))
        scope = scope_of(base.facts, [names[which % len(names)]], "2026-05-01") if names else ()
        if isinstance(scope, Scope):
            edit = retract(base, scope, Caller(), unlink=True)
            assert isinstance(edit, Edit)
            prepared = prepare(base, edit, Rules(Caller(), len))
            if isinstance(prepared, Prepared):
                self.scopes.append(scope)
            self._take(prepared)

    def _record(self, which: int) -> str | None:
        names = sorted(self.base().facts.records)
        return names[which % len(names)] if names else None

    def _change(self, change: Mapping[str, object], sources: Sequence[SourceId]) -> None:
        base = self.base()
        request, problems = decode_request({"memory_changes": [change]})
        assert not problems
        places: dict[str, str] = {source: f"{archive_path(source)}#{anchor(source)}" for source in sources}
        applied = apply_changes(base.tree, base.facts, request.changes, places, "2026-05-01")
        if not isinstance(applied, tuple):
            frames = tuple(
                Frame(source, "user", SAID[source], "", None, "Bo", _MADE_BY) for source in sources
            )
            contexts = tuple(
                Context(source, Origin.HUMAN, SessionId("s"), NodeId(source)) for source in sources
            )
            edit = Edit(applied.tree, applied.deleted, frames, contexts, "write")
            self._take(prepare(base, edit, Rules(Caller(), len)))

    def _take(self, prepared: Prepared | Rejected) -> None:
        """Commit what may be committed."""
        if isinstance(prepared, Prepared):
            for path, data in prepared.tree.differences().items():
                if data is None:
                    del self.files[path]
                else:
                    self.files[path] = data
            self.commits.append(("2026-05-01", prepared.trailers))
            self.states.append(dict(self.files))
            self._base = None


def played(plan: Sequence[Any]) -> Played:
    """The memory after all steps of a plan."""
    memory = Played()
    for step, *arguments in plan:
        getattr(memory, step)(*arguments)
    return memory


def erased(states: Sequence[State], targets: Targets) -> Iterator[dict[str, bytes | None]]:
    """The states after an erasure, file by file: looked at as a whole first, then cleaned one by one."""
    found: dict[tuple[str, bytes], Cleaned] = {
        each: cleaned(*each, targets) for state in states for each in state.items()
    }
    words = words_of(text for each in found.values() for text in each.texts)
    done: dict[tuple[str, bytes, Targets], bytes | None] = {}
    for state in states:
        there = evolve(targets, along=frozenset().union(*(found[each].along for each in state.items())))
        for path, data in state.items():
            if (path, data, there) not in done:
                done[path, data, there] = finished(path, cleaned(path, data, there), words)
        yield {path: done[path, data, there] for path, data in state.items()}


def _said(sources: Sequence[SourceId], content: str) -> dict[str, object]:
    cited = [{"source": source, "label": "said"} for source in sources]
    return {"content": content, "time": "2026-04-22", "sources": cited}
