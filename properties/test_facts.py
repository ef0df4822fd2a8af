"""The laws of the facts: kept by difference, they are what they are from scratch."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from histories import DictHistory, as_dictionaries
from scriptorium.index import Index
from scriptorium_core.facts import contributes, facts_of, file_facts
from scriptorium_core.names import NodeId, SessionId, SourceId, anchor, archive_path, context_path, spelling
from scriptorium_core.sources import (
    Context,
    Frame,
    Origin,
    Provenance,
    Tier,
    Trust,
    encode_context,
    encode_frame,
)
from scriptorium_core.trailers import ids_of
from scriptorium_core.tree import tree_of
from strategies import awkward_texts, sentences

_IDS = ("aa", "bb", "cc", "dd", "mem_x", "ee")
_SOURCES = ("chat/s1/m1", "chat/s1/m2", "chat/S2/m1", "钥匙/s 1/m1")
_TOPICS = ("topics/core.md", "topics/people/bo.md", "topics/Notes.md", "topics/notes.md")
_ODD_TOPICS = (
    "topics/people/_Bo.md",
    "topics/caf\u00e9.md",
    "topics/cafe\u0301.md",
    "topics/con.md",
    "topics/.trash/old.md",
)
_PATHS = (*_TOPICS, *_ODD_TOPICS, "sources/chat/_v2/s1.md", "sources/D1.md", "sources/chat/_v2/s1.jsonl")
_HEADER = "<!-- openprogram-source-archive:v2 -->\n\n"


def topic_texts() -> st.SearchStrategy[bytes]:
    """A topic of a few records, with ids that other topics may hold too; now and then one that is broken."""
    dates = st.sampled_from(("undated", "2026", "2026-03", "2026-03-01"))
    none: list[str] = []
    ids = st.lists(st.sampled_from(_IDS), min_size=1, max_size=2) | st.just(none)
    record = st.builds(_record, sentences(3), ids, dates, st.integers(0, 9))
    whole = st.lists(record, min_size=1, max_size=4).map(lambda parts: "# Topic\n\n" + "\n".join(parts))
    return st.one_of(whole, whole, whole, awkward_texts()).map(str.encode)


def _record(prose: str, ids: list[str], date: str, number: int) -> str:
    source = _SOURCES[number % len(_SOURCES)]
    link = f" See [it](x.md#^{_IDS[number % len(_IDS)]})." if number % 2 else ""
    legacy = "mem_x" in ids
    cite = "mem_x" if legacy else f"e-{number}"
    names = "" if legacy else "".join(f" ^{block}" for block in ids)
    fields = "; Status: verified 0.9" if number % 3 == 0 else ""
    fields += f"; Ask: What is {number % 2}?; Ask:  what IS {number % 2}?" if number % 4 else ""
    target = f"../{archive_path(source)}#{anchor(source)}" if number % 5 else source
    cited = f"[said]({target})" if "#" in target else target
    definition = f"[^{cite}]: Time: `{date}`; Sources: {cited}{fields}"
    return f"{prose}{link}[^{cite}]{names}\n\n{definition}\n"


@frozen
class _File:
    path: str
    data: bytes | None


def archives() -> st.SearchStrategy[_File]:
    """An archive of version 2 or an older one, whole or cut off, or a context file."""
    number = st.integers(0, len(_SOURCES) - 1)
    trust = st.sampled_from(Trust)
    return (
        st.builds(_archive, number, st.integers(0, 3), trust, sentences(3), st.integers(0, 40))
        | st.builds(_older, st.integers(1, 3), sentences(3))
        | st.builds(_contexts, number, st.sampled_from(Origin), st.booleans())
    )


def _archive(number: int, count: int, trust: Trust, text: str, cut: int) -> _File:
    first = _SOURCES[number]
    made_by = Provenance("me", "owner", Tier.OWNER, trust)
    ids = [SourceId(first.rpartition("/")[0] + f"/m{n}") for n in range(count)]
    frames = [Frame(name, "user", f"{text} {name}", "2026-03-01", "7", "Bo", made_by) for name in ids]
    data = (_HEADER + "\n".join(map(encode_frame, frames))).encode()
    return _File(archive_path(first), data[: len(data) - cut] if cut % 3 == 0 else data)


def _older(number: int, text: str) -> _File:
    if number == 3:
        source = "chat/S2/m1"
        record = (
            f'# S2\n\n<a id="{anchor(source)}"></a>\n<!-- source-id:{source} -->\n[2025-10-01] user: {text}\n'
        )
        return _File("sources/chat/S2.md", record.encode())
    return _File(
        f"sources/D{number}.md",
        f'# D\n\n<a id="d{number}-1"></a>\n[2025-11-03] Tom: {text} [D{number}:1]\n'.encode(),
    )


def _contexts(number: int, origin: Origin, torn: bool) -> _File:
    name = SourceId(_SOURCES[number])
    line = encode_context(Context(name, origin, SessionId("s"), NodeId("n"), None, "live", "/p", ""))
    return _File(context_path(name), (line + ("{" if torn else "")).encode())


def files() -> st.SearchStrategy[_File]:
    """One file of a memory as it becomes; None: it is removed."""
    topics = st.builds(_File, st.sampled_from(_TOPICS), topic_texts())
    odd = st.builds(_File, st.sampled_from(_ODD_TOPICS), topic_texts())
    gone = st.builds(_File, st.sampled_from((*_TOPICS, archive_path(_SOURCES[0]))), st.none())
    other = st.builds(_File, st.sampled_from(("core.md", "topics/x.txt", "sources/README.md")), st.just(b"x"))
    return st.integers(0, 9).flatmap(
        lambda n: topics if n < 6 else (odd, archives(), archives(), st.one_of(gone, other))[n - 6]
    )


class FollowedHistory(RuleBasedStateMachine):
    """Facts updated by a difference = facts derived from scratch, over any walk through any history."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.history = DictHistory()
        self.head: str | None = None
        self.index = Index.open(Path(self.folder.name) / "index.sqlite3")
        self.other = Index.open(Path(self.folder.name) / "index.sqlite3")

    @rule(
        changes=st.lists(files(), min_size=1, max_size=3),
        created=st.lists(st.sampled_from(_IDS), max_size=3),
        forgotten=st.lists(st.sampled_from((*_IDS, *_SOURCES)), max_size=1),
        at_once=st.booleans(),
    )
    def commit(self, changes: list[_File], created: list[str], forgotten: list[str], at_once: bool) -> None:
        tree = dict(self._tree())
        for change in changes:
            if change.data is None:
                tree.pop(change.path, None)
            else:
                tree[change.path] = change.data
        self.head = self.history.add(self.head, tree, tuple(created), tuple(forgotten))
        if at_once:
            self.follow()

    @rule(data=st.data())
    def check_out_any_commit(self, data: st.DataObject) -> None:
        self.head = data.draw(st.sampled_from([None, *self.history.commits]))

    @rule()
    def rewrite_the_history(self) -> None:
        """As an erasure does: every commit anew, and the old ones gone."""
        line = list(self.history.log(self.head))
        renewed = DictHistory(serial=self.history.serial)
        self.head = None
        for entry in reversed(line):
            self.head = renewed.add(self.head, entry.files, ids_of(entry.trailers, "Created"))
        self.history = renewed

    @rule()
    def another_process_follows(self) -> None:
        self.other.follow(self.history, self.head)

    @rule()
    def the_index_is_opened_again(self) -> None:
        self.index.close()
        self.index = Index.open(Path(self.folder.name) / "index.sqlite3")

    @rule()
    def follow(self) -> None:
        self.index.follow(self.history, self.head)
        assert self.index.commit == self.head
        with self.index.snapshot() as facts:
            assert as_dictionaries(facts) == as_dictionaries(self.history.facts(self.head))

    @invariant()
    def both_connections_see_one_commit(self) -> None:
        assert self.index.commit == self.other.commit

    def teardown(self) -> None:
        self.index.close()
        self.other.close()
        self.folder.cleanup()

    def _tree(self) -> Mapping[str, bytes]:
        return self.history.commits[self.head].files if self.head else {}


