"""Strategies for conversations: logs with missing, late and circular parents, and lines that are no turn."""

import json
from collections.abc import Sequence

from hypothesis import strategies as st

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin
from strategies import awkward_texts

__all__ = ["logs", "message_lists", "native_lines", "nodes"]

_ROLES = ("user", "assistant", "tool", "system")
_NAMES = tuple("abcdefghij")
_BAD_LINES = ("{bad\n", "7\n", '"text"\n', "\n", " \r\n", '{"session": "s"}\n', '{"id": "x"}\n', "[1, 2]\n")


@st.composite
def nodes(draw: st.DrawFn) -> list[Node]:
    """A log of one session: any parents, any order, ids that come twice; shrinks to one turn."""
    names = draw(st.lists(st.sampled_from(_NAMES), min_size=1, max_size=10))
    return [_node(name, draw(_parents()), draw(_origins()), draw(_texts())) for name in names]


@st.composite
def logs(draw: st.DrawFn) -> list[Node]:
    """Like `nodes`, with parents that mostly stand before their children, so that branches are long."""
    names = draw(st.permutations(_NAMES))[: draw(st.integers(1, 10))]
    made: list[Node] = []
    for index, name in enumerate(names):
        earlier: Sequence[str | None] = names[max(0, index - 3) : index] or [None]
        parent = draw(st.sampled_from(earlier) | _parents())
        made.append(_node(name, parent, draw(_origins()), draw(_texts())))
    return made


def native_lines() -> st.SearchStrategy[list[str]]:
    """Lines of a native log over two sessions: turns, heads, and lines that are no node."""
    return st.lists(_turn_lines() | _head_lines() | st.sampled_from(_BAD_LINES), max_size=8)


def message_lists() -> st.SearchStrategy[list[dict[str, str]]]:
    """A conversation as a list of messages; equal ones may follow one another."""
    return st.lists(
        st.fixed_dictionaries({"role": st.sampled_from(_ROLES), "content": _texts()}), min_size=1, max_size=6
    )


def _node(name: str, parent: str | None, origin: Origin, text: str) -> Node:
    return Node(
        id=NodeId(name),
        session=SessionId("s"),
        provider="chat",
        parent=None if parent is None else NodeId(parent),
        role=origin.value,
        origin=origin,
        text=text,
    )


def _parents() -> st.SearchStrategy[str | None]:
    return st.none() | st.sampled_from((*_NAMES, "never written"))


def _origins() -> st.SearchStrategy[Origin]:
    return st.sampled_from((Origin.HUMAN, Origin.ASSISTANT, Origin.TOOL, Origin.SUMMARY))


def _texts() -> st.SearchStrategy[str]:
    return st.sampled_from(("words", "", "<memory-context>x</memory-context>")) | awkward_texts()


@st.composite
def _turn_lines(draw: st.DrawFn) -> str:
    row: dict[str, object] = {
        "session": draw(st.sampled_from("st")),
        "id": draw(st.sampled_from(_NAMES)),
        "role": draw(st.sampled_from(_ROLES)),
        "text": draw(_texts()),
    }
    if draw(st.booleans()):
        row["parent"] = draw(_parents())
    if draw(st.booleans()):
        row["head"] = draw(st.booleans())
    return _line(row)


@st.composite
def _head_lines(draw: st.DrawFn) -> str:
    row: dict[str, object] = {"session": draw(st.sampled_from("st")), "head": draw(st.sampled_from(_NAMES))}
    if draw(st.booleans()):
        row["live"] = draw(st.lists(st.sampled_from(_NAMES), max_size=2))
    return _line(row)


def _line(row: dict[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"
