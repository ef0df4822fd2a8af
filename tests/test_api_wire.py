"""The way to a provider: whatever bytes come over it, the end is a reply or a fault."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from provider_server import Answer, Played, played
from scriptorium.models import Endpoint, Model, connected
from scriptorium_core.problem import Problem
from scriptorium_core.writing.exchange import Asked, Question, Reply
from scriptorium_core.writing.faults import Fault, failure_of
from wire_formats import FORMATS, Called, Format

pytest.importorskip("anthropic", reason="needs the extra `models`: pip install 'scriptorium-memory[models]'")
pytest.importorskip("openai", reason="needs the extra `models`: pip install 'scriptorium-memory[models]'")
pytestmark = pytest.mark.provider

ROOT = Path(__file__).resolve().parent.parent
QUESTION = Question("Be brief.", (Asked("What is it?"),))
VALUE = re.compile(rb'"[^"]*"|null|\d+|\{[^{}]*\}|\[[^\[\]]*\]')
STRANGE = st.sampled_from(
    [
        b"null",
        b"{}",
        b"[]",
        b"7",
        b'""',
        b"true",
        b'"x"',
        b"-1",
        b"1e400",
        b"NaN",
        b'{"a":',
        b'"\\ud800"',
        b"\xff\xfe",
        b"\n\n",
        b"\n\ndata: ",
        b"\n\nevent: error\n",
        b"\n\ndata: [DONE]\n\n",
        b"[[[[",
    ]
)


@pytest.fixture(scope="module", params=FORMATS, ids=lambda form: form.name)
def way(request: pytest.FixtureRequest) -> Iterator[tuple[Format, Played, Model]]:
    """A format, its server, and a model there."""
    form: Format = request.param
    with played(Answer()) as play:
        model = connected(
            Endpoint(form.provider.partition(":")[0], "any", play.address + form.path, seconds=5)
        )
        assert not isinstance(model, Problem)
        yield form, play, model


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 10**6), STRANGE), min_size=1, max_size=4), st.sampled_from([200, 400])
)
def test_whatever_stands_in_place_of_a_value_the_end_is_a_reply_or_a_fault(
    way: tuple[Format, Played, Model], places: list[tuple[int, bytes]], status: int
) -> None:
    form, play, model = way
    data = b"".join(form.say("I keep.", Called("list"), Called("read", {"path": "topics/a.md"})).pieces)
    for place, strange in places:
        values = list(VALUE.finditer(data))
        start, end = values[place % len(values)].span()
        data = data[:start] + strange + data[end:]
    play.answers = [Answer((data,), status)]
    found = model.ask(QUESTION, lambda piece: None)
    if isinstance(found, Fault):
        assert failure_of(found, datetime.now(UTC)).code.startswith("MODEL_")
    else:
        assert isinstance(found, Reply)
        assert found.ending
        assert all(isinstance(call.fields, dict) for call in found.calls)


def test_no_answer_is_taken_that_is_larger_than_any_answer(
    way: tuple[Format, Played, Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    form, play, model = way
    monkeypatch.setattr("scriptorium.models.wire._MOST_BYTES", 1000)
    play.answers = [form.say("So much to say of tea. " * 200)]
    found = model.ask(QUESTION, lambda piece: None)
    assert isinstance(found, Fault)
    assert found.kind == "transport"


def test_an_answer_is_read_whatever_the_pieces_are_in_which_it_comes(
    way: tuple[Format, Played, Model],
) -> None:
    form, play, model = way
    words = "Mara trinkt 緑茶 🍵\u2028 und – „nichts“ anderes."
    call = Called("write", {"path": "topics/tea.md", "content": words})
    whole = b"".join(form.say(words, call).pieces)
    play.answers = [Answer(tuple(whole[start : start + 5] for start in range(0, len(whole), 5)))]
    heard: list[str] = []
    found = model.ask(QUESTION, heard.append)
    assert isinstance(found, Reply)
    assert found.text == "".join(heard) == words
    assert [(each.name, each.fields) for each in found.calls] == [("write", call.arguments)]


def test_no_library_of_a_provider_is_imported_before_it_is_used() -> None:
    program = (
        "import sys, scriptorium.cli, scriptorium.writer.api\n"
        "print(sorted({'anthropic', 'openai', 'httpx2', 'pydantic'} & set(sys.modules)))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("core", "shell"))}
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False
    )
    assert ran.stdout == "[]\n", ran.stderr


@pytest.mark.parametrize("address", ["http://[::1", "http://127.0.0.1:99999/v1", "http://nobody.invalid/v1"])
def test_an_address_at_which_nothing_can_be_is_a_fault(address: str) -> None:
    for provider in ("anthropic", "openai"):
        model = connected(Endpoint(provider, "any", address, seconds=5))
        assert not isinstance(model, Problem)
        found = model.ask(QUESTION, lambda piece: None)
        assert isinstance(found, Fault)
        assert found.kind in ("transport", "timeout")


def test_a_proxy_of_a_kind_that_is_not_installed_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    model = connected(Endpoint("openai", "any", "http://nobody.invalid/v1", seconds=5))
    assert not isinstance(model, Problem)
    found = model.ask(QUESTION, lambda piece: None)
    assert isinstance(found, Fault)
    assert found.kind == "transport"


def test_a_key_is_shown_in_no_representation() -> None:
    assert "sk-secret" not in repr(Endpoint("openai", "any", "http://127.0.0.1:9/v1", "sk-secret"))
