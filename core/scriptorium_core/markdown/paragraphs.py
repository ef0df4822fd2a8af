"""A paragraph as a record writes it: `prose[^cite][^cite] ^id`.

The ids at the end are block ids (`A-Za-z0-9-`), each after white space, after at least one citation.
The text before each run of citations is that run's quote. `^word` anywhere else is plain text, and
so is everything in inline code.
"""

import re
from collections.abc import Mapping

from attrs import evolve, field, frozen

from .links import code_ranges, outside

__all__ = [
    "LEGACY_PREFIX",
    "Claim",
    "Paragraph",
    "ends_with_id",
    "parse_paragraph",
    "rename_citations",
    "swallowed_id",
]

LEGACY_PREFIX = "mem_"
_CITATION = re.compile(r"\[\^([^\]\s]+)\]")
_IDS = re.compile(r"(?:\s+\^[A-Za-z0-9-]+)+\s*")
_ENDING_ID = re.compile(r"(?:^|\s)\^[A-Za-z0-9-]+\s*$")
_INNER_ID = re.compile(r"\s+(?:\^[A-Za-z0-9-]+\s+)*\^([A-Za-z0-9-]+)[ \t]*[\r\n]\s*[^\s^]")


@frozen
class Claim:
    """A quote and the citations that carry it; `start` and `end` in the paragraph's text."""

    prose: str
    cites: tuple[str, ...]
    start: int = field(default=0, eq=False)
    end: int = field(default=0, eq=False)


@frozen
class Paragraph:
    """Claims, the block ids at the end, and `rest`: the text after the last citation that is no id."""

    claims: tuple[Claim, ...]
    ids: tuple[str, ...]
    rest: str

    @property
    def cites(self) -> tuple[str, ...]:
        """All citations, in order."""
        return tuple(cite for claim in self.claims for cite in claim.cites)

    @property
    def legacy(self) -> bool:
        """Whether it is the older form: no block id, and every citation named `mem_…`."""
        return not self.ids and bool(self.claims) and all(c.startswith(LEGACY_PREFIX) for c in self.cites)

    @property
    def content(self) -> str:
        """The prose without citations and ids."""
        return "".join(claim.prose for claim in self.claims).strip()


def parse_paragraph(text: str) -> Paragraph:
    """Read one paragraph; any text gives a value."""
    claims: list[Claim] = []
    done = 0
    for match in _citations(text):
        prose = text[done : match.start()]
        if claims and not prose.strip():
            claims[-1] = evolve(claims[-1], cites=(*claims[-1].cites, match[1]), end=match.end())
        else:
            claims.append(Claim(prose, (match[1],), done, match.end()))
        done = match.end()
    tail = text[done:]
    if claims and _IDS.fullmatch(tail):
        return Paragraph(tuple(claims), tuple(word[1:] for word in tail.split()), "")
    return Paragraph(tuple(claims), (), tail.strip())


def rename_citations(text: str, names: Mapping[str, str]) -> str:
    """The paragraph with the citations of `names` called by their new name."""
    pieces: list[str] = []
    done = 0
    for match in _citations(text):
        if match[1] in names:
            pieces += [text[done : match.start()], f"[^{names[match[1]]}]"]
            done = match.end()
    return "".join([*pieces, text[done:]])


def ends_with_id(text: str) -> bool:
    """Whether a text ends in what would be read as a block id once a citation stood before it."""
    return _ENDING_ID.search(text) is not None


def swallowed_id(text: str) -> str:
    """The block id of a record that a paragraph swallowed: it follows a citation and ends an inner line."""
    inner = (_INNER_ID.match(text, citation.end()) for citation in _citations(text))
    return next((match[1] for match in inner if match), "")


def _citations(text: str) -> list[re.Match[str]]:
    return list(outside(code_ranges(text), _CITATION.finditer(text)))
