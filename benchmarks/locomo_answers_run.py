"""A run: every question is answered with every arm and judged, one line of JSON each, and goes on if stopped.

A line of `answers.jsonl` holds the question's id, category, words and gold answer (`corrected` by the key or
not), the arm, what was shown (the text for recall and grep; of the whole conversation how many turns, and
how many did not fit), the SHA-256 of the whole prompt, the answer word for word, its F1, tokens and
milliseconds, and by each prompt of the judge its words and verdict (null: none could be read in them).
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, frozen
from locomo_answers_arms import ARMS, Arm, Book, Shown
from locomo_answers_asking import Asker, Said, verdict_in
from locomo_answers_prompts import JUDGES, VERDICT, answering, digest, judging
from locomo_answers_scoring import f1
from locomo_answers_set import Asked

from scriptorium.tokens import count

__all__ = ["ANSWERS", "Line", "Run", "answered", "lines_in", "open_arms"]

ANSWERS = "answers.jsonl"
Line = Mapping[str, Any]
_MARGIN = 0.9
"""The share of a window that is filled: the model may count more tokens than we do."""


@frozen
class Run:
    """Who answers, who judges, and the most that is shown: `budget` by recall and grep, `window` at all."""

    answerer: Asker
    judge: Asker
    budget: int
    window: int

    def room(self, question: str) -> int:
        """The tokens that are left in the window for a whole conversation."""
        around = count("\n".join(answering("", question)))
        return max(int(self.window * _MARGIN) - self.answerer.endpoint.tokens - around, 0)


def lines_in(folder: Path) -> tuple[Line, ...]:
    """The lines of a run so far; half a line at the end, where it was stopped, is none."""
    file = folder / ANSWERS
    return tuple(_read(file.read_text(encoding="utf-8").split("\n"))) if file.is_file() else ()


def open_arms(lines: Iterable[Line], asked: Sequence[Asked]) -> Mapping[str, tuple[Arm, ...]]:
    """By the id of a question, the arms that are still to be asked; without those that have none."""
    done = {(line["question"], line["arm"]) for line in lines}
    left = {each.id: tuple(arm for arm in ARMS if (each.id, arm) not in done) for each in asked}
    return {name: arms for name, arms in left.items() if arms}


def answered(
    run: Run,
    book: Book,
    asked: Sequence[Asked],
    left: Mapping[str, Sequence[Arm]],
    folder: Path,
    told: Callable[[str], None],
) -> None:
    """Ask what is left of a conversation's questions; each line is written when it is whole."""
    file = folder / ANSWERS
    if file.is_file() and not file.read_bytes().endswith(b"\n"):
        _append(file, "\n")
    for each in asked:
        for arm in left.get(each.id, ()):
            told(f"{each.id}, {arm}")
            shown = book.shown(arm, each.text, run.budget, run.room(each.text))
            _append(file, json.dumps(_line(run, each, arm, shown), ensure_ascii=False) + "\n")


def _line(run: Run, asked: Asked, arm: Arm, shown: Shown) -> Line:
    told = answering(shown.text, asked.text)
    said = run.answerer.ask(told)
    return {
        "question": asked.id,
        "arm": arm,
        "category": asked.category,
        "asked": asked.text,
        "gold": asked.gold,
        "corrected": asked.corrected,
        "shown": {
            "text": None if arm == "full" else shown.text,
            "tokens": shown.tokens,
            "turns": shown.turns,
            "left_out": shown.left_out,
            "cut": shown.cut,
            "milliseconds": round(shown.milliseconds, 1),
        },
        "prompt": digest(told),
        "answer": said.text,
        **_taken(said),
        "f1": 0.0 if said.failed else f1(said.text, asked.gold, asked.category),
        "verdicts": {} if said.failed else {name: _verdict(run.judge, name, asked, said) for name in JUDGES},
    }


def _verdict(judge: Asker, name: str, asked: Asked, said: Said) -> Line:
    told = judging(name, asked.text, asked.gold, said.text)
    verdict = judge.ask(told, dict(VERDICT))
    return {
        "right": verdict_in(verdict.text),
        "said": verdict.text,
        "prompt": digest(told),
        **_taken(verdict),
    }


def _taken(said: Said) -> Line:
    return {name: value for name, value in asdict(said).items() if name != "text"}


def _append(file: Path, text: str) -> None:
    with file.open("a", encoding="utf-8", newline="\n") as out:
        out.write(text)


def _read(lines: Iterable[str]) -> Iterator[Line]:
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:
            continue
