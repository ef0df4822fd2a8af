"""The format `chatgpt`: trees of messages, one export after another, and documents with damage."""

import copy
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatgpt_chats import EXPORT, NOON, above, branches, chat, entry, held, message, nodes, one, taken
from scriptorium.conversations import taking
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Store, open_store
from scriptorium_core.names import NodeId


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


# --- the tree -----------------------------------------------------------------------------------


def test_the_id_is_that_of_the_message_and_parents_are_named_by_key(store: Store) -> None:
    taken(store, chat({"k2": entry("k1", message("m2")), "k1": entry("r", message("m1")), "r": entry(None)}))
    assert above(store) == {"m1": None, "m2": "m1"}


def test_a_root_that_is_named_otherwise_in_a_later_export_changes_nothing(store: Store) -> None:
    taken(store, chat({"5f0e": entry(None), "k1": entry("5f0e", message("m1"))}))
    report = taken(store, chat({"client-created-root": entry(None),
                                "k1": entry("client-created-root", message("m1"))}))  # fmt: skip
    assert (report.turns_known, report.skipped, above(store)) == (1, {}, {"m1": None})


def test_a_node_without_a_message_in_the_middle_keeps_its_place(store: Store) -> None:
    taken(
        store, chat({"k3": entry("k2", message("m3")), "k2": entry("k1"), "k1": entry(None, message("m1"))})
    )
    assert above(store) == {"m1": None, "k2": "m1", "m3": "k2"}
    assert set(branches(store).values()) == {"live"}


def test_a_parent_is_known_from_the_children_where_it_is_not_named(store: Store) -> None:
    taken(
        store, chat({"k2": entry(None, message("m2")), "k1": entry(None, message("m1"), children=["k2", 7])})
    )
    assert above(store) == {"m1": None, "m2": "m1"}


def test_a_missing_parent_is_a_gap_and_nothing_above_is_lost(store: Store) -> None:
    mapping = {
        "k1": entry(None, message("m1", time=NOON)),
        "k2": entry("never written", message("m2", time=NOON + 9)),
        "k3": entry("k2", message("m3", time=NOON + 10)),
    }
    report = taken(store, chat(mapping, current_node="k3"))
    assert report.gaps == 1
    assert branches(store) == {"m1": "live", "m2": "live", "m3": "live"}


def test_circles_are_cut_and_reported(store: Store) -> None:
    mapping = {
        "k1": entry("k2", message("m1")),
        "k2": entry("k1", message("m2")),
        "k3": entry("k3", message("m3")),
    }
    report = taken(store, chat(mapping, current_node="k1"))
    assert (report.turns_new, report.cut) == (3, 2)
    assert len(branches(store)) == 3


def test_a_deep_chain_is_walked_without_recursion(store: Store) -> None:
    keys = [f"k{n}" for n in range(10_000)]
    steps = list(zip([None, *keys], keys, strict=False))
    report = taken(
        store, chat({key: entry(above, message(key, time=None)) for above, key in reversed(steps)})
    )
    assert (report.turns_new, report.gaps, held(store).head) == (10_000, 0, "k9999")
    assert [node.id for node in nodes(store)] == keys


@pytest.mark.parametrize(
    ("times", "head"),
    [
        ((NOON + 1, NOON + 2), "m3"),
        ((NOON + 2, NOON + 1), "m2"),
        ((NOON + 1, NOON + 1), "m3"),
        ((None, None), "m3"),
        ((NOON + 1, None), "m2"),
    ],
)
@pytest.mark.parametrize("current", [None, 7, "nobody", "", "root"])
def test_without_a_current_node_the_newest_leaf_is_the_head(
    store: Store, times: tuple[float | None, ...], head: str, current: object
) -> None:
    mapping = {
        "root": entry(None),
        "k1": entry("root", message("m1")),
        "k2": entry("k1", message("m2", time=times[0])),
        "k3": entry("k1", message("m3", time=times[1])),
    }
    taken(store, chat(mapping, current_node=current))
    assert held(store).head == head


