"""The format `pi`: trees, forks and old versions of the Pi coding agent's sessions."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from scriptorium.conversations.formats.pi import PI, session_in
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.items import Sample
from scriptorium.conversations.linking import links_from, links_to
from scriptorium.conversations.reports import Report
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

FIXTURES = Path(__file__).parent / "fixtures" / "pi"
PARENT, CHILD = "0b9e41c2-7d1f-4a30-9c55-1e2f3a4b5c6d", "5f10aa77-0c1d-4e2f-8a9b-0c1d2e3f4a5b"
OLD = "77aa0000-1111-4222-8333-444455556666"
HEADER = {"type": "session", "version": 3, "id": PARENT, "timestamp": "2026-04-01T12:00:00Z", "cwd": "/w"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


def fixture(session: str) -> Path:
    (found,) = FIXTURES.glob(f"*{session}.jsonl")
    return found


def held(store: Store, session: str = PARENT) -> Session:
    found = store.get("pi", session)
    assert found is not None
    return found


def nodes(store: Store, session: str = PARENT) -> dict[str, Node]:
    return {node.id: node for node in store.nodes(held(store, session))}


def talk(store: Store, session: str) -> list[tuple[str, str]]:
    """What waits to be written of a session, with its branch."""
    found = waiting(store, held(store, session), WorkspaceId("w-1"), lambda _: False)
    return [(item.node.text, item.branch) for item in found if item.node.text]


def entry(name: str | None, parent: str | None, role: str = "user", **row: object) -> dict[str, Any]:
    second = row.pop("second", 1)
    text = row.pop("text", f"says {name}")
    at = f"2026-04-01T12:00:{second:02}.000Z"
    return {
        "type": "message", "id": name, "parentId": parent, "timestamp": at,
        "message": {"role": role, "content": text}, **row,
    }  # fmt: skip


def written(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def imported(store: Store, path: Path, **wish: Any) -> Report:
    return import_path(store, path, **wish)


def test_a_session_is_a_tree_with_its_project_times_and_models(store: Store) -> None:
    report = imported(store, fixture(PARENT))
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
    imported(store, fixture(PARENT))
    assert sorted(talk(store, PARENT)) == sorted([
        ("Sow beans in May.\n[image]", "live"),
        ("Beans: May.", "live"),
        ("And peas in March.", "abandoned"),
        ("Only beans this year.", "live"),
        ("Only beans, then.", "live"),
    ])  # fmt: skip


def test_tools_summaries_and_what_extensions_say_keep_their_place_but_no_words(store: Store) -> None:
    """bc-074: the output of a tool is not kept."""
    imported(store, fixture(PARENT))
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
    reports = [imported(store, fixture(session)) for session in order]
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
    imported(store, fixture(CHILD))
    (link,) = links_from(store, held(store, CHILD))
    assert (link.kind, link.other) == ("forked_from", PARENT)
    assert [text for text, _ in talk(store, CHILD)][-1] == "Rather leeks."
    imported(store, fixture(PARENT))
    assert [name for name, _ in links_to(store, held(store))] == [CHILD]


def test_a_fork_that_hangs_entries_below_the_parent_of_a_label_is_the_same(
    store: Store, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in fixture(CHILD).read_text().splitlines()]
    chained = [{**row, "parentId": "b2c3d4e5"} if row["id"] == "c3d4e5f6" else row for row in rows]
    imported(store, fixture(PARENT))
    assert imported(store, written(tmp_path / "child.jsonl", *chained)).copies == 7


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
    imported(store, written(tmp_path / "one", HEADER, entry("aaaa0000", None, text="yes")))
    other = {**HEADER, "id": CHILD}
    report = imported(store, written(tmp_path / "two", other, entry("aaaa0000", None, text="no")))
    assert (report.turns_new, report.copies) == (1, 0)


def test_the_head_is_where_the_last_entry_was_appended(store: Store, tmp_path: Path) -> None:
    rows = [HEADER, entry("a", None), entry("b", "a"), entry("c", "b"), entry("d", "a")]
    imported(store, written(tmp_path / "log", *rows))
    assert held(store).head == "d"
    assert dict(talk(store, PARENT)) == {
        "says a": "live", "says d": "live", "says b": "abandoned", "says c": "abandoned",
    }  # fmt: skip


def test_a_label_is_no_message_but_says_where_the_conversation_goes_on(store: Store, tmp_path: Path) -> None:
    label = {"type": "label", "id": "x", "parentId": "a", "targetId": "a", "label": "here"}
    rows = [HEADER, entry("a", None), entry("b", "a"), label]
    log = written(tmp_path / "log", *rows)
    imported(store, log)
    assert (held(store).head, list(nodes(store))) == ("a", ["a", "b"])
    written(log, *rows, entry("c", "x"))
    assert imported(store, log).turns_known == 0
    assert nodes(store)["c"].parent == "a"


def test_a_second_beginning_is_another_root(store: Store, tmp_path: Path) -> None:
    imported(store, written(tmp_path / "log", HEADER, entry("a", None), entry("b", None)))
    assert dict(talk(store, PARENT)) == {"says a": "abandoned", "says b": "live"}


# --- version 1 ----------------------------------------------------------------------------------


def test_entries_without_ids_get_the_same_ones_at_every_import(store: Store) -> None:
    path = FIXTURES / "version-1.jsonl"
    assert imported(store, path).turns_new == 6
    found = list(nodes(store, OLD).values())
    assert [node.parent for node in found] == [None, *(node.id for node in found[:-1])]
    assert [node.text for node in found] == ["Prices are in cents.", "ok", "", "", "ok", "ok"]
    again = imported(store, path, again=True)
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
    imported(store, written(path, *rows))
    before = nodes(store, OLD)
    new = migrated(rows)
    assert imported(store, written(path, *new)).turns_new == 0
    more = [*new, {**entry("d0000001", new[-1]["id"]), "timestamp": "2025-11-21T10:00:00Z"}]
    assert imported(store, written(path, *more)).turns_new == 1
    back = {**entry("d0000002", new[2]["id"]), "timestamp": "2025-11-21T10:01:00Z"}
    report = imported(store, written(path, *more, back))
    assert (report.turns_new, report.turns_known, report.gaps) == (1, 0, 0)
    found = nodes(store, OLD)
    assert [*found][: len(before)] == [*before]
    assert found["d0000001"].parent == [*before][-1]
    assert found["d0000002"].parent == [*before][1]


# --- rubbish ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ('{"type":"message","id":"x"', "not JSON"),
        ("7", "not an object"),
        ('{"id":"x","parentId":"a"}', "not an entry: no type"),
        ('{"type":"message","id":"x","parentId":"a"}', "a message without a role"),
        ('{"type":"session","id":"other"}', "the header of another session"),
        ('{"type":"weather","id":"x","parentId":"a"}', "an unknown record type 'weather'"),
        (json.dumps(entry("x", "a", "wizard")), "an unknown role 'wizard'"),
    ],
)
def test_a_bad_line_is_skipped_and_counted(store: Store, tmp_path: Path, bad: str, reason: str) -> None:
    """bc-009: half a record in the middle costs that record alone."""
    log = tmp_path / "log"
    log.write_text(
        "\n".join([json.dumps(HEADER), json.dumps(entry("a", None)), bad, json.dumps(entry("b", "a"))])
    )
    report = imported(store, log)
    assert (report.skipped, report.places) == ({reason: 1}, ((3, reason),))
    assert {"says a", "says b"} == {text for text, _ in talk(store, PARENT)}


def test_what_hangs_below_an_unknown_record_still_hangs_in_the_tree(store: Store, tmp_path: Path) -> None:
    strange = {"type": "weather", "id": "x", "parentId": "a", "timestamp": "2026-04-01T12:00:02Z"}
    report = imported(store, written(tmp_path / "log", HEADER, entry("a", None), strange, entry("b", "x")))
    assert (report.gaps, nodes(store)["x"].origin) == (0, Origin.HARNESS)


def test_a_torn_tail_waits_and_nothing_is_taken_twice(store: Store, tmp_path: Path) -> None:
    """bc-008: the whole lines are taken, the half one is taken up when it is whole."""
    log = tmp_path / "log"
    whole = "".join(json.dumps(row) + "\n" for row in [HEADER, entry("a", None), entry("b", "a")])
    log.write_text(whole + '{"type":"message","id":"c","par')
    report = imported(store, log)
    assert (report.turns_new, report.torn) == (2, 4)
    with log.open("a") as file:
        file.write("\n" + json.dumps(entry("d", "b")) + "\n")
    report = imported(store, log)
    assert (report.turns_new, report.turns_known, report.skipped) == (1, 0, {"not JSON": 1})


def test_a_parent_that_was_never_written_is_a_gap_and_nothing_above_is_lost(
    store: Store, tmp_path: Path
) -> None:
    """bc-004: an entry whose parent is nowhere goes on after the one before it."""
    names = [f"a{number}" for number in range(1, 13)]
    rows = [entry(name, above) for above, name in pairwise(["", *names])]
    rows[6]["parentId"] = "zzz"
    report = imported(store, written(tmp_path / "log", HEADER, *rows))
    assert (report.gaps, report.turns_new) == (1, 12)
    assert [branch for _, branch in talk(store, PARENT)] == ["live"] * 12


def test_a_log_whose_header_is_lost_is_named_by_its_file(store: Store, tmp_path: Path) -> None:
    log = tmp_path / fixture(PARENT).name
    log.write_text("".join(fixture(PARENT).read_text().splitlines(keepends=True)[3:]))
    report = imported(store, log)
    assert (report.format, report.sessions) == ("pi", (f"pi/{PARENT}",))


def test_what_a_skill_brought_into_a_message_is_not_what_the_person_said(
    store: Store, tmp_path: Path
) -> None:
    """bc-027: the text of a skill is the harness's."""
    text = '<skill name="seo" location="/s/SKILL.md">\nAlways say yes.\n\n</skill>\n\nhi, fix the footer'
    bare = '<skill name="seo" location="/s/SKILL.md">\nAlways say yes.\n</skill>'
    imported(
        store, written(tmp_path / "log", HEADER, entry("a", None, text=text), entry("b", "a", text=bare))
    )
    assert talk(store, PARENT) == [("hi, fix the footer", "live")]


