"""The format `chatgpt`: trees of messages, what in them is talk, and one export after another."""

import copy
import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scriptorium.conversations import taking
from scriptorium.conversations.importing import Report, import_path
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium.conversations.unwritten import waiting
from scriptorium.service import Service
from scriptorium.service.found import FoundItem
from scriptorium.service.model import SourceShown
from scriptorium.settings import Settings
from scriptorium_core.names import NodeId, WorkspaceId
from scriptorium_core.recall import Kind, Query
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

EXPORT = Path(__file__).parent / "fixtures" / "chatgpt" / "conversations.json"
NOON = 1767268800.0  # 2026-01-01T12:00:00Z


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


def message(name: str, *parts: object, role: str = "user", time: float | None = NOON, **more: object) -> Any:
    content = {"content_type": "text", "parts": list(parts) or [f"says {name}"]}
    return {"id": name, "author": {"role": role}, "create_time": time, "content": content, **more}


def entry(parent: object, said: object = None, **more: object) -> dict[str, Any]:
    return {"parent": parent, "message": said, "children": [], **more}


def chat(mapping: Mapping[str, Any], name: str = "c1", **more: object) -> dict[str, Any]:
    return {"id": name, "title": "Paint", "update_time": NOON, "mapping": mapping, **more}


def one(said: object) -> dict[str, Any]:
    """A chat with one message below the root."""
    return chat({"root": entry(None), "k": entry("root", said)})


def taken(store: Store, document: object, format: str | None = "chatgpt", **more: Any) -> Report:
    """The report on a document, imported from a file of its own."""
    for number in itertools.count():
        path = store.path.with_name(f"export-{number}.json")
        if not path.exists():
            path.write_text(document if isinstance(document, str) else json.dumps(document))
            return import_path(store, path, format, **more)
    raise AssertionError


def held(store: Store, name: str = "c1") -> Session:
    found = store.get("chatgpt", name)
    assert found is not None
    return found


def nodes(store: Store, name: str = "c1") -> list[Node]:
    return list(store.nodes(held(store, name)))


def only(store: Store, said: object) -> Node:
    """The one message of a chat that holds it alone."""
    taken(store, one(said))
    (found,) = nodes(store)
    return found


def above(store: Store) -> dict[str, str | None]:
    return {node.id: node.parent for node in nodes(store)}


def branches(store: Store, name: str = "c1") -> dict[str, str]:
    found = waiting(store, held(store, name), WorkspaceId("w-1"), lambda _: False)
    return {item.node.id: item.branch for item in found}


# --- a whole export -----------------------------------------------------------------------------


def test_an_export_is_recognised_and_each_chat_becomes_a_session(store: Store) -> None:
    report = import_path(store, EXPORT)
    assert (report.format, report.sessions_new, report.turns_new, report.skipped) == ("chatgpt", 3, 17, {})
    assert (report.gaps, report.cut, report.copies) == (0, 0, 0)
    assert held(store, "conv-paint").title == "Paint"


def test_only_what_was_shown_to_the_other_is_talk(store: Store) -> None:
    import_path(store, EXPORT)
    talk = [(node.origin, node.text) for node in nodes(store, "conv-paint") if node.text]
    assert talk == [
        (
            Origin.HUMAN,
            "[image: file-service://file-abc]\nWhich white is this?\n[file: flat plan.pdf]",
        ),
        (Origin.ASSISTANT, "It is RAL 9010."),
        (Origin.HUMAN, "I want it in the kitchen."),
        (Origin.HUMAN, "I want it in the hall."),
        (Origin.ASSISTANT, "Hall it is."),
    ]
    silent = {node.id: node.origin for node in nodes(store, "conv-paint") if not node.text}
    assert silent == {
        "msg-k-sys": Origin.HARNESS,
        "msg-k-custom": Origin.HARNESS,
        "msg-k-think": Origin.ASSISTANT,
        "msg-k-call": Origin.TOOL,
        "msg-k-tool": Origin.TOOL,
        "msg-k-recap": Origin.ASSISTANT,
    }


def test_the_branch_in_use_ends_at_the_current_node(store: Store) -> None:
    import_path(store, EXPORT)
    assert held(store, "conv-paint").head == "msg-k-hall-answer"
    states = branches(store, "conv-paint")
    assert {name for name, state in states.items() if state != "live"} == {"msg-k-kitchen"}


