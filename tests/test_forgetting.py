"""Erasing from single files, and what forgetting comes to, by examples."""

import json

import pytest

from memory_example import KEYS, MIRA, S1, S2, link, memory, snapshot
from scriptorium_core.changes import Caller
from scriptorium_core.forgetting import (
    Earlier,
    Scope,
    Targets,
    Words,
    cleaned,
    finished,
    retract,
    scope_of,
    words_of,
)
from scriptorium_core.names import BlockId, SourceId, TopicPath, anchor, archive_path
from scriptorium_core.problem import Code
from scriptorium_core.sources.archive import append, scan
from scriptorium_core.sources.archived import is_erased
from scriptorium_core.sources.erasing import erase
from scriptorium_core.sources.frame import Frame
from scriptorium_core.topics import parse_topic
from scriptorium_core.transaction import Prepared, Rejected, Rules, prepare

DAY = "2026-05-01"


def targets(*names: str) -> Targets:
    sources = frozenset(SourceId(name) for name in names if "/" in name or ":" in name)
    return Targets(frozenset(BlockId(name) for name in names if name not in sources), sources, DAY)


def left(path: str, text: str, *names: str) -> str | None:
    """A file after erasing, as text."""
    found = cleaned(path, text.encode(), targets(*names))
    data = finished(path, found, words_of(found.texts))
    return None if data is None else data.decode()


def forgotten(files: dict[str, bytes], *names: str, unlink: bool = True) -> Prepared | list[Code]:
    base = snapshot(files)
    scope = scope_of(base.facts, names, DAY)
    if not isinstance(scope, Scope):
        return [problem.code for problem in scope]
    edit = retract(base, scope, Caller(), unlink, "because")
    made = edit if isinstance(edit, Rejected) else prepare(base, edit, Rules(Caller(), len))
    return [problem.code for problem in made.problems] if isinstance(made, Rejected) else made


# --- Topics --------------------------------------------------------------------------------------


def test_a_record_goes_with_its_definition_and_links_to_it_become_text() -> None:
    text = left("topics/keys.md", KEYS, "key1")
    assert text is not None
    assert "Mara has the key" not in text
    assert "e-aaaaaaaaaa" not in text
    assert "see Mara.[^e-bbbbbbbbbb] ^old2 ^key2" in text


def test_a_topic_without_records_is_gone() -> None:
    assert left("topics/people/mira.md", MIRA, "mira1") is None


def test_a_claim_whose_citations_all_go_loses_its_words_and_the_others_keep_theirs() -> None:
    text = (
        f"# Keys\n\nMara has one.[^e1] Bo has two.[^e2][^e3] Ada has three.[^e2] ^key1\n\n"
        f"[^e1]: Time: `2026`; Sources: [one]({link(S1)})\n"
        f"[^e2]: Time: `2026`; Sources: [one]({link(S1)}), [two]({link(S2)})\n"
        f"[^e3]: Time: `2026`; Sources: {S1}\n"
    )
    found = left("topics/keys.md", text, S1)
    assert found is not None
    assert "Bo has two.[^e2] Ada has three.[^e2] ^key1" in found
    assert "Mara" not in found
    assert f"[^e2]: Time: `2026`; Sources: [two]({link(S2)})\n" in found
    assert "[^e1]" not in found
    assert "[^e3]" not in found


def test_the_last_claim_of_a_record_may_go() -> None:
    text = (
        f"Mara has one.[^e1] Bo has two.[^e2] ^key1\n\n[^e1]: Time: `2026`; Sources: [one]({link(S1)})\n"
        f"[^e2]: Time: `2026`; Sources: [two]({link(S2)})\n"
    )
    found = left("topics/keys.md", text, S2)
    assert found == f"Mara has one.[^e1] ^key1\n\n[^e1]: Time: `2026`; Sources: [one]({link(S1)})\n"


def test_a_unit_of_an_older_paragraph_goes_alone() -> None:
    text = (
        f"One.[^mem_a] Two.[^mem_b]\n\n[^mem_a]: Time: `2026`; Sources: [one]({link(S1)})\n"
        f"[^mem_b]: Time: `2026`; Sources: [two]({link(S2)})\n"
    )
    found = left("topics/keys.md", text, "mem_a")
    assert found == f"Two.[^mem_b]\n\n[^mem_b]: Time: `2026`; Sources: [two]({link(S2)})\n"
    outcome = forgotten(memory(keys=text), S1)
    assert isinstance(outcome, Prepared)
    assert outcome.report.deleted == ("mem_a",)


