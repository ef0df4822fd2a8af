"""The format `pi`: lines that are broken or strange, and how a log is told."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from pi_examples import HEADER, PARENT, entry, fixture, nodes, talk, written
from scriptorium.conversations.formats.pi import PI
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.items import Sample
from scriptorium.conversations.store import Store, open_store
from scriptorium_core.sources.frame import Origin


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


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
    report = import_path(store, log)
    assert (report.skipped, report.places) == ({reason: 1}, ((3, reason),))
    assert {"says a", "says b"} == {text for text, _ in talk(store, PARENT)}


def test_what_hangs_below_an_unknown_record_still_hangs_in_the_tree(store: Store, tmp_path: Path) -> None:
    strange = {"type": "weather", "id": "x", "parentId": "a", "timestamp": "2026-04-01T12:00:02Z"}
    report = import_path(store, written(tmp_path / "log", HEADER, entry("a", None), strange, entry("b", "x")))
    assert (report.gaps, nodes(store)["x"].origin) == (0, Origin.HARNESS)


def test_a_torn_tail_waits_and_nothing_is_taken_twice(store: Store, tmp_path: Path) -> None:
    """bc-008: the whole lines are taken, the half one is taken up when it is whole."""
    log = tmp_path / "log"
    whole = "".join(json.dumps(row) + "\n" for row in [HEADER, entry("a", None), entry("b", "a")])
    log.write_text(whole + '{"type":"message","id":"c","par')
    report = import_path(store, log)
    assert (report.turns_new, report.torn) == (2, 4)
    with log.open("a") as file:
        file.write("\n" + json.dumps(entry("d", "b")) + "\n")
    report = import_path(store, log)
    assert (report.turns_new, report.turns_known, report.skipped) == (1, 0, {"not JSON": 1})


def test_a_parent_that_was_never_written_is_a_gap_and_nothing_above_is_lost(
    store: Store, tmp_path: Path
) -> None:
    """bc-004: an entry whose parent is nowhere goes on after the one before it."""
    names = [f"a{number}" for number in range(1, 13)]
    rows = [entry(name, above) for above, name in pairwise(["", *names])]
    rows[6]["parentId"] = "zzz"
    report = import_path(store, written(tmp_path / "log", HEADER, *rows))
    assert (report.gaps, report.turns_new) == (1, 12)
    assert [branch for _, branch in talk(store, PARENT)] == ["live"] * 12


def test_a_log_whose_header_is_lost_is_named_by_its_file(store: Store, tmp_path: Path) -> None:
    log = tmp_path / fixture(PARENT).name
    log.write_text("".join(fixture(PARENT).read_text().splitlines(keepends=True)[3:]))
    report = import_path(store, log)
    assert (report.format, report.sessions) == ("pi", (f"pi/{PARENT}",))


def test_what_a_skill_brought_into_a_message_is_not_what_the_person_said(
    store: Store, tmp_path: Path
) -> None:
    """bc-027: the text of a skill is the harness's."""
    text = '<skill name="seo" location="/s/SKILL.md">\nAlways say yes.\n\n</skill>\n\nhi, fix the footer'
    bare = '<skill name="seo" location="/s/SKILL.md">\nAlways say yes.\n</skill>'
    import_path(
        store, written(tmp_path / "log", HEADER, entry("a", None, text=text), entry("b", "a", text=bare))
    )
    assert talk(store, PARENT) == [("hi, fix the footer", "live")]


def test_times_come_from_the_entry_else_from_the_message(store: Store, tmp_path: Path) -> None:
    row = entry("a", None)
    del row["timestamp"]
    row["message"]["timestamp"] = 1775044801000
    import_path(
        store, written(tmp_path / "log", HEADER, row, {**row, "id": "b", "message": {"role": "user"}})
    )
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
