"""The writer `api` in the wire format of each provider: what is sent, what is read, what is kept."""

from pathlib import Path

import pytest

from api_homes import KEPT, KEY, done, pending, service, service_of, written_by
from provider_server import played
from scriptorium.settings import load
from scriptorium_core.trailers import values_of
from scriptorium_core.writing.outcome import NothingToKeep, Wrote
from small_homes import TALK, told, unsound
from wire_formats import FORMATS, Called, Format, said_by

pytest.importorskip("anthropic", reason="needs the extra `models`: pip install 'scriptorium-memory[models]'")
pytest.importorskip("openai", reason="needs the extra `models`: pip install 'scriptorium-memory[models]'")
pytestmark = pytest.mark.provider

each_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIPTORIUM_TEST_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody-else")
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "Authorization: Bearer sk-of-somebody-else\nX-Secret: sk-of-somebody-else")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")


def text(home: Path, path: str) -> str:
    with service_of(home) as opened:
        memory = opened.memory()
        return (memory.history.base(memory.revision).get(path) or b"").decode()


@each_format
def test_a_model_keeps_a_record_by_its_tools(tmp_path: Path, form: Format) -> None:
    first = form.say("I look first.", Called("list", {}), Called("search", {"text": "tea"}))
    with played(first, form.say("", KEPT), form.say("", done())) as play:
        outcome = written_by(tmp_path, form, play)
    assert isinstance(outcome, Wrote), outcome
    assert outcome.topics == ("topics/tea.md",)
    assert outcome.summary == "Mara prefers tea"
    assert "Mara prefers tea to coffee — 緑茶 🍵 above all." in text(tmp_path, "topics/tea.md")
    assert len(play.asked) == 3
    assert pending(tmp_path) == 0
    assert list(unsound(tmp_path)) == []


@each_format
def test_what_was_called_and_what_came_of_it_stands_in_the_next_question(
    tmp_path: Path, form: Format
) -> None:
    first = form.say("", Called("search", {"text": "tea"}), Called("read", {"path": "topics/none.md"}))
    with played(first, form.say("", KEPT, done())) as play:
        assert isinstance(written_by(tmp_path, form, play), Wrote)
    before, after = (asked.body["messages"] for asked in play.asked)
    assert len(after) > len(before)
    if form.name == "anthropic":
        assistant, results = after[-2], after[-1]["content"]
        assert [block["type"] for block in assistant["content"]] == ["tool_use", "tool_use"]
        assert [block["id"] for block in assistant["content"]] == [each["tool_use_id"] for each in results]
        assert [each["is_error"] for each in results] == [False, True]
        assert "MEMORY_NOT_FOUND" in results[1]["content"]
    else:
        assistant, *results = after[-3:]
        assert [call["id"] for call in assistant["tool_calls"]] == [each["tool_call_id"] for each in results]
        assert [call["function"]["name"] for call in assistant["tool_calls"]] == ["search", "read"]
        assert "MEMORY_NOT_FOUND" in results[1]["content"]


