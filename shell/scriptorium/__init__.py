"""Conversations become cited, committed, searchable memory in a directory of Markdown."""

from scriptorium_core import __version__

__all__ = ["__version__"]
