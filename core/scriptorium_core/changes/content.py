"""What the content of a record may be: one paragraph of prose that a citation and an id can follow."""

from attrs import frozen

from ..markdown.paragraphs import ends_with_id, parse_paragraph
from ..markdown.spans import SpanKind, spans
from ..sizes import SPLIT, too_large
from .reading import control_in, is_text

__all__ = ["Unfit", "content_fault", "unfit"]


@frozen
class Unfit:
    """Why a text cannot be the content of a record, in words, and what to do about it."""

    words: str
    remedy: str


def content_fault(content: str) -> str:
    """Why a text cannot be the content of a record, in words; empty if it can."""
    found = unfit(content)
    return found.words if found else ""


def unfit(content: str) -> Unfit | None:
    """What is wrong with a text as the content of a record; None if nothing is."""
    if not content.strip():
        return Unfit("is blank", "say what is to be remembered")
    if large := too_large(content):
        return Unfit(large, SPLIT)
    if control := control_in(content):
        return Unfit(f"holds the control character {control}", "leave it out, or write its name")
    parts = [span for span in spans(content.strip()) if span.kind is not SpanKind.BLANK]
    if len(parts) != 1 or any(span.kind is not SpanKind.PARAGRAPH for span in parts):
        words = "must be one paragraph: no blank line, heading, fence, HTML line or definition"
        return Unfit(
            words, "write it as one paragraph, or as several records; headings go into the destination"
        )
    if parse_paragraph(content).claims:
        words = "holds a citation; citations are written from `sources`"
        return Unfit(words, "leave [^…] out and name the source in `sources`")
    if ends_with_id(content):
        return Unfit("ends in a block id; ids are allocated by the runtime", "leave the ^id at its end out")
    if not is_text(content):
        return Unfit("holds half of a surrogate pair", "write the whole character, or U+FFFD for it")
    cited = parse_paragraph(f"{content.strip()}[^e1] ^id")
    if (cited.cites, cited.ids, cited.content) != (("e1",), ("id",), content.strip()):
        words = "cannot be followed by a citation; it ends in an open bracket"
        return Unfit(words, "close the bracket or the code at its end")
    return None