def test_an_older_citation_that_goes_is_a_forgotten_id() -> None:
    text = (
        f"One.[^mem_a][^mem_b]\n\n[^mem_a]: Time: `2026`; Sources: [one]({link(S1)})\n"
        f"[^mem_b]: Time: `2026`; Sources: [two]({link(S2)})\n"
    )
    outcome = forgotten(memory(keys=text), S1)
    assert isinstance(outcome, Prepared)
    assert ("Forgotten", f"mem_a {S1}") in outcome.trailers


def test_a_broken_definition_that_names_the_message_goes() -> None:
    text = KEYS + f"\n[^bad]: nothing of it {link(S1)}\n"
    found = left("topics/keys.md", text, S1)
    assert found is not None
    assert anchor(S1) not in found


def test_a_topic_that_names_nothing_of_it_stays_byte_for_byte() -> None:
    odd = "\ufeff# Keys\r\n\r\nfree text\r\n"
    assert left("topics/keys.md", odd, "key1", S1) == odd


# --- Archives ------------------------------------------------------------------------------------


def archive(*frames: Frame) -> bytes:
    made = append(archive_path(S1), None, frames)
    assert isinstance(made, bytes)
    return made


def test_an_erased_frame_keeps_id_anchor_and_trust_and_loses_words_and_speaker() -> None:
    path = archive_path(S1)
    data = archive(
        Frame(SourceId(S1), "user", "first\nsecond\n", "2026-04-22T10:00:00Z", "4402", "Bo"),
        Frame(SourceId(S2), "user", "stays"),
    )
    found = erase(path, data, {SourceId(S1): DAY})
    assert found.texts == ("first\nsecond\n",)
    first, second = scan(path, found.data).frames
    assert (first.id, first.anchor, is_erased(first)) == (S1, anchor(S1), True)
    assert (second.id, second.text, is_erased(second)) == (S2, "stays", False)
    assert b"Bo" not in found.data
    assert b"4402" not in found.data
    assert b"\n<!-- record-lines:1 -->\n[erased 2026-05-01] erased: \n\n" in found.data


def test_an_erased_record_has_the_form_that_the_other_program_reads() -> None:
    record = scan(
        archive_path(S1),
        erase(archive_path(S1), archive(Frame(SourceId(S1), "u", "x")), {SourceId(S1): DAY}).data,
    )
    at, _, rest = record.frames[0].record.partition("] ")
    assert at.startswith("[")
    assert rest.endswith(": ")
    assert record.frames[0].text == "[erased 2026-05-01]"


@pytest.mark.parametrize(
    ("path", "source", "text"),
    [
        ("sources/D1.md", "D1:2", '# D1\n\n<a id="d1-2"></a>\n[2025] Tom: Hello\nthere! [D1:2]\n'),
        (
            "sources/chat/s1.md",
            S1,
            f'# s1\n\n<a id="{anchor(S1)}"></a>\n<!-- source-id:{S1} -->\n[2025] user: Hello\nthere!\n',
        ),
    ],
)
def test_older_archives_are_erased_too(path: str, source: str, text: str) -> None:
    found = cleaned(path, text.encode(), targets(source))
    assert found.data is not None
    assert b"Hello" not in found.data
    (frame,) = scan(path, found.data).frames
    assert (frame.id, is_erased(frame)) == (source, True)


def test_behind_a_break_the_words_are_looked_for() -> None:
    path = archive_path(S1)
    data = archive(Frame(SourceId(S1), "user", "the words themselves")) + b"\nbroken: the words themselves\n"
    found = cleaned(path, data, targets(S1))
    assert finished(path, found, words_of(found.texts)) == (found.data or b"").replace(
        b"broken: the words themselves", b"broken: [erased]"
    )


# --- Views ---------------------------------------------------------------------------------------


