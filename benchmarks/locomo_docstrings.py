"""A second set of questions, so that no weight is fitted to one: what Python's own library says of itself.

    python benchmarks/locomo_docstrings.py > /tmp/docstrings.json
    python benchmarks/locomo.py /tmp/docstrings.json

In the form of LoCoMo: a module is a sitting, a function or class a turn with its docstring but for the first
line, and the first line is the question by which it is to be found. The texts are long and technical,
neighbours are of one subject, and an answer stands in one turn alone. All are of the category `single-hop`.
"""

import ast
import json
import re
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

CONVERSATIONS, SITTINGS, QUESTIONS = 4, 20, 100
_LEAST_WORDS, _LEAST_TEXT, _LONGEST, _LEAST_TURNS = 5, 80, 1_500, 8

Entry = tuple[str, str, str]
"""The name of a function or class, the first line of its docstring, and the rest."""


def main() -> None:
    """Print the set as JSON."""
    found = [entries for path in _modules() if len(entries := list(_entries(path))) >= _LEAST_TURNS]
    parts = [found[start::CONVERSATIONS][:SITTINGS] for start in range(CONVERSATIONS)]
    json.dump([_conversation(number, modules) for number, modules in enumerate(parts)], sys.stdout)


def _modules() -> Iterator[Path]:
    library = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted(library.rglob("*.py")):
        parts = path.relative_to(library).parts
        if not {"site-packages", "test", "tests", "idlelib", "lib2to3"} & set(parts):
            yield path


def _entries(path: Path) -> Iterator[Entry]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first, _, rest = (ast.get_docstring(node) or "").partition("\n")
            text = " ".join(rest.split())[:_LONGEST]
            if len(re.findall(r"\w+", first)) >= _LEAST_WORDS and len(text) >= _LEAST_TEXT:
                yield node.name, first.strip(), text


def _conversation(number: int, modules: Sequence[Sequence[Entry]]) -> dict[str, object]:
    talk: dict[str, object] = {"speaker_a": "Guide", "speaker_b": "Reader"}
    asked: list[dict[str, object]] = []
    for sitting, entries in enumerate(modules, 1):
        talk[f"session_{sitting}_date_time"] = f"9:00 am on {sitting} March, 2025"
        turns = [(f"D{sitting}:{place}", *entry) for place, entry in enumerate(entries, 1)]
        talk[f"session_{sitting}"] = [
            {"speaker": "Guide", "dia_id": turn, "text": text} for turn, _, _, text in turns
        ]
        asked += [{"question": first, "evidence": [turn], "category": 4} for turn, _, first, _ in turns]
    step = max(len(asked) // QUESTIONS, 1)
    return {"sample_id": f"docstrings-{number}", "conversation": talk, "qa": asked[::step][:QUESTIONS]}


if __name__ == "__main__":
    main()
