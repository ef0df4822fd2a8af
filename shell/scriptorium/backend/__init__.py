"""Memory as an agent runtime has it: one interface, the memory of a home behind it, or nothing."""

from .choosing import GROUP, backend_named, backends, chosen
from .companion import Companion
from .interface import MemoryBackend, Recalled, Reorganized, Tier, Written
from .local import LocalBackend
from .none import NoneBackend

__all__ = [
    "GROUP",
    "Companion",
    "LocalBackend",
    "MemoryBackend",
    "NoneBackend",
    "Recalled",
    "Reorganized",
    "Tier",
    "Written",
    "backend_named",
    "backends",
    "chosen",
]
