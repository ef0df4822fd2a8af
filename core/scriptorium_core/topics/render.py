"""Writing a topic: the text that its spans hold, nothing else."""

from ..markdown.spans import join
from .model import Topic

__all__ = ["render_topic"]


def render_topic(topic: Topic) -> bytes:
    """The bytes of a topic; for one that was only parsed, the very bytes that were parsed."""
    return join(topic.spans).encode()
