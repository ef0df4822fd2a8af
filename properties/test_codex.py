"""Laws of reading rollouts of Codex: bit by bit or at once, forked, written again, or broken."""

import json
import sqlite3
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from codex_examples import CHILD, ROOT, Row, answer, asked, back, header, record, reply, rollout, shown
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.reports import Report
from scriptorium.conversations.schema import prepare
from scriptorium.conversations.store import Store
from scriptorium_core.names import NodeId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

NOW = "2026-06-03T10:00:00+00:00"
Contents = dict[str, tuple[NodeId | None, list[Node]]]

_TEXTS = st.sampled_from(("hi", "yes", "Use pnpm.", "你好", "a\r\nb", "\u2028", "<b>x</b>"))
_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)
_NOISE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("response_item", {"type": "function_call_output", "call_id": "c", "output": "{}\n"}),
    ("response_item", {"type": "reasoning", "summary": []}),
    ("event_msg", {"type": "token_count", "info": None}),
    ("compacted", {"message": "A summary.", "replacement_history": []}),
    ("turn_context", {"cwd": "/w/other", "model": "m"}),
)


def _at(second: int) -> str:
    return f"2026-06-01T{10 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000Z"


@st.composite
def talks(draw: st.DrawFn, start: int = 10) -> list[Row]:
    """What follows a header: turns in one form or in both, rewinds, and records that are no talk."""
    rows: list[Row] = []
    forms = draw(st.sampled_from(("item", "event", "item first", "event first")))
    for number in range(draw(st.integers(0, 8))):
        at = _at(start + 10 * number)
        what = draw(st.sampled_from(("user", "user", "assistant", "back", "noise")))
        if what == "back":
            rows.append(back(at, draw(st.integers(1, 3))))
        elif what == "noise":
            kind, payload = draw(st.sampled_from(_NOISE))
            rows.append(record(at, kind, **payload))
        else:
            text = draw(_TEXTS)
            item, event = (asked, shown) if what == "user" else (reply, answer)
            pair = [item(at, text), event(at, text)]
            rows += {"item": pair[:1], "event": pair[1:], "item first": pair}.get(forms, pair[::-1])
    return rows


@st.composite
def rollouts(draw: st.DrawFn) -> list[Row]:
    """A file of a thread, whose beginning may stand in it several times, as it was or stamped anew."""
    rows = [header(_at(0)), *draw(talks())]
    for again in range(draw(st.integers(0, 2))):
        part = rows[: draw(st.integers(1, len(rows)))]
        if draw(st.booleans()):
            part = [{**row, "timestamp": _at(5000 + 1000 * again)} for row in part]
        rows = [*rows, *part, *draw(talks(5500 + 1000 * again))]
    return rows


