"""Memories of which somebody may not read everything."""

from hypothesis import strategies as st

from topic_strategies import Memory, memories

__all__ = ["hidden", "memories_seen"]


@st.composite
def hidden(draw: st.DrawFn, memory: Memory) -> frozenset[str]:
    """Some of the topics of a memory."""
    paths = sorted({page.path for page in memory.pages})
    return frozenset(draw(st.lists(st.sampled_from(paths), unique=True)))


@st.composite
def memories_seen(draw: st.DrawFn) -> tuple[Memory, frozenset[str]]:
    """A memory, and those of its topics that are hidden."""
    memory = draw(memories())
    return memory, draw(hidden(memory))