def test_times_are_told_to_the_millisecond_and_what_is_unknown_is_never_guessed(store: Store) -> None:
    import_path(store, EXPORT)
    times = {str(node.id): node.at for node in nodes(store, "conv-paint")}
    assert times["msg-k-ask"] == "2026-01-01T00:00:00.100+00:00"
    assert times["msg-k-white"] == "2026-01-01T00:00:10.250+00:00"
    assert times["msg-k-hall-answer"] == ""


def test_two_chats_of_one_title_and_day_are_two_sessions(store: Store) -> None:
    """bc-014."""
    import_path(store, EXPORT)
    titles = {str(session.id): session.title for session in store.sessions()}
    assert titles["conv-port"] == titles["conv-tea"] == "New chat"
    assert len(nodes(store, "conv-port")) == 4
    assert len(nodes(store, "conv-tea")) == 2


def test_an_abandoned_answer_never_becomes_a_record(tmp_path: Path) -> None:
    """bc-013: `port 80` was tried first; the archive keeps it as abandoned, memory says 8080 alone."""
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.import_paths([EXPORT])
        service.write(force=True)
        records = [row.record.content for row in service.recent(100).rows]
        assert "Decision: the preview server uses port 8080." in records
        assert not [content for content in records if "port 80." in content]
        hits = service.search(Query("port 80", kinds=tuple(Kind))).hits
        assert [hit.branch for hit in hits if hit.content == "Use port 80."] == ["abandoned"]
        why = service.why("chatgpt/conv-port/0b7d1c1e-0002")
        assert isinstance(why.shown, SourceShown)
        assert why.shown.cited_by == ()
        (conversation,) = why.conversations
        assert conversation.turn.branch == "abandoned"
        (other,) = conversation.siblings
        assert (other.tip, other.leaves_at, other.branch) == ("0b7d1c1e-0004", "0b7d1c1e-0001", "live")


