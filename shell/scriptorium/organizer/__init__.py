"""What a writer does without a conversation: organizing topics, and writing what is archived alone."""

from .asking import Asking
from .backfilling import backfill
from .organizing import Portion, organize, rehearse

__all__ = ["Asking", "Portion", "backfill", "organize", "rehearse"]
