"""Laws of packed logs and of many logs: however they come, bit by bit or at once, the store is the same."""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from hypothesis import given
from hypothesis import strategies as st

from packed_logs import gz, zipped, zst
from scriptorium.conversations.counting import count_branches
from scriptorium.conversations.importing import Wish, import_path, import_places
from scriptorium.conversations.records import Record, json_elements, json_lines
from scriptorium.conversations.store import Store
from scriptorium.layout import TalkPlace
from scriptorium_core.sessions.graph import Node
from session_strategies import native_lines
from test_imports import Contents, contents, in_memory

NOW = "2026-03-01T10:00:00+00:00"
PACKED = ("plain", "zst", "gz", "zip")
PACK: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType({"plain": bytes, "zst": zst, "gz": gz})
Layout = dict[str, str]
"""How each log is packed, by its name."""


def lay_out(folder: Path, logs: dict[str, bytes], layout: Layout) -> None:
    """Write each log as it is packed; all that are in an archive are in one."""
    for name, content in logs.items():
        if layout[name] != "zip":
            (folder / name).write_bytes(PACK[layout[name]](content))
    archived = {name: content for name, content in logs.items() if layout[name] == "zip"}
    if archived:
        zipped(folder / "archive.zip", archived)


def at_once(logs: dict[str, bytes]) -> Contents:
    with tempfile.TemporaryDirectory() as folder, in_memory() as store:
        for name, content in logs.items():
            (Path(folder) / name).write_bytes(content)
        list(import_places(store, [TalkPlace(Path(folder))], Wish("native"), now=NOW))
        return contents(store)


@st.composite
def logs_of_their_own(draw: st.DrawFn) -> dict[str, bytes]:
    """Up to three logs, in which no session stands in two."""
    return {
        f"2026-01-0{number}.log": draw(native_lines_of(number))
        for number in range(1, draw(st.integers(2, 4)))
    }


@st.composite
def native_lines_of(draw: st.DrawFn, number: int) -> bytes:
    """A log with sessions and words of its own; which copy of a message is the first is a matter of order."""
    text = "".join(draw(native_lines()))
    own = text.replace('"session": "', f'"session": "{number}-').replace('"text": "', f'"text": "{number} ')
    return own.encode()


class TestInterleaved:
    """Any interleaving of appends and imports, however packed, gives the store of one import at the end."""

    @given(logs_of_their_own(), st.data())
    def test_a_folder_of_logs_that_grow(self, logs: dict[str, bytes], data: st.DataObject) -> None:
        layout = {name: data.draw(st.sampled_from(PACKED)) for name in logs}
        with tempfile.TemporaryDirectory() as folder, in_memory() as store:
            reached = dict.fromkeys(logs, 0)
            for _ in range(data.draw(st.integers(0, 3))):
                reached = {
                    name: data.draw(st.integers(reached[name], len(content)))
                    for name, content in logs.items()
                }
                grown = {name: content[: reached[name]] for name, content in logs.items()}
                self.imported(store, Path(folder), grown, layout)
            self.imported(store, Path(folder), logs, layout)
            assert by_name(contents(store)) == by_name(at_once(logs))

    def imported(self, store: Store, folder: Path, logs: dict[str, bytes], layout: Layout) -> None:
        lay_out(folder, logs, layout)
        list(import_places(store, [TalkPlace(folder)], Wish("native"), now=NOW))

    @given(logs_of_their_own(), st.permutations([1, 2, 3]))
    def test_logs_of_their_own_in_any_order(self, logs: dict[str, bytes], order: list[int]) -> None:
        names = [name for number in order if (name := f"2026-01-0{number}.log") in logs]
        with tempfile.TemporaryDirectory() as folder:
            lay_out(Path(folder), logs, dict.fromkeys(logs, "plain"))
            in_order = by_name(self.one_by_one(Path(folder), sorted(names)))
            assert by_name(self.one_by_one(Path(folder), names)) == in_order

    def one_by_one(self, folder: Path, names: list[str]) -> Contents:
        with in_memory() as store:
            for name in names:
                import_path(store, folder / name, "native", now=NOW)
            return contents(store)


def by_name(found: Contents) -> dict[tuple[str, str], tuple[object, object, list[Node]]]:
    return dict(sorted(found.items()))


class TestBroken:
    """A packed log may be cut or hold any bytes: nothing raises, and no other log is lost."""

    @given(native_lines(), st.sampled_from(["zst", "gz", "zip"]), st.data())
    def test_any_bytes_in_a_packed_log(self, lines: list[str], kind: str, data: st.DataObject) -> None:
        content = "".join(lines).encode()
        with tempfile.TemporaryDirectory() as folder, in_memory() as store:
            path = Path(folder) / "packed"
            if kind == "zip":
                zipped(path, {"log": content})
            else:
                path.write_bytes(PACK[kind](content))
            whole = path.read_bytes()
            place = data.draw(st.integers(0, len(whole)))
            path.write_bytes(
                whole[:place]
                + data.draw(st.binary(max_size=6))
                + whole[data.draw(st.integers(place, len(whole))) :]
            )
            (Path(folder) / "other").write_text(
                '{"session": "last", "id": "z", "role": "user", "text": "x"}\n'
            )
            reports = list(import_places(store, [TalkPlace(Path(folder))], Wish(), now=NOW))
            assert ("native", "last") in contents(store)
            assert all(problem.remedy for report in reports for problem in report.problems)


class TestBranches:
    """The number of branches that is counted in the store is that of the tips of the graph."""

    @given(native_lines(), st.data())
    def test_the_count_is_right_after_each_import(self, lines: list[str], data: st.DataObject) -> None:
        content = "".join(lines).encode()
        with tempfile.TemporaryDirectory() as folder, in_memory() as store:
            log = Path(folder) / "log"
            for end in (data.draw(st.integers(0, len(content))), len(content)):
                log.write_bytes(content[:end])
                import_path(store, log, "native", now=NOW)
                for session in store.sessions():
                    assert count_branches(store, session) == len(store.tips(session))


def json_values() -> st.SearchStrategy[object]:
    """Any value; numbers that are none (Infinity) too, because Python writes them."""
    leaves = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text()
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )


def rows() -> st.SearchStrategy[dict[str, object]]:
    return st.dictionaries(st.text(), json_values(), max_size=3)


class TestRecords:
    """A record is what Python makes of its line, however quickly it was read."""

    @given(st.lists(rows(), max_size=4), st.booleans())
    def test_lines(self, values: list[dict[str, object]], ascii: bool) -> None:
        lines = [json.dumps(value, ensure_ascii=ascii) for value in values]
        found = self.read("".join(line + "\n" for line in lines).encode(), json_lines)
        assert repr(found) == repr([json.loads(line) for line in lines])

    @given(st.lists(rows(), max_size=4), st.sampled_from([None, 1]))
    def test_elements(self, values: list[dict[str, object]], indent: int | None) -> None:
        text = json.dumps(values, indent=indent)
        assert repr(self.read(text.encode(), json_elements)) == repr(json.loads(text))

    def read(self, data: bytes, records: Callable[[BinaryIO], Iterator[Record]]) -> list[object]:
        with BytesIO(data) as file:
            return [record.value for record in records(file)]
