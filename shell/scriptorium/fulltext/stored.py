"""How a document lies in the engine: the schema, and both ways between a document and what is stored."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from scriptorium_core import recall
from scriptorium_core.recall import Candidate, Document, Kind
from scriptorium_core.sources.kinds import Trust
from scriptorium_core.when import When

if TYPE_CHECKING:
    import tantivy

__all__ = [
    "SCHEMA",
    "STAMP",
    "Size",
    "Stamp",
    "decode",
    "encode",
    "length",
    "place",
    "plain",
    "read_stamp",
    "schema",
    "stamp",
]

SCHEMA = "6"
"""Raised whenever the fields below or the terms of the core change: an older index counts as none."""
STAMP = "commit"
_READ = json.JSONDecoder().raw_decode


class Size(NamedTuple):
    """How many documents of a kind there are, and how many terms they have together."""

    documents: int = 0
    terms: int = 0

    def plus(self, other: "Size") -> "Size":
        """Both together."""
        return Size(self.documents + other.documents, self.terms + other.terms)

    def less(self, other: "Size") -> "Size":
        """What is left without the other, which is a part of this."""
        return Size(self.documents - other.documents, self.terms - other.terms)


class Stamp(NamedTuple):
    """The commit that an index stands for, and what it holds of each kind, which nobody need count."""

    commit: str
    sizes: Mapping[Kind, Size]


def schema() -> "tantivy.Schema":
    """A bag of terms for each kind, exact values to filter and delete by, and the document itself."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    for kind in Kind:  # the bag of terms
        builder.add_text_field(kind, stored=True, tokenizer_name="whitespace", index_option="freq")
    for name in ("kind", "id", "path", "place", "key", "stamp"):
        builder.add_text_field(name, stored=False, tokenizer_name="raw", index_option="basic")
    for name in ("first", "last", "length"):
        builder.add_unsigned_field(name, fast=True, indexed=name != "length")
    builder.add_bytes_field("body", stored=True)
    return builder.build()


def stamp(written: Stamp, zone: str) -> "tantivy.Document":
    """The document that says which commit the others stand for, and in which zone their days count."""
    import tantivy

    document = tantivy.Document()
    document.add_text("stamp", STAMP)
    fields = {"schema": SCHEMA, "commit": written.commit, "zone": zone, "sizes": written.sizes}
    document.add_bytes("body", json.dumps(fields).encode())
    return document


def encode(document: Document) -> "tantivy.Document":
    """What the engine keeps of a document."""
    import tantivy

    bag = recall.bag(document)
    encoded = tantivy.Document()
    encoded.add_text(document.kind, " ".join(bag))
    encoded.add_unsigned("length", len(bag))
    encoded.add_text("kind", document.kind)
    encoded.add_text("id", plain(document.id))
    encoded.add_text("path", plain(document.path))
    if document.kind is Kind.TURN:
        encoded.add_text("place", place(document))
    for key in recall.keys(document):
        encoded.add_text("key", plain(key))
    if span := recall.span(document):
        encoded.add_unsigned("first", span[0])
        encoded.add_unsigned("last", span[1])
    encoded.add_bytes("body", _body(document))
    return encoded


def length(encoded: "tantivy.Document") -> int:
    """How many terms an encoded document has."""
    return int(encoded.get_first("length") or 0)


def read_stamp(stored: "tantivy.Document", zone: str) -> Stamp | None:
    """What a stamp says; None if another schema wrote it, or for another zone."""
    try:
        found = json.loads(stored.get_first("body") or b"{}")
        if (found.get("schema"), found.get("zone")) != (SCHEMA, zone):
            return None
        return Stamp(found["commit"], {Kind(kind): Size(*size) for kind, size in found["sizes"].items()})
    except (ValueError, LookupError, TypeError, AttributeError):
        return None  # a damaged file: what cannot be read stands for nothing


def _body(document: Document) -> bytes:
    return json.dumps(
        [
            document.id,
            document.kind,
            document.content,
            document.path,
            document.headings,
            [(date.year, date.month, date.day) for date in document.dates],
            document.speaker,
            document.scopes,
            document.trust,
            document.sources,
            document.order,
            document.others,
        ]
    ).encode()


def decode(stored: "tantivy.Document") -> Candidate:
    """The document as it was, with its bag of terms."""
    body = (stored.get_first("body") or b"").decode("ascii")
    # As `json.loads` without looking for white space around, of which `_body` writes none.
    name, kind, content, path, headings, dates, speaker, scopes, trust, sources, order, others = _READ(body)[
        0
    ]
    document = Document(
        id=name,
        kind=Kind(kind),
        content=content,
        path=path,
        headings=tuple(headings),
        dates=tuple(When(*date) for date in dates),
        speaker=speaker,
        scopes=tuple(scopes),
        trust=Trust(trust),
        sources=tuple(sources),
        order=order,
        others=tuple(others),
    )
    return Candidate(document, str(stored.get_first(kind)).split(" "))


def place(turn: Document, step: int = 0) -> str:
    """Where a turn stands in its archive, or the turn `step` places after it."""
    return plain(f"{turn.path}#{turn.order + step}")


def plain(text: str) -> str:
    """The text as the engine can hold it: a lone surrogate has no UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