def imported(files: list[tuple[str, bytes]], *, again: bool = False) -> tuple[Contents, list[Report]]:
    """What a store holds after each content was imported as the file of a thread, and the reports."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    prepare(database, Path("memory"))
    with tempfile.TemporaryDirectory() as folder, Store(Path("memory"), database) as store:
        reports = []
        for name, content in files:
            path = Path(folder) / f"rollout-2026-06-01T10-00-00-{name}.jsonl"
            path.write_bytes(content)
            reports.append(import_path(store, path, "codex", again=again, now=NOW))
        held = {session.id: (session.head, list(store.nodes(session))) for session in store.sessions()}
        return {str(name): found for name, found in held.items()}, reports


def data(rows: list[Row]) -> bytes:
    return rollout(rows).encode()


class TestAppends:
    """Importing any split of a rollout by appends gives the same store as importing it at once."""

    @given(rollouts(), st.data())
    def test_a_growing_file(self, rows: list[Row], draws: st.DataObject) -> None:
        content = data(rows)
        ends = sorted(draws.draw(st.lists(st.integers(0, len(content)), max_size=5)))
        bit_by_bit, reports = imported([(ROOT, content[:end]) for end in [*ends, len(content)]])
        assert bit_by_bit == imported([(ROOT, content)])[0]
        assert reports[-1].torn == 0

    @given(rollouts(), st.booleans())
    def test_twice(self, rows: list[Row], again: bool) -> None:
        once, _ = imported([(ROOT, data(rows))])
        twice, reports = imported([(ROOT, data(rows))] * 2, again=again)
        assert twice == once
        assert reports[1].turns_new == 0


class TestForks:
    """A fork shares its parent's turns, in either order, and their times are the parent's."""

    @given(talks(), talks(9000), st.booleans(), st.data())
    def test_a_fork_in_either_order(
        self, talk: list[Row], more: list[Row], is_restamped: bool, draws: st.DataObject
    ) -> None:
        parent = [header(_at(0)), *talk]
        part = parent[: draws.draw(st.integers(1, len(parent)))]
        copied = [{**row, "timestamp": _at(8000)} for row in part] if is_restamped else part
        child = [header(_at(8000), CHILD, forked_from_id=ROOT), *copied, *more]
        files = [(ROOT, data(parent)), (CHILD, data(child))]
        first, _ = imported(files)
        second, _ = imported(files[::-1])
        assert self.told(first) == self.told(second)
        ids = {node.id for node in imported([(ROOT, data(part))])[0].get(ROOT, (None, []))[1]}
        assert ids <= {node.id for node in first.get(CHILD, (None, []))[1]}
        times = {node.id: node.at for _, nodes in second.values() for node in nodes}
        assert all(times[node] < _at(8000) for node in ids)

    def told(self, found: Contents) -> dict[str, tuple[NodeId | None, list[tuple[str | None, ...]]]]:
        return {
            name: (head, [(node.id, node.text, node.at, node.parent) for node in nodes])
            for name, (head, nodes) in found.items()
        }


class TestAgain:
    """A history that is written into its file once more, as it was, adds nothing."""

    @given(talks(), st.integers(1, 3), st.booleans())
    def test_a_whole_history(self, talk: list[Row], times: int, has_header: bool) -> None:
        rows = [header(_at(0)), *talk]
        again = rows if has_header else talk
        assert imported([(ROOT, data(rows + again * times))])[0] == imported([(ROOT, data(rows))])[0]


class TestBroken:
    """A file may be cut, doubled, shuffled, or hold any bytes: nothing raises, no person's words are lost."""

    @given(rollouts(), st.data())
    def test_any_bytes(self, rows: list[Row], draws: st.DataObject) -> None:
        content = data(rows)
        start = draws.draw(st.integers(0, len(content)))
        end = draws.draw(st.integers(start, len(content)))
        broken = content[:start] + draws.draw(st.binary(max_size=6)) + content[end:]
        imported([(ROOT, broken), (ROOT, content)])

    @given(rollouts(), st.data())
    def test_any_order_of_lines(self, rows: list[Row], draws: st.DataObject) -> None:
        lines = draws.draw(st.lists(st.sampled_from(rows), max_size=12))
        found, _ = imported([(ROOT, data(lines))])
        taken = {node.text for _, nodes in found.values() for node in nodes if node.origin is Origin.HUMAN}
        assert taken == {said for row in lines if (said := _said(row))}

    @given(rollouts(), st.lists(st.binary(min_size=1, max_size=8), max_size=4), st.data())
    def test_each_broken_line_is_counted(
        self, rows: list[Row], junk: list[bytes], draws: st.DataObject
    ) -> None:
        lines = data(rows).splitlines(keepends=True)
        broken = [b'{"' + each.replace(b"\n", b"").replace(b"\r", b"") + b"\n" for each in junk]
        for line in broken:
            lines.insert(draws.draw(st.integers(0, len(lines))), line)
        found, (report,) = imported([(ROOT, b"".join(lines))])
        assert found == imported([(ROOT, data(rows))])[0]
        assert Counter(report.skipped).total() == len(broken)


def _said(row: Row) -> str:
    """The words of a person in a row, in either form."""
    match row["payload"]:
        case {"type": "message", "role": "user", "content": [{"text": str(text)}]}:
            return text if text.strip() else ""
        case {"type": "user_message", "message": str(text)}:
            return text if text.strip() else ""
        case _:
            return ""


@st.composite
def _odd_rows(draw: st.DrawFn) -> Row:
    """A row in which one value, at any depth, is any JSON."""
    row: Any = draw(
        st.sampled_from((header(_at(0)), asked(_at(1), "hi"), shown(_at(1), "hi"), back(_at(2), 1)))
    )
    row = json.loads(json.dumps(row))
    here: Any = row
    while True:
        key = draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        if not isinstance(here[key], dict | list) or not here[key] or draw(st.booleans()):
            here[key] = draw(_ANY)
            return dict(row)
        here = here[key]


class TestOddRecords:
    """Whatever stands in place of a value, nothing raises, and what is whole around it is taken."""

    @given(st.lists(_odd_rows(), max_size=4))
    def test_any_value(self, odd: list[Row]) -> None:
        rows = [header(_at(0)), *odd, asked(_at(9000), "still here")]
        found, _ = imported([(ROOT, data(rows))])
        taken = [node.text for _, nodes in found.values() for node in nodes]
        assert taken[-1] == "still here"
