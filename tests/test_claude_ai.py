"""The format `claude-ai`: flat lists with edits in them, pasted texts, and files that are no conversation."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scriptorium.conversations.importing import Report, import_path
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium.conversations.unwritten import waiting
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium_core.names import WorkspaceId
from scriptorium_core.recall import Kind, Query
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

FIXTURES = Path(__file__).parent / "fixtures" / "claude-ai"
EXPORT = FIXTURES / "conversations.json"
ROOT = "00000000-0000-4000-8000-000000000000"
PASTED = {"file_name": "", "file_type": "txt", "extracted_content": "  The lease:\n900 EUR.\n"}
OLD_STYLE = object()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


def message(name: str, parent: object = ROOT, minute: int = 0, sender: object = "human", **more: Any) -> Any:
    time = f"2026-03-29T07:{minute:02}:00.000001Z"
    row = {"uuid": name, "sender": sender, "text": f"says {name}", "created_at": time, "updated_at": time}
    linked = {} if parent is OLD_STYLE else {"parent_message_uuid": parent}
    return row | linked | {"attachments": [], "files": []} | more


def chat(*messages: object, name: object = "c1", **more: Any) -> dict[str, Any]:
    row = {"uuid": name, "name": "Lease", "updated_at": "2026-03-29T09:00:00Z"}
    return row | {"chat_messages": list(messages)} | more


def taken(store: Store, document: object, format: str | None = "claude-ai") -> Report:
    """The report on a document, imported from a file of its own."""
    for number in itertools.count():
        path = store.path.with_name(f"export-{number}.json")
        if not path.exists():
            path.write_text(json.dumps(document))
            return import_path(store, path, format)
    raise AssertionError


def held(store: Store, name: str = "c1") -> Session:
    found = store.get("claude-ai", name)
    assert found is not None
    return found


def nodes(store: Store, name: str = "c1") -> list[Node]:
    return list(store.nodes(held(store, name)))


def only(store: Store, **more: Any) -> Node:
    """The one message of a chat that holds it alone."""
    taken(store, chat(message("m1", **more)))
    (found,) = nodes(store)
    return found


def above(store: Store, name: str = "c1") -> dict[str, str | None]:
    return {node.id: node.parent for node in nodes(store, name)}


def branches(store: Store, name: str = "c1") -> dict[str, str]:
    found = waiting(store, held(store, name), WorkspaceId("w-1"), lambda _: False)
    return {item.node.id: item.branch for item in found}


# --- a whole export -----------------------------------------------------------------------------


def test_the_branch_of_the_newest_message_is_live_and_an_edit_abandoned(store: Store) -> None:
    """bc-017."""
    report = import_path(store, EXPORT)
    assert (report.format, report.sessions_new, report.turns_new) == ("claude-ai", 2, 8)
    assert (report.gaps, report.cut, report.copies) == (0, 0, 0)
    assert held(store, "c-budget").head == "m5b"
    states = branches(store, "c-budget")
    assert {name for name, state in states.items() if state != "live"} == {"m3"}
    assert above(store, "c-budget")["m3b"] == above(store, "c-budget")["m3"] == "m2"


def test_words_that_were_only_pasted_are_kept(store: Store) -> None:
    """bc-017."""
    import_path(store, EXPORT)
    first, *_ = nodes(store, "c-budget")
    assert (first.parent, first.origin) == (None, Origin.HUMAN)
    assert first.text == "[pasted text]\nMinutes: budget is 4k EUR"
    assert first.at == "2026-03-29T07:06:35.552627Z"


def test_thoughts_and_tools_are_places_without_words(store: Store) -> None:
    import_path(store, EXPORT)
    found = {str(node.id): (node.origin, node.text) for node in nodes(store, "c-budget")}
    assert found["m2"] == (Origin.ASSISTANT, "Got it.")
    assert found["m4b"] == (Origin.TOOL, "")
    assert found["m5b"] == (Origin.ASSISTANT, "The budget is 6k now.\n\nShall I write it down?")


def test_a_paste_is_kept_word_for_word_and_a_file_is_named(store: Store) -> None:
    report = import_path(store, EXPORT)
    first, _ = nodes(store, "c-files")
    assert first.text == (
        "Please read my lease.\n\n[file: lease.txt]\n\n[pasted text]\n"
        "From the landlord:\n\n  we meet on Friday  \n\n\n[file: kitchen.png]"
    )
    assert report.skipped == {"the content of an attached file, which nobody said": 1}


def test_an_edit_is_kept_but_never_as_current(tmp_path: Path) -> None:
    """bc-017, through to the search."""
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.import_paths([EXPORT])
        service.write(force=True)
        hits = {
            hit.content: hit.branch for hit in service.search(Query("Make it 5k", kinds=tuple(Kind))).hits
        }
        assert hits["Make it 5k"] == "abandoned"
        assert hits["Make it 6k"] == "live"
        records = [row.record.content for row in service.recent(100).rows]
        assert "Minutes: budget is 4k EUR" in records
        assert not [content for content in records if "5k" in content or content.startswith("[")]


def test_an_old_export_is_a_line_in_the_order_of_its_times(store: Store) -> None:
    import_path(store, FIXTURES / "linear.json")
    assert above(store, "c-old") == {"o1": None, "o2": "o1", "o3": "o2"}
    assert held(store, "c-old").head == "o3"
    assert set(branches(store, "c-old").values()) == {"live"}


# --- the tree -----------------------------------------------------------------------------------


def test_a_chat_that_says_its_leaf_has_its_head_there(store: Store) -> None:
    taken(store, chat(message("m1"), message("m2", "m1", 1), message("m3", "m1", 2),
                      current_leaf_message_uuid="m2"))  # fmt: skip
    assert held(store).head == "m2"


@pytest.mark.parametrize("leaf", [None, 7, "nobody"])
def test_a_leaf_that_is_not_there_is_not_followed(store: Store, leaf: object) -> None:
    taken(store, chat(message("m1"), message("m2", "m1", 1), current_leaf_message_uuid=leaf))
    assert held(store).head == "m2"


def test_the_newest_leaf_is_the_one_that_changed_last(store: Store) -> None:
    late = {"updated_at": "2026-03-29T08:05:00+01:00"}
    taken(store, chat(message("m1"), message("m2", "m1", 9, **late), message("m3", "m1", 8)))
    assert held(store).head == "m3"
    later = {"updated_at": "2026-03-29T08:30:00Z"}
    taken(store, chat(message("m1"), message("m2", "m1", 9, **later), message("m3", "m1", 8), name="c2"))
    assert held(store, "c2").head == "m2"


def test_of_leaves_without_a_time_the_last_in_the_list_is_taken(store: Store) -> None:
    no_time: dict[str, Any] = {"created_at": None, "updated_at": 7}
    taken(store, chat(*(message(f"m{n}", ROOT, **no_time) for n in range(3))))
    assert held(store).head == "m2"
    assert [node.at for node in nodes(store)] == ["", "", ""]


def test_a_parent_that_is_missing_is_a_gap_and_nothing_above_is_lost(store: Store) -> None:
    report = taken(store, chat(message("m1"), message("m2", "never written", 1), message("m3", "m2", 2)))
    assert report.gaps == 1
    assert set(branches(store).values()) == {"live"}


def test_circles_are_cut_and_reported(store: Store) -> None:
    report = taken(store, chat(message("m1", "m2"), message("m2", "m1", 1), message("m3", "m3", 2)))
    assert (report.turns_new, report.cut) == (3, 2)


def test_a_deep_chain_is_walked_without_recursion(store: Store) -> None:
    names = [f"m{n}" for n in range(10_000)]
    steps = itertools.pairwise([ROOT, *names])
    listed = [message(name, before) for before, name in steps]
    report = taken(store, chat(*reversed(listed)))
    assert (report.turns_new, report.gaps, held(store).head) == (10_000, 0, "m9999")
    assert [node.id for node in nodes(store)] == names


def test_a_message_without_a_parent_among_others_follows_the_one_before_it(store: Store) -> None:
    taken(store, chat(message("m1"), message("m2", None, 1), message("m3", "m2", 2)))
    assert above(store) == {"m1": None, "m2": "m1", "m3": "m2"}


def test_messages_without_an_id_have_one_that_does_not_change(store: Store) -> None:
    listed = [message("", OLD_STYLE, 0, text="ok"), message("", OLD_STYLE, 0, text="ok")]
    assert taken(store, chat(*listed, name="")).turns_new == 2
    again = taken(store, chat(*listed, message("", OLD_STYLE, 1, text="more"), name=None))
    assert (again.turns_known, again.turns_new, again.sessions_new) == (2, 1, 0)


def test_an_id_that_comes_twice_is_one_message(store: Store) -> None:
    report = taken(store, chat(message("m1"), message("m1"), message("m1", text="else")))
    assert (report.turns_new, report.skipped) == (1, {"a known id with another message": 1})
    assert [node.text for node in nodes(store)] == ["says m1"]


# --- what a message holds -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"text": "typed", "content": []}, "typed"),
        ({"text": "typed", "content": None}, "typed"),
        ({"text": "", "content": [{"type": "text", "text": "in a block"}]}, "in a block"),
        ({"text": "flat", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
         "one\n\ntwo"),
        ({"text": None, "content": "a plain text"}, "a plain text"),
        ({"text": "", "content": ["a plain part"]}, "a plain part"),
        ({"text": "typed", "content": [{"type": "image"}]}, "[image]"),
        ({"text": "typed", "attachments": [PASTED]}, "typed\n\n[pasted text]\n  The lease:\n900 EUR.\n"),
        ({"text": "", "attachments": [PASTED | {"file_name": "paste-2.txt"}]},
         "[pasted text]\n  The lease:\n900 EUR.\n"),
        ({"text": "", "attachments": [{"file_name": "a\nb.pdf", "extracted_content": None}, 7]},
         "[file: a b.pdf]\n\n[file]"),
        ({"text": "", "files": [{"file_name": "a.png"}], "files_v2": [{"file_name": "a.png"}, {}]},
         "[file: a.png]\n\n[file]"),
    ],
)  # fmt: skip
def test_what_a_person_sent_is_kept_in_whatever_form(store: Store, more: Any, text: str) -> None:
    assert only(store, **more).text == text


def test_the_text_of_an_answer_stands_in_for_blocks_that_are_not_there(store: Store) -> None:
    assert (
        only(store, sender="assistant", text="flat", content=[{"type": "thinking", "thinking": "x"}]).text
        == "flat"
    )


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"sender": "system"}, "an unknown sender 'system'"),
        ({"sender": None}, "an unknown sender 'NoneType'"),
        ({"content": [{"type": "new"}]}, "an unknown block type 'new'"),
        ({"content": [7]}, "an unknown block type ''"),
        ({"content": [{"type": "text", "text": 7}]}, "a text that is something else"),
        ({"content": 7}, "a text that is something else"),
        ({"text": ["x"]}, "a text that is something else"),
    ],
)  # fmt: skip
def test_what_is_not_understood_keeps_its_place_and_is_counted(store: Store, more: Any, reason: str) -> None:
    report = taken(store, chat(message("m1", **more)))
    assert (report.turns_new, report.skipped) == (1, {reason: 1})


def test_who_is_not_known_says_nothing(store: Store) -> None:
    assert (only(store, sender="system").origin, nodes(store)[0].text) == (Origin.HARNESS, "")


# --- one export after another -------------------------------------------------------------------


def grown() -> list[dict[str, Any]]:
    """Three exports of one chat: begun, edited, and gone on with what stood there first."""
    begun = [message("m1"), message("m2", "m1", 1, "assistant")]
    edited = [*begun, message("m3", ROOT, 5), message("m4", "m3", 6, "assistant")]
    went_on = [*edited, message("m5", "m2", 9)]
    return [
        chat(*listed, updated_at=f"2026-03-29T07:{minute:02}:30Z", name="c1") | {"name": title}
        for listed, minute, title in ((begun, 1, ""), (edited, 6, "Lease"), (went_on, 9, "The lease"))
    ]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_of_exports_does_not_matter(store: Store, order: tuple[int, ...]) -> None:
    for index in order:
        assert taken(store, [grown()[index]]).skipped == {}
    assert above(store) == {"m1": None, "m2": "m1", "m3": None, "m4": "m3", "m5": "m2"}
    assert (held(store).head, held(store).title) == ("m5", "The lease")
    states = branches(store)
    assert {name for name, state in states.items() if state != "live"} == {"m3", "m4"}


def test_a_newer_export_without_a_new_message_moves_the_head(store: Store) -> None:
    *_, last = grown()
    taken(store, last)
    newer = last | {"current_leaf_message_uuid": "m4", "updated_at": "2026-03-29T08:00:00Z"}
    for document, head in ((newer, "m4"), (last, "m4")):
        taken(store, document)
        assert held(store).head == head


# --- files that are no conversation -------------------------------------------------------------

PROJECT = {"uuid": "p", "name": "Flat", "prompt_template": "Be brief.", "docs": [{"content": "900 EUR"}]}


@pytest.mark.parametrize(
    ("document", "what"),
    [
        (PROJECT, "a project of Claude.ai, not a conversation"),
        ([PROJECT], "a project of Claude.ai, not a conversation"),
        ([{"uuid": "p", "docs": []}], "a project of Claude.ai, not a conversation"),
        ([{"uuid": "u", "full_name": "Jo", "email_address": "jo@example.com"}],
         "the list of an account's users, not a conversation"),
        ([{"conversations_memory": "Jo likes tea.", "account_uuid": "u"}],
         "Claude's own memory of its user, not a conversation"),
        ({"project_memories": {}}, "Claude's own memory of its user, not a conversation"),
    ],
)  # fmt: skip
def test_another_file_of_the_export_is_told_for_what_it_is(store: Store, document: object, what: str) -> None:
    report = taken(store, document, None)
    assert report.format == "claude-ai"
    assert report.skipped == {f"{what}; import conversations.json of the same export": 1}
    assert store.sessions() == ()


@pytest.mark.parametrize("value", [None, 7, "x", [], {}, {"uuid": "c", "chat_messages": {}}])
def test_what_is_no_chat_is_counted_and_the_others_are_read(store: Store, value: object) -> None:
    report = taken(store, [value, chat(message("m1"), "x")])
    reasons = {"not a conversation: it has no chat_messages": 1, "a message that is no object": 1}
    assert (report.skipped, report.turns_new) == (reasons, 1)


def test_an_empty_chat_is_counted(store: Store) -> None:
    assert taken(store, [chat()]).skipped == {"a conversation without messages": 1}


def test_half_an_export_is_recognised_and_taken_as_far_as_it_goes(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([chat(message("m1")), chat(message("m2"), name="c2")])[:-40])
    report = import_path(store, path)
    assert (report.format, report.turns_new, report.torn) == ("claude-ai", 1, 1)
    path.write_text(json.dumps([chat(message("m1"))])[:-40])
    assert (import_path(store, path).torn, len(store.sessions())) == (1, 1)
