"""What the index answers beside the facts: the newest, counts, walks, neighbours, tokens."""

from pathlib import Path

import pytest

from histories import DOOR, KEYS, DictHistory, archived, as_dictionaries
from scriptorium.index import Index, Mention
from scriptorium_core.names import NodeId, SessionId, SourceId, anchor
from scriptorium_core.sources import Context, Frame, Origin, append, encode_context

FILES = {
    "topics/house.md": KEYS,
    "topics/door.md": DOOR,
    "sources/chat/_v2/s1.md": archived("m1", "m2", "m3", "m4"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".scriptorium" / "index.sqlite3"


@pytest.fixture
def history() -> DictHistory:
    return DictHistory()


def agrees(index: Index, history: DictHistory, head: str | None) -> bool:
    return index.commit == head and as_dictionaries(index.facts()) == as_dictionaries(history.facts(head))


def test_a_key_that_no_file_can_hold_is_not_found(path: Path) -> None:
    facts = Index.open(path).facts()
    assert "\ud800" not in facts.records
    assert facts.places.get("\ud800#x") is None
    assert 7 not in facts.records  # type: ignore[comparison-overlap]


def test_the_newest_are_a_sequence(path: Path, history: DictHistory) -> None:
    many = "\n".join(f"Fact {n}.[^e-1] ^a{n}\n" for n in range(9)).encode() + KEYS
    index = Index.open(path)
    index.follow(history, head := history.add(None, {"topics/x.md": many}, ("a3", "a1", "a5")))
    newest, expected = index.facts().newest, history.facts(head).newest
    assert [known.record.id for known in newest[:3]] == ["a5", "a1", "a3"]
    for part in (
        slice(None),
        slice(2, 5),
        slice(-2, None),
        slice(None, None, -2),
        slice(4, 1),
        slice(99),
        slice(0, 0),
    ):
        assert list(newest[part]) == list(expected[part])
    assert (newest[0], newest[-1], len(newest)) == (expected[0], expected[-1], len(expected))
    for beyond in (len(newest), -len(newest) - 1):
        with pytest.raises(IndexError):
            newest[beyond]


def test_counts_and_walks_over_the_memory(path: Path, history: DictHistory) -> None:
    index = Index.open(path)
    pending = archived("m1", "m2").replace(b"source-meta", b"broken-meta")
    index.follow(history, history.add(None, FILES | {"sources/chat/_v2/s2.md": pending}, (), ("zz",)))
    totals = index.queries.totals()
    assert (totals.topics, totals.records, totals.archives, totals.sources) == (2, 2, 2, 4)
    assert (totals.pending, totals.broken_archives, totals.forgotten) == (0, 1, 1)
    assert list(index.queries.topics()) == [("topics/door.md", 1), ("topics/house.md", 1)]
    assert [known.record.id for known in index.queries.records_under("topics/h")] == ["aa"]
    assert len(list(index.queries.sources_in("sources/chat/_v2/s1.md"))) == 4
    assert len(list(index.queries.sources_under())) == 4


def test_messages_that_no_record_cites_are_found(path: Path, history: DictHistory) -> None:
    index = Index.open(path)
    cited = archived("m1", "m2")
    place = history.facts(history.add(None, {"sources/chat/_v2/s1.md": cited})).sources["chat/s1/m2"].place
    topic = KEYS.replace(b"sources/chat/_v2/s1.md#source-da39bbac67e800a0", place.encode())
    index.follow(history, history.add(None, {"topics/house.md": topic, "sources/chat/_v2/s1.md": cited}))
    assert [source.id for source in index.queries.uncited()] == ["chat/s1/m1"]


def test_an_older_archive_goes_last_and_has_no_contexts(path: Path, history: DictHistory) -> None:
    frame = f'<a id="{anchor("chat/A/m1")}"></a>\n<!-- source-id:chat/A/m1 -->\n[] user: older\n'
    context = Context(SourceId("chat/A/m1"), Origin.HUMAN, SessionId("s"), NodeId("n"))
    files = {
        "sources/chat/A.md": frame.encode(),
        "sources/chat/_v2/A.jsonl": encode_context(context).encode(),
    }
    index = Index.open(path)
    index.follow(history, head := history.add(None, files))
    assert agrees(index, history, head)
    assert index.facts().sources["chat/A/m1"].context is None
    newer = append("sources/chat/_v2/A.md", None, [Frame(SourceId("chat/A/m1"), "user", "newer")])
    assert isinstance(newer, bytes)
    index.follow(history, head := history.add(head, files | {"sources/chat/_v2/A.md": newer}))
    assert agrees(index, history, head)
    assert index.facts().sources["chat/A/m1"].text == "newer"
    assert index.facts().sources["chat/A/m1"].context == context


def test_what_commits_did_to_an_id_is_told_oldest_first(path: Path, history: DictHistory) -> None:
    index = Index.open(path)
    first = history.add(None, FILES, ("aa",))
    index.follow(history, second := history.add(first, FILES, (), ("aa",)))
    assert index.queries.mentions("aa") == (Mention("Created", first), Mention("Forgotten", second))


def test_tokens_are_counted_once(path: Path) -> None:
    asked: list[str] = []

    def count(text: str) -> int:
        asked.append(text)
        return len(text)

    index = Index.open(path)
    counting = index.counting("words", count)
    assert (counting("abc"), counting("abc")) == (3, 3)
    counting.keep()
    assert Index.open(path).counting("words", count)("abc") == 3
    assert index.counting("letters", count)("abc") == 3
    assert asked == ["abc", "abc"]
