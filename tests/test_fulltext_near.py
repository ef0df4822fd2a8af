"""The full text index and what is alike in meaning: more is proposed while what is proposed may not pass."""

from collections.abc import Hashable
from pathlib import Path

from scriptorium.embeddings.nearness import Nearness
from scriptorium.fulltext import FullText
from scriptorium_core.recall import Document, Kind, Nothing, Query, Similar


def test_what_passes_is_found_behind_many_that_are_more_alike_and_do_not(tmp_path: Path) -> None:
    names = [f"train{number}" for number in range(100)]
    index = FullText.open(tmp_path / "fulltext")
    documents = (Document(name, Kind.RECORD, f"A {name}.", "topics/rails.md") for name in names)
    assert index.rebuild("c1", documents)
    cosines = {(Kind.RECORD, name): 0.9 - place / 200 for place, name in enumerate(names)}
    index.near = lambda query: Nearness(Similar(cosines, {}, 0.1), {Kind.RECORD: names})

    def judge(document: Document) -> Hashable | None:
        return () if document.id == names[-1] else None

    found = index.search(Query("railway", limit=1), judge)
    assert not isinstance(found, Nothing)
    assert [hit.document.id for hit in found] == [names[-1]]
