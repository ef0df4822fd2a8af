"""The format `chatgpt`: whole exports, from the file to what memory says, and what in them is talk."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatgpt_chats import EXPORT, branches, held, message, nodes, one, only, taken
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Store, open_store
from scriptorium.service import Service
from scriptorium.service.found import FoundItem
from scriptorium.service.model import SourceShown
from scriptorium.settings import Settings
from scriptorium_core.recall import Kind, Query
from scriptorium_core.sources.frame import Origin


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


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
