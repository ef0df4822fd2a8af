"""Which views a change alters."""

import pytest

from scriptorium_core.budget import estimate
from scriptorium_core.sources.frame import Trust
from scriptorium_core.views import Limits, core_due, derive, derive_all, is_view
from viewed import change, cite, facts, said, topic

S1, S2 = "chat/s1/m1", "chat/s1/m2"
LIMITS = Limits(estimate)


def record(block: str, when: str = "2026-04-22", source: str = S1) -> str:
    note = f"[^e-{block}]: Time: `{when}`; Sources: {cite('l', source)}"
    return f"It is {block}.[^e-{block}] ^{block}\n\n{note}\n\n"


def test_a_new_record_touches_its_day_and_the_newest_and_the_old_relations_go() -> None:
    made = change(facts({}), {}, {"topics/a.md": record("aa")}, ["aa"], facts({}, said(S1)))
    views = derive(made, LIMITS)
    assert sorted(views) == ["recent_events.jsonl", "relations.json", "timeline/2026/04/22.md"]
    assert views["relations.json"] is None


def test_the_core_is_rendered_when_its_topic_is_touched_and_goes_with_it() -> None:
    files = {"topics/core.md": record("aa")}
    base = facts(files, said(S1))
    assert derive(change(facts({}, said(S1)), {}, files, ["aa"]), LIMITS)["core.md"] == (
        f"It is aa.[^e-aa] ^aa\n\n[^e-aa]: Time: `2026-04-22`; Sources: {cite('l', S1, '')}\n\n"
        "<!-- core: 1 of 1 records -->\n".encode()
    )
    assert derive(change(base, files, {}), LIMITS)["core.md"] is None
    assert "core.md" not in derive(change(base, {}, {"topics/b.md": record("bb")}, ["bb"]), LIMITS)


def test_a_promoted_source_brings_its_records_into_the_core() -> None:
    files = {"topics/core.md": record("aa"), "topics/b.md": record("bb", source=S2)}
    base = facts(files, said(S1, S2, trust=Trust.PENDING))
    promoted = facts({}, said(S1))
    touched = {"topics/core.md": files["topics/core.md"]}
    made = change(base, touched, touched, sources=promoted)
    assert core_due(made)
    assert b"1 of 1" in (derive(made, LIMITS)["core.md"] or b"")
    assert b"0 of 1" in (derive(change(base, touched, touched), LIMITS)["core.md"] or b"")
    with pytest.raises(ValueError, match=r"topics/core\.md"):
        derive(change(base, sources=promoted), LIMITS)


def test_a_source_that_the_core_does_not_cite_or_whose_trust_stays_leaves_it_alone() -> None:
    files = {"topics/core.md": record("aa"), "topics/b.md": record("bb", source=S2)}
    pending = facts(files, said(S1, S2, trust=Trust.PENDING))
    assert not core_due(change(pending, sources=facts({}, said(S2))))
    assert not core_due(change(pending, sources=facts({}, said(S1, trust=Trust.PENDING))))
    assert derive(change(pending, sources=facts({}, said(S2))), LIMITS) == {"relations.json": None}


def test_all_views_of_a_memory_are_made_from_its_facts() -> None:
    files = {
        "topics/core.md": record("aa"),
        "topics/b.md": record("bb", "2025").replace("It", "[It](core.md#^aa)"),
    }
    views = derive_all(facts(files, said(S1)), topic("topics/core.md", files["topics/core.md"]), LIMITS)
    assert [path for path in views if not path.startswith("relations/")] == [
        "core.md",
        "timeline/2025.md",
        "timeline/2026/04/22.md",
        "recent_events.jsonl",
    ]
    assert len([path for path in views if path.startswith("relations/")]) == 2
    assert derive_all(facts({}), None, LIMITS) == {}


def test_what_is_derived_is_known_by_its_path() -> None:
    derived = ("core.md", "recent_events.jsonl", "relations.json", "relations/0a.json", "timeline/2026.md")
    assert all(map(is_view, derived))
    assert not any(
        map(is_view, ("topics/core.md", "sources/chat/_v2/s1.md", "timeline.md", "relations", "notes.md"))
    )
