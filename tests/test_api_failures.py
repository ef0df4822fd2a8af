"""The writer `api` when its provider fails: each failure has its code, and memory is as it was."""

from pathlib import Path

import pytest

from api_homes import KEPT, KEY, done, pending, service, written_by
from cli_example import run
from model_failures import MISDEEDS
from provider_failures import FAILURES, Failure
from provider_server import Answer, played
from residue import places_with
from scriptorium_core.problem import Code
from scriptorium_core.writing.explaining import explain
from scriptorium_core.writing.outcome import Failed, Wrote, retryable
from small_homes import unsound
from wire_formats import FORMATS, Called, Format, error

pytest.importorskip("anthropic", reason="needs the extra `models`: pip install 'scriptorium-memory[models]'")
pytest.importorskip("openai", reason="needs the extra `models`: pip install 'scriptorium-memory[models]'")
pytestmark = pytest.mark.provider

OPENAI = FORMATS[1]
ALL = FAILURES + MISDEEDS
PASSING = (Code.MODEL_PROVIDER_INTERNAL, Code.MODEL_RATE_LIMIT, Code.MODEL_TRANSPORT)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIPTORIUM_TEST_KEY", KEY)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_each_failure_ends_in_its_code_and_leaves_memory_as_it_was(
    tmp_path: Path, case: Failure, capfd: pytest.CaptureFixture[str]
) -> None:
    with played(*case.answers) as play:
        limits = {"mode": case.mode, "timeout": case.timeout, "max_turns": case.max_turns}
        outcome = written_by(tmp_path, case.form, play, **limits)
    assert isinstance(outcome, Failed), outcome
    assert outcome.code is case.code, outcome
    assert outcome.retryable is retryable(case.code)
    assert case.told in outcome.message
    assert pending(tmp_path) == 2
    assert list(unsound(tmp_path)) == []
    status = run("--home", tmp_path, "status")
    assert case.code in status.out
    assert explain(case.code).words in status.out
    said = capfd.readouterr()
    assert KEY not in f"{outcome!r}{status.out}{status.err}{said.out}{said.err}"
    assert places_with(tmp_path, KEY) == []


def test_every_code_of_a_model_is_reached() -> None:
    wanted = {code for code in Code if code.startswith("MODEL_")} | {Code.WRITER_NO_PROGRESS}
    assert wanted <= {case.code for case in ALL}


@pytest.mark.parametrize(
    "case", [case for case in FAILURES if case.code in PASSING], ids=lambda case: case.name
)
def test_the_library_never_tries_again_by_itself(tmp_path: Path, case: Failure) -> None:
    with played(*case.answers) as play:
        written_by(tmp_path, case.form, play, mode="tools")
    assert len(play.asked) == 1


def test_after_a_failure_that_passes_the_same_conversation_is_written(tmp_path: Path) -> None:
    broken = error(529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    form = FORMATS[0]
    with played(broken, form.say("", KEPT, done())) as play:
        assert isinstance(written_by(tmp_path, form, play), Failed)
        assert isinstance(written_by(tmp_path, form, play), Wrote)
    assert pending(tmp_path) == 0


def test_nobody_at_the_address_is_a_failure_of_the_way(tmp_path: Path) -> None:
    with played(Answer()) as play:
        pass
    for form in FORMATS[:2]:
        outcome = written_by(tmp_path, form, play)
        assert isinstance(outcome, Failed)
        assert outcome.code is Code.MODEL_TRANSPORT


@pytest.mark.parametrize("form", FORMATS[:2], ids=lambda form: form.name)
def test_a_limit_names_the_time_at_which_it_is_lifted(tmp_path: Path, form: Format) -> None:
    answer = error(429, {"error": {"message": "slow down"}}, {"retry-after": "86400"})
    with played(answer) as play:
        outcome = written_by(tmp_path, form, play)
    assert isinstance(outcome, Failed)
    assert outcome.until > "20"
    assert outcome.until.count("T") == 1
    status = run("--home", tmp_path, "status")
    assert outcome.until[11:16] in status.out


# --- What is told to the model, and mended ---------------------------------------------------------


def test_misuse_is_told_to_the_model_and_may_be_mended(tmp_path: Path) -> None:
    answers = (
        OPENAI.say("", Called("remember", {"text": "tea"})),
        OPENAI.say("", Called("write", raw='{"path": "topics/tea.md", "content": ')),
        OPENAI.say("", Called("read", {"path": ["topics"]})),
        OPENAI.say("", KEPT),
        OPENAI.say("", done()),
    )
    with played(*answers) as play:
        outcome = written_by(tmp_path, OPENAI, play, mode="tools")
    assert isinstance(outcome, Wrote)
    told = [asked.body["messages"][-1]["content"] for asked in play.asked[1:4]]
    assert "there is no tool 'remember'" in told[0]
    assert "the arguments are not JSON" in told[1]
    assert "must be a text" in told[2]


def test_an_answer_that_was_cut_off_is_not_carried_out_and_may_be_made_smaller(tmp_path: Path) -> None:
    answers = (OPENAI.say("", KEPT, ending="length"), OPENAI.say("", KEPT, done()))
    with played(*answers) as play:
        outcome = written_by(tmp_path, OPENAI, play)
    assert isinstance(outcome, Wrote)
    assert len(outcome.created) == 1
    roles = [message["role"] for message in play.asked[1].body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert "cut off" in play.asked[1].body["messages"][-1]["content"]


def test_under_a_schema_all_that_is_wrong_is_told_once(tmp_path: Path) -> None:
    wrong = OPENAI.say('{"memory_changes": [{"op": "create_record", "content": "Tea."}]}')
    with played(wrong, OPENAI.say(KEPT.json)) as play:
        outcome = written_by(tmp_path, OPENAI, play, mode="schema")
    assert isinstance(outcome, Wrote)
    told = play.asked[1].body["messages"][-1]["content"]
    assert "memory_changes[0].time" in told
    assert "memory_changes[0].sources" in told


# --- Falling back ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        "registry.ollama.ai/library/gemma:2b does not support tools",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "tools param requires --jinja flag",
    ],
)
def test_a_model_that_knows_no_tools_is_asked_under_a_schema(tmp_path: Path, message: str) -> None:
    form = FORMATS[3]
    refused = error(400, {"error": {"message": message, "type": "invalid_request_error"}})
    with played(refused, form.say(KEPT.json)) as play:
        outcome = written_by(tmp_path, form, play)
    assert isinstance(outcome, Wrote)
    assert "tools" in play.asked[0].body
    assert "tools" not in play.asked[1].body


