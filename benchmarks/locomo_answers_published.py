"""What is published of a run: how it was made, its prompts, its figures, beside the raw answers.

- `run.json`: answerer and judge, key and set with their SHA-256, seeds, sizes, versions, every prompt. It is
  written first; a run goes on only in a folder whose `run.json` says the same, the number of questions apart.
- `prompts/`: each prompt as a text.
- `results.json`, `table.txt`: the figures, written at the end.

Figures are means over questions with 95 % of the bootstrap. `all` is over the categories 1 to 4; adversarial
questions stand for themselves. Answers that failed and verdicts that cannot be read count as wrong, and
are counted.
"""

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from attrs import asdict
from locomo_answers_arms import ARMS
from locomo_answers_asking import Asker
from locomo_answers_prompts import JUDGES, VERDICT, published
from locomo_answers_run import Line, Run
from locomo_answers_scoring import SEED, figure
from locomo_answers_set import GROUPS, Asked, Key, Unfit
from locomo_set import ADVERSARIAL, CATEGORIES

from scriptorium import __version__, files, tokens

__all__ = ["RUN", "claim", "description", "publish", "results", "table"]

RUN = "run.json"
_OTHERS = tuple(arm for arm in ARMS if arm != "recall")
_MEASURES = ("f1", *JUDGES)
_LIBRARIES = ("openai", "anthropic", "tantivy", "toktok-rs")
_GROWS = "questions"


def description(run: Run, data: tuple[str, str], key: Key, seed: int, semantic: bool) -> dict[str, Any]:
    """How a run is made, without the number of its questions; no key of a provider is in it."""
    return {
        "answerer": _model(run.answerer),
        "judge": _model(run.judge),
        "chance of the models": "as their servers have it: neither temperature nor seed is sent",
        "set": {"name": data[0], "sha256": data[1]},
        "key": {
            "name": key.name,
            "sha256": key.sha256,
            "corrected": sum(answer is not None for answer in key.answers.values()),
            "left_out": sum(answer is None for answer in key.answers.values()),
            "citations_only": key.citations,
        },
        "seeds": {"questions": seed, "bootstrap": SEED},
        "sizes": {"budget": run.budget, "window": run.window, "tokens counted by": tokens.counter_name()},
        "memory": {"writer": "extractive", "semantic": semantic},
        "arms": list(ARMS),
        "versions": {
            "scriptorium": __version__,
            "python": platform.python_version(),
            **{name: found for name in _LIBRARIES if (found := _version(name))},
        },
        "prompts": dict(published()),
        "verdict": dict(VERDICT),
    }


