"""The format `pi`: trees, forks and old versions of the Pi coding agent's sessions."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pi_examples import CHILD, FIXTURES, HEADER, OLD, PARENT, entry, fixture, held, nodes, talk, written
from scriptorium.conversations.formats.pi import session_in
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.linking import links_from, links_to
from scriptorium.conversations.store import Store, open_store
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sources.frame import Origin


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


def test_a_session_is_a_tree_with_its_project_times_and_models(store: Store) -> None:
    report = import_path(store, fixture(PARENT))
    assert (report.format, report.sessions, report.skipped, report.gaps) == ("pi", (f"pi/{PARENT}",), {}, 0)
    found = nodes(store)
    assert len(found) == 15
    assert found["a1b2c3d4"].text == "Sow beans in May.\n[image]"
    assert (found["b2c3d4e5"].text, found["b2c3d4e5"].metadata) == ("Beans: May.", {"model": "m-large"})
    assert found["e5f6a7b8"].parent == "d4e5f6a7"
    assert {node.scope for node in found.values()} == {"/home/p/garden"}
    assert found["a1b2c3d4"].at == "2026-04-01T12:00:01.000Z"
    assert (held(store).title, held(store).head) == ("Beans", "f6a7b8c9")


def test_what_was_left_in_the_tree_is_abandoned_and_summaries_are_no_talk(store: Store) -> None:
    """bc-013: the branch that a person left is archived as such, and never reads as if it went on."""
    import_path(store, fixture(PARENT))
    assert sorted(talk(store, PARENT)) == sorted([
        ("Sow beans in May.\n[image]", "live"),
        ("Beans: May.", "live"),
        ("And peas in March.", "abandoned"),
        ("Only beans this year.", "live"),
        ("Only beans, then.", "live"),
    ])  # fmt: skip


def test_tools_summaries_and_what_extensions_say_keep_their_place_but_no_words(store: Store) -> None:
    """bc-074: the output of a tool is not kept."""
    import_path(store, fixture(PARENT))
    origins = {
        "a2b2c3d4": Origin.TOOL, "a3b2c3d4": Origin.TOOL, "c4d4e5f6": Origin.TOOL, "00000001": Origin.HARNESS,
        "d4e5f6a7": Origin.SUMMARY, "f0000003": Origin.SUMMARY, "f0000001": Origin.HARNESS,
        "f0000002": Origin.HARNESS, "f0000004": Origin.HARNESS,
    }  # fmt: skip
    found = nodes(store)
    assert {name: (found[name].origin, found[name].text) for name in origins} == {
        name: (origin, "") for name, origin in origins.items()
    }
    assert b"GARDEN_TOKEN" not in store.path.read_bytes()


@pytest.mark.parametrize("order", [(PARENT, CHILD), (CHILD, PARENT)])
def test_what_a_fork_copied_is_kept_once_in_whatever_order_the_files_come(
    store: Store, order: tuple[str, str]
) -> None:
    """bc-001: three turns of a person, the two shared ones once, with the time at which they were said.

    The copying program dropped the label below which the last one hung, and wrote another one.
    """
    reports = [import_path(store, fixture(session)) for session in order]
    assert (reports[1].copies, reports[1].gaps) == (7, 0)
    everything = [node for session in order for node in nodes(store, session).values()]
    said = {source_of(node): node for node in everything if node.origin is Origin.HUMAN}
    assert sorted(node.text for node in said.values()) == [
        "And peas in March.", "Only beans this year.", "Rather leeks.", "Sow beans in May.\n[image]",
    ]  # fmt: skip
    assert {node.at[:10] for node in said.values()} == {"2026-04-01", "2026-04-02"}
    assert ("And peas in March.", "live") in talk(store, CHILD)
    assert nodes(store, CHILD)["91000001"].parent == "c3d4e5f6"


def test_a_fork_without_its_parent_is_whole_and_names_where_it_came_from(store: Store) -> None:
    import_path(store, fixture(CHILD))
    (link,) = links_from(store, held(store, CHILD))
    assert (link.kind, link.other) == ("forked_from", PARENT)
    assert [text for text, _ in talk(store, CHILD)][-1] == "Rather leeks."
    import_path(store, fixture(PARENT))
    assert [name for name, _ in links_to(store, held(store))] == [CHILD]


def test_a_fork_that_hangs_entries_below_the_parent_of_a_label_is_the_same(
    store: Store, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in fixture(CHILD).read_text().splitlines()]
    chained = [{**row, "parentId": "b2c3d4e5"} if row["id"] == "c3d4e5f6" else row for row in rows]
    import_path(store, fixture(PARENT))
    assert import_path(store, written(tmp_path / "child.jsonl", *chained)).copies == 7


@pytest.mark.parametrize(
    ("path", "session"),
    [
        (f"/gone/--w--/2026-04-01T12-00-00-000Z_{PARENT}.jsonl", PARENT),
        (f"C:\\Users\\p\\2026-04-01T12-00-00-000Z_{PARENT}.jsonl", PARENT),
        (PARENT, PARENT),
        ("/w/notes.jsonl", ""),
        ("", ""),
    ],
)
def test_the_name_of_a_log_tells_its_session_on_any_system(path: str, session: str) -> None:
    assert session_in(path) == session


def test_equal_ids_in_two_sessions_are_two_messages(store: Store, tmp_path: Path) -> None:
    import_path(store, written(tmp_path / "one", HEADER, entry("aaaa0000", None, text="yes")))
    other = {**HEADER, "id": CHILD}
    report = import_path(store, written(tmp_path / "two", other, entry("aaaa0000", None, text="no")))
    assert (report.turns_new, report.copies) == (1, 0)


def test_the_head_is_where_the_last_entry_was_appended(store: Store, tmp_path: Path) -> None:
    rows = [HEADER, entry("a", None), entry("b", "a"), entry("c", "b"), entry("d", "a")]
    import_path(store, written(tmp_path / "log", *rows))
    assert held(store).head == "d"
    assert dict(talk(store, PARENT)) == {
        "says a": "live", "says d": "live", "says b": "abandoned", "says c": "abandoned",
    }  # fmt: skip


def test_a_label_is_no_message_but_says_where_the_conversation_goes_on(store: Store, tmp_path: Path) -> None:
    label = {"type": "label", "id": "x", "parentId": "a", "targetId": "a", "label": "here"}
    rows = [HEADER, entry("a", None), entry("b", "a"), label]
    log = written(tmp_path / "log", *rows)
    import_path(store, log)
    assert (held(store).head, list(nodes(store))) == ("a", ["a", "b"])
    written(log, *rows, entry("c", "x"))
    assert import_path(store, log).turns_known == 0
    assert nodes(store)["c"].parent == "a"


def test_a_second_beginning_is_another_root(store: Store, tmp_path: Path) -> None:
    import_path(store, written(tmp_path / "log", HEADER, entry("a", None), entry("b", None)))
    assert dict(talk(store, PARENT)) == {"says a": "abandoned", "says b": "live"}


# --- version 1 ----------------------------------------------------------------------------------


def test_entries_without_ids_get_the_same_ones_at_every_import(store: Store) -> None:
    path = FIXTURES / "version-1.jsonl"
    assert import_path(store, path).turns_new == 6
    found = list(nodes(store, OLD).values())
    assert [node.parent for node in found] == [None, *(node.id for node in found[:-1])]
    assert [node.text for node in found] == ["Prices are in cents.", "ok", "", "", "ok", "ok"]
    again = import_path(store, path, again=True)
    assert (again.turns_new, again.turns_known, again.skipped) == (0, 6, {})


def migrated(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What Pi makes of a log of version 1 when it opens it: ids at random, and a new word for a role."""
    header, *entries = rows
    names = [f"{number:08x}" for number in range(0xABC00000, 0xABC00000 + len(entries))]
    made: list[dict[str, Any]] = [{**header, "version": 3}]
    for name, parent, row in zip(names, [None, *names], entries, strict=False):
        text = json.dumps({**row, "id": name, "parentId": parent})
        made.append(json.loads(text.replace('"hookMessage"', '"custom"')))
    return made


