"""Markdown as memory uses it: the only place with a pattern on Markdown, and lossless."""

__all__: list[str] = []
