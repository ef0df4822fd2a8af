"""What is hidden is not found by its meaning either, and moves no score of what is found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from embedders import Meanings
from hidden_homes import HIDDEN, OPEN, POLICY, as_, plain_home, sure
from scriptorium import embeddings
from scriptorium.service import Service
from scriptorium_core.policy import AGENT
from scriptorium_core.recall import Kind, Query
from small_homes import create, request

__all__: list[str] = []

pytest.importorskip("numpy", reason="the extra [semantic] is not installed: there is nothing to compare with")

_SEEN = ("We took the train to Lisbon.", "The guest house has a blue door.", "Mira likes green tea.")
_SECRET = tuple(f"The railway ticket number {n} is hidden at the inn." for n in range(30))


@pytest.fixture(autouse=True)
def meanings(monkeypatch: pytest.MonkeyPatch) -> Meanings:
    made = Meanings()
    monkeypatch.setattr(embeddings, "embedder_of", lambda given, model: made)
    return made


def _home(folder: Path, hidden: tuple[str, ...]) -> Service:
    made = plain_home(folder)
    made.by_meaning = True
    sure(made.change(request(*(create(text, OPEN) for text in _SEEN))))
    if hidden:
        sure(made.change(request(*(create(text, HIDDEN) for text in hidden))))
    sure(made.set_policy(POLICY.encode()))
    return made


@pytest.fixture
def homes(tmp_path: Path) -> Iterator[tuple[Service, Service]]:
    with _home(tmp_path / "a", _SECRET) as whole, _home(tmp_path / "b", ()) as reduced:
        yield whole, reduced


@pytest.mark.parametrize("text", ["railway", "an inn", "locomotive to the lodging", "railway diary"])
def test_what_is_found_by_meaning_is_what_there_would_be_without_the_hidden(
    homes: tuple[Service, Service], text: str
) -> None:
    whole, reduced = homes
    as_(whole, AGENT)
    found, there = ([(h.id, h.content, h.score) for h in each.search(Query(text)).hits] for each in homes)
    assert found == there
    assert not any(secret in str(found) for secret in _SECRET)
    assert whole.search(Query(text, (Kind.RECORD,))).nothing == reduced.search(Query(text)).nothing


def test_the_owner_finds_it(homes: tuple[Service, Service]) -> None:
    assert any(hit.content in _SECRET for hit in homes[0].search(Query("railway")).hits)
