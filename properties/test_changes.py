"""Laws of requests: any JSON is read, and any content goes in and comes out as it was."""

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from scriptorium_core.changes import Caller, NewSource, apply_changes, bring, decode_request
from scriptorium_core.changes.content import content_fault
from scriptorium_core.facts import facts_of
from scriptorium_core.markdown.links import links_in
from scriptorium_core.problem import Problem, render_problem
from scriptorium_core.sources import scan
from scriptorium_core.transaction import Edit, Prepared, Rules, Snapshot, prepare
from scriptorium_core.tree import tree_of
from strategies import AWKWARD, NAMES_ALIKE, REFUSED_SEGMENTS, awkward_texts, sentences, words

KEYS = st.sampled_from(
    """
    op memory_changes sources base_revision commit_message memory_id memory_ids content time source label
    source_refs destination topic_path headings position anchor_memory_id supersede role observed_at x
    """.split()
)
_VALUES = """
    create_record update_record delete_record move_records create update delete start end before after user
    tool topics/a.md topics/../x.md /etc/passwd .git/hooks/x 2026-04 2026-13 undated new-source-a a/b/c ^id
    2026-04-22]10:00
    """
_ALIKE = tuple(name for pair in NAMES_ALIKE for name in pair)
WORDS = st.sampled_from((*_VALUES.split(), *AWKWARD, *REFUSED_SEGMENTS, *_ALIKE, "\ud800", "2026-04-22\n10"))
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=9)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | WORDS, inner, max_size=6)
)
OPERATIONS = st.fixed_dictionaries(
    {"op": WORDS},
    optional={
        "memory_id": WORDS,
        "memory_ids": st.lists(WORDS, max_size=3),
        "content": WORDS | awkward_texts(),
        "time": WORDS | st.none(),
        "sources": st.lists(st.fixed_dictionaries({"source": WORDS, "label": WORDS}), max_size=2),
        "destination": st.fixed_dictionaries(
            {"topic_path": WORDS, "headings": st.lists(WORDS, max_size=2), "position": WORDS},
            optional={"anchor_memory_id": WORDS},
        ),
    },
)
REQUESTS = st.fixed_dictionaries(
    {"memory_changes": st.lists(OPERATIONS | JSON, max_size=3)}, optional={"sources": JSON, "x": JSON}
)


class TestRequests:
    """A request of the wrong shape ends in problems with code and place, and nothing raises."""

    @given(JSON | REQUESTS)
    def test_any_json_is_read_and_carried_out_or_refused(self, raw: Any) -> None:
        request, problems = decode_request(raw)
        assert all(render_problem(problem) and problem.message for problem in problems)
        base = tree_of({})
        facts = facts_of(base)
        brought = bring(request.sources, Caller())
        applied = apply_changes(base, facts, request.changes, brought.places, "2026-11-01")
        if not isinstance(applied, tuple):
            edit = Edit(applied.tree, applied.deleted, brought.frames, brought.contexts)
            prepare(Snapshot(base, facts), edit, Rules(Caller(), len))

    @given(JSON)
    def test_what_is_wrong_lies_in_the_request(self, raw: Any) -> None:
        _, problems = decode_request({"memory_changes": [raw]})
        assert problems
        assert all(problem.path.startswith("memory_changes") for problem in problems)


class TestContent:
    """Text of any kind goes in and comes out as it was; what a record cannot hold is refused beforehand."""

    @given(awkward_texts(), st.lists(words(), max_size=2), st.sampled_from(("start", "end")))
    def test_a_content_that_is_accepted_comes_out_as_it_was(
        self, text: str, headings: list[str], position: str
    ) -> None:
        # There is no other record that it could link to.
        assume(not content_fault(text) and not any(link.path or link.block for link in links_in(text)))
        outcome = created(text, {"headings": headings, "position": position})
        assert isinstance(outcome, Prepared), outcome
        (record,) = {
            known.record.id: known.record for known in facts_of(flat(outcome)).records.values()
        }.values()
        assert record.content == text.strip()
        assert record.headings == tuple(headings)

    @given(awkward_texts())
    def test_a_content_that_is_refused_is_named_by_its_place(self, text: str) -> None:
        assume(content_fault(text) and text.strip())
        outcome = created(text, {"headings": [], "position": "end"})
        assert not isinstance(outcome, Prepared)
        assert any(problem.path == "memory_changes[0].content" for problem in outcome)

    @given(awkward_texts())
    def test_what_a_request_brings_is_archived_verbatim(self, text: str) -> None:
        assume(text.strip())
        outcome = created("Said.", {"headings": [], "position": "end"}, text)
        assert isinstance(outcome, Prepared), outcome
        (source,) = outcome.report.archived
        facts = facts_of(flat(outcome))
        assert facts.sources[source].text == text
        (archive,) = facts.archives
        data = outcome.tree.get(archive)
        assert data is not None
        assert scan(archive, data).complete

    @given(st.lists(st.tuples(sentences(), st.sampled_from(("user", "tool"))), min_size=1, max_size=3))
    def test_ids_follow_from_what_was_said_and_by_whom_whatever_the_labels(
        self, said: list[tuple[str, str]]
    ) -> None:
        def ids(label: str, caller: Caller) -> list[str]:
            sources = (NewSource(f"new-source-{label}{n}", role, text) for n, (text, role) in enumerate(said))
            return [frame.id for frame in bring(tuple(sources), caller).frames]

        assert ids("a", Caller()) == ids("b", Caller())
        assert not {*ids("a", Caller())} & {*ids("a", Caller(principal_id="owner/elsewhere"))}


def created(
    content: str, where: dict[str, Any], said: str = "Said by the owner."
) -> Prepared | tuple[Problem, ...]:
    """The outcome of one create_record in an empty memory, with evidence of its own."""
    operation = {
        "op": "create_record",
        "content": content,
        "time": None,
        "sources": [{"source": "new-source-a", "label": "said"}],
        "destination": {"topic_path": "topics/keys.md", **where},
    }
    source = {"label": "new-source-a", "role": "user", "content": said}
    request, problems = decode_request({"memory_changes": [operation], "sources": [source]})
    if problems:
        return problems
    base = Snapshot(tree_of({}), facts_of(tree_of({})))
    brought = bring(request.sources, Caller())
    applied = apply_changes(base.tree, base.facts, request.changes, brought.places, "2026-11-01")
    if isinstance(applied, tuple):
        return applied
    edit = Edit(applied.tree, applied.deleted, brought.frames, brought.contexts)
    outcome = prepare(base, edit, Rules(Caller(), len))
    return outcome if isinstance(outcome, Prepared) else outcome.problems


def flat(outcome: Prepared) -> Any:
    found = {path: outcome.tree.get(path) for path in outcome.tree.under("")}
    return tree_of({path: data for path, data in found.items() if data is not None})
