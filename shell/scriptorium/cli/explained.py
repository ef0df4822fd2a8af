"""The explanation of a search as a person reads it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .lines import counted, few, table
from .safe import one_line, safe

if TYPE_CHECKING:
    from scriptorium_core.recall.explain import Explanation, Scored, TermUse

__all__ = ["explanation"]


def explanation(how: "Explanation") -> str:
    """Terms, the parts of each score, what filters took away, and what came close."""
    return "\n".join(_lines(how))


def _lines(how: "Explanation") -> Iterator[str]:
    yield "terms"
    rows = [(f"  {safe(use.term)}", use.why_not or _where(use)) for use in how.terms]
    yield table(rows) if rows else "  none"
    for stage in how.filters:
        taken = (
            f"took away {counted(len(stage.removed), 'document')}" if stage.removed else "took nothing away"
        )
        names = f": {few(map(safe, stage.removed))}" if stage.removed else ""
        yield f"filter {stage.filter} ({one_line(stage.wanted)}) {taken}{names}"
    yield f"{counted(how.proposed, 'document')} looked at"
    for hit in how.hits:
        yield from _hit(hit)
    for each in how.near:
        yield f"no hit: {_name(each.kind, each.id)}, score {each.score:.2f}: {safe(each.why_not)}"


def _where(use: "TermUse") -> str:
    places = (
        f"in {counted(use.documents[kind], kind)}, weight {weight:.2f}"
        for kind, weight in use.weights.items()
    )
    return "; ".join(places)


def _hit(hit: "Scored") -> Iterator[str]:
    yield f"{_name(hit.kind, hit.id)}  score {hit.score:.2f}  ({', '.join(hit.reasons)})"
    for part in hit.terms:
        fields = (
            ("text", part.content),
            ("headings", part.headings),
            ("path", part.path),
            ("dates", part.dates),
        )
        where = ", ".join(f"{name} {times}" for name, times in fields if times)
        yield f"  {part.score:6.2f}  {safe(part.term)}  ({where or 'speaker'})"
    if hit.around:
        yield f"  {hit.around:6.2f}  the turns around it"
    if hit.scale != 1:
        yield f"  × {hit.scale:.2f}  beside records"
    if hit.similarity is not None:
        yield f"  {hit.similarity:6.2f}  similarity in meaning"


def _name(kind: str, name: str) -> str:
    return f"^{name}" if kind == "record" else safe(name)
