"""The newest records, one a line, oldest first."""

import json

from scriptorium_core.names import anchor
from scriptorium_core.views.recent import recent_changes, recent_view
from viewed import change, cite, facts, said

S1, S2 = "chat/s1/m1", "chat/s1/m2"


def record(block: str, when: str = "undated", source: str = S1) -> str:
    note = f"[^e-{block}]: Time: `{when}`; Sources: {cite('l', source)}"
    return f"It is {block}.[^e-{block}] ^{block}\n\n{note}\n\n"


def rows(data: bytes | None) -> list[dict[str, object]]:
    assert data is not None
    return [json.loads(line) for line in data.decode().removesuffix("\n").split("\n")]


def test_a_row_has_the_keys_in_order_and_text_as_it_is() -> None:
    text = (
        "# 房屋\n\n## Keys\n\nOne “a”.[^e-1] Two.[^e-2] ^old ^aa\n\n"
        f"[^e-1]: Time: `undated`; Sources: {cite('l', S1)}, {cite('m', S2)}\n"
        f"[^e-2]: Time: `2026-04`; Sources: {cite('again', S1)}\n"
    )
    data = recent_view(change(facts({"topics/a.md": text}, said(S1), ["bb", "aa"])), 50)
    place = cite("", S2, "")[3:-1]
    refs = f'["{S1}", "{place}"]'
    assert data is not None
    assert data.decode() == (
        '{"memory_id": "aa", "when": "2026-04", "whens": ["2026-04"], "content": "One “a”. Two.", '
        f'"refs": {refs}, "source_refs": {refs}, "topic_path": "topics/a.md", "headings": ["房屋", "Keys"], '
        '"created_order": 1}\n'
    )


def test_an_undated_record_has_no_when_and_a_handle_stands_as_it_is() -> None:
    text = "One.[^e-1] ^aa\n\n[^e-1]: Time: `undated`; Sources: chat/s1/m1\n"
    row = rows(recent_view(change(facts({"topics/a.md": text})), 50))[0]
    assert (row["when"], row["whens"], row["refs"]) == (None, [], ["chat/s1/m1"])


def test_only_the_last_records_by_creation_order_stand_oldest_first() -> None:
    files = {"topics/a.md": record("aa") + record("bb"), "topics/b.md": record("cc")}
    found = rows(recent_view(change(facts(files, order=["bb", "cc", "aa"])), 2))
    assert [(row["memory_id"], row["created_order"]) for row in found] == [("cc", 1), ("aa", 2)]


def test_new_records_come_last_in_the_order_of_their_creation_and_changed_ones_keep_theirs() -> None:
    files = {"topics/a.md": record("aa"), "topics/b.md": record("bb")}
    after = {"topics/a.md": record("dd") + record("aa").replace("It", "Now it") + record("cc")}
    base = facts(files, order=["aa", "bb"])
    found = rows(recent_view(change(base, {"topics/a.md": files["topics/a.md"]}, after, ["cc", "dd"]), 50))
    assert [(row["memory_id"], row["created_order"]) for row in found] == [
        ("aa", 0),
        ("bb", 1),
        ("cc", 2),
        ("dd", 3),
    ]
    assert found[0]["content"] == "Now it is aa."


def test_a_deleted_record_makes_room_for_an_older_one() -> None:
    files = {"topics/a.md": record("aa"), "topics/b.md": record("bb"), "topics/c.md": record("cc")}
    gone = change(facts(files, order=["aa", "bb", "cc"]), {"topics/c.md": files["topics/c.md"]}, {})
    assert [row["memory_id"] for row in rows(recent_view(gone, 2))] == ["aa", "bb"]


def test_a_record_whose_creation_nobody_names_is_the_oldest() -> None:
    found = rows(recent_view(change(facts({}), {}, {"topics/a.md": record("aa")}), 50))
    assert found[0]["created_order"] == -1


def test_a_memory_without_records_has_no_file() -> None:
    files = {"topics/a.md": record("aa")}
    assert recent_view(change(facts(files), files, {}), 50) is None


def test_the_file_changes_with_topics_and_with_what_a_citation_leads_to() -> None:
    files = {"topics/a.md": record("aa")}
    archived = facts({}, said(S1))
    assert recent_changes(change(facts(files), files, files))
    assert recent_changes(change(facts(files), sources=archived))
    assert not recent_changes(change(facts(files, said(S1)), sources=archived))
    assert not recent_changes(change(facts({}), sources=archived))


def test_a_message_that_is_cited_in_an_older_and_a_newer_archive_is_one_reference() -> None:
    older = "sources/chat/s1.md"
    text = f"One.[^e-1] ^aa\n\n[^e-1]: Time: `2026`; Sources: {cite('l', S1)}, [m](../{older}#{anchor(S1)})\n"
    archive = f'# s1\n\n<a id="{anchor(S1)}"></a>\n<!-- source-id:{S1} -->\n[2025-10-01] user: hello\n'
    base = facts({"topics/a.md": text}, {**said(S1), older: archive.encode()})
    assert rows(recent_view(change(base), 50))[0]["refs"] == [S1]
