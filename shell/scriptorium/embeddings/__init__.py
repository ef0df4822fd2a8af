"""Comparing texts by their meaning: the models that can do it, and the vectors of a memory's texts.

| `model` in the settings | what computes the vectors |
|---|---|
| `use` | Universal Sentence Encoder, multilingual v3: 16 languages, its weights come with `[semantic]` |
| `wordllama` | WordLlama: English, fast, its weights come with the package `wordllama` |
| `model2vec:…`, `fastembed:…`, `sentence-transformers:…` | a model of that library, by its name or folder |
| `openai:…`, `ollama:…`, `provider:…` | an endpoint that speaks as OpenAI does |

Models and numpy are imported when the first text is embedded, never before. Nothing is downloaded unless
the settings say so.
"""

from .choosing import DEFAULT, embedder_of
from .embedder import Embedder, Vector
from .nearness import Nearness
from .table import Table
from .vectors import Row, Vectors

__all__ = ["DEFAULT", "Embedder", "Nearness", "Row", "Table", "Vector", "Vectors", "embedder_of"]
