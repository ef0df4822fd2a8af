"""Files of an earlier state without what was forgotten since."""

import pytest

from memory_example import KEYS, MIRA, S1, S2, memory
from scriptorium_core.facts import facts_of
from scriptorium_core.forgetting import targets_of
from scriptorium_core.knowledge.withholding import shown
from scriptorium_core.sources.archive import scan
from scriptorium_core.tree import tree_of

PATH, ARCHIVE = "topics/keys.md", "sources/chat/_v2/s1.md"
DIALOGUE = """# D1

<a id="d1-1"></a>
[2025-11-03] Tom: Hello! [D1:1]

<a id="d1-2"></a>
[2025-11-03] Ann: My secret.
It has two lines. [D1:2]

<a id="d1-3"></a>
[2025-11-03] Tom: Bye! [D1:3]
"""


def _text(path: str, text: str, *forgotten: str) -> str | None:
    data = shown(path, text.encode(), targets_of(forgotten))
    return None if data is None else data.decode()


def test_without_anything_forgotten_the_bytes_are_the_same() -> None:
    broken = b"\xff not a topic"
    assert shown(PATH, broken, targets_of([])) == broken
    assert _text(PATH, KEYS, "other") == KEYS
    assert _text("timeline/2026.md", KEYS, "key1") == KEYS


def test_a_forgotten_record_goes_with_its_definition() -> None:
    left = _text(PATH, KEYS, "key1")
    assert left is not None
    assert "Mara has" not in left
    assert "e-aaaaaaaaaa" not in left
    assert "The spare hangs by the door, see Mara." in left


def test_a_merged_record_goes_by_any_of_its_ids() -> None:
    left = _text(PATH, KEYS, "old2")
    assert left is not None
    assert "Spare" not in left
    assert "spare" not in left


def test_a_topic_of_forgotten_records_alone_is_not_shown() -> None:
    assert _text(PATH, KEYS, "key1", "key2") is None
    assert _text(PATH, KEYS, S1, S2) is None


def test_a_record_that_rests_on_a_forgotten_message_alone_goes() -> None:
    left = _text(PATH, KEYS, S2)
    assert left is not None
    assert "spare" not in left
    assert "Mara has the key." in left


def test_a_link_to_a_forgotten_record_becomes_plain_text() -> None:
    left = _text("topics/people/mira.md", MIRA, "key1")
    assert left is not None
    assert "Mira asked about the key." in left


def test_a_broken_topic_that_names_what_was_forgotten_is_not_shown() -> None:
    broken = f"{KEYS}\nA line without evidence.\n"
    assert _text(PATH, broken, "key1") is None
    assert _text(PATH, broken, "other") == broken


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_forgotten_message_is_taken_out_of_its_archive(number: int) -> None:
    data = memory()[ARCHIVE]
    whole = scan(ARCHIVE, data)
    assert whole.complete
    left = shown(ARCHIVE, data, targets_of([f"chat/s1/m{number}"]))
    assert left is not None
    found = scan(ARCHIVE, left)
    assert found.complete
    wanted = [(each.id, each.record) for each in whole.frames if each.id != f"chat/s1/m{number}"]
    assert [(each.id, each.record) for each in found.frames] == wanted


def test_an_archive_of_forgotten_messages_alone_is_empty() -> None:
    data = memory()[ARCHIVE]
    gone = [each.id for each in scan(ARCHIVE, data).frames]
    left = shown(ARCHIVE, data, targets_of(gone))
    assert left is not None
    assert scan(ARCHIVE, left).frames == ()
    assert scan(ARCHIVE, left).complete


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_older_archive_is_read_without_a_forgotten_message_too(number: int) -> None:
    path = "sources/D1.md"
    left = shown(path, DIALOGUE.encode(), targets_of([f"D1:{number}"]))
    assert left is not None
    whole, found = scan(path, DIALOGUE.encode()), scan(path, left)
    wanted = [(each.id, each.text) for each in whole.frames if each.id != f"D1:{number}"]
    assert [(each.id, each.text) for each in found.frames] == wanted


def test_a_message_that_only_speaks_of_a_forgotten_one_stays() -> None:
    data = memory()[ARCHIVE].replace(b"Said 1.", b"See chat/s1/m9.")
    assert shown(ARCHIVE, data, targets_of(["chat/s1/m9"])) == data


def test_a_name_that_is_no_id_of_anything_withholds_nothing() -> None:
    for name in ("a/b", "D1:x", "", "//"):
        assert _text(PATH, KEYS, name) == KEYS


def test_of_a_damaged_archive_only_what_stands_before_the_damage_is_left() -> None:
    data = memory()[ARCHIVE] + b"<a id=rubbish with words of m1"
    left = shown(ARCHIVE, data, targets_of([S1]))
    assert left is not None
    assert b"rubbish" not in left
    assert next(each.id for each in scan(ARCHIVE, left).frames) == S2


def test_the_facts_of_what_is_shown_hold_nothing_of_it() -> None:
    files = memory()
    forgotten = targets_of(["key1", S1])
    left = {path: data for path, old in files.items() if (data := shown(path, old, forgotten)) is not None}
    facts = facts_of(tree_of(left))
    assert "key1" not in facts.records
    assert S1 not in facts.sources
    assert not any(facts.broken.values())
