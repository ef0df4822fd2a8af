"""Laws of Claude Code's logs: read bit by bit or at once, twice or once, whole or spoilt."""

import json
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from claude_strategies import claude_logs, damaged
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.linking import links_from
from scriptorium.conversations.reports import Report
from scriptorium.conversations.schema import prepare
from scriptorium.conversations.store import Session, Store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.sessions.talk import talks
from scriptorium_core.sources.frame import Origin

NOW = "2026-05-03T10:00:00+00:00"
OURS = WorkspaceId("w-1")
Contents = dict[str, tuple[object, ...]]


def lines(rows: Sequence[dict[str, Any]]) -> list[bytes]:
    return [json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows]


def imported(steps: Sequence[bytes], again: bool = False) -> tuple[Contents, list[Report]]:
    """What the store holds after importing each of `steps` as the content of one file, and the reports."""
    with tempfile.TemporaryDirectory() as folder, in_memory() as store:
        log = Path(folder) / "S1.jsonl"
        reports: list[Report] = []
        for content in steps:
            log.write_bytes(content)
            reports.append(import_path(store, log, "claude-code", again=again, now=NOW))
        return contents(store), reports


def contents(store: Store) -> Contents:
    """The head, the title, the links, the nodes and the talk of each session."""
    return {
        session.id: (
            session.head,
            session.title,
            links_from(store, session),
            list(store.nodes(session)),
            written(store, session),
        )
        for session in store.sessions()
    }


def written(store: Store, session: Session) -> list[tuple[str, str]]:
    """The nodes that would enter memory, and the states of their branches."""
    found = waiting(store, session, OURS, lambda _: False)
    return [(item.node.id, item.branch) for item in found if item.write]


def in_memory() -> Store:
    """A store without a file, because a law is tried on hundreds of them."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    prepare(database, Path("memory"))
    return Store(Path("memory"), database)


class TestAppends:
    """Importing any split of a log by appends gives the same store as importing it at once."""

    @given(claude_logs(), st.data())
    def test_cut_at_any_byte(self, rows: list[dict[str, Any]], data: st.DataObject) -> None:
        content = b"".join(lines(rows))
        at_once, _ = imported([content])
        places = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=5)))
        bit_by_bit, reports = imported([*(content[:place] for place in places), content])
        assert bit_by_bit == at_once
        assert reports[-1].torn == 0

    @given(claude_logs(), st.booleans())
    def test_twice_is_once(self, rows: list[dict[str, Any]], again: bool) -> None:
        content = b"".join(lines(rows))
        once, _ = imported([content])
        twice, reports = imported([content, content], again)
        assert twice == once
        assert reports[1].turns_new == 0


class TestTrees:
    """Every record of the tree is a node, and only what a person and the assistant said is talk."""

    @given(claude_logs())
    def test_each_uuid_is_a_node(self, rows: list[dict[str, Any]]) -> None:
        found, (report,) = imported([b"".join(lines(rows))])
        assert {node.id for held in found.values() for node in held[3]} == {  # type: ignore[attr-defined]
            row["uuid"] for row in rows if "uuid" in row
        }
        unknown = sum(row["type"] == "hologram" for row in rows)
        assert sum(report.skipped.values()) == unknown

    @given(claude_logs())
    def test_a_head_is_never_harness_and_sub_agents_never_talk(self, rows: list[dict[str, Any]]) -> None:
        found, _ = imported([b"".join(lines(rows))])
        errors = {row["uuid"] for row in rows if row.get("isApiErrorMessage") or row["type"] == "progress"}
        for name, (head, _, _, nodes, written) in found.items():
            assert head not in errors
            assert not (written and ".agent-" in name)
            for node in nodes:  # type: ignore[attr-defined]
                assert talks(node.origin, node.text) <= (node.origin in (Origin.HUMAN, Origin.ASSISTANT))

    @given(claude_logs())
    def test_words_sent_again_below_one_message_are_written_once(self, rows: list[dict[str, Any]]) -> None:
        found, _ = imported([b"".join(lines(rows))])
        for _, _, _, nodes, written in found.values():
            ids = {name for name, _ in written}  # type: ignore[attr-defined]
            sent = [
                (node.parent, node.text)
                for node in nodes  # type: ignore[attr-defined]
                if node.id in ids and node.origin is Origin.HUMAN
            ]
            assert len(sent) == len(set(sent))


class TestBroken:
    """Whatever befell a log, nothing raises, and each whole line is in the store, known, or counted."""

    @given(claude_logs(), st.data())
    def test_whole_lines_are_taken(self, rows: list[dict[str, Any]], data: st.DataObject) -> None:
        spoilt = data.draw(damaged(lines(rows)))
        found, (report,) = imported([b"".join(spoilt)])
        there = {node.id for held in found.values() for node in held[3]}  # type: ignore[attr-defined]
        whole = [row for row in map(whole_row, b"".join(spoilt).split(b"\n")) if row is not None]
        assert {row["uuid"] for row in whole if row.get("type") and "uuid" in row} <= there
        bad = sum(bool(line.strip()) and whole_row(line) is None for line in b"".join(spoilt).split(b"\n"))
        assert report.skipped.get("not JSON", 0) + report.skipped.get("not an object", 0) == bad - bool(
            report.torn
        )

    @given(claude_logs(), st.data())
    def test_any_bytes(self, rows: list[dict[str, Any]], data: st.DataObject) -> None:
        content = b"".join(lines(rows))
        place = data.draw(st.integers(0, len(content)))
        broken = content[:place] + data.draw(st.binary(max_size=6)) + content[place + 1 :]
        imported([broken, content])

    @given(st.lists(st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=4,
    ), min_size=14, max_size=14))  # fmt: skip
    def test_fields_of_any_type(self, values: list[Any]) -> None:
        names = (
            "parentUuid", "logicalParentUuid", "sessionId", "timestamp", "cwd", "isSidechain", "agentId",
            "message", "forkedFrom", "origin", "attachment", "isMeta", "toolUseResult", "leafUuid",
        )  # fmt: skip
        odd = dict(zip(names, values, strict=True))
        rows = [
            {**odd, "type": kind, "uuid": kind}
            for kind in ("user", "assistant", "system", "attachment", "summary", "custom-title")
        ]
        found, _ = imported([b"".join(lines(rows))])
        ids = {node.id for held in found.values() for node in held[3]}  # type: ignore[attr-defined]
        assert ids >= {"user", "assistant", "system", "attachment"}


def whole_row(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