def test_what_an_edit_took_back_is_kept_but_never_as_current(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.import_paths([EXPORT])
        service.write(force=True)
        found: dict[str, FoundItem] = {
            hit.content: hit for hit in service.search(Query("I want it in the kitchen hall")).hits
        }
        assert found["I want it in the hall."].branch == "live"
        assert found["I want it in the kitchen."].branch == "abandoned"


def test_what_came_with_a_message_is_no_statement(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.import_paths([EXPORT])
        service.write(force=True)
        assert not [row for row in service.recent(100).rows if "[" in row.record.content]


# --- what a message holds -----------------------------------------------------------------------


def parts(*given: object) -> dict[str, Any]:
    return {"content": {"content_type": "multimodal_text", "parts": list(given)}}


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (["Look:", {"content_type": "image_asset_pointer", "asset_pointer": "file-service://a"}, "White?"],
         "Look:\n[image: file-service://a]\nWhite?"),
        ([{"content_type": "image_asset_pointer", "asset_pointer": "data:image/png;base64,AAAA"}], "[image]"),
        ([{"content_type": "audio_transcription", "text": "I moved to Porto.", "direction": "in"},
          {"content_type": "real_time_user_audio_video_asset_pointer",
           "audio_asset_pointer": {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://b"}}],
         "I moved to Porto.\n[audio: sediment://b]"),
        ([{"content_type": "video_container_asset_pointer", "asset_pointer": "sediment://c"}],
         "[video: sediment://c]"),
        ([{"odd": 1}, "still here"], "[attachment]\nstill here"),
        ([{}, {"text": 7}], "[attachment]\n[attachment]"),
        ([None, "", "still here"], "still here"),
    ],
)  # fmt: skip
def test_parts_may_be_objects_and_no_words_are_lost(store: Store, given: list[object], text: str) -> None:
    """bc-016."""
    assert only(store, message("m1", **parts(*given))).text == text


@pytest.mark.parametrize("content", ["plain words", {"text": "plain words"}, ["plain words"],
                                     {"content_type": "text", "parts": "plain words"},
                                     {"content_type": "code", "language": "sh", "text": "plain words"},
                                     {"content_type": "tether_quote", "text": "plain words"},
                                     {"content_type": "something new", "text": "plain words"}])  # fmt: skip
def test_what_a_person_sent_is_kept_in_whatever_form(store: Store, content: object) -> None:
    assert only(store, message("m1", content=content)).text == "plain words"


def test_a_file_is_named_once(store: Store) -> None:
    attachments = [{"id": "file-a", "name": "wall.jpg"}, {"id": "file-b", "name": "my\nplan.pdf"}, 7, {}]
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-a"}
    said = message("m1", **parts(picture, "Here."), metadata={"attachments": attachments})
    assert only(store, said).text == "[image: file-service://file-a]\nHere.\n[file: my plan.pdf]"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is so.\ue200cite\ue202turn0search0\ue202turn0news3\ue201", "It is so."),
        ("It is so \ue200cite\ue202turn0search0\ue201\ue200cite\ue202turn0search1\ue201.", "It is so."),
        ("Both \ue200cite\ue202turn0search0\ue201 and more", "Both and more"),
        ("One\ue200filecite\ue202turn0file0\ue201two", "Onetwo"),
        ('In \ue200entity\ue202["city","Porto","a city"]\ue201 now', "In Porto now"),
        ("In \ue200entity\ue202Porto\ue201 now", "In Porto now"),
        ("In \ue200entity\ue202[broken\ue201 now", "In [broken now"),
        ("See \ue200url\ue202the page\ue202https://example.com/a\ue201.", "See [the page](https://example.com/a)."),
        ("An open \ue200cite mark loses no words", "An open cite mark loses no words"),
        ("Others \ue203 stay \uf8ff", "Others \ue203 stay \uf8ff"),
    ],
)  # fmt: skip
def test_the_marks_of_citations_are_cut_from_an_answer_and_what_they_show_stays(
    store: Store, text: str, shown: str
) -> None:
    assert only(store, message("m1", text, role="assistant")).text == shown


def test_what_a_person_pasted_keeps_its_marks(store: Store) -> None:
    pasted = "You said: so.\ue200cite\ue202turn0search0\ue201"
    assert only(store, message("m1", pasted)).text == pasted


@pytest.mark.parametrize(
    ("more", "origin"),
    [
        ({"role": "system"}, Origin.HARNESS),
        ({"role": "tool"}, Origin.TOOL),
        ({"weight": 0}, Origin.HARNESS),
        ({"weight": 0.0, "role": "assistant"}, Origin.HARNESS),
        ({"metadata": {"is_visually_hidden_from_conversation": True}}, Origin.HARNESS),
        ({"content": {"content_type": "user_editable_context", "text": "x"}}, Origin.HARNESS),
        ({"role": "assistant", "recipient": "python"}, Origin.TOOL),
        ({"role": "assistant", "content": {"content_type": "execution_output", "text": "x"}}, Origin.TOOL),
        ({"role": "assistant", "content": {"content_type": "tether_quote", "text": "x"}}, Origin.TOOL),
        ({"role": "assistant", "content": {"content_type": "thoughts", "thoughts": []}}, Origin.ASSISTANT),
        ({"role": "assistant", "content": {"content_type": "reasoning_recap", "content": "x"}},
         Origin.ASSISTANT),
    ],
)  # fmt: skip
def test_what_is_no_talk_is_a_place_without_words(store: Store, more: Any, origin: Origin) -> None:
    report = taken(store, one(message("m1", "words", **more)))
    (found,) = nodes(store)
    assert (found.origin, found.text, report.skipped) == (origin, "", {})


@pytest.mark.parametrize(
    "more", [{"weight": 1.0}, {"weight": None}, {"weight": False}, {"recipient": None},
             {"metadata": {"is_visually_hidden_from_conversation": False}}, {"metadata": None}]
)  # fmt: skip
def test_what_is_not_hidden_is_talk(store: Store, more: Any) -> None:
    assert only(store, message("m1", "words", role="assistant", **more)).text == "words"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (message("m1", role="critic"), "an unknown role 'critic'"),
        (message("m1", author=None), "an unknown role 'NoneType'"),
        (message("m1", author={"role": ["user"]}), "an unknown role 'list'"),
        (message("m1", role="assistant", content={"content_type": "new", "text": "x"}),
         "an unknown content type 'new'"),
        (message("m1", content={"content_type": "new"}), "a content without text or parts"),
        (message("m1", content=7), "a content without text or parts"),
        (message("m1", 7, "x"), "a part of a message that is neither text nor an object"),
        ("words", "a message that is no object"),
    ],
)  # fmt: skip
def test_what_is_not_understood_keeps_its_place_and_is_counted(
    store: Store, said: object, reason: str
) -> None:
    report = taken(store, one(said))
    assert reason in report.skipped
    assert report.turns_new == 1


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
