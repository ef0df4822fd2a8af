"""No memory: nothing is given, kept or put in order, and no directory is made."""

from .interface import MemoryBackend

__all__ = ["NoneBackend"]


class NoneBackend(MemoryBackend):
    """What the setting `backend = "none"` chooses: every member does what it does by default, nothing."""

    @property
    def name(self) -> str:
        """`none`."""
        return "none"
