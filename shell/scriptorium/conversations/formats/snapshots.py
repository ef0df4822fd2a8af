"""Reading an export of an account: one document with all conversations, each a snapshot of its tree.

An export is never appended to: a file that has changed is another export, and is read from its start.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node

from ..items import Head, Item, Key, Passed, Replaced, Skipped, Source, Torn, Turn
from ..moments import sortable
from ..records import json_elements
from .trees import newest_leaf, oldest_first

__all__ = ["Snapshot", "as_object", "as_text", "conversations", "strange", "turns"]

_SHOWN = 40
_CHUNK = 1024 * 1024


@frozen
class Snapshot:
    """A conversation as an export has it; its `nodes`, of distinct ids, are in the order of the document.

    `name` is its id, empty if it has none, and the session of its nodes; `times` are what the order goes
    by; `head` is empty if the export does not say it; `at` is when the conversation was changed last.
    """

    provider: str
    name: str
    title: str
    nodes: Mapping[str, Node]
    times: Mapping[str, str]
    head: str
    at: object


def conversations(source: Source, items: Callable[[object, int], Iterator[Item]]) -> Iterator[Item]:
    """What `items` makes of each element of a document, of which the line is given; none if it is known."""
    if source.position and _ends_at(source):
        return
    source.file.seek(0)
    line = 0
    for record in json_elements(source.file):
        line = record.line
        if record.torn:
            yield Torn(line)
            return
        if record.replaced:
            yield Replaced(line)
        if record.fault:
            yield Skipped(record.fault, line)
        else:
            yield from items(record.value, line)
    yield Passed(source.file.tell(), line)


def turns(found: Snapshot, line: int) -> Iterator[Item]:
    """The nodes of a conversation, parents first and else the oldest first, and its head.

    A conversation without an id is named by its first message.
    """
    if not found.nodes:
        yield Skipped("a conversation without messages", line)
        return
    above = {name: node.parent for name, node in found.nodes.items()}
    dated = oldest_first(above, found.times)
    key = Key(found.provider, found.name or "c-" + next(iter(dated)))
    for name in dated:
        node = found.nodes[name]
        yield Turn(key, node if found.name else evolve(node, session=SessionId(key.id)), line, head=False)
    head = found.head if found.head in dated else newest_leaf(above, dated)
    # An export without the time of its last change is as new as its newest message.
    at = max(sortable(found.at), *dated.values())
    yield Head(Key(key.provider, key.id, found.title), NodeId(head), None, line, at)


def as_object(value: object) -> Mapping[str, Any]:
    """`value` if it is an object, else one that is empty."""
    return value if isinstance(value, dict) else {}


def as_text(value: object) -> str:
    """`value` if it is a text, else one that is empty."""
    return value if isinstance(value, str) else ""


def strange(what: str, name: object) -> str:
    """Why something of a kind that is not known is left out: `an unknown block type 'x'`."""
    shown = name if isinstance(name, str) else type(name).__name__
    return f"an unknown {what} {shown[:_SHOWN]!r}"


def _ends_at(source: Source) -> bool:
    source.file.seek(source.position)
    return not source.file.read(_CHUNK).strip()
