"""Examples of what is wrong with what stands: citations, links, standings, archives, views, names."""

from memory_example import S1, memory, snapshot
from scriptorium_core.facts import ArchiveRows, facts_of, file_facts
from scriptorium_core.facts.clashes import clashing, id_clash, name_clash
from scriptorium_core.knowledge.resolving import Unclear, by_name
from scriptorium_core.knowledge.soundness import archive_faults, record_faults, standing_faults, view_faults
from scriptorium_core.names import archive_path
from scriptorium_core.problem import Code, Problem
from scriptorium_core.tree import tree_of
from small_topics import PATH, base_of, line, record_of


def told(*problems: Problem) -> list[tuple[Code, str, int]]:
    assert all(each.message and each.remedy for each in problems)
    return [(each.code, each.path, each.line) for each in problems]


def test_a_sound_record_has_no_fault() -> None:
    base = base_of(line("a1", "Mara has it."))
    assert [*record_faults(base.facts, record_of(base, "a1"))] == []


def test_citations_links_and_ids_that_lead_nowhere_are_faults() -> None:
    base = base_of(line("a1", "See [it](#^zz).", source="chat/s1/m7"), line("b2", "Bo has it."))
    facts = base.facts._replace(forgotten={"a1": "2026-04-01"})
    assert told(*record_faults(facts, record_of(base, "a1"))) == [
        (Code.MISSING_SOURCE, PATH, 3),
        (Code.LINK_DANGLING, PATH, 3),
        (Code.FORGOTTEN, PATH, 3),
    ]
    handle = "Bo has it.[^e-1] ^c3\n\n[^e-1]: Time: `2026`; Sources: chat/s1/m9\n"
    assert told(*record_faults(base.facts, record_of(base_of(handle), "c3"))) == [
        (Code.MISSING_SOURCE, PATH, 3)
    ]


def test_a_standing_that_cannot_be_read_is_named_with_its_line() -> None:
    record = record_of(base_of(line("a1", "Mara has it.", "Status: maybe; Fresh: never")), "a1")
    faults = [*standing_faults(record)]
    assert told(*faults) == [(Code.INVALID_TOPIC_FORMAT, PATH, 3)] * 2
    assert all(each.message.startswith("in the definition e-a1 of ^a1 ") for each in faults)


def test_an_archive_that_breaks_is_named_where_it_does() -> None:
    path = archive_path(S1)
    whole = memory()[path]
    for data, found in (
        (whole, []),
        (whole + b"torn", [(Code.SOURCES_CHANGED, path, whole.count(b"\n") + 1)]),
    ):
        rows = file_facts(path, data)
        assert isinstance(rows, ArchiveRows)
        assert told(*archive_faults(rows)) == found


def test_views_that_are_missing_stale_or_too_many_are_named() -> None:
    derived = {"core.md": b"core", "recent.jsonl": b"new", "timeline/2026.md": b"day"}
    tree = tree_of(
        {"core.md": b"core", "recent.jsonl": b"old", "timeline/2025.md": b"day", "topics/a.md": b""}
    )
    faults = [*view_faults(tree, derived)]
    assert [(each.path, each.message) for each in faults] == [
        ("recent.jsonl", "the view is not what the topics say"),
        ("timeline/2026.md", "the view is missing"),
        ("timeline/2025.md", "nothing in the topics leads to this view"),
    ]
    assert {each.code for each in faults} == {Code.VIEW_STALE}


def test_a_topic_that_clashes_with_another_names_that_one() -> None:
    problem = id_clash("topics/b.md", 3, "aa", "topics/a.md")
    assert clashing(problem) == "topics/a.md"
    assert clashing(name_clash("topics/A.md", "topics/a.md")) is None
    base = snapshot(memory())
    assert facts_of(base.tree).broken == {}


def test_a_name_that_was_forgotten_or_is_none_is_said_to_be_so() -> None:
    facts = snapshot(memory()).facts._replace(forgotten={"gone1": "2026-04-01"})
    found = by_name(facts, "^key1")
    assert not isinstance(found, Problem | Unclear | None)
    assert found.id == "key1"
    for name, code in (
        ("^gone1", Code.FORGOTTEN),
        ("^none", Code.MEMORY_NOT_FOUND),
        (" ", Code.MEMORY_NOT_FOUND),
    ):
        problem = by_name(facts, name)
        assert isinstance(problem, Problem)
        assert (problem.code, problem.path, bool(problem.remedy)) == (code, "target", True)
    assert by_name(facts, "no such title") is None
