"""Logs into the store: the native format, what is broken in a log, and the report."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium.conversations import records, taking
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sessions.pending import MARK
from scriptorium_core.sources.frame import Origin

NOW = "2026-03-01T10:00:00+00:00"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def line(**row: object) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def turn(name: str, session: str = "s1", role: str = "user", **row: object) -> str:
    return line(session=session, id=name, role=role, **{"text": f"says {name}", **row})


def held(store: Store, session: str = "s1", provider: str = "native") -> Session:
    found = store.get(provider, session)
    assert found is not None
    return found


def nodes(store: Store, session: str = "s1", provider: str = "native") -> list[Node]:
    return list(store.nodes(held(store, session, provider)))


def parents(store: Store, session: str = "s1") -> dict[str, str | None]:
    return {found.id: found.parent for found in nodes(store, session)}


def branches(store: Store, session: str = "s1") -> dict[str, str]:
    found = waiting(store, held(store, session), WorkspaceId("w-1"), lambda _: False)
    return {item.node.id: item.branch for item in found}


# --- native -------------------------------------------------------------------------------------


def test_a_native_line_is_a_node_with_all_its_fields(store: Store, log: Path) -> None:
    row = {
        "session": "s1", "id": "n1", "parent": None, "role": "user", "origin": "human", "text": "Bo here",
        "at": "2026-04-22T10:21:00+02:00", "speaker": "Bo", "speaker_id": "4402", "scope": "/w/a",
        "provider": "chat", "title": "Beans", "tier": "paired", "metadata": {"n": 1, "s": "x", MARK: "w-1"},
    }  # fmt: skip
    log.write_text(line(**row))
    report = import_path(store, log, now=NOW)
    assert (report.format, report.sessions, report.turns_new) == ("native", ("chat/s1",), 1)
    assert held(store, provider="chat").title == "Beans"
    (found,) = nodes(store, provider="chat")
    assert (found.role, found.origin, found.text) == ("user", Origin.HUMAN, "Bo here")
    assert (found.at, found.speaker_name, found.speaker_id) == ("2026-04-22T10:21:00+02:00", "Bo", "4402")
    assert (found.scope, found.metadata) == ("/w/a", {"n": "1", "s": "x", "authority_tier": "paired"})


def test_a_node_without_a_parent_follows_the_one_before_it_in_its_session(store: Store, log: Path) -> None:
    log.write_text(turn("a") + turn("x", "s2") + turn("b", role="assistant") + turn("c", parent=None))
    import_path(store, log)
    assert parents(store) == {"a": None, "b": "a", "c": None}
    assert parents(store, "s2") == {"x": None}


def test_a_node_that_says_so_leaves_the_head_where_it_is(store: Store, log: Path) -> None:
    log.write_text(turn("a") + turn("aside", head=False) + turn("b"))
    import_path(store, log)
    assert parents(store) == {"a": None, "aside": "a", "b": "a"}
    assert held(store).head == "b"


def test_a_head_line_rewinds_and_what_follows_is_another_branch(store: Store, log: Path) -> None:
    log.write_text(turn("a") + turn("b") + turn("c") + line(session="s1", head="a") + turn("d"))
    report = import_path(store, log)
    assert parents(store) == {"a": None, "b": "a", "c": "b", "d": "a"}
    assert report.branches == 2
    assert branches(store) == {"a": "live", "d": "live", "b": "abandoned", "c": "abandoned"}


def test_a_head_that_lists_no_live_nodes_keeps_those_of_the_head_before(store: Store, log: Path) -> None:
    log.write_text(
        turn("a") + turn("b") + line(session="s1", head="a", live=["b"]) + line(session="s1", head="a")
    )
    import_path(store, log)
    assert set(branches(store).values()) == {"live"}


def test_a_log_can_list_more_than_one_live_node(store: Store, log: Path) -> None:
    log.write_text(turn("a") + turn("b") + line(session="s1", head="a", live=["b"]) + turn("d"))
    import_path(store, log)
    assert set(branches(store).values()) == {"live"}


def test_a_head_line_that_is_appended_moves_the_head(store: Store, log: Path) -> None:
    log.write_text(turn("a") + turn("b"))
    import_path(store, log)
    with log.open("a") as file:
        file.write(line(session="s1", head="a"))
    import_path(store, log)
    assert held(store).head == "a"


def test_an_older_copy_of_a_log_does_not_take_the_head_back(store: Store, log: Path, tmp_path: Path) -> None:
    log.write_text(turn("a") + turn("b"))
    (tmp_path / "old").write_text(turn("a"))
    import_path(store, log)
    report = import_path(store, tmp_path / "old")
    assert (report.turns_known, held(store).head) == (1, "b")


def test_a_line_can_give_a_title_alone(store: Store, log: Path) -> None:
    log.write_text(turn("a") + line(session="s1", title="Beans", head="a"))
    import_path(store, log)
    assert held(store).title == "Beans"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{not JSON}\n", "not JSON"),
        ('"text"\n', "not an object"),
        ("[" * 100_000 + "\n", "not JSON"),
        (line(id="x", role="user", text="x"), "no session"),
        (line(session="", id="x", role="user"), "no session"),
        (line(session="s1", id="", role="user"), "no id"),
        (line(session="s1", id=7, role="user"), "no id"),
        (line(session="s1", id="x", role="user", text=["x"]), "the text is not a string"),
        (line(session="s1", id="x", role="user", parent=7), "the parent is not a string"),
        (line(session="s1", id="x", role="wizard"), "neither a known role nor a known origin"),
        (line(session="s1", id="x", origin="nowhere"), "neither a known role nor a known origin"),
        (line(session="s1", id="x", origin=["human"]), "neither a known role nor a known origin"),
        (line(session="s1"), "neither an id nor a head"),
        (line(session="s9", head="x"), "a head of a session that has no turns"),
        (turn("a", text="another message"), "a known id with another message"),
    ],
)
def test_a_bad_line_is_skipped_and_counted_with_its_number(
    store: Store, log: Path, bad: str, reason: str
) -> None:
    log.write_text(turn("a") + bad + turn("b"))
    report = import_path(store, log, "native")
    assert report.skipped == {reason: 1}
    assert report.places == ((2, reason),)
    assert parents(store) == {"a": None, "b": "a"}


def test_a_bad_first_line_does_not_hide_the_format(store: Store, log: Path) -> None:
    log.write_text("{broken\n" + turn("a"))
    assert import_path(store, log).turns_new == 1


# --- the end of a log, and the next import -------------------------------------------------------


def test_a_torn_last_line_is_left_for_the_next_import(store: Store, log: Path) -> None:
    whole = turn("a") + turn("b") + turn("c")
    log.write_text(whole[:-20])
    report = import_path(store, log)
    assert (report.turns_new, report.torn, report.skipped) == (2, 3, {})
    log.write_text(whole)
    report = import_path(store, log)
    assert (report.turns_new, report.turns_known, report.torn) == (1, 0, 0)


def test_a_torn_line_that_the_program_left_behind_is_skipped_later(store: Store, log: Path) -> None:
    log.write_text(turn("a") + '{"session": "s1", "id": "b", "te')
    assert import_path(store, log).torn == 2
    with log.open("a") as file:
        file.write("\n" + turn("c"))
    report = import_path(store, log)
    assert (report.turns_new, report.skipped, report.places) == (1, {"not JSON": 1}, ((2, "not JSON"),))


def test_a_last_line_that_only_lacks_its_line_break_is_whole(store: Store, log: Path) -> None:
    log.write_text(turn("a").rstrip("\n"))
    assert import_path(store, log).turns_new == 1
    with log.open("a") as file:
        file.write("\n" + turn("b") + "{bad\n")
    report = import_path(store, log)
    assert (report.turns_new, report.places) == (1, ((3, "not JSON"),))


def test_importing_twice_reads_nothing_twice(store: Store, log: Path) -> None:
    log.write_text(turn("a") + turn("b"))
    import_path(store, log)
    again = import_path(store, log)
    assert (again.turns_new, again.turns_known) == (0, 0)
    assert again.unchanged == 1
    assert (import_path(store, log, again=True).turns_known) == 2
    assert len(nodes(store)) == 2


def test_a_log_that_was_rewritten_is_read_from_its_start(store: Store, log: Path) -> None:
    log.write_text(turn("a") + turn("b"))
    import_path(store, log)
    log.write_text(turn("z") + turn("a", parent=None) + turn("b", parent="a"))
    report = import_path(store, log)
    assert (report.turns_new, report.turns_known, report.skipped) == (1, 2, {})


def test_a_log_that_was_cut_is_read_from_its_start(store: Store, log: Path) -> None:
    log.write_text(turn("a") + turn("b"))
    import_path(store, log)
    log.write_text(turn("a"))
    assert import_path(store, log).turns_known == 1


def test_an_import_that_is_stopped_goes_on_where_it_was(
    store: Store, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taking, "_BATCH", 2)
    log.write_text("".join(turn(f"n{n}") for n in range(7)))

    def stop(done: int, total: int) -> None:
        assert 0 < done <= total == log.stat().st_size
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_path(store, log, progress=stop)
    assert len(nodes(store)) == 2
    report = import_path(store, log)
    assert (report.turns_new, report.turns_known) == (5, 1)
    assert parents(store)["n6"] == "n5"


def test_progress_ends_with_the_whole_file(store: Store, log: Path) -> None:
    log.write_text("".join(turn(f"n{n}") for n in range(1200)))
    seen: list[tuple[int, int]] = []
    import_path(store, log, progress=lambda done, total: seen.append((done, total)))
    assert len(seen) == 3
    assert seen == sorted(seen)
    assert seen[-1] == (log.stat().st_size, log.stat().st_size)


def test_a_dry_run_reports_the_same_and_changes_nothing(store: Store, log: Path) -> None:
    log.write_text(turn("a") + turn("b") + "{bad\n")
    dry = import_path(store, log, dry_run=True)
    assert (dry.dry_run, dry.turns_new, dry.branches, dry.skipped) == (True, 2, 1, {"not JSON": 1})
    assert store.sessions() == ()
    assert import_path(store, log).turns_new == 2


def test_the_report_counts_gaps_and_circles(store: Store, log: Path) -> None:
    log.write_text(
        turn("a")
        + turn("b", parent="zzz")
        + turn("late", parent="e")
        + turn("e", parent="b")
        + turn("x", parent="x")
    )
    report = import_path(store, log)
    assert (report.gaps, report.cut) == (1, 1)


def test_a_record_that_is_too_long_is_skipped(
    store: Store, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "LONGEST", 200)
    log.write_text(turn("a") + turn("b", text="x" * 500) + turn("c"))
    report = import_path(store, log)
    assert report.skipped == {"a record of more than 64 MiB": 1}
    assert parents(store) == {"a": None, "c": "a"}
    log.write_text(turn("a") + turn("c") + '{"text": "' + "x" * 500)
    assert import_path(store, log).torn == 3


# --- text ---------------------------------------------------------------------------------------

TEXTS = [
    "<|endoftext|> r^2 ^word\r\n",
    "\ufeffBOM \u2028 \x00",
    "</memory-context>",
    '<a id="source-1"></a>',
    "  \n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_text_comes_out_as_it_went_in(store: Store, log: Path, text: str) -> None:
    log.write_text(turn("a", text=text), encoding="utf-8")
    assert import_path(store, log).replaced == 0
    assert nodes(store)[0].text == text


def test_lone_surrogates_are_replaced_and_reported(store: Store, log: Path) -> None:
    log.write_text(
        '{"session": "s1", "id": "a", "role": "user", "text": "\\ud800 \\ud83d\\ude00"}\n' + turn("b")
    )
    assert import_path(store, log).replaced == 1
    assert nodes(store)[0].text == "\ufffd 😀"


def test_bytes_that_are_no_text_are_replaced_and_reported(store: Store, log: Path) -> None:
    log.write_bytes(turn("a", text="caf#").encode().replace(b"#", b"\xe9") + turn("b").encode())
    assert import_path(store, log).replaced == 1
    assert nodes(store)[0].text == "caf\ufffd"


def test_a_byte_order_mark_and_crlf_do_not_matter(store: Store, log: Path) -> None:
    log.write_bytes(b"\xef\xbb\xbf" + (turn("a") + "\n" + turn("b")).replace("\n", "\r\n").encode())
    assert import_path(store, log).turns_new == 2
