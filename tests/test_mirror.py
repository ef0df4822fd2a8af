"""Examples of an index that does not say what the files say: each lookup is named, with its key."""

from collections.abc import Mapping
from typing import Any

import pytest

from memory_example import MIRA, S1, link, memory
from scriptorium_core.facts import Facts, chronicle, contributes, facts_of, file_facts
from scriptorium_core.knowledge.mirror import Difference, Mirror
from scriptorium_core.names import NodeId, SessionId, SourceId, TopicPath, archive_path, context_path
from scriptorium_core.sources.context import encode_context
from scriptorium_core.sources.frame import Context, Origin
from scriptorium_core.tree import tree_of

SAID = chronicle([("2026-05-01", [("Created", "key1 key2 mira1"), ("Forgotten", "gone1")])])
PATH, PEOPLE = "topics/keys.md", "topics/people/mira.md"
ARCHIVE, BESIDE = archive_path(S1), context_path(SourceId(S1))
ASKED = "; Ask: Where is the key?"
LINE = encode_context(Context(SourceId(S1), Origin.HUMAN, SessionId("s1"), NodeId("m1"))).encode()
TEA = MIRA.replace("Mira asked about [the key](../keys.md#^key1)", "Tea is at six").replace("mira1", "tea1")
FILES = {**memory(), BESIDE: LINE, "topics/people/tea.md": TEA.replace("e-ccc", "e-ddd").encode()}
FILES[PATH] = FILES[PATH].replace(b"verified 0.9", b"verified 0.9" + ASKED.encode())


def facts(files: Mapping[str, bytes] = FILES) -> Facts:
    return facts_of(tree_of(files), SAID.order, SAID.forgotten)


def differences(known: Facts, files: Mapping[str, bytes] = FILES) -> list[tuple[str, str]]:
    """The lookups that differ from what the files say, each with its key."""
    mirror = Mirror(known, SAID)
    found: list[Difference] = []
    # A context file comes right before its archive.
    for path in sorted(filter(contributes, files), key=lambda path: path.replace(".jsonl", ".a")):
        rows = file_facts(path, files[path])
        assert rows is not None
        found += mirror.take(rows)
    found += mirror.close()
    return [(each.lookup, each.key) for each in found]


def test_facts_that_say_what_the_files_say_differ_nowhere() -> None:
    assert differences(facts()) == []


def test_topics_with_one_id_and_with_names_that_differ_only_in_case_are_told_as_the_facts_tell_them() -> None:
    files = {**FILES, "topics/Keys.md": FILES[PATH], "topics/more.md": b"Prose.\n"}
    assert differences(facts(files), files) == []


def saying(known: Facts, lookup: str, held: object) -> Facts:
    """Facts of which one lookup says something else."""
    other: dict[str, Any] = {lookup: held}
    return known._replace(**other)


@pytest.mark.parametrize(
    ("lookup", "key"),
    [
        ("backlinks", "key1"),
        ("citing", link(S1)[3:]),
        ("evidence", "e-aaaaaaaaaa"),
        ("days", "2026-04"),
        ("archives", ARCHIVE),
        ("places", link(S1)[3:]),
        ("sources", S1),
        ("records", "old2"),
    ],
)
def test_what_an_index_left_out_is_named(lookup: str, key: str) -> None:
    known = facts()
    held = {name: value for name, value in getattr(known, lookup).items() if name != key}
    assert (lookup, key) in differences(saying(known, lookup, held))


@pytest.mark.parametrize("lookup", ["asked", "shards", "topics", "forgotten"])
def test_a_lookup_that_an_index_left_out_altogether_is_named(lookup: str) -> None:
    assert lookup in {name for name, _ in differences(saying(facts(), lookup, {}))}


@pytest.mark.parametrize(
    "lookup", ["backlinks", "citing", "asked", "evidence", "records", "sources", "places", "archives"]
)
def test_what_an_index_holds_beyond_the_files_is_named(lookup: str) -> None:
    known = facts()
    held = getattr(known, lookup)
    more = saying(known, lookup, {**held, "no-such": next(iter(held.values()))})
    assert differences(more) == [(lookup, "no-such")]


def test_what_an_index_says_otherwise_is_named() -> None:
    known = facts()
    record = known.records["mira1"]
    moved = record._replace(record=record.record._replace(lines=(9, 9)))
    assert differences(known._replace(records={**known.records, "mira1": moved})) == [("records", "mira1")]
    source = known.sources[SourceId(S1)]._replace(text="Other.")
    assert differences(known._replace(sources={**known.sources, source.id: source})) == [("sources", S1)]
    topic = known.topics[PATH]._replace(path=TopicPath(PEOPLE))
    assert differences(known._replace(topics={**known.topics, PATH: topic})) == [("topics", PATH)]
    broken = {PATH: known.broken.get(PATH, ())}
    assert differences(known._replace(broken=broken)) == [("broken", PATH)]


def test_what_is_newest_and_the_next_number_are_compared() -> None:
    known = facts()
    newest = tuple(known.newest)
    assert [record.record.id for record in newest] == ["mira1", "key2", "key1", "tea1"]
    assert differences(known._replace(newest=newest[::-1])) == [("newest", "mira1")]
    assert differences(known._replace(newest=newest[:2])) == [("newest", "")]
    assert differences(known._replace(next_order=9)) == [("next_order", "")]
