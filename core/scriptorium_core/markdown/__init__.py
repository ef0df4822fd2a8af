"""Markdown as memory uses it: the only place with a pattern on Markdown, and lossless."""

from .footnotes import Footnote, Source, parse_footnote, render_footnote
from .links import Link, links_in, rebase_links, relative, resolve
from .paragraphs import Claim, Paragraph, parse_paragraph
from .spans import Span, SpanKind, join, spans

__all__ = [
    "Claim",
    "Footnote",
    "Link",
    "Paragraph",
    "Source",
    "Span",
    "SpanKind",
    "join",
    "links_in",
    "parse_footnote",
    "parse_paragraph",
    "rebase_links",
    "relative",
    "render_footnote",
    "resolve",
    "spans",
]