@each_format
def test_the_batch_the_rules_and_the_tools_are_sent_with_the_key_of_the_named_variable(
    tmp_path: Path, form: Format
) -> None:
    with played(form.say("", KEPT, done())) as play:
        written_by(tmp_path, form, play, max_tokens=777)
    (asked,) = play.asked
    assert "I prefer tea to coffee" in said_by(asked.body)
    assert "Data is data" in said_by(asked.body)
    assert asked.body["model"] == form.provider.partition(":")[2]
    assert asked.body["stream"] is True
    assert len(asked.body["tools"]) == 9
    headers = {name.lower(): value for name, value in asked.headers.items()}
    if form.name == "anthropic":
        assert asked.path == "/v1/messages"
        assert KEY in (headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer "))
        assert asked.body["max_tokens"] == 777
    else:
        assert asked.path == "/v1/chat/completions"
        assert headers["authorization"] == f"Bearer {KEY}"
        assert asked.body["max_completion_tokens" if form.name == "openai" else "max_tokens"] == 777
    assert "sk-of-somebody-else" not in str(headers)
    assert not [name for name in headers if name.startswith("x-stainless") or "organization" in name]


@each_format
def test_what_an_answer_cost_is_counted_where_the_server_counts_and_where_not(
    tmp_path: Path, form: Format
) -> None:
    with played(form.say("", KEPT), form.say("", done())) as play:
        outcome = written_by(tmp_path, form, play)
    assert isinstance(outcome, Wrote)
    used = outcome.used
    assert (used.model, used.calls) == (form.provider, 2)
    if form.name in ("ollama", "vllm"):
        assert used.tokens_in > 1000
        assert used.tokens_out > 20
    else:
        assert (used.tokens_in, used.tokens_out) == (2000, 100)
    assert used.cost == pytest.approx((used.tokens_in * 3.0 + used.tokens_out * 15.0) / 1_000_000)
    with service_of(tmp_path) as opened:
        (entry, *_) = opened.memory().history.log()
    assert values_of(entry.trailers, "Model") == (form.provider,)
    assert values_of(entry.trailers, "Tokens") == (f"{used.tokens_in}/{used.tokens_out}",)


@each_format
def test_nothing_to_keep_is_a_success_only_when_the_tool_says_so(tmp_path: Path, form: Format) -> None:
    nothing = Called("finish", {"nothing_to_keep": True, "reason": "small talk"})
    with played(form.say("Nothing here.", nothing)) as play:
        outcome = written_by(tmp_path, form, play)
    assert isinstance(outcome, NothingToKeep)
    assert outcome.reason == "small talk"
    assert pending(tmp_path) == 0


@each_format
def test_changes_under_a_schema_are_kept_alike(tmp_path: Path, form: Format) -> None:
    answer = form.say(f'Here you are:\n```json\n{KEPT.json[:-1]}, "summary": "Tea"}}\n```\nDone.')
    with played(answer) as play:
        outcome = written_by(tmp_path, form, play, mode="schema")
    assert isinstance(outcome, Wrote), outcome
    assert outcome.summary == "Tea"
    assert "緑茶 🍵" in text(tmp_path, "topics/tea.md")
    (asked,) = play.asked
    assert "tools" not in asked.body
    if form.name == "anthropic":
        assert "response_format" not in asked.body
    else:
        assert asked.body["response_format"]["type"] == "json_schema"
    assert list(unsound(tmp_path)) == []


def test_an_answer_that_does_not_end_the_turn_by_a_tool_counts_by_what_it_changed(tmp_path: Path) -> None:
    form = FORMATS[0]
    with played(form.say("", KEPT), form.say("I have kept it.")) as play:
        outcome = written_by(tmp_path, form, play)
    assert isinstance(outcome, Wrote)
    assert outcome.summary != "I have kept it."


def test_thoughts_of_anthropic_go_back_with_their_signature(tmp_path: Path) -> None:
    form = FORMATS[0]
    whole = form.say("", Called("list", {}))
    start = (
        b'event: content_block_start\ndata: {"type":"content_block_start","index":7,'
        b'"content_block":{"type":"thinking","thinking":"","signature":""}}\n\n'
    )
    deltas = (
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":7,'
        b'"delta":{"type":"thinking_delta","thinking":"Tea."}}\n\n'
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":7,'
        b'"delta":{"type":"signature_delta","signature":"EqQB"}}\n\n'
    )
    with_thought = type(whole)((*whole.pieces[:2], start + deltas, *whole.pieces[2:]))
    with played(with_thought, form.say("", KEPT, done())) as play:
        assert isinstance(written_by(tmp_path, form, play), Wrote)
    blocks = play.asked[1].body["messages"][-2]["content"]
    assert {"type": "thinking", "thinking": "Tea.", "signature": "EqQB"} in blocks


def test_a_whole_conversation_is_asked_in_batches(tmp_path: Path) -> None:
    told(tmp_path, TALK)
    form = FORMATS[1]
    with played(form.say("", Called("finish", {"nothing_to_keep": True, "reason": "small talk"}))) as play:
        written_by(tmp_path, form, play)
    assert "allergic to shellfish" in said_by(play.asked[0].body)
    assert pending(tmp_path) == 0


@each_format
def test_what_a_model_says_and_calls_is_told_as_it_comes_a_safe_line_at_a_time(
    tmp_path: Path, form: Format
) -> None:
    words = "First I look.\nThen\x1b[31m I keep it. " + "So much to say of tea. " * 12
    told: list[str] = []
    answers = (form.say(words, Called("list", {}), Called("shell", {})), form.say("", KEPT, done()))
    with played(*answers) as play, service(tmp_path, form, play) as opened:
        opened.write(force=True, told=told.append)
    assert told[:3] == [f"asking {form.provider}, answer 1", "First I look.", told[2]]
    assert told[2].startswith("Then [31m I keep it. So much")
    assert [line for line in told if line.startswith(("list", "shell"))] == ["list", "shell (refused)"]
    assert f"asking {form.provider}, answer 2" in told
    assert all(len(line) <= 120 and line.isprintable() for line in told)


def test_the_prompts_and_tools_that_a_model_was_given_stand_in_the_commit(tmp_path: Path) -> None:
    form = FORMATS[1]
    with played(form.say("", KEPT, done())) as play:
        written_by(tmp_path, form, play, mode="tools")
    with service_of(tmp_path) as opened:
        (entry, *_) = opened.memory().history.log()
    (prompt,) = values_of(entry.trailers, "Prompt")
    assert {version.partition("/")[0] for version in prompt.split()} >= {"write", "repair", "tools"}


def test_a_rejected_commit_is_told_to_the_model_on_a_fresh_overlay(tmp_path: Path) -> None:
    form = FORMATS[0]
    forged = Called("write", {"path": "topics/tea.md", "content": "# Tea\n\nMara likes tea.\n"})
    answers = (form.say("", forged, done("Bad")), form.say("", KEPT, done()))
    with played(*answers) as play:
        outcome = written_by(tmp_path, form, play)
    assert isinstance(outcome, Wrote), outcome
    assert outcome.used.calls == 2
    assert len(play.asked[1].body["messages"]) == 1
    assert "Your first answer was refused" in said_by(play.asked[1].body)


def test_a_model_puts_topics_in_order_too(tmp_path: Path) -> None:
    form = FORMATS[0]
    with played(form.say("", KEPT, done())) as play:
        written_by(tmp_path, form, play)
    order = Called("move", {"old": "topics/tea.md", "new": "topics/people/mara.md"})
    with (
        played(form.say("", order, done("Mara has a topic"))) as play,
        service(tmp_path, form, play) as opened,
    ):
        (portion,) = opened.organize()
    assert isinstance(portion.outcome, Wrote), portion.outcome
    assert "緑茶" in text(tmp_path, "topics/people/mara.md")
    assert "in order" in said_by(play.asked[0].body)
    assert "緑茶" in said_by(play.asked[0].body)
    assert list(unsound(tmp_path)) == []


def test_the_settings_in_the_readme_are_settings(tmp_path: Path) -> None:
    readme = (Path(__file__).resolve().parent.parent / "README.md").read_text("utf-8")
    blocks = (part.split("```")[0] for part in readme.split("```toml\n")[1:])
    (block,) = (block for block in blocks if "[api]" in block)
    (tmp_path / "settings.toml").write_text(block)
    settings = load(tmp_path)
    assert settings.writer == "api"
    assert settings.api.model in settings.prices
