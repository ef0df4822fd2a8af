"""Laws of importing: at once or bit by bit, once or twice, whole or broken."""

import json
import sqlite3
import tempfile
from pathlib import Path

from hypothesis import assume, given
from hypothesis import strategies as st

from scriptorium.conversations.importing import import_path
from scriptorium.conversations.packed import packing
from scriptorium.conversations.reports import Report
from scriptorium.conversations.schema import prepare
from scriptorium.conversations.store import Store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import NodeId, WorkspaceId
from scriptorium_core.problem import Code
from scriptorium_core.sessions.graph import Graph, Node, branch_states, graph_of
from scriptorium_core.sessions.pending import ends, over_branches
from scriptorium_core.sources.frame import Branch
from session_strategies import message_lists, native_lines

NOW = "2026-03-01T10:00:00+00:00"
OURS = WorkspaceId("w-1")
Contents = dict[tuple[str, str], tuple[NodeId | None, tuple[NodeId, ...], list[Node]]]


def in_memory() -> Store:
    """A store without a file, because a law is tried on hundreds of them."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    prepare(database, Path("memory"))
    return Store(Path("memory"), database)


def imported(steps: list[bytes], format: str | None, again: bool = False) -> tuple[Contents, list[Report]]:
    """What the store holds after importing each of `steps` as the content of one file, and the reports."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with in_memory() as store:
            reports: list[Report] = []
            for content in steps:
                log.write_bytes(content)
                reports.append(import_path(store, log, format, again=again, now=NOW))
            return contents(store), reports


def contents(store: Store) -> Contents:
    return {
        (session.provider, session.id): (session.head, session.live, list(store.nodes(session)))
        for session in store.sessions()
    }


def cuts(data: st.DataObject, content: bytes) -> list[bytes]:
    places = data.draw(st.lists(st.integers(0, len(content)), max_size=4))
    return [content[:place] for place in sorted(places)] + [content]


def native(lines: list[str]) -> bytes:
    return "".join(lines).encode()


class TestAppends:
    """Importing any split of a log by appends gives the same store as importing it at once."""

    @given(native_lines(), st.data())
    def test_native_logs(self, lines: list[str], data: st.DataObject) -> None:
        content = native(lines)
        at_once, _ = imported([content], "native")
        bit_by_bit, reports = imported(cuts(data, content), "native")
        assert bit_by_bit == at_once
        assert reports[-1].torn == 0

    @given(message_lists(), st.data())
    def test_messages_line_by_line(self, rows: list[dict[str, str]], data: st.DataObject) -> None:
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        at_once, _ = imported([content], "openai")
        assert imported(cuts(data, content), "openai")[0] == at_once

    @given(message_lists(), st.data())
    def test_snapshots_of_a_growing_conversation(
        self, rows: list[dict[str, str]], data: st.DataObject
    ) -> None:
        content = "".join(json.dumps(rows[: end + 1]) + "\n" for end in range(len(rows))).encode()
        at_once, _ = imported([content], "openai")
        assert imported(cuts(data, content), "openai")[0] == at_once

    @given(message_lists(), st.sampled_from((None, 1)), st.data())
    def test_a_document_that_is_written_bit_by_bit(
        self, rows: list[dict[str, str]], indent: int | None, data: st.DataObject
    ) -> None:
        content = json.dumps(rows, indent=indent).encode()
        at_once, _ = imported([content], "openai")
        assert imported(cuts(data, content), "openai")[0] == at_once


class TestTwice:
    """Importing twice adds nothing, also where the log is read from its start again."""

    @given(native_lines(), st.booleans())
    def test_native_logs(self, lines: list[str], again: bool) -> None:
        once, _ = imported([native(lines)], "native")
        twice, reports = imported([native(lines)] * 2, "native", again)
        assert twice == once
        assert reports[1].turns_new == 0

    @given(message_lists(), st.booleans())
    def test_message_lists(self, rows: list[dict[str, str]], again: bool) -> None:
        content = json.dumps({"messages": rows}).encode()
        once, _ = imported([content], "openai")
        twice, reports = imported([content] * 2, "openai", again)
        assert twice == once
        assert reports[1].turns_new == 0


class TestBroken:
    """A log may be cut, doubled, or hold any bytes: nothing raises, and what is whole is taken."""

    @given(native_lines(), st.data())
    def test_any_bytes_in_a_native_log(self, lines: list[str], data: st.DataObject) -> None:
        content = native(lines)
        place = data.draw(st.integers(0, len(content)))
        broken = (
            content[:place]
            + data.draw(st.binary(max_size=6))
            + content[data.draw(st.integers(place, len(content))) :]
        )
        found, (report,) = imported([broken], "native")
        # A file in which not one record is whole is refused as being in no known format; any other is read.
        assert [problem.code for problem in report.problems] in ([], [Code.INVALID_ARGUMENT])
        assert not (report.problems and found)

    @given(message_lists(), st.sampled_from(("openai", "locomo", "native", None)), st.data())
    def test_any_bytes_in_a_document(
        self, rows: list[dict[str, str]], format: str | None, data: st.DataObject
    ) -> None:
        content = json.dumps(rows).encode()
        place = data.draw(st.integers(0, len(content)))
        broken = content[:place] + data.draw(st.binary(max_size=6)) + content[place + 1 :]
        imported([broken, content], format)

    @given(native_lines(), st.binary(max_size=20))
    def test_lines_after_broken_ones_are_taken(self, lines: list[str], junk: bytes) -> None:
        # What begins as an archive or as a compressed file is one.
        assume(not packing(native(lines) + junk))
        end = b'{"session": "last", "id": "z", "role": "user", "text": "still here"}\n'
        found, _ = imported([native(lines) + junk + b"\n" + end], "native")
        assert [node.text for node in found["native", "last"][2]] == ["still here"]


class TestStore:
    """The store answers as a graph of the same nodes does, whatever its order and its gaps."""

    @given(native_lines())
    def test_what_waits_is_the_same(self, lines: list[str]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            log.write_bytes(native(lines))
            with in_memory() as store:
                import_path(store, log, "native", now=NOW)
                for session in store.sessions():
                    graph = graph_of(store.nodes(session), session.head, session.live)
                    stored = waiting(store, session, OURS, lambda _: False)
                    assert {item.node for item in stored} == set(graph.nodes.values())
                    assert {(item.node.id, item.branch) for item in stored} == self.by_the_graph(graph)

    def by_the_graph(self, graph: Graph) -> set[tuple[NodeId, Branch]]:
        states = branch_states(graph)
        found = over_branches(graph.get, [], ends(graph, OURS), OURS, lambda _: False, states.__getitem__)
        return {(item.node.id, item.branch) for item in found}
