"""Tokens that were counted once are looked up: a new process loads no vocabulary for the same question."""

import sqlite3
from pathlib import Path

import pytest

from scriptorium import tokens
from scriptorium.index import Index
from scriptorium.layout import locate
from scriptorium.service import Service
from scriptorium.service.counting import counting


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Service(tmp_path) as service:
        service.remember("The spare key hangs behind the blue door. " * 40, topic="core")
        service.remember("The violin is in the attic, behind the blue boxes. " * 40)
    return tmp_path


def test_a_second_process_counts_nothing_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Service(home) as service:
        first = service.core(), service.context("blue door", 200)
    assert first[1].tokens

    def loaded(text: str) -> int:
        raise AssertionError("the vocabulary was loaded")

    monkeypatch.setattr(tokens, "count", loaded)
    with Service(home) as service:
        again = service.core(), service.context("blue door", 200)
    assert [each.tokens for each in again] == [each.tokens for each in first]
    assert again[1].text == first[1].text


def test_nothing_is_opened_where_nothing_is_counted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "counter_name", None)
    with counting(locate(home / "memory")):
        pass


def test_what_cannot_be_kept_because_another_process_writes_is_counted_all_the_same(home: Path) -> None:
    layout = locate(home / "memory")
    writer = sqlite3.connect(layout.facts, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    with counting(layout) as count:
        number = count("a text that nobody has counted")
    writer.execute("ROLLBACK")
    writer.close()
    asked: list[str] = []

    def counted(text: str) -> int:
        asked.append(text)
        return number

    index = Index.open(layout.facts)
    index.counting(tokens.counter_name(), counted)("a text that nobody has counted")
    index.close()
    assert asked == ["a text that nobody has counted"]


def test_the_numbers_do_not_grow_without_end(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scriptorium.index.counts._MOST", 3)
    layout = locate(home / "memory")
    for number in range(6):
        with counting(layout) as count:
            count(f"text {number}")
    database = sqlite3.connect(layout.facts)
    assert database.execute("SELECT count(*) FROM counts").fetchone()[0] <= 4
    database.close()