def test_two_nodes_with_one_message_id_stay_two(store: Store) -> None:
    mapping = {"k1": entry(None, message("m", "one")), "k2": entry("k1", message("m", "two"))}
    taken(store, chat(mapping))
    assert {node.id: node.text for node in nodes(store)} == {"m": "one", "k2": "two"}


def test_a_message_without_an_id_has_that_of_its_node(store: Store) -> None:
    taken(store, chat({"k1": entry(None, message("")), "k2": entry("k1", message("m2", id=None))}))
    assert above(store) == {"k1": None, "k2": "k1"}


def test_a_chat_without_an_id_is_named_by_its_first_message(store: Store) -> None:
    mapping = {"root": entry(None), "k1": entry("root", message("m1"))}
    first = chat(mapping, id=None, title=None, update_time=None)
    grown = {**first, "mapping": {**mapping, "k2": entry("k1", message("m2", time=NOON + 1))}}
    taken(store, first)
    report = taken(store, [grown])
    assert (report.sessions, report.turns_new) == (("chatgpt/c-m1",), 1)
    assert (held(store, "c-m1").title, held(store, "c-m1").head) == ("", "m2")


@pytest.mark.parametrize(
    "value", [None, 7, "x", [], {"title": "x"}, {"mapping": []}, {"id": "c", "mapping": None}]
)
def test_what_is_no_chat_is_counted_and_the_others_are_read(store: Store, value: object) -> None:
    report = taken(store, [value, one(message("m1"))])
    assert (report.skipped, report.turns_new) == ({"not a conversation: it has no mapping": 1}, 1)


def test_an_empty_chat_is_counted(store: Store) -> None:
    report = taken(store, [chat({}), chat({"root": entry(None)}), chat({"k": 7})])
    assert report.skipped == {"a conversation without messages": 3, "a node that is no object": 1}


# --- one export after another -------------------------------------------------------------------


def grown() -> list[dict[str, Any]]:
    """Three exports of one chat: begun, answered twice, and gone on with the first answer."""
    begun = {"root": entry(None), "k1": entry("root", message("m1", time=NOON))}
    tried = begun | {
        "k2": entry("k1", message("m2", role="assistant", time=NOON + 10)),
        "k3": entry("k1", message("m3", role="assistant", time=NOON + 20)),
    }
    went_on = tried | {"k4": entry("k2", message("m4", time=NOON + 30))}
    return [
        chat(begun, update_time=NOON + 1, current_node="k1", title="New chat"),
        chat(tried, update_time=NOON + 21, current_node="k3", title="Paint"),
        chat(went_on, update_time=NOON + 31, current_node="k4", title="Paint for the hall"),
    ]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_of_exports_does_not_matter(store: Store, order: tuple[int, ...]) -> None:
    for index in order:
        report = taken(store, [grown()[index]])
        assert report.skipped == {}
    assert above(store) == {"m1": None, "m2": "m1", "m3": "m1", "m4": "m2"}
    assert (held(store).head, held(store).title) == ("m4", "Paint for the hall")
    assert branches(store) == {"m1": "live", "m2": "live", "m3": "abandoned", "m4": "live"}


def test_a_newer_export_moves_the_head_though_no_message_is_new(store: Store) -> None:
    _, tried, _ = grown()
    taken(store, tried)
    taken(store, {**tried, "current_node": "k2", "update_time": NOON + 99})
    assert held(store).head == "m2"
    taken(store, tried)
    assert held(store).head == "m2"


def test_an_older_export_with_a_message_that_is_gone_brings_it_and_leaves_the_head(store: Store) -> None:
    begun, tried, _ = grown()
    tried["mapping"].pop("k2")
    taken(store, tried)
    begun["mapping"]["k9"] = entry("k1", message("m9", time=NOON + 1))
    taken(store, {**begun, "current_node": "k9"})
    assert "m9" in above(store)
    assert held(store).head == "m3"


