"""The routes below `/api/memory`, by what they are about."""

__all__: list[str] = []