def test_a_day_loses_the_rows_of_what_goes() -> None:
    path = "timeline/2026/04.md"
    up = "../../"
    place = f"{up}{archive_path(S1)}#{anchor(S1)}"
    other = f"{up}{archive_path(S2)}#{anchor(S2)}"
    rows = (
        f"Mara said. [Topic]({up}topics/keys.md#^key1) [said]({other})",
        f"Bo [Topic]({up}topics/keys.md#^key1) said. [Topic]({up}topics/keys.md#^key2) [said]({other})",
        f"Ada said. [Topic]({up}topics/keys.md#^key3) [said]({place})",
        f"Both said. [Topic]({up}topics/keys.md#^key4) [said]({place}) [said]({other})",
        "a row of another hand",
    )
    text = "\n\n".join(["# 2026-04", *rows]) + "\n"
    found = left(path, text, "key1", S1)
    assert (
        found
        == "\n\n".join(
            ["# 2026-04", rows[1].replace(f"[Topic]({up}topics/keys.md#^key1)", "Topic"), *rows[3:]]
        )
        + "\n"
    )
    assert left(path, "\n\n".join(["# 2026-04", rows[0]]) + "\n", "key1") is None


def test_the_newest_records_lose_what_goes_and_words_of_what_they_lose() -> None:
    def row(block: str, content: str, *refs: str) -> dict[str, object]:
        return {"memory_id": block, "content": content, "refs": list(refs), "source_refs": list(refs)}

    rows = [
        row("key1", "Gone by id.", S2),
        row("key2", "Gone by citation.", S1),
        row("key3", "The lost claim here. The rest.", S1, S2),
        row("key4", "See [it](topics/keys.md#^key1).", S2),
        row("key5", "Untouched: The lost claim here.", S2),
    ]
    data = "".join(json.dumps(each) + "\n" for each in rows).encode() + b"not json ^key1\n"
    found = cleaned("recent_events.jsonl", data, targets("key1", S1))
    ended = finished("recent_events.jsonl", found, words_of(["The lost claim here."]))
    assert ended is not None
    *kept, rest = ended.decode().splitlines()
    assert [json.loads(line)["memory_id"] for line in kept] == ["key3", "key4", "key5"]
    assert json.loads(kept[0])["content"] == "[erased] The rest."
    assert json.loads(kept[0])["source_refs"] == [S2]
    assert json.loads(kept[1])["content"] == "See it."
    assert rest == "not json ^key1"


def test_shards_lose_the_ids() -> None:
    view = {"backlinks": {"key1": ["key2"], "key2": ["key1"]}, "outbound": {"key2": ["key1", "key3"]}}
    found = left("relations/ab.json", json.dumps(view), "key1")
    assert json.loads(found or "") == {"backlinks": {}, "outbound": {"key2": ["key3"]}}
    assert left("relations/ab.json", '{"backlinks":{"key1":["key2"]},"outbound":{}}', "key1") is None
    assert left("relations/ab.json", "key1 is no json", "key1") == "key1 is no json"
    assert left("relations/ab.json", '["key1"]', "key1") == '["key1"]'
    odd = '{"backlinks": {"mira1": ["key1", 3, "key2"], "key2": "key1"}, "outbound": 7}'
    cleared = left("relations/ab.json", odd, "key1")
    assert json.loads(cleared or "") == {"backlinks": {"mira1": ["key2"]}, "outbound": {}}


def test_the_resident_block_keeps_its_last_line() -> None:
    record = (
        f"# Core\n\nMara.[^e1] ^key1\n\n[^e1]: Time: `2026`; Sources: [s]({archive_path(S1)}#{anchor(S1)})\n"
    )
    assert (
        left("core.md", record + "\n<!-- core: 1 of 1 records -->\n", S1) == "<!-- core: 1 of 1 records -->\n"
    )
    assert left("core.md", record, "key1") is None


@pytest.mark.parametrize("path", ["core.md", "README", "topics/broken.md"])
def test_files_without_a_form_are_searched_for_the_words(path: str) -> None:
    data = b"by hand: the words themselves, twice: the words themselves"
    words = words_of(["the words themselves"])
    ended = finished(path, cleaned(path, data, targets("key1")), words)
    assert ended == b"by hand: [erased], twice: [erased]"
    assert finished(path, cleaned(path, b"other", targets("key1")), words) == b"other"


