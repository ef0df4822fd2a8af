"""How well evidence is found in long conversations: LoCoMo, beside grep, BM25 and embeddings alone.

    python benchmarks/locomo.py ../shared/data/locomo10.json
    python benchmarks/locomo.py ../shared/data/locomo10.json --conversations 2 --homes /tmp/homes

Prints tables, then a line of JSON; how far it is goes to stderr. Each conversation becomes a memory of its
own by import and by the writer that needs no model, and everything is asked through the service.

- turns: a hit is right if it is an evidence turn; windows: if one of its five turns is; records: if it cites
  one.
- recall@k is the share of a question's evidence in the first k hits, `MRR` 1 / rank of the first right one
  among sixty; both are means over questions. The columns of the categories are recall@10 and MRR. Category 5
  (no answer in the conversation) is left out of them, and shows how often nothing is found.
- A difference is that of the engine with meanings to the engine without, in recall@10, with 95 % of the
  bootstrap over questions.
- contexts: what `context` delivers at the default budget, for every fifth question.

With `[semantic]` installed meanings are measured too; the first run then takes a quarter of an hour, most of
it for embedding. `--homes` keeps the memories for the next run. The file is not part of this repository
(snap-research/locomo, CC BY-NC).
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("core", "shell")]

from attrs import asdict, define, field  # noqa: E402
from locomo_contexts import Delivered, delivered, summary  # noqa: E402
from locomo_figures import Outcome, difference, figures, outcome  # noqa: E402
from locomo_memory import Made, made  # noqa: E402
from locomo_rankings import Ranking, bm25, embedded, embedder, engine, grep  # noqa: E402
from locomo_set import ADVERSARIAL, Conversation, conversations  # noqa: E402
from locomo_windows import apart, whole_texts, windows  # noqa: E402

from scriptorium.embeddings.embedder import Embedder  # noqa: E402
from scriptorium_core.problem import Problem  # noqa: E402
from scriptorium_core.recall import Kind  # noqa: E402

Views = Mapping[tuple[str, str], tuple[Ranking, Mapping[str, frozenset[str]]]]
ENGINE, FUSED = "this engine", "this engine, semantic"
CONTEXTS_EVERY = 5
_WIDTH = 24


@define
class Results:
    """What was measured so far, by what is ranked and by whom."""

    outcomes: dict[tuple[str, str], list[Outcome]] = field(factory=dict[tuple[str, str], list[Outcome]])
    empty: dict[tuple[str, str], list[bool]] = field(factory=dict[tuple[str, str], list[bool]])
    contexts: dict[str, list[Delivered]] = field(factory=dict[str, list[Delivered]])


def main() -> None:
    """Measure, print tables, print JSON."""
    options = _options()
    if not options.file.is_file():
        sys.exit(f"{options.file} is not there: it is no part of this repository, and nothing is measured")
    model = _model(options.semantic)
    results = Results()
    with tempfile.TemporaryDirectory(prefix="scriptorium-locomo-") as folder:
        homes = options.homes or Path(folder)
        for number, talk in enumerate(conversations(options.file, options.conversations), 1):
            told = partial(_told, f"{number}: {talk.name}")
            memory = made(talk, homes / talk.name, told, model is not None)
            with memory.service:
                _measure(memory, talk, model, results, told)
    for line in _lines(results):
        print(line)
    print(json.dumps(_as_json(results)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="locomo10.json")
    parser.add_argument("--conversations", type=int, help="how many of them, from the first on")
    parser.add_argument("--homes", type=Path, help="where the memories are kept for the next run")
    parser.add_argument("--semantic", action=argparse.BooleanOptionalAction, help="by default if installed")
    return parser.parse_args()


def _model(wanted: bool | None) -> Embedder | None:
    if wanted is False:
        return None
    found = embedder()
    if isinstance(found, Problem):
        if wanted:
            sys.exit(f"{found.message}; {found.remedy}")
        return None
    return found


def _measure(
    memory: Made, talk: Conversation, model: Embedder | None, results: Results, told: Callable[[str], None]
) -> None:
    """Question by question, so that each is embedded once for all rankings."""
    views = _views(memory, model)
    total = len(talk.answerable) + len(talk.adversarial)
    for number, question in enumerate((*talk.answerable, *talk.adversarial)):
        if number % 50 == 0:
            told(f"{number} of {total} questions")
        for (view, name), (ranking, holds) in views.items():
            hits = [holds[each] for each in ranking(question.text)]
            if question.category == ADVERSARIAL:
                results.empty.setdefault((view, name), []).append(not hits)
            else:
                results.outcomes.setdefault((view, name), []).append(outcome(question, hits))
        if number % CONTEXTS_EVERY == 0 and question.category != ADVERSARIAL:
            for name in (ENGINE, FUSED) if model is not None else (ENGINE,):
                results.contexts.setdefault(name, []).append(delivered(memory, question, name == FUSED))


def _views(memory: Made, model: Embedder | None) -> Views:
    """Every ranking, and for which turns each of its hits stands."""
    turns, records = memory.of_kind(Kind.TURN), memory.of_kind(Kind.RECORD)
    single = {name: held for (kind, name), held in memory.holds.items() if kind is Kind.TURN}
    cited = {name: held for (kind, name), held in memory.holds.items() if kind is Kind.RECORD}
    around, texts = windows(turns), whole_texts(turns)
    whole = {name: frozenset[str]().union(*(single[each] for each in near)) for name, near in around.items()}
    ours = {
        Kind.TURN: _once(_ours(memory, Kind.TURN, model)),
        Kind.RECORD: _once(_ours(memory, Kind.RECORD, model)),
    }
    alone = {"grep": grep, "BM25": bm25}
    of_turns = {**ours[Kind.TURN], **{name: make(turns) for name, make in alone.items()}}
    of_windows = {**ours[Kind.TURN], **{name: make(texts) for name, make in alone.items()}}
    of_records = {**ours[Kind.RECORD], **{name: make(records) for name, make in alone.items()}}
    return {
        **{("turns", name): (ranking, single) for name, ranking in of_turns.items()},
        **{("windows", name): (apart(ranking, around), whole) for name, ranking in of_windows.items()},
        **{("records", name): (ranking, cited) for name, ranking in of_records.items()},
    }


def _ours(memory: Made, kind: Kind, model: Embedder | None) -> Mapping[str, Ranking]:
    """What knows more than the text of a document: the engine, and the vectors by themselves."""
    words = {ENGINE: engine(memory, kind, False)}
    if model is None:
        return words
    return {**words, FUSED: engine(memory, kind, True), "embeddings": embedded(memory, kind, model)}


def _once(rankings: Mapping[str, Ranking]) -> dict[str, Ranking]:
    """The same, with the last answer kept: turns and windows ask for the same ranking."""
    return {name: lru_cache(maxsize=1)(ranking) for name, ranking in rankings.items()}


def _lines(results: Results) -> Iterator[str]:
    for view in dict.fromkeys(view for view, _ in results.outcomes):
        mine = {name: held for (of, name), held in results.outcomes.items() if of == view}
        yield from _table(view, mine, results)
        if FUSED in mine:
            yield from _compared(mine)
        yield ""
    yield f"{'contexts':{_WIDTH}}" + "".join(f"{name:>{_WIDTH}}" for name in results.contexts)
    rows = {name: summary(held) for name, held in results.contexts.items()}
    for key in rows[ENGINE]:
        yield f"{key:{_WIDTH}}" + "".join(f"{each[key]:>{_WIDTH}.3f}" for each in rows.values())
    yield ""


def _table(view: str, outcomes: Mapping[str, Sequence[Outcome]], results: Results) -> Iterator[str]:
    groups = list(figures(next(iter(outcomes.values()))))
    yield (
        f"{view:{_WIDTH}}{'R@5':>7}{'R@10':>7}{'R@20':>7}{'MRR':>7}   "
        + "".join(f"{name:>13}" for name in groups[:-1])
        + f"{'5: empty':>13}"
    )
    for name, held in outcomes.items():
        known = figures(held)
        whole = "".join(
            f"{known['all'][each]:7.3f}" for each in ("recall@5", "recall@10", "recall@20", "mrr")
        )
        parts = "".join(
            f"{known[group]['recall@10']:7.3f} {known[group]['mrr']:5.3f}" for group in groups[:-1]
        )
        empty = results.empty[view, name]
        yield f"{name:{_WIDTH}}{whole}   {parts}{sum(empty):>8}/{len(empty)}"


def _compared(outcomes: Mapping[str, Sequence[Outcome]]) -> Iterator[str]:
    for group, found in difference(outcomes[ENGINE], outcomes[FUSED]).items():
        yield (
            f"  semantic, {group}: {found.mean:+.3f} ({found.low:+.3f} to {found.high:+.3f}), better in"
            f" {found.better}, worse in {found.worse}{', within noise' if found.noise else ''}"
        )


def _as_json(results: Results) -> dict[str, object]:
    return {
        "rankings": [
            {"of": view, "by": name, "figures": figures(held), "empty": sum(results.empty[view, name])}
            for (view, name), held in results.outcomes.items()
        ],
        "semantic": {
            view: {
                group: asdict(found)
                for group, found in difference(results.outcomes[view, ENGINE], held).items()
            }
            for (view, name), held in results.outcomes.items()
            if name == FUSED
        },
        "contexts": {name: summary(held) for name, held in results.contexts.items()},
    }


def _told(where: str, what: str) -> None:
    print(f"{where}: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
