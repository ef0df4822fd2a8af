"""Topics: Markdown files of records, read without loss and written where they changed.

What reads and writes files is loaded when it is asked for: whoever has records already needs none of it.
"""

from typing import TYPE_CHECKING

from .records import Cited, Evidence, Record

if TYPE_CHECKING:
    from .model import Definition, Topic
    from .parse import parse_topic
    from .render import render_topic

__all__ = ["Cited", "Definition", "Evidence", "Record", "Topic", "parse_topic", "render_topic"]


def __getattr__(name: str) -> object:
    """The public names, each from its own module."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import model, parse, render

    return next(getattr(each, name) for each in (model, parse, render) if hasattr(each, name))
