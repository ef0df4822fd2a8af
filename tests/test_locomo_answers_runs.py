"""Runs of the benchmark of answers with a scripted model: what is published, how one goes on or stops."""

import hashlib
import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from answer_talks import ARMS, GOLD, TALK, scripted, speaks
from cli_example import ROOT
from provider_server import Answer, Played, played
from wire_formats import error, openai

sys.path.append(str(ROOT / "benchmarks"))
pytest.importorskip("openai", reason="needs the extra `models`: pip install 'scriptorium-memory[models]'")

from locomo_answers import main
from locomo_answers_prompts import published
from locomo_answers_published import results

KEY = "sk-live-51TESTkey0987654321zyx"
Run = Callable[..., int]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path)


def written(folder: Path) -> Path:
    place = folder / "talk.json"
    place.write_text(json.dumps(TALK))
    return place


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the memory of the conversation is kept from one run to the next."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture
def run(file: Path, homes: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The benchmark in this process, with the model at an address, in a folder beside the file."""
    return started(file, homes, monkeypatch)


def started(file: Path, homes: Path, patch: pytest.MonkeyPatch) -> Run:
    patch.setenv("SCRIPTORIUM_TEST_KEY", KEY)
    patch.setenv("SCRIPTORIUM_HOME", str(file.parent / "home"))

    def run(play: Played | None, *more: str) -> int:
        folders = ("--out", str(file.parent / "out"), "--homes", str(homes))
        at = ("--base-url", f"{play.address}/v1", "--key-env", "SCRIPTORIUM_TEST_KEY") if play else ()
        model = ("--model", "llamacpp:any", *at) if play else ()
        patch.setattr(sys, "argv", ["locomo_answers", str(file), *folders, *model, *more])
        return main()

    return run


def lines(file: Path) -> list[dict[str, Any]]:
    text = (file.parent / "out" / "answers.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def told(play: Played) -> list[str]:
    """The words of every request."""
    return [json.dumps(each.body["messages"]) for each in play.asked]


@pytest.fixture(scope="module")
def whole(homes: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, Played]:
    """A run over all questions with a key: its folder, what it printed, and what was asked."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as out, played() as play:
        folder = tmp_path_factory.mktemp("whole")
        talk = written(folder)
        key = folder / "errors.json"
        key.write_text(json.dumps([{"question_id": "conv-1/4", "correct_answer": "a dog, a boat, a cat"}]))
        run = started(talk, homes, patch)
        more = ("--questions", "0", "--key", str(key), "--seed", "5", "--tokens", "77")
        assert run(scripted(play), *more) == 0
    return folder, out.getvalue(), play


def test_a_run_publishes_who_answered_who_judged_by_which_key_and_every_word(
    whole: tuple[Path, str, Played],
) -> None:
    folder, printed, play = whole
    out, key, talk = folder / "out", folder / "errors.json", folder / "talk.json"
    made = json.loads((out / "run.json").read_text("utf-8"))
    assert (made["answerer"]["model"], made["judge"]["model"]) == ("llamacpp:any", "llamacpp:any")
    assert made["answerer"] == made["judge"] | {"tokens of an answer": 77}
    assert made["key"] == {
        "name": "errors.json",
        "sha256": hashlib.sha256(key.read_bytes()).hexdigest(),
        "corrected": 1,
        "left_out": 0,
        "citations_only": 0,
    }
    assert made["set"] == {"name": "talk.json", "sha256": hashlib.sha256(talk.read_bytes()).hexdigest()}
    assert (made["seeds"]["questions"], made["questions"]["all"], made["arms"]) == (5, 5, list(ARMS))
    assert made["prompts"] == published()
    assert {each.stem: each.read_text("utf-8")[:-1] for each in (out / "prompts").iterdir()} == published()
    assert made["versions"]["scriptorium"]
    held = lines(talk)
    assert [(line["question"], line["arm"]) for line in held] == [
        (f"conv-1/{place}", arm) for place in range(5) for arm in ARMS
    ]
    for line in held:
        assert line["answer"]
        assert len(line["prompt"]) == 64
        assert line["tokens_in"] == 1000
        assert line["milliseconds"] > 0
        assert set(line["verdicts"]) == {"lenient", "strict"}
        assert all(json.loads(each["said"])["right"] is each["right"] for each in line["verdicts"].values())
    assert [line["gold"] for line in held[16:]] == ["a dog, a boat, a cat"] * 4
    last = json.loads(printed.splitlines()[-1])
    assert last["figures"] == json.loads((out / "results.json").read_text("utf-8"))["figures"]
    assert (out / "table.txt").read_text("utf-8") in printed
    assert made["key"]["sha256"] in (out / "table.txt").read_text("utf-8")
    assert {each.headers["authorization"] for each in play.asked} == {f"Bearer {KEY}"}
    assert not [each for each in out.rglob("*") if each.is_file() and KEY in each.read_text("utf-8")]


def test_the_same_answers_are_judged_twice_and_stand_beside_grep_and_the_whole_conversation(
    whole: tuple[Path, str, Played],
) -> None:
    folder, printed, play = whole
    figures = json.loads(printed.splitlines()[-1])["figures"]
    for arm in ("recall", "grep", "full"):
        found = figures["all"][arm]
        assert (found["questions"], found["lenient"]["mean"], found["strict"]["mean"]) == (4, 1.0, 0.25), arm
        assert found["strict"]["low"] < 0.25 < found["strict"]["high"]
        assert 0.25 < found["f1"]["mean"] < 1.0
        assert figures["adversarial"][arm]["f1"]["mean"] == 1.0
    assert figures["all"]["nothing"]["lenient"]["mean"] == 0.0
    assert set(figures) == {"all", "multi-hop", "temporal", "open-domain", "single-hop", "adversarial"}
    shown = {(line["asked"], line["arm"]): line["shown"] for line in lines(folder / "talk.json")}
    question = next(iter(GOLD))
    assert all("blue pot" in shown[question, arm]["text"] for arm in ("recall", "grep"))
    assert (shown[question, "full"]["turns"], shown[question, "full"]["cut"]) == (3, False)
    assert shown[question, "nothing"]["tokens"] == 0
    answering = [each for each in told(play) if "Gold answer:" not in each]
    assert sum("[1:56 pm on 8 May, 2023]" in each and "blue pot" in each for each in answering) >= 5
    assert sum("(nothing)" in each for each in answering) >= 5
    assert "Gold" not in "".join(answering)


def test_what_does_not_fit_the_window_is_cut_and_said(file: Path, run: Run) -> None:
    with played() as play:
        assert run(scripted(play), "--questions", "1", "--window", "191", "--tokens", "20") == 0
    (whole,) = (line["shown"] for line in lines(file) if line["arm"] == "full")
    assert (whole["turns"], whole["cut"]) == (3, True)
    assert 0 < whole["left_out"] < 3
    text = told(play)[6]
    assert "ferry to the island" in text
    assert "blue pot" not in text


def test_a_stopped_run_goes_on_and_asks_nothing_twice(
    file: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = error(401, {"error": {"message": "no such key", "code": "invalid_api_key"}})
    answers = file.parent / "out" / "answers.jsonl"
    with played() as play:
        scripted(play, lambda body: speaks(body) if len(play.asked) <= 8 else refused)
        assert run(play, "--questions", "1") == 1
        assert "the same command goes on: llamacpp:any: MODEL_AUTHENTICATION" in capsys.readouterr().err
        first = told(play)[0], told(play)[3]  # two arms are judged, the third is answered
        before = answers.read_bytes()
        assert len(lines(file)) == 2
        answers.write_bytes(before + b'{"question": "conv-1/4", "arm": "fu')  # and its line was half written
        play.asked.clear()
        assert run(scripted(play), "--questions", "1") == 0
        assert len(play.asked) == 2 * 3
        assert not set(first) & set(told(play))
        assert answers.read_bytes().startswith(before)
        play.asked.clear()
        assert run(play, "--questions", "2") == 0
        assert len(play.asked) == 4 * 3
        play.asked.clear()
        assert run(play, "--questions", "2") == 0
        assert run(play, "--questions", "2", "--budget", "99") == 2
        assert play.asked == []
    assert "another run, by its sizes" in capsys.readouterr().err
    rows = [line for line in answers.read_text("utf-8").splitlines() if line.endswith("}")]
    names = [(json.loads(row)["question"], json.loads(row)["arm"]) for row in rows]
    assert len(names) == len(set(names)) == 8


def test_a_memory_that_was_left_half_made_is_made_to_its_end(file: Path, run: Run, homes: Path) -> None:
    with played() as play:
        assert run(scripted(play), "--questions", "1") == 0
        first = [line["shown"]["text"] for line in lines(file)]
        (homes / "conv-1" / "whole").unlink()
        assert run(play, "--questions", "1", "--out", str(file.parent / "again" / "out")) == 0
    again = lines(file.parent / "again" / "talk.json")
    assert [line["shown"]["text"] for line in again] == first
    assert (homes / "conv-1" / "whole").exists()


def test_a_server_that_is_busy_for_a_moment_is_waited_for(file: Path, run: Run) -> None:
    busy = error(503, {"error": {"message": "loading", "type": "unavailable_error"}})
    with played() as play:
        scripted(play, lambda body: busy if len(play.asked) == 1 else speaks(body))
        assert run(play, "--questions", "1") == 0
        assert len(play.asked) == 1 + 4 * 3


def test_words_are_counted_without_any_judge(file: Path, run: Run, whole: tuple[Path, str, Played]) -> None:
    def mute(body: Any) -> Answer:
        return openai("Hm.") if "Gold answer:" in body["messages"][1]["content"] else speaks(body)

    with played() as play:
        assert run(scripted(play, mute), "--questions", "1") == 0
    (arms,) = (found for group, found in results(lines(file))["figures"].items() if group == "multi-hop")
    assert {arm: (held["f1"]["mean"], held["unreadable"]) for arm, held in arms.items()} == {
        **dict.fromkeys(ARMS, (0.5, 2)),
        "nothing": (0.0, 2),
    }
    assert {held[judge]["mean"] for held in arms.values() for judge in ("lenient", "strict")} == {0.0}
    held = lines(whole[0] / "talk.json")
    unjudged = results([{**line, "verdicts": {}} for line in held])["figures"]
    for group, judged in results(held)["figures"].items():
        assert all(unjudged[group][arm]["f1"] == judged[arm]["f1"] for arm in ARMS)


def test_a_question_that_the_provider_refuses_is_counted_and_not_judged(
    file: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    long = error(400, {"error": {"message": "too long", "code": "context_length_exceeded"}})

    def short(body: Any) -> Answer:
        text = body["messages"][1]["content"]
        whole = "Gold answer:" not in text and all(turn in text for turn in ("blue pot", "Lima", "ferry to"))
        return long if whole else speaks(body)

    with played() as play:
        assert run(scripted(play, short), "--questions", "1", "--budget", "30") == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])["figures"]
    assert {arm: figures["all"][arm]["failed"] for arm in ARMS} == dict.fromkeys(ARMS, 0) | {"full": 1}
    (line,) = (line for line in lines(file) if line["arm"] == "full")
    assert (line["verdicts"], line["f1"], line["failed"].partition(":")[0]) == (
        {},
        0.0,
        "MODEL_CONTEXT_LENGTH",
    )


def test_a_form_that_a_server_refuses_is_not_asked_for_again(file: Path, run: Run) -> None:
    def plain(body: Any) -> Answer:
        refused = body.get("response_format", {}).get("type") == "json_schema"
        return error(400, {"error": {"message": "response_format is unknown"}}) if refused else speaks(body)

    with played() as play:
        assert run(scripted(play, plain), "--questions", "1") == 0
        kinds = [each.body.get("response_format", {}).get("type") for each in play.asked]
    assert kinds.count("json_schema") == 1
    assert {each["form"] for line in lines(file) for each in line["verdicts"].values()} == {"json_object"}


def test_a_judge_of_its_own_is_asked_and_named(file: Path, run: Run) -> None:
    with played() as play, played() as bench:
        judge = ("--judge", "elsewhere:wise", "--judge-base-url", f"{bench.address}/v1")
        scripted(bench)
        assert run(scripted(play), "--questions", "1", *judge) == 0
        assert {each.body["model"] for each in bench.asked} == {"wise"}
        assert (len(play.asked), len(bench.asked)) == (4, 8)
    assert json.loads((file.parent / "out" / "run.json").read_text())["judge"]["model"] == "elsewhere:wise"


def test_without_a_model_it_says_what_to_set_and_writes_nothing(
    file: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(None) == 2
    said = capsys.readouterr().err
    assert "--model provider:model" in said
    assert "[api]" in said
    assert str(file.parent / "home" / "settings.toml") in said
    assert not (file.parent / "out").exists()


def test_the_model_of_the_settings_is_asked_where_none_is_given(file: Path, run: Run) -> None:
    home = file.parent / "home"
    home.mkdir()
    with played() as play:
        table = f'[api]\nmodel = "elsewhere:mine"\nbase_url = "{play.address}/v1"\n'
        (home / "settings.toml").write_text(table)
        scripted(play)
        assert run(None, "--questions", "1") == 0
        assert {each.body["model"] for each in play.asked} == {"mine"}


def test_without_the_set_nothing_is_asked(file: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    file.unlink()
    with played() as play:
        assert run(scripted(play)) == 2
        assert play.asked == []
    assert "is not there" in capsys.readouterr().err
