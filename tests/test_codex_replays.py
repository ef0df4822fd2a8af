"""The format `codex`: turns that are taken back, and histories that were written more than once."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from codex_examples import (
    BEGUN,
    CHILD,
    PARENT,
    ROOT,
    Row,
    back,
    branches,
    head_text,
    header,
    nodes,
    rollout,
    texts,
    turn,
    wait,
    written,
)
from scriptorium.conversations.formats.codex_thread import Seen
from scriptorium.conversations.importing import import_path
from scriptorium.conversations.store import Store, open_store

Write = Callable[..., Path]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return partial(written, tmp_path)


# --- rewinds ------------------------------------------------------------------------------------


def test_turns_that_are_taken_back_are_an_abandoned_branch(store: Store, write: Write) -> None:
    rows = [*PARENT, *turn("10:06", "In Frankfurt.", "OK."), back("10:07:00.000", 2)]
    import_path(store, write([*rows, *turn("10:08", "Round down.", "Fine.")]))
    assert branches(store) == {
        "Prices are in cents.": "live", "Noted.": "live", "Round down.": "live", "Fine.": "live",
        "Round up.": "abandoned", "Done.": "abandoned", "In Frankfurt.": "abandoned", "OK.": "abandoned",
    }  # fmt: skip
    assert nodes(store)[-2].parent == nodes(store)[1].id


def test_a_rewind_at_the_end_moves_the_head(store: Store, write: Write) -> None:
    import_path(store, write([*PARENT, back("10:07:00.000", 1)]))
    assert head_text(store) == "Noted."
    assert branches(store) == {
        "Prices are in cents.": "live", "Noted.": "live", "Round up.": "abandoned", "Done.": "abandoned",
    }  # fmt: skip


@pytest.mark.parametrize("turns", [2, 9])
def test_a_whole_talk_can_be_taken_back(store: Store, write: Write, turns: int) -> None:
    path = write([*PARENT, back("10:07:00.000", turns)])
    import_path(store, path)
    assert set(branches(store).values()) == {"abandoned"}
    with path.open("a") as file:
        file.write(rollout(turn("10:08", "In francs.", "OK.")))
    import_path(store, path)
    assert [text for text, state in branches(store).items() if state == "live"] == ["In francs.", "OK."]


def test_a_rewind_goes_back_over_what_an_earlier_import_brought(store: Store, write: Write) -> None:
    path = write(PARENT)
    import_path(store, path)
    with path.open("a") as file:
        file.write(rollout([*turn("10:06", "In Cork.", "OK."), back("10:07:00.000", 2)]))
    import_path(store, path)
    assert head_text(store) == "Noted."


def test_the_same_words_after_a_rewind_are_the_same_turn_with_another_answer(
    store: Store, write: Write
) -> None:
    rows = [*PARENT, back("10:07:00.000", 1), *turn("10:08", "Round up.", "Now to full euros.")]
    import_path(store, write(rows))
    assert texts(store) == ["Prices are in cents.", "Noted.", "Round up.", "Done.", "Now to full euros."]
    assert branches(store)["Done."] == "abandoned"


# --- histories that are written more than once --------------------------------------------------


@pytest.mark.parametrize(
    "more",
    [
        BEGUN,
        BEGUN * 3,
        BEGUN[1:],
        BEGUN[7:],
        BEGUN[:9],
        wait(BEGUN, "11:00"),
        [*wait(BEGUN, "11:00"), *wait(BEGUN, "11:30")],
        [*BEGUN[:-3], *wait(BEGUN, "12:00")],
    ],
    ids=[
        "whole",
        "three times",
        "no header",
        "the end",
        "the beginning",
        "new times",
        "twice",
        "cut, then whole",
    ],
)
@pytest.mark.parametrize("at_once", [True, False])
def test_a_history_that_is_written_again_is_known(
    store: Store, write: Write, more: list[Row], at_once: bool
) -> None:
    path = write(BEGUN)
    if not at_once:
        import_path(store, path)
    with path.open("a") as file:
        file.write(rollout([*more, *turn("13:00", "Thanks.", "Welcome.")]))
    import_path(store, path)
    assert texts(store) == [
        "Prices are in cents.", "Noted.", "Round up.", "Done.", "In Cork.", "OK.", "Round down.", "Fine.",
        "Thanks.", "Welcome.",
    ]  # fmt: skip
    assert head_text(store) == "Welcome."
    assert nodes(store)[-2].parent == nodes(store)[-3].id


def test_a_new_turn_under_a_clock_that_was_set_back_is_taken(store: Store, write: Write) -> None:
    import_path(store, write([*PARENT, *turn("09:30", "It is half past nine.", "So it is.")]))
    assert texts(store)[-2:] == ["It is half past nine.", "So it is."]


def test_a_rewind_after_a_replay_is_a_rewind(store: Store, write: Write) -> None:
    rows = [*PARENT, *wait(PARENT, "11:00"), back("11:30:00.000", 1)]
    import_path(store, write([*rows, *turn("11:31", "Round down.", "Fine.")]))
    assert branches(store)["Round up."] == "abandoned"
    assert nodes(store)[-2].parent == nodes(store)[1].id


def test_a_set_of_digests_keeps_what_it_moves_into_its_array(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scriptorium.conversations.formats.codex_thread._NEWEST", 3)
    seen = Seen()
    for value in (9, 2, 2**64 - 1, 5, 0, 7, 9):
        seen.add(value)
    assert [value for value in range(12) if value in seen] == [0, 2, 5, 7, 9]
    assert 2**64 - 1 in seen
    assert len(seen.newest) < 3


def test_rewinds_that_a_fork_copied_in_one_moment_are_as_many_as_they_are(store: Store, write: Write) -> None:
    rows = [*PARENT, back("10:06:00.000", 1), *turn("10:07", "In Cork.", "OK."), back("10:08:00.000", 1)]
    stamped = [{**row, "timestamp": "2026-06-01T14:00:00.000Z"} for row in rows]
    fork = [header("14:00:00.000", CHILD, forked_from_id=ROOT), *stamped, *turn("14:03", "In Bray.", "Fine.")]
    import_path(store, write(fork, CHILD))
    live = [text for text, state in branches(store, CHILD).items() if state == "live"]
    assert live == ["Prices are in cents.", "Noted.", "In Bray.", "Fine."]
