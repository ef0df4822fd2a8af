"""The memory as one thing: a snapshot to read, a transaction to write, drafts and foreign hands taken in."""

from .committed import Committed
from .memory import Memory

__all__ = ["Committed", "Memory"]
