"""Laws of the full text index: its stamp knows how much it holds, whatever came and went."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from scriptorium.fulltext import FullText
from scriptorium_core.recall import Document, Kind, Query

PATHS = ("topics/a.md", "topics/b.md", "sources/c.md")
IDS = ("i1", "i2", "i3", "i4")
WORDS = ("key", "door", "lamp", "blue")
EVERY = Query(" ".join(WORDS), kinds=tuple(Kind))


class Step(NamedTuple):
    """One update: what goes, then what comes."""

    paths: frozenset[str]
    ids: frozenset[str]
    documents: list[Document]


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
parts = st.tuples(st.sampled_from(IDS), st.sampled_from(Kind), texts, st.sampled_from(PATHS))
documents = parts.map(lambda drawn: Document(*drawn))
steps = st.builds(
    Step,
    paths=st.frozensets(st.sampled_from(PATHS), max_size=2),
    ids=st.frozensets(st.sampled_from(IDS), max_size=2),
    documents=st.lists(documents, max_size=5),
)


def numbers(index: FullText) -> object:
    return index.statistics(EVERY, WORDS)[0]


@given(st.lists(documents, max_size=5), st.lists(steps, max_size=3), st.frozensets(st.sampled_from(PATHS)))
def test_the_numbers_after_updates_are_those_of_what_is_left(
    first: list[Document], updates: list[Step], hidden: frozenset[str]
) -> None:
    with TemporaryDirectory() as folder:
        index, kept = FullText.open(Path(folder) / "updated"), first
        assert index.rebuild("0", first)
        for number, (paths, ids, more) in enumerate(updates):
            assert index.update(str(number), str(number + 1), more, remove_paths=paths, remove_ids=ids)
            kept = [each for each in kept if each.path not in paths and each.id not in ids] + more
        assert index.documents() == {kind: sum(each.kind is kind for each in kept) for kind in Kind}
        rebuilt = FullText.open(Path(folder) / "rebuilt")
        assert rebuilt.rebuild("0", kept)
        assert numbers(index) == numbers(rebuilt)
        for each in (index, rebuilt):
            each.hide(sorted(hidden))
        assert numbers(index) == numbers(rebuilt)
        shown = FullText.open(Path(folder) / "shown")
        assert shown.rebuild("0", [each for each in kept if each.path not in hidden])
        assert numbers(index) == numbers(shown)