TestFollowedHistory = FollowedHistory.TestCase


class TestFactsAgree:
    """Backlinks are the inverse of links; what is looked up in one way is found in every other."""

    @given(st.lists(files(), max_size=8))
    def test_the_lookups_say_the_same(self, changes: list[_File]) -> None:
        facts = facts_of(tree_of({change.path: change.data for change in changes if change.data is not None}))
        outbound = {(known.record.id, link) for known in facts.newest for link in known.record.links}
        assert outbound == {(record, link) for link, records in facts.backlinks.items() for record in records}
        assert {block for known in facts.newest for block in known.record.ids} == set(facts.records)
        assert {source: facts.sources[source].id for source in facts.places.values()} == {
            s: s for s in facts.sources
        }
        assert all(problems for problems in facts.broken.values())
        for fact in facts.topics.values():
            assert facts.broken.get(fact.path, ()) == fact.problems
            assert fact.path in facts.spellings[spelling(fact.path)]

    @given(st.sampled_from(_PATHS), awkward_texts() | st.binary(max_size=60))
    def test_any_bytes_give_facts(self, path: str, data: str | bytes) -> None:
        raw = data.encode("utf-8") if isinstance(data, str) else data
        found = file_facts(path, raw)
        assert (found is not None) == contributes(path)
        assert found is None or found.path == path
