"""Conversations: the native store of sessions, and the importers that read other programs' logs into it."""

__all__: list[str] = []