def test_a_model_that_only_talks_is_asked_under_a_schema_in_the_end(tmp_path: Path) -> None:
    form = FORMATS[2]
    talk = form.say("Mara likes tea. What a nice conversation that was to read through.")
    with played(talk, talk, talk, talk, form.say(KEPT.json)) as play:
        outcome = written_by(tmp_path, form, play)
    assert isinstance(outcome, Wrote)
    assert outcome.used.calls == 5


def test_a_server_that_breaks_on_one_form_of_schema_is_asked_for_another(tmp_path: Path) -> None:
    form = FORMATS[2]
    broken = error(500, {"error": {"message": "Internal Server Error", "type": "internal_server_error"}})
    with played(broken, form.say(KEPT.json)) as play:
        outcome = written_by(tmp_path, form, play, mode="schema")
    assert isinstance(outcome, Wrote)
    forms = [asked.body["response_format"] for asked in play.asked]
    assert [each["type"] for each in forms] == ["json_schema", "json_object"]
    assert forms[1]["schema"]["required"] == ["memory_changes"]


# --- Bounds --------------------------------------------------------------------------------------------


def test_a_model_is_never_asked_for_more_than_it_may_cost(tmp_path: Path) -> None:
    form = FORMATS[0]
    with played(form.say("", Called("list", {}))) as play:
        outcome = written_by(tmp_path, form, play, max_cost=0.03)
    assert isinstance(outcome, Failed)
    assert outcome.code is Code.WRITER_NO_PROGRESS
    assert "max_cost" in outcome.message
    assert 1 <= len(play.asked) < 8
    assert (outcome.used.cost or 0.0) < 0.03


def test_a_limit_of_cost_needs_a_price(tmp_path: Path) -> None:
    with played(Answer()) as play, service(tmp_path, OPENAI, play, max_cost=1.0) as opened:
        opened.settings = opened.settings._replace(prices={})
        ((outcome,),) = (each.outcomes for each in opened.write(force=True))
    assert isinstance(outcome, Failed)
    assert outcome.code is Code.WRITER_PRECONDITION_FAILED
    assert play.asked == []


def test_without_a_key_nobody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRIPTORIUM_TEST_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    with played(OPENAI.say("", KEPT, done())) as play:
        outcome = written_by(tmp_path, OPENAI, play)
    assert isinstance(outcome, Failed)
    assert outcome.code is Code.WRITER_PRECONDITION_FAILED
    assert "SCRIPTORIUM_TEST_KEY" in outcome.message
    assert play.asked == []


def test_without_the_library_the_command_that_installs_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scriptorium.models.connecting.find_spec", lambda name: None)
    with played(Answer()) as play:
        outcome = written_by(tmp_path, OPENAI, play)
    assert isinstance(outcome, Failed)
    assert outcome.code is Code.WRITER_PRECONDITION_FAILED
    assert "pip install 'scriptorium-memory[models]'" in outcome.message


def test_a_provider_that_repeats_the_key_gives_it_to_nobody(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for status in (400, 403, 404, 500):
        answer = error(status, {"error": {"message": f"cannot use {KEY} here", "type": KEY, "code": KEY}})
        with played(answer) as play:
            outcome = written_by(tmp_path, OPENAI, play)
        assert KEY in play.asked[0].headers["authorization"]
        assert isinstance(outcome, Failed)
        assert f"HTTP {status}: cannot use [key] here" == outcome.message
        shown = run("--home", tmp_path, "status", "--json")
        said = capfd.readouterr()
        assert KEY not in f"{outcome!r}{shown.out}{shown.err}{said.out}{said.err}"
    broken = b'data: {"error": {"code": "%s"}}\n\n' % KEY.encode()
    with played(Answer((broken,))) as play:
        outcome = written_by(tmp_path, OPENAI, play)
    assert isinstance(outcome, Failed)
    assert outcome.message == "[key]"
    assert places_with(tmp_path, KEY) == []


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_the_key_is_in_no_file_no_log_and_no_tape(
    tmp_path: Path, form: Format, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    for name in ("anthropic", "openai", "httpx2", "httpcore2"):
        caplog.set_level("DEBUG", name)
    with played(form.say("", KEPT, done())) as play, service(tmp_path, form, play) as opened:
        ((outcome,),) = (each.outcomes for each in opened.write(force=True, record=tmp_path / "tape.jsonl"))
        status = opened.status()
    assert isinstance(outcome, Wrote)
    assert KEY in str(play.asked[0].headers)
    assert caplog.records
    said = capfd.readouterr()
    assert KEY not in f"{outcome!r}{status!r}{said.out}{said.err}{caplog.text}"
    assert (tmp_path / "tape.jsonl").is_file()
    assert places_with(tmp_path, KEY) == []