@pytest.mark.parametrize("many", [0, 60])
def test_a_log_that_the_program_brought_to_version_3_keeps_the_ids_of_what_is_known(
    store: Store, tmp_path: Path, many: int
) -> None:
    path = tmp_path / "log"
    rows = [json.loads(line) for line in (FIXTURES / "version-1.jsonl").read_text().splitlines()]
    rows += [{**rows[-1], "timestamp": f"2025-11-20T09:01:{second:02}.000Z"} for second in range(many)]
    import_path(store, written(path, *rows))
    before = nodes(store, OLD)
    new = migrated(rows)
    assert import_path(store, written(path, *new)).turns_new == 0
    more = [*new, {**entry("d0000001", new[-1]["id"]), "timestamp": "2025-11-21T10:00:00Z"}]
    assert import_path(store, written(path, *more)).turns_new == 1
    back = {**entry("d0000002", new[2]["id"]), "timestamp": "2025-11-21T10:01:00Z"}
    report = import_path(store, written(path, *more, back))
    assert (report.turns_new, report.turns_known, report.gaps) == (1, 0, 0)
    found = nodes(store, OLD)
    assert [*found][: len(before)] == [*before]
    assert found["d0000001"].parent == [*before][-1]
    assert found["d0000002"].parent == [*before][1]