def test_views_and_contexts_with_the_same_words_by_chance_stay() -> None:
    words = words_of(["the words themselves"])
    for path in ("timeline/2026.md", "relations/aa.json", "recent_events.jsonl", "sources/chat/_v2/s1.jsonl"):
        data = b"the words themselves"
        assert finished(path, cleaned(path, data, targets("key1")), words) == data


# --- Words ---------------------------------------------------------------------------------------


def test_passages_are_found_as_files_hold_them() -> None:
    words = words_of(['Say "naïve"\nin two long lines', "short"])
    assert words.found_in('xx Say "naïve" xx'.encode())
    assert words.found_in(json.dumps('Say "naïve"\nin two long lines').encode())
    assert (
        words.scrubbed(json.dumps({"t": 'Say "naïve"\nin two long lines'}).encode()) == b'{"t": "[erased]"}'
    )
    assert not words.found_in(b"short")
    assert not Words().found_in(b"anything")


def test_a_message_loses_the_lines_that_quote() -> None:
    words = words_of(["I prefer trains to planes, always.", "PIN 47110"])
    message = "Keep: I prefer TRAINS to planes\n\nPlain line\n\nKind: write\nReason: it said pin 47110\n"
    assert words.message(message) == "Keep: [erased]\n\nPlain line\n\nKind: write\nReason: [erased]\n"
    assert words.message("I  prefer trains to\n") == "I  prefer trains to\n"
    assert words.message("2: I prefer trains to planes") == "[erased]"
    assert words.message("I prefer xxxxxxxxxxxxxxxxxxxx") == "I prefer xxxxxxxxxxxxxxxxxxxx"


# --- Scope ---------------------------------------------------------------------------------------


def test_forgetting_goes_through_the_transaction() -> None:
    outcome = forgotten(memory(), "key2")
    assert isinstance(outcome, Prepared)
    assert {*outcome.report.deleted} == {"old2", "key2"}
    assert outcome.trailers[:2] == (("Kind", "forget"), ("Reason", "because"))
    assert forgotten(memory(), "^key1", unlink=False) == [Code.LINK_DANGLING, Code.LINK_DANGLING]
    assert forgotten(memory()) == [Code.INVALID_ARGUMENT]
    assert forgotten(memory(), "none") == [Code.MEMORY_NOT_FOUND]


def test_a_message_may_be_named_by_its_place() -> None:
    place = f"{archive_path(S1)}#{anchor(S1)}"
    scope = scope_of(snapshot(memory()).facts, [place], DAY)
    assert isinstance(scope, Scope)
    assert scope.targets == Targets(frozenset([BlockId("key1")]), frozenset([SourceId(S1)]), DAY)


def test_a_record_that_stands_no_more_is_taken_from_what_the_history_knew() -> None:
    record = parse_topic(TopicPath("topics/keys.md"), KEYS.encode())[0].records[0]
    base = snapshot({path: data for path, data in memory().items() if "keys" not in path})
    earlier = Earlier({"key1": record}, {"key1": (SourceId(S1),)})
    scope = scope_of(base.facts, ["key1"], DAY, earlier)
    assert isinstance(scope, Scope)
    assert scope.targets == Targets(frozenset([BlockId("key1")]), frozenset([SourceId(S1)]), DAY)


def test_a_broken_topic_is_mended_before_something_of_it_is_forgotten() -> None:
    assert forgotten(memory(keys=KEYS + "\nfree text\n"), "key1") == [Code.INVALID_TOPIC_FORMAT]


def test_what_was_forgotten_may_be_named_again_only_to_erase_it() -> None:
    base = snapshot(memory(), {S1: "2026-04-30", "chat/s9/m9": "2026-04-30"})
    problems = scope_of(base.facts, [S1, "chat/s9/m9"], DAY)
    assert not isinstance(problems, Scope)
    assert [problem.code for problem in problems] == [Code.FORGOTTEN] * 2
    assert isinstance(scope_of(base.facts, [S1, "chat/s9/m9"], DAY, again=True), Scope)


def test_only_a_topic_that_is_there_is_edited_and_only_by_the_owner() -> None:
    base = snapshot(memory())
    scope = scope_of(base.facts, ["key1"], DAY)
    assert isinstance(scope, Scope)
    refused = retract(base, scope, Caller(tier=None), unlink=True)
    assert isinstance(refused, Rejected)
    assert [problem.code for problem in refused.problems] == [Code.NOT_PERMITTED]
