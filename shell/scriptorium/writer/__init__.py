"""Writers: what turns the unwritten part of a conversation into committed records."""

from .passes import Pass, write_session
from .proposal import NothingProposed, Proposed, Unable, Writer

__all__ = ["NothingProposed", "Pass", "Proposed", "Unable", "Writer", "write_session"]