def test_an_export_is_read_once_and_a_new_one_at_its_place_from_the_start(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "conversations.json"
    first, second, _ = grown()
    path.write_text(json.dumps([first]))
    assert import_path(store, path).turns_new == 1
    assert import_path(store, path).turns_known == 0
    path.write_text(json.dumps([second]))
    report = import_path(store, path)
    assert (report.turns_new, report.turns_known, report.skipped) == (2, 1, {})
    assert held(store).head == "m3"


def test_an_import_that_is_stopped_before_the_head_gives_it_the_next_time(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taking, "_BATCH", 4)
    first, _, third = grown()
    taken(store, first)
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([third]))

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_path(store, path, progress=stop)
    assert (len(nodes(store)), held(store).head) == (4, "m1")
    import_path(store, path)
    assert held(store).head == "m4"


def test_a_message_that_came_with_other_words_is_reported_and_the_first_stays(store: Store) -> None:
    taken(store, one(message("m1", "half an ans")))
    report = taken(store, one(message("m1", "half an answer")))
    assert report.skipped == {"a known id with another message": 1}
    assert [node.text for node in nodes(store)] == ["half an ans"]


# --- the document -------------------------------------------------------------------------------


@pytest.mark.parametrize("indent", [None, 1])
def test_a_chat_may_stand_alone_or_one_on_a_line(store: Store, indent: int | None) -> None:
    chats = [one(message("m1")), {**one(message("m2")), "id": "c2"}]
    assert taken(store, json.dumps(chats[0], indent=indent), None).format == "chatgpt"
    report = taken(store, "".join(json.dumps(each) + "\n" for each in chats), None)
    assert (report.format, report.turns_known, report.turns_new) == ("chatgpt", 1, 1)


def test_half_an_export_is_taken_as_far_as_it_goes(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    whole = json.dumps([one(message("m1")), {**one(message("m2")), "id": "c2"}])
    path.write_text(whole[:-40])
    report = import_path(store, path)
    assert (report.format, report.turns_new, report.torn) == ("chatgpt", 1, 1)
    path.write_text(whole)
    report = import_path(store, path)
    assert (report.turns_known, report.turns_new, report.torn) == (1, 1, 0)


@pytest.mark.parametrize("damage", ['"', "}", "{", "\\", "\x00", ",,}"])
def test_a_damaged_chat_costs_itself_alone(store: Store, damage: str) -> None:
    first, second, third = (
        json.dumps({**one(message(f"m{n}", "I like \"tea\" [a lot]")), "id": f"c{n}"}) for n in range(3)
    )  # fmt: skip
    broken = second.replace('"mapping": {', damage + '"mapping": {')
    report = taken(store, f"[{first}, {broken}, {third}]")
    assert [session.id for session in store.sessions()] == ["c0", "c2"]
    assert report.skipped["not JSON"] >= 1
    assert report.torn == 0


def test_what_stands_behind_the_list_is_reported(store: Store) -> None:
    report = taken(store, json.dumps([one(message("m1"))]) + ' [{"id": "c9"}]')
    assert (report.turns_new, report.skipped) == (1, {"more behind the end of the list": 1})


def test_the_order_of_the_mapping_does_not_matter(store: Store, tmp_path: Path) -> None:
    import_path(store, EXPORT)
    before = [(node, held(store, "conv-paint").head) for node in nodes(store, "conv-paint")]
    chats = copy.deepcopy(json.loads(EXPORT.read_text()))
    for found in chats:
        found["mapping"] = dict(reversed(found["mapping"].items()))
    with open_store(tmp_path / "other.sqlite3") as other:
        taken(other, chats)
        assert [(node, held(other, "conv-paint").head) for node in nodes(other, "conv-paint")] == before
    assert NodeId("msg-k-hall-answer") == before[0][1]