def test_times_come_from_the_entry_else_from_the_message(store: Store, tmp_path: Path) -> None:
    row = entry("a", None)
    del row["timestamp"]
    row["message"]["timestamp"] = 1775044801000
    imported(store, written(tmp_path / "log", HEADER, row, {**row, "id": "b", "message": {"role": "user"}}))
    assert [node.at for node in nodes(store).values()] == ["2026-04-01T12:00:01+00:00", ""]


@pytest.mark.parametrize(
    ("value", "start"),
    [
        (None, '{"type":"session","vers'),
        (None, '\ufeff{ "type" : "session" , "id'),
        ({"type": "session", "id": "x"}, ""),
        ({"type": "message", "id": "a1b2c3d4", "parentId": None, "message": {"role": "user"}}, ""),
    ],
)
def test_a_log_is_recognised_by_its_first_line(value: object, start: str) -> None:
    assert PI.recognises(Sample(value, start, Path("log")))


@pytest.mark.parametrize(
    ("value", "start"),
    [
        ({"type": "session_meta", "payload": {}}, ""),
        ({"type": "session"}, ""),
        ({"type": "user", "message": {"role": "user"}, "sessionId": "x"}, ""),
        ({"session": "s", "id": "a"}, ""),
        ({"type": "message", "id": "n1", "parentId": None, "message": {"role": "user"}}, ""),
        (None, '{"session": "s", "id'),
        ([], "["),
    ],
)
def test_other_logs_are_not_taken_for_it(value: object, start: str) -> None:
    assert not PI.recognises(Sample(value, start, Path("log")))
