"""The benchmark of finding: its figures, and a run over a conversation that was made up for this."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "benchmarks"))

from locomo_figures import Outcome, difference, figures, outcome  # noqa: E402
from locomo_set import Question, conversations  # noqa: E402

TALK = [
    {
        "sample_id": "conv-1",
        "qa": [
            {"question": "Where does Ada keep the spare key?", "evidence": ["D1:1; D1:9"], "category": 4},
            {"question": "When was the ferry late?", "evidence": ["D1:3"], "category": 2},
            {"question": "What does Bo think of zeppelins?", "evidence": ["D1:2"], "category": 5},
            {"question": "Would Ada like opera?", "evidence": ["D"], "category": 3},
        ],
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "I keep the spare key under the blue pot."},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "I have a dog, and I live in Lima."},
                {"speaker": "Ada", "dia_id": "D1:3", "text": "The ferry to the island was late on Monday."},
            ],
        },
    }
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "talk.json"
    place.write_text(json.dumps(TALK))
    return place


def asked(*evidence: str) -> Question:
    return Question("?", 4, frozenset(evidence))


def test_recall_counts_evidence_once_and_the_rank_is_of_the_first() -> None:
    hits = [{"x"}, {"a"}, {"a"}, set[str](), {"y"}, {"b"}]
    assert outcome(asked("a", "b"), hits) == Outcome(4, (0.5, 1.0, 1.0), 0.5)
    assert outcome(asked("a"), [{"x"}]) == Outcome(4, (0.0, 0.0, 0.0), 0.0)


def test_the_sum_is_over_questions_and_not_over_categories() -> None:
    done = [
        Outcome(4, (1.0, 1.0, 1.0), 1.0),
        Outcome(4, (0.0, 0.0, 0.0), 0.0),
        Outcome(2, (0.0, 0.0, 0.0), 0.0),
    ]
    known = figures(done)
    assert known["single-hop"]["recall@10"] == 0.5
    assert known["all"]["mrr"] == pytest.approx(1 / 3)
    assert "open-domain" not in known


def test_a_difference_is_noise_until_it_is_the_same_again_and_again() -> None:
    worse, better = Outcome(4, (0.0, 0.0, 0.0), 0.0), Outcome(4, (1.0, 1.0, 1.0), 1.0)
    clear = difference([worse] * 20, [better] * 20)["all"]
    assert (clear.mean, clear.noise, clear.better, clear.worse) == (1.0, False, 20, 0)
    mixed = difference([worse, better] * 10, [better, worse] * 10)["single-hop"]
    assert (mixed.mean, mixed.noise) == (0.0, True)


def test_evidence_that_names_no_turn_is_left_out(file: Path) -> None:
    (talk,) = conversations(file)
    assert [each.evidence for each in talk.answerable] == [{"D1:1"}, {"D1:3"}]
    assert [each.text for each in talk.adversarial] == ["What does Bo think of zeppelins?"]


def test_a_run_prints_tables_and_json(file: Path) -> None:
    done = _run(str(file), "--no-semantic")
    assert done.returncode == 0, done.stderr
    known = json.loads(done.stdout.splitlines()[-1])
    found = {(each["of"], each["by"]): each["figures"]["all"] for each in known["rankings"]}
    for view in ("turns", "windows", "records"):
        for name in ("this engine", "grep", "BM25"):
            assert found[view, name]["recall@5"] == 1.0, (view, name)
    assert known["contexts"]["this engine"]["evidence delivered"] == 1.0


def test_without_the_file_it_says_so(tmp_path: Path) -> None:
    done = _run(str(tmp_path / "absent.json"))
    assert done.returncode == 1
    assert "is not there" in done.stderr


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "benchmarks" / "locomo.py"), *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
