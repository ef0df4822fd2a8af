"""How often a model answers right with what it is shown: LoCoMo's questions, by our context and baselines.

    python benchmarks/locomo_answers.py ../shared/data/locomo10.json --model anthropic:claude-sonnet-4-5
    python benchmarks/locomo_answers.py ../shared/data/locomo10.json --model llamacpp:any --questions 50 \\
        --base-url http://127.0.0.1:8080/v1 --judge openai:gpt-5 --key errors.json --out answers

Every question is answered four times: with what `context` delivers, what grep finds under the same budget,
the whole conversation, and nothing. Each answer is judged by two prompts of one judge, and by the words that
it shares with the gold answer. One figure says little: of the same answers a lenient prompt passes many more
than a strict one, and some of the published gold answers are wrong. So a folder is published, with answerer,
judge, prompts, the key by name and SHA-256, seeds, sizes, and every answer and verdict word for word.

- `--model`, `--base-url`, `--key-env` as in `[api]` of `settings.toml`, which is taken where no model is
  given; `--judge…` likewise, else the answerer judges itself, and the table says so.
- `--key` corrects or leaves out answers of the set: see `locomo_answers_set`.
- A run that was stopped goes on by the same command; one with more `--questions` adds them.
- The memory is written by the writer that needs no model; `--semantic` searches by meanings, too.

Tables, then a line of JSON; how far it is goes to stderr. Exit 2: nothing was asked, and it is said what to
set. Exit 1: stopped on the way. The set is not part of this repository (snap-research/locomo, CC BY-NC); the
published answers hold parts of it.
"""

import argparse
import json
import sys
import tempfile
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / part) for part in ("core", "shell")]

from locomo_answers_arms import book  # noqa: E402
from locomo_answers_asking import Asker, Stopped, asker_of  # noqa: E402
from locomo_answers_published import claim, description, publish, results, table  # noqa: E402
from locomo_answers_run import Run, answered, lines_in, open_arms  # noqa: E402
from locomo_answers_set import Unfit, asked_of, key_of, sample, sha256  # noqa: E402
from locomo_memory import made  # noqa: E402
from locomo_set import conversations  # noqa: E402

from scriptorium.refused import Refused  # noqa: E402
from scriptorium.settings import FILE, Api, Settings, default_home, faults, load  # noqa: E402
from scriptorium_core.problem import Problem, render_problem  # noqa: E402

_QUESTIONS, _WINDOW, _TOKENS, _SECONDS = 100, 32_000, 2_000, 180


def main() -> int:
    """Ask, judge, print tables, print JSON."""
    options = _options()
    try:
        run = Run(_asker(options, "model"), _asker(options, "judge"), options.budget, options.window)
        return _run(options, run)
    except (Unfit, Refused) as error:
        print(error, file=sys.stderr)
        return 2
    except Stopped as error:
        print(f"stopped, the same command goes on: {error}", file=sys.stderr)
        return 1


def _run(options: argparse.Namespace, run: Run) -> int:
    if not options.file.is_file():
        raise Unfit(f"{options.file} is not there: it is no part of this repository, and nothing is asked")
    talks = tuple(conversations(options.file))
    key = key_of(options.key, options.file, talks)
    everything = [each for talk in talks for each in asked_of(talk, key)]
    asked = sample(everything, options.questions or None, options.seed)
    data = options.file.name, sha256(options.file.read_bytes())
    described = description(run, data, key, options.seed, options.semantic)
    claim(options.out, described, asked)
    left = open_arms(lines_in(options.out), asked)
    with tempfile.TemporaryDirectory(prefix="scriptorium-locomo-") as folder:
        for talk in talks:
            mine = [each for each in asked if each.id in left and each.id.rpartition("/")[0] == talk.name]
            if not mine:
                continue
            told = partial(_told, talk.name)
            memory = made(talk, (options.homes or Path(folder)) / talk.name, told, options.semantic)
            with memory.service:
                answered(run, book(talk, memory), mine, left, options.out, told)
    chosen = {each.id for each in asked}
    found = results([line for line in lines_in(options.out) if line["question"] in chosen])
    shown = list(table(found, described))
    publish(options.out, found, shown)
    print("\n".join(shown))
    print(json.dumps({"out": str(options.out), "key": described["key"], **found}))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="locomo10.json")
    for name, who in (("model", "answers"), ("judge", "judges; the answerer if it is not given")):
        head = "" if name == "model" else "judge-"
        parser.add_argument(f"--{name}", default="", help=f"provider:model that {who}")
        parser.add_argument(f"--{head}base-url", default="", help="its address")
        parser.add_argument(f"--{head}key-env", default="", help="the name of the variable with its key")
        parser.add_argument(f"--{head}tokens", type=int, default=_TOKENS, help="of one answer, at most")
    parser.add_argument("--seconds", type=int, default=_SECONDS, help="for one answer, at most")
    parser.add_argument("--questions", type=int, default=_QUESTIONS, help="how many, evenly; 0 is all")
    parser.add_argument("--seed", type=int, default=1, help="by which they are chosen")
    parser.add_argument(
        "--budget", type=int, default=Settings().context_tokens, help="tokens, recall and grep"
    )
    parser.add_argument("--window", type=int, default=_WINDOW, help="tokens that the answerer takes in all")
    parser.add_argument("--key", type=Path, help="corrections of the gold answers")
    parser.add_argument("--out", type=Path, default=Path("locomo-answers"), help="where all is published")
    parser.add_argument("--homes", type=Path, help="where the memories are kept for the next run")
    parser.add_argument("--semantic", action="store_true", help="search by meanings, too")
    return parser.parse_args()


def _asker(options: argparse.Namespace, who: str) -> Asker:
    """The answerer, or the judge; raises Unfit with what to set if there is none."""
    if who == "judge" and options.judge:
        chosen = _given(options.judge, options.judge_base_url, options.judge_key_env)
        chosen = chosen._replace(max_tokens=options.judge_tokens)
    elif options.model:
        chosen = _given(options.model, options.base_url, options.key_env)
        chosen = chosen._replace(max_tokens=options.tokens if who == "model" else options.judge_tokens)
    else:
        home = default_home()
        chosen = load(home).api
        if not chosen.model:
            raise Unfit(
                "no model is configured, and nothing is asked: give --model provider:model (and its"
                f" --base-url), or set model in [api] of {home / FILE}"
            )
    found = asker_of(chosen._replace(timeout=options.seconds))
    if isinstance(found, Problem):
        raise Unfit(f"{found.message}; {found.remedy}")
    return found


def _given(model: str, base_url: str, key_env: str) -> Api:
    """A model of the arguments, under the rules of the settings."""
    table_ = {"model": model, "base_url": base_url, "key_env": key_env}
    wrong = faults(Path("arguments"), {"api": {name: value for name, value in table_.items() if value}})
    if wrong:
        raise Unfit("; ".join(render_problem(each) for each in wrong))
    return Api(model, base_url, key_env)


def _told(where: str, what: str) -> None:
    print(f"{where}: {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
