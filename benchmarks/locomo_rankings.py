"""The rankings that are compared: the engine of this program, and grep, BM25 and embeddings alone beside it.

A ranking gives the documents of a question, best first, at most `DEPTH` of them. All of them rank the same
documents: the text of a turn or a record with the name of who said it; the engine also knows dates and
headings. BM25 is that of tantivy (k1 = 1.2, b = 0.75, English stems); grep counts how many different words of
the question a document holds, as `grep -i` would find them. Both are spared the stop words of the engine:
with tantivy's own short list BM25 finds five points less.
"""

import re
from collections.abc import Callable, Mapping, Sequence

import tantivy
from locomo_memory import Made

from scriptorium.embeddings import Table, embedder_of
from scriptorium.embeddings.embedder import Embedder
from scriptorium.service.embedding import vectors_of
from scriptorium.settings import Embeddings
from scriptorium_core.problem import Problem
from scriptorium_core.recall import Document, Kind, Query
from scriptorium_core.terms import STOP_WORDS

__all__ = ["DEPTH", "MODEL", "Ranking", "bm25", "embedded", "embedder", "engine", "grep"]

DEPTH = 60
MODEL = "use"
Ranking = Callable[[str], Sequence[str]]
"""From a question to the ids of documents, best first; none where nothing is found."""

_WORD = re.compile(r"\w+")


def engine(made: Made, kind: Kind, semantic: bool, depth: int = DEPTH) -> Ranking:
    """The search that users have, through the service."""

    def ranked(question: str) -> Sequence[str]:
        made.service.by_meaning = semantic
        return [hit.id for hit in made.service.search(Query(question, kinds=(kind,), limit=depth)).hits]

    return ranked


def grep(documents: Sequence[Document], depth: int = DEPTH) -> Ranking:
    """By how many of the question's words occur, those of equal number in their order."""
    texts = [(each.id, _text(each).casefold()) for each in documents]

    def ranked(question: str) -> Sequence[str]:
        words = _words(question)
        counts = {name: sum(word in text for word in words) for name, text in texts}
        return sorted((name for name in counts if counts[name]), key=lambda name: -counts[name])[:depth]

    return ranked


def bm25(documents: Sequence[Document], depth: int = DEPTH) -> Ranking:
    """BM25 with common defaults."""
    steps = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in (tantivy.Filter.lowercase(), tantivy.Filter.stemmer("english")):
        steps = steps.filter(step)
    schema = (
        tantivy.SchemaBuilder()
        .add_text_field("text", tokenizer_name="words")
        .add_unsigned_field("number", stored=True)
    )
    index = tantivy.Index(schema.build())
    index.register_tokenizer("words", steps.build())
    writer = index.writer(15_000_000, 1)
    for number, each in enumerate(documents):
        writer.add_document(tantivy.Document(text=_text(each), number=number))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ranked(question: str) -> Sequence[str]:
        hits = searcher.search(index.parse_query_lenient(" ".join(_words(question)), ["text"])[0], depth).hits
        return [documents[searcher.doc(address)["number"][0]].id for _, address in hits]

    return ranked


def embedder() -> Embedder | Problem:
    """The model that comes with `[semantic]`; or that it is not installed."""
    return embedder_of(Embeddings(), MODEL)


def embedded(made: Made, kind: Kind, model: Embedder, depth: int = DEPTH) -> Ranking:
    """By the cosine alone, of the same vectors that the engine uses: of records, and of turns in windows."""
    memory, table = made.service.memory(), Table()
    vectors = vectors_of(memory.layout, model, memory.zone)
    table.follow(vectors)
    vectors.close()

    def ranked(question: str) -> Sequence[str]:
        cosines: Mapping[tuple[Kind, str], float] = table.near(
            model.embed([question])[0], (kind,), model.least
        ).similar.cosines
        known = [(name, cosine) for (of, name), cosine in cosines.items() if of is kind]
        return [name for name, _ in sorted(known, key=lambda each: (-each[1], each[0]))[:depth]]

    return ranked


def _words(question: str) -> Sequence[str]:
    words = dict.fromkeys(_WORD.findall(question.casefold()))
    return [word for word in words if word not in STOP_WORDS]


def _text(document: Document) -> str:
    return f"{document.speaker}: {document.content}"
