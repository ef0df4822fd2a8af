"""Laws of exports: in whatever order and however often they come, and whatever is wrong in them."""

import json
import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from export_strategies import FORMATS, anything, damaged, document, growing
from scriptorium.conversations.importing import Report, import_path
from scriptorium.conversations.schema import prepare
from scriptorium.conversations.store import Store
from scriptorium_core.sessions.graph import branch_states, graph_of

NOW = "2026-03-01T10:00:00+00:00"
KEY = {"chatgpt": "mapping", "claude-ai": "chat_messages"}

formats = st.sampled_from(FORMATS)


def stored(steps: Sequence[bytes], format: str | None) -> tuple[Mapping[str, object], list[Report]]:
    """What the store says of each session after these exports, each a file of its own, and the reports."""
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(":memory:", isolation_level=None)
        prepare(database, Path("memory"))
        with Store(Path("memory"), database) as store:
            reports: list[Report] = []
            for number, content in enumerate(steps):
                path = Path(folder) / f"{number}.json"
                path.write_bytes(content)
                reports.append(import_path(store, path, format, now=NOW))
            return _contents(store), reports


def _contents(store: Store) -> Mapping[str, object]:
    """Title, head, messages and the states of their branches, for each session.

    Not compared is only the order in which the messages came, and with it what bridges a gap.
    """
    found: dict[str, object] = {}
    for session in store.sessions():
        nodes = list(store.nodes(session))
        states = branch_states(graph_of(nodes, session.head, session.live))
        kept = {node.id: evolve(node, after=None) for node in nodes}
        found[session.id] = (session.title, session.head, kept, dict(states))
    return found


class TestOrder:
    """Exports of an account that grows give one store, in whatever order and however often they come."""

    @given(formats, st.data())
    def test_any_order_and_repetition(self, format: str, data: st.DataObject) -> None:
        exports = data.draw(growing(format))
        files = [document(export) for export in exports]
        in_order, reports = stored(files, format)
        assert not any(report.skipped for report in reports)
        some = data.draw(st.lists(st.sampled_from(files), max_size=3))
        shuffled = data.draw(st.permutations([*files, *some]))
        assert stored(shuffled, format)[0] == in_order

    @given(formats, st.data())
    def test_the_last_export_says_all_that_the_others_do(self, format: str, data: st.DataObject) -> None:
        files = [document(export) for export in data.draw(growing(format))]
        assert stored(files, format)[0] == stored(files[-1:], format)[0]

    @given(formats, st.data())
    def test_the_order_of_the_document(self, format: str, data: st.DataObject) -> None:
        (*_, export) = data.draw(growing(format))
        in_order, _ = stored([document(export)], format)
        for chat in export:
            listed = chat[KEY[format]]
            mixed = data.draw(st.permutations(list(listed.items()) if isinstance(listed, dict) else listed))
            chat[KEY[format]] = dict(mixed) if isinstance(listed, dict) else mixed
        current = all(chat.get("current_node") for chat in export) or format == "claude-ai"
        shuffled, _ = stored([document(data.draw(st.permutations(export)))], format)
        # Only where times do not tell which leaf is the newest, the document's order does.
        assert shuffled == in_order if current else shuffled.keys() == in_order.keys()


class TestBroken:
    """An export may hold anything, be cut or damaged: nothing raises, and what is left out is counted."""

    @given(formats, st.data())
    def test_anything_in_the_place_of_anything(self, format: str, data: st.DataObject) -> None:
        export = data.draw(growing(format))[-1]
        wrong = data.draw(damaged(export))
        found, (report,) = stored([document(wrong)], format)
        if isinstance(wrong, list):
            self._accounted(wrong, found, report)
        stored([document(wrong), document(export)], format)

    def _accounted(self, chats: list[Any], found: Mapping[str, object], report: Report) -> None:
        """Each chat and each message is in the store, or counted."""
        counted = sum(report.skipped.values())
        assert len(found) == len(report.sessions)
        assert len(chats) <= self._sessions(chats, report) + counted
        messages = [each for chat in chats for each in self._messages(chat)]
        assert len(messages) <= report.turns_new + report.turns_known + counted

    def _sessions(self, chats: list[Any], report: Report) -> int:
        """How many chats became sessions; chats of one name become one."""
        names = [chat.get("id", chat.get("uuid")) for chat in chats if isinstance(chat, dict)]
        return len(report.sessions) + len(names) - len({json.dumps(name) for name in names})

    def _messages(self, chat: Any) -> list[Any]:
        """The messages of a chat, without roots that have none, and without those that come twice."""
        if not isinstance(chat, dict):
            return []
        match chat.get("mapping"), chat.get("chat_messages"):
            case dict(mapping), _:
                return [
                    each for each in mapping.values() if not isinstance(each, dict) or each.get("message")
                ]
            case _, list(listed):
                return list({json.dumps(each): each for each in listed}.values())
            case _:
                return []

    @given(st.lists(anything(), max_size=4), st.sampled_from((*FORMATS, None)))
    def test_what_is_no_export_at_all(self, values: list[Any], format: str | None) -> None:
        _, (report,) = stored([document(values)], format)
        assert values == [] or report.problems or report.skipped or report.sessions

    @given(formats, st.sampled_from((None, 1)), st.data())
    def test_a_file_that_is_cut_anywhere_and_whole_the_next_time(
        self, format: str, indent: int | None, data: st.DataObject
    ) -> None:
        whole = document(data.draw(growing(format))[-1], indent)
        cut = whole[: data.draw(st.integers(0, len(whole)))]
        once, _ = stored([whole], format)
        _, (first, *_) = stored([cut], format)
        assert cut == whole or first.torn or first.problems or first.empty
        assert stored([cut, whole], format)[0] == once

    @given(formats, st.data())
    def test_damage_in_one_chat_costs_no_other(self, format: str, data: st.DataObject) -> None:
        exports = [data.draw(growing(format))[-1][0] for _ in range(3)]
        name = "id" if format == "chatgpt" else "uuid"
        first, middle, last = (json.dumps(chat | {name: f"chat {n}"}) for n, chat in enumerate(exports))
        place = data.draw(st.integers(0, len(middle) - 1))
        broken = middle[:place] + data.draw(st.sampled_from('{}[]",:\\x')) + middle[place + 1 :]
        found, (report,) = stored([f"[{first}, {broken}, {last}]".encode()], format)
        assert "chat 0" in found
        assert "chat 2" in found or report.torn
        assert len(found) == 3 or report.skipped or report.torn or broken == middle

    @given(formats, st.binary(max_size=6), st.data())
    def test_any_bytes_anywhere(self, format: str, junk: bytes, data: st.DataObject) -> None:
        whole = document(data.draw(growing(format))[-1])
        place = data.draw(st.integers(0, len(whole)))
        rest = data.draw(st.integers(place, len(whole)))
        stored([whole[:place] + junk + whole[rest:], whole], format)
