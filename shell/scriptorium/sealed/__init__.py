"""Sealed libraries on any storage: sealing a memory, proving, copying and unsealing it."""

__all__: list[str] = []