def claim(folder: Path, described: Mapping[str, Any], asked: Sequence[Asked]) -> None:
    """Make the folder of a run, or find it again; raises Unfit if another run is in it."""
    file = folder / RUN
    if file.is_file():
        there = json.loads(file.read_bytes())
        differs = [name for name in described if there.get(name) != json.loads(json.dumps(described[name]))]
        if differs:
            raise Unfit(f"{folder} holds another run, by its {', '.join(differs)}: name a folder by --out")
    texts = folder / "prompts"
    texts.mkdir(parents=True, exist_ok=True)
    for name, text in published().items():
        files.write_durable(texts / f"{name}.txt", f"{text}\n".encode())
    counts = {group: sum(each.category == n for each in asked) for n, group in GROUPS.items()}
    whole = {**described, _GROWS: {"all": len(asked), **counts}}
    files.write_durable(file, (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())


def publish(folder: Path, found: Mapping[str, Any], lines: Sequence[str]) -> None:
    """Write the figures down."""
    files.write_durable(folder / "results.json", (json.dumps(found, indent=1) + "\n").encode())
    files.write_durable(folder / "table.txt", "".join(f"{line}\n" for line in lines).encode())


def results(lines: Sequence[Line]) -> dict[str, Any]:
    """The figures by group of questions and arm, and how far recall is from the other arms over `all`."""
    return {
        "figures": {
            group: {arm: _figures(held) for arm in ARMS if (held := _of(chosen, arm))}
            for group, chosen in _groups(lines)
        },
        "recall minus": {
            arm: {measure: asdict(figure(apart)) for measure, apart in _apart(lines, arm) if apart}
            for arm in _OTHERS
        },
    }


def table(found: Mapping[str, Any], described: Mapping[str, Any]) -> Iterator[str]:
    """What `results` found, for people."""
    judge, key = described["judge"], described["key"]
    own = ", the same" if judge["model"] == described["answerer"]["model"] else ""
    yield f"answers by {described['answerer']['model']}, judged by {judge['model']}{own}"
    yield f"key: {key['name']}, SHA-256 {key['sha256']}"
    yield f"     {key['corrected']} answers corrected, {key['left_out']} questions left out"
    yield ""
    heads = "".join(f"{name:>21}" for name in ("F1", *JUDGES))
    yield f"{'':23}{'n':>5}{heads}{'shown':>8}{'cut':>5}{'failed':>7}{'unread':>7}"
    for group, arms in found["figures"].items():
        for arm, held in arms.items():
            yield (
                f"{group:14}{arm:9}{held['questions']:>5}"
                + "".join(_shown(held[measure]) for measure in _MEASURES)
                + f"{held['shown']:>8.0f}{held['cut']:>5}{held['failed']:>7}{held['unreadable']:>7}"
            )
        yield ""
    for arm, measures in found["recall minus"].items():
        for measure, held in measures.items():
            noise = ", within noise" if held["low"] <= 0 <= held["high"] else ""
            yield (
                f"  recall minus {arm}, {measure}: {held['mean']:+.3f}"
                f" ({held['low']:+.3f} to {held['high']:+.3f}){noise}"
            )


def _shown(held: Mapping[str, float]) -> str:
    return f"  {held['mean']:.3f} ({held['low']:.3f}–{held['high']:.3f})"


def _groups(lines: Sequence[Line]) -> Iterator[tuple[str, list[Line]]]:
    """The lines of every group that has any."""
    if able := [line for line in lines if line["category"] in CATEGORIES]:
        yield "all", able
    for number, group in GROUPS.items():
        if held := [line for line in lines if line["category"] == number]:
            yield group, held


def _of(lines: Sequence[Line], arm: str) -> list[Line]:
    return [line for line in lines if line["arm"] == arm]


def _figures(lines: Sequence[Line]) -> dict[str, Any]:
    verdicts = [verdict for line in lines for verdict in line["verdicts"].values()]
    return {
        "questions": len(lines),
        **{measure: asdict(figure([_score(line, measure) for line in lines])) for measure in _MEASURES},
        "shown": sum(line["shown"]["tokens"] for line in lines) / len(lines),
        "cut": sum(line["shown"]["cut"] for line in lines),
        "failed": sum(bool(line["failed"]) for line in lines),
        "unreadable": sum(verdict["right"] is None for verdict in verdicts),
        "tokens_in": sum(line["tokens_in"] for line in lines),
        "tokens_out": sum(line["tokens_out"] for line in lines),
    }


def _apart(lines: Sequence[Line], arm: str) -> Iterator[tuple[str, list[float]]]:
    able = [line for line in lines if line["category"] != ADVERSARIAL]
    others = {line["question"]: line for line in _of(able, arm)}
    pairs = [(line, others[line["question"]]) for line in _of(able, "recall") if line["question"] in others]
    for measure in _MEASURES:
        yield measure, [_score(mine, measure) - _score(other, measure) for mine, other in pairs]


def _score(line: Line, measure: str) -> float:
    if measure == "f1":
        return float(line["f1"])
    return float(line["verdicts"].get(measure, {}).get("right") is True)


def _model(asker: Asker) -> dict[str, Any]:
    at = asker.endpoint
    return {
        "model": asker.name,
        "address": at.base_url.partition("?")[0],
        "tokens of an answer": at.tokens,
        "seconds": at.seconds,
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
