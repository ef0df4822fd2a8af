"""Small strategies for archived evidence: frames of one thread, in the words of the format."""

from hypothesis import strategies as st

from scriptorium_core.names import NodeId, SessionId, SourceId, source_id
from scriptorium_core.sources import Context, Frame, Origin, Provenance, Tier, Trust
from strategies import awkward_texts, lines, sentences

__all__ = ["ARCHIVE", "CONTEXTS", "THREAD", "contexts", "frames", "messages", "provenances", "times"]

THREAD = "chat/s1/"
ARCHIVE = "sources/chat/_v2/s1.md"
CONTEXTS = "sources/chat/_v2/s1.jsonl"

_NAMES = ("Bo", "", "owner/local", "a-b", "[x]: y", "名", "--", "\x00", " two  words ", "y" * 70)


def messages() -> st.SearchStrategy[SourceId]:
    """A source id of the one thread; shrinks to `chat/s1/m0`."""
    plain = st.integers(0, 9).map(lambda number: f"{THREAD}m{number}")
    odd = lines().map(lambda text: THREAD + text).filter(lambda text: source_id(text) is not None)
    return (plain | odd).map(SourceId)


def times() -> st.SearchStrategy[str]:
    """A time as importers give it, or none."""
    return st.sampled_from(("", "2026-04-22", "2026-04-22T10:21:00+02:00", "at noon: or so"))


def provenances() -> st.SearchStrategy[Provenance]:
    """Who is accountable; blank names do not occur, as they are written as `unknown`."""
    names = st.sampled_from(("unknown", "owner/install/01", "human", "名")) | lines().filter(bool)
    return st.builds(
        Provenance, names, names, st.none() | st.sampled_from(tuple(Tier)), st.sampled_from(tuple(Trust))
    )


def frames(texts: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Frame]:
    """A frame of the one thread with any text; shrinks to one with `keys.` and nothing else known."""
    names = st.sampled_from(_NAMES) | lines()
    return st.builds(
        Frame,
        id=messages(),
        role=st.sampled_from(("user", "assistant", "")),
        content=texts if texts is not None else sentences() | awkward_texts(),
        at=times(),
        speaker_id=st.none() | names,
        speaker_name=names,
        provenance=st.none() | provenances(),
    )


def contexts() -> st.SearchStrategy[Context]:
    """A line of the context file of the one thread."""
    text = lines() | awkward_texts()
    return st.builds(
        Context,
        id=messages(),
        origin=st.sampled_from(tuple(Origin)),
        session=text.map(SessionId),
        node=text.map(NodeId),
        parent=st.none() | text.map(NodeId),
        branch=st.sampled_from(("live", "abandoned", "unknown")),
        scope=st.none() | text,
        at=times(),
    )
