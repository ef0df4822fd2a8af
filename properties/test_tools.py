"""Laws of a writer's tools: whatever is called, nothing raises and nothing but topics changes."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memory_plans import Memory
from scriptorium_core.changes import Caller
from scriptorium_core.facts import facts_of
from scriptorium_core.names import SourceId, topic_path
from scriptorium_core.problem import Problem
from scriptorium_core.sources.frame import Origin
from scriptorium_core.transaction import Prepared, Rejected, Rules, Snapshot, prepare
from scriptorium_core.transaction.staging import edit_of
from scriptorium_core.tree import tree_of
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.tools import TOOLS, Desk, call, desk_for
from strategies import AWKWARD, awkward_texts
from topic_strategies import memories

NAMES = tuple(tool.name for tool in TOOLS)
KEYS = tuple({key for tool in TOOLS for key in tool.keys})
ESCAPES = (
    "core.md",
    "sources/chat/_v2/s1.md",
    "topics/../core.md",
    "/etc/passwd",
    "topics/a\x00.md",
    "topics/é\ud800.md",
)
BATCH = (Said(SourceId("chat/s9/m1"), "Bo", Origin.HUMAN, "Tea.", "2026-03-02T10:00:00Z"),)


def rubbish() -> st.SearchStrategy[Any]:
    """Anything that a model may send, JSON or not."""
    leaves = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | awkward_texts()
        | st.text(max_size=8)
        | st.binary()
    )
    return st.recursive(
        leaves | st.sampled_from(ESCAPES),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=4)
            | st.dictionaries(st.integers(), inner, max_size=2)
            | st.sets(st.integers(), max_size=2)
        ),
        max_leaves=10,
    )


@st.composite
def plausible(draw: st.DrawFn, memory: Memory) -> tuple[str, dict[str, Any]]:
    """A call that a model might mean: paths and ids that are there, texts that are nearly right."""
    paths = (*(page.path for page in memory.pages), "topics/new.md", *ESCAPES)
    ids = (*memory.where, "nosuch")
    path, other = draw(st.sampled_from(paths)), draw(st.sampled_from(paths))
    text = draw(st.sampled_from(AWKWARD)) or "Tea"
    cited = f"{text}[^e1]\n\n[^e1]: Time: `2026`; Sources: [said](chat/s9/m1)\n"
    block = draw(st.sampled_from(ids))
    body = {"content": text, "time": None, "sources": [{"source": "chat/s9/m1", "label": "Bo"}]}
    place = {"topic_path": path, "headings": ["Tea"], "position": "end"}
    changes = [
        {"op": "create_record", **body, "destination": place},
        {"op": "update_record", "memory_id": block, **body, "supersede": draw(st.booleans())},
        {"op": "delete_record", "memory_id": block},
        {"op": "move_records", "memory_ids": [block], "destination": place},
    ]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list", {"prefix": path[:9]}),
        ("read", {"path": path, "first": draw(st.integers(1, 5))}),
        ("search", {"text": text}),
        ("write", {"path": path, "content": draw(st.sampled_from((cited, text, "")))}),
        ("edit", {"path": path, "old": draw(st.sampled_from((f" ^{block}", "\n", text))), "new": text}),
        ("move", {"old": path, "new": other}),
        ("delete_records", {"ids": [block], "reason": text}),
        (
            "apply_changes",
            {"memory_changes": draw(st.lists(st.sampled_from(changes), min_size=1, max_size=3))},
        ),
        ("finish", draw(st.sampled_from(({"summary": text}, {"nothing_to_keep": True, "reason": text})))),
    ]
    name, arguments = draw(st.sampled_from(calls))
    return name, arguments


def snapshot(memory: Memory) -> Snapshot:
    tree = tree_of(memory.files)
    return Snapshot(tree, facts_of(tree))


def seen_through(desk: Desk, name: str, arguments: Any) -> Desk:
    """The desk after a call, of which all that must hold has been seen."""
    after, told = call(desk, name, arguments)
    told.encode()  # whatever is told can be sent
    assert len(told) < 40_000
    assert after.refused in (desk.refused, desk.refused + 1)
    if after.refused > desk.refused:
        assert (after.stage, after.done) == (desk.stage, desk.done)
    for path in after.stage.tree.differences():
        assert not isinstance(topic_path(path), Problem)
    assert after.stage.frames == ()
    assert after.stage.deleted >= desk.stage.deleted
    return after


class TestToolsAreTotal:
    """Any sequence of calls gives texts and stages; nothing raises, nothing leaves `topics/`."""

    @given(st.lists(st.tuples(st.sampled_from((*NAMES, "fly", "")), rubbish()), max_size=6), memories())
    def test_rubbish_is_refused_and_changes_nothing_else(
        self, calls: list[tuple[str, Any]], memory: Memory
    ) -> None:
        desk = desk_for(snapshot(memory), Caller(), "2026-11-01", BATCH)
        for name, arguments in calls:
            desk = seen_through(desk, name, arguments)

    @given(st.data(), memories())
    def test_whatever_is_called_ends_in_a_commit_or_in_problems(
        self, data: st.DataObject, memory: Memory
    ) -> None:
        base = snapshot(memory)
        desk = desk_for(base, Caller(), "2026-11-01", BATCH)
        for _ in range(data.draw(st.integers(0, 6))):
            desk = seen_through(desk, *data.draw(plausible(memory)))
        result = prepare(base, edit_of(desk.stage, "write"), Rules(Caller(), len))
        if isinstance(result, Prepared):
            gone = set(memory.where) - facts_of(result.tree).records.keys()
            assert gone <= desk.stage.deleted
        else:
            assert isinstance(result, Rejected)
            assert all(problem.message and problem.remedy for problem in result.problems)

    @given(st.data(), memories())
    def test_reading_changes_nothing_and_shows_no_held_words(
        self, data: st.DataObject, memory: Memory
    ) -> None:
        base = snapshot(memory)
        desk = desk_for(base, Caller(), "2026-11-01")
        records = [known.record for known in base.facts.records.values()]
        is_held = [
            any(
                not base.facts.sources[base.facts.places[source.place]].trusted
                for source in record.sources
                if source.place in base.facts.places
            )
            for record in records
        ]
        held = [record.content for record, is_away in zip(records, is_held, strict=True) if is_away]
        open_words = "\n".join(
            record.content for record, is_away in zip(records, is_held, strict=True) if not is_away
        )
        for page in memory.pages:
            for name, arguments in (("read", {"path": page.path}), ("search", {"text": "e"}), ("list", {})):
                after, told = call(desk, name, arguments)
                assert after.stage == desk.stage
                for words in held:
                    if name != "list" and words not in open_words:
                        assert words not in told
