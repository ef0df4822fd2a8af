"""How large one text may be, at every door; and what a large one that is there already costs."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli_example import run, run_json
from memory_example import S1, codes, edited, memory
from scriptorium import Code, Companion, LocalBackend, Refused, Rejected
from scriptorium.service import Service
from scriptorium_core import sizes
from scriptorium_core.knowledge import likeness
from scriptorium_core.knowledge.context import pack
from scriptorium_core.knowledge.offer import Offer
from scriptorium_core.recall import Query
from scriptorium_core.sessions.talk import talks
from scriptorium_core.sizes import LONGEST, too_large
from scriptorium_core.sources.frame import Origin
from scriptorium_core.terms import same_text
from small_homes import create, request, service
from web_homes import served

BOUND = 2_000
LARGE = "The spare key is under the pot. " * 70
FITS = LARGE[: BOUND - 1].strip()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound that a test reaches in no time."""
    monkeypatch.setattr(sizes, "LONGEST", BOUND)


def problems(result: object) -> list[tuple[str, str]]:
    assert isinstance(result, Rejected), result
    assert all("bytes, and" in each.message and each.remedy for each in result.problems)
    return [(each.code, each.path) for each in result.problems]


def test_the_bound_is_a_mebibyte_of_utf_8() -> None:
    assert LONGEST == 1_048_576
    assert [too_large(char * (LONGEST // size)) for char, size in (("x", 1), ("é", 2), ("🔑", 4))] == [""] * 3
    assert too_large("x" * (LONGEST + 1)) == "has 1,048,577 bytes, and 1,048,576 are the most"
    assert too_large("é" * (LONGEST // 2) + "x") != ""
    assert too_large("\ud800" * (LONGEST // 2)) != ""


# --- The law -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
def test_no_topic_gets_a_record_that_is_too_large_however_it_is_written() -> None:
    large = f"\n{LARGE.strip()}[^e1]\n\n[^e1]: 2026 · Sources: {S1}\n"
    assert codes(edited(memory(), {"topics/a.md": large})) == [("INVALID_TOPIC_FORMAT", "topics/a.md")]
    fits = f"\n{FITS}[^e1]\n\n[^e1]: 2026 · Sources: {S1}\n"
    assert not isinstance(edited(memory(), {"topics/a.md": fits}), tuple)


def test_a_record_that_was_there_before_stays_wherever_it_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with service(tmp_path) as made:
        (block,) = made.change(request(create(LARGE.strip()))).report.created  # type: ignore[union-attr]
        monkeypatch.setattr(sizes, "LONGEST", BOUND)
        assert not isinstance(made.change(request(create("Beside it."))), Rejected)
        place = {"topic_path": "topics/house/key.md", "headings": ["Key"], "position": "end"}
        moved = {"op": "move_records", "memory_ids": [block], "destination": place}
        assert not isinstance(made.change({"memory_changes": [moved]}), Rejected)
        assert made.show(block).record.content == LARGE.strip()  # type: ignore[union-attr]
        assert made.verify().holds
        assert LARGE.strip() in made.context("Where is the spare key?").text
        assert made.search(Query("spare key")).hits[0].id == block
        path = tmp_path / "memory" / "topics" / "house" / "key.md"
        path.write_text(path.read_text("utf-8").replace("under the pot", "under the red pot"), "utf-8")
        assert problems(made.adopt()) == [("INVALID_TOPIC_FORMAT", "topics/house/key.md")]


# --- The doors -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("small")
def test_a_request_names_the_place_of_what_is_too_large(tmp_path: Path) -> None:
    with service(tmp_path) as made:
        assert problems(made.change(request(create(LARGE), says=LARGE))) == [
            ("INVALID_ARGUMENT", "sources[0].content"),
            ("INVALID_ARGUMENT", "memory_changes[0].content"),
        ]
        assert problems(made.remember(LARGE)) == [("INVALID_ARGUMENT", "text")]
        assert problems(made.remember("\n\n".join([FITS[:1_000]] * 3))) == [("INVALID_ARGUMENT", "text")]
        block = made.remember("The key.").records[0].id  # type: ignore[union-attr]
        assert problems(made.correct(block, LARGE)) == [("INVALID_ARGUMENT", "text")]
        assert len(made.log(None)) == 1


@pytest.mark.usefixtures("small")
def test_every_door_says_it_in_its_own_form(tmp_path: Path) -> None:
    ran = run("--home", tmp_path, "remember", LARGE)
    assert (ran.code, ran.err.split()[:2]) == (2, ["INVALID_ARGUMENT", "text"])
    with served(tmp_path) as client:
        reply = client.post("/remember", {"text": LARGE})
        assert (reply.status, reply.problems) == (400, [("INVALID_ARGUMENT", "text")])
    with Companion(LocalBackend(tmp_path), "s1") as companion:
        (problem,) = companion.after({"role": "user", "content": LARGE}).problems
        assert (problem.code, problem.path) == (Code.INVALID_ARGUMENT, "messages[0].content")


@pytest.mark.usefixtures("small")
def test_of_a_log_it_is_kept_in_the_conversation_and_named_and_the_rest_is_written(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"session": "s", "id": "1", "role": "user", "text": "I prefer trains to planes."},
        {"session": "s", "id": "2", "role": "user", "text": LARGE},
        {"session": "s", "id": "3", "role": "user", "text": "I live in Porto."},
    ]
    log = tmp_path / "talk.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = run("--home", tmp_path / "home", "import", log)
    assert "1 record of more than 1 MiB: kept in its conversation, and never written" in ran.out
    (done,) = run_json("--home", tmp_path / "home", "write", "--force")["passes"]
    assert [each["outcome"] for each in done["outcomes"]] == ["Wrote"]
    with Service(tmp_path / "home") as made:
        assert [each.pending for each in made.sessions()] == [0]
        made.show("native/s/3")
        with pytest.raises(Refused):
            made.show("native/s/2")


@pytest.mark.usefixtures("small")
def test_it_is_no_talk() -> None:
    assert talks(Origin.HUMAN, FITS)
    assert not talks(Origin.HUMAN, LARGE)
    assert talks(Origin.HUMAN, f"Hello. <memory-context>{LARGE}</memory-context>"), "what we gave is not said"


# --- What it costs, and how it is shown ------------------------------------------------------------


def test_what_was_saved_is_told_by_its_beginning(tmp_path: Path) -> None:
    ran = run("--home", tmp_path, "remember", LARGE)
    assert ran.code == 0
    assert 1_000 < len(ran.out) < 1_500
    assert "…" in ran.out
    assert LARGE.strip() in run_json("--home", tmp_path, "remember", LARGE)["records"][0]["content"]


def test_a_context_reads_no_more_of_a_large_text_than_it_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def noted(text: str) -> str:
        read.append(len(text))
        return same_text(text)

    monkeypatch.setattr(likeness, "same_text", noted)
    text = "A sentence of a book. " * 100_000
    cited = Offer("chat/s1/m1", text, "cites Mira (chat/s1/m1)")
    offers = [Offer(f"b{place}", f"{place} {text}", f"^b{place} x.md", cited=cited) for place in range(4)]
    made = pack((), offers, lambda words: len(words) // 4, 1_000)
    assert made.tokens <= 1_000
    assert [shown.shortened for shown in made.shown if shown.id == "b0"] == [True]
    assert "(`scriptorium show ^b0`)" in made.text
    assert 0 < max(read) <= 16_000


def test_where_all_that_is_looked_at_fits_the_rest_is_named_all_the_same() -> None:
    text = f"Beginning.{' ' * 100_000}End."
    made = pack((), [Offer("b1", text, "^b1 topics/x.md")], lambda words: len(words.split()), 200)
    assert "> Beginning. … (`scriptorium show ^b1`)" in made.text
    assert made.shown[0].shortened
