"""The sealed library: a memory as encrypted objects that any storage may hold, provable as a whole."""

__all__: list[str] = []
