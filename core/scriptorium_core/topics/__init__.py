"""Topics: Markdown files of records, read without loss and written where they changed."""

from .model import Cited, Definition, Evidence, Record, Topic
from .parse import parse_topic
from .render import render_topic

__all__ = ["Cited", "Definition", "Evidence", "Record", "Topic", "parse_topic", "render_topic"]
