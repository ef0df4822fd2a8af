"""Examples of the older archive forms, which are read and never written."""

from scriptorium_core.names import anchor
from scriptorium_core.sources import Archive, is_archive, scan

OLD = f"""# s1

<a id="{anchor("chat/s1/m1")}"></a>
<!-- source-id:chat/s1/m1 -->
[2025-10-01] user: one

two

<a id="{anchor("chat/s1/m1")}"></a>
<!-- source-id:chat/s1/m1 -->
said twice

<a id="source-0000000000000000"></a>
<!-- source-id:chat/s1/m2 -->
<a id="{anchor("chat/s2/m2")}"></a>
<!-- source-id:chat/s2/m2 -->

<a id="{anchor("chat/s1/m3")}"></a>
<!-- source-id:chat/s1/m3 -->
[2025-10-02] user: [Ada (7391)] warranty

<a id="{anchor("chat/s1/m4")}"></a>
<!-- source-id:chat/s1/m4 -->
without a time

""".encode()


def test_an_older_archive_is_read_up_to_the_next_anchor_of_its_own() -> None:
    archive = scan("sources/chat/s1.md", OLD)
    one, three, four = archive.frames
    assert (archive.complete, archive.broken_at) == (True, 0)
    assert (one.id, one.line, one.at, one.label, one.trusted) == ("chat/s1/m1", 5, "2025-10-01", "user", True)
    assert one.text.startswith("one\n\ntwo\n\n<a id=")
    assert one.text.endswith("<!-- source-id:chat/s2/m2 -->")
    assert (three.label, three.text, three.line) == ("Ada (7391)", "warranty", 20)
    assert (four.at, four.label, four.text) == ("", "unknown", "without a time")


def test_an_older_archive_ends_before_the_record_with_a_byte_that_is_no_text() -> None:
    archive = scan("sources/chat/s1.md", OLD.replace(b"warranty", b"warr\xffanty"))
    assert [found.id for found in archive.frames] == ["chat/s1/m1"]
    assert (archive.complete, archive.broken_at) == (False, 20)


def test_a_dialogue_file_is_read_by_its_anchors() -> None:
    first = b'# D1\n\n<a id="d1-1"></a>\n[2025-11-03] Ida: hi [D1:1]\n'
    data = first + b'\n<a id="d2-7"></a>\nmore\n\n<a id="d1-2"></a>\n[] Tom: yes\n'
    archive = scan("sources/D1.md", data)
    assert [(found.id, found.anchor, found.line) for found in archive.frames] == [
        ("D1:1", "d1-1", 4),
        ("D1:2", "d1-2", 10),
    ]
    assert archive.frames[0].record == '[2025-11-03] Ida: hi [D1:1]\n\n<a id="d2-7"></a>\nmore'
    assert archive.frames[1].text == "yes"
    assert scan("sources/D1.md", first).frames[0].text == "hi"


def test_an_older_archive_may_be_empty_or_of_a_name_that_no_id_has() -> None:
    assert scan("sources/D1.md", b"") == Archive("sources/D1.md")
    assert scan("sources/chat/%73.md", OLD) == Archive("sources/chat/%73.md", (), False, 1)


def test_archives_are_known_by_their_path() -> None:
    assert [
        is_archive(path) for path in ("sources/chat/_v2/s1.md", "sources/chat/s1.md", "sources/D12.md")
    ] == [True] * 3
    assert not any(
        map(
            is_archive,
            ("topics/core.md", "sources/README.md", "sources/a/b/c.md", "sources/chat/_v2/s1.jsonl"),
        )
    )
