"""The format `claude-code`: the logs below `~/.claude/projects`, JSON lines, one record a line.

{"type": "user", "uuid": "u1", "parentUuid": null, "sessionId": "S1", "timestamp": …, "cwd": …, "message": …}

A record of the tree is a node; its id is its `uuid`, which a fork's copies keep though they may hang
elsewhere. A node belongs to the session that its record names, never to that of the file's name. One
answer is written in several records, one a block: each is a node, because the next may come later.

A compaction goes on below what it summarised (`logicalParentUuid`). A sub-agent is a session of its own,
`<session>.agent-<id>`, and everything in it is said by agents. A message that was sent again below the
same parent hangs below the first one, so that what follows it stands on the same branch.

No head is stored. It is the newest message by its time, of equal ones the last, and whatever
goes on from there; what the harness writes, and an error in place of an answer, never move it.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from attrs import define, evolve

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..items import BLANK, Head, Item, Key, Linked, Passed, Replaced, Sample, Skipped, Source, Torn, Turn
from ..moments import moment, sortable
from ..records import json_lines
from .claude_records import CHAINED, UNCHAINED, is_readable, mapping, spoken, string, titled
from .claude_threads import Reading, Thread, reading_of

__all__ = ["CLAUDE_CODE", "ClaudeCode"]

_PROVIDER = "claude-code"
_AGENT = "agent-"
_EVERY = 64
_MOVES = frozenset([Origin.HUMAN, Origin.ASSISTANT, Origin.TOOL, Origin.AGENT, Origin.SUMMARY])


class ClaudeCode:
    """The importer of Claude Code's logs."""

    name = "claude-code"

    def recognises(self, sample: Sample) -> bool:
        """A first record of the tree or beside it, whole or half written."""
        value = sample.value
        if isinstance(value, dict):
            return _is_record(value) or (
                isinstance(value.get("sessionId"), str) and '"parentUuid"' in sample.start
            )
        if value is not None or not sample.start.lstrip(BLANK).startswith("{"):
            return False
        return '"parentUuid"' in sample.start and '"sessionId"' in sample.start

    def read(self, source: Source) -> Iterator[Item]:
        """The nodes of a log in its order, with the links and titles of its sessions."""
        log = _Log(source, reading_of(source.state), *_names(source))
        yield from log.found()
        passed: Passed | None = None
        end, line = source.position, source.line
        for record in json_lines(source.file, source.position, source.line):
            if record.torn:
                yield Torn(record.line)
                break
            if record.replaced:
                yield Replaced(record.line)
            if isinstance(record.value, dict):
                yield from log.record(record.value, record.line)
            else:
                yield Skipped(record.fault or "not an object", record.line)
            end, line = record.end, record.line
            if line % _EVERY == 0:
                passed = Passed(end, line, log.reading.state())
                yield passed
        if end > source.position and (passed is None or passed.position < end):
            yield Passed(end, line, log.reading.state())


@define
class _Log:
    """One log on its way; its file names a session, and a sub-agent or none."""

    source: Source
    reading: Reading
    session: str
    agent: str

    def found(self) -> Iterator[Item]:
        """Links to sessions that were not there when this log was read before."""
        for name, parent in tuple(self.reading.waiting.items()):
            yield from self._holder(name, parent, self.source.line)

    def record(self, row: Mapping[str, Any], line: int) -> Iterator[Item]:
        """What one record says."""
        kind, uuid = row.get("type"), string(row.get("uuid"))
        if uuid and (kind in CHAINED or "parentUuid" in row):
            yield from self._turn(row, uuid, line)
        elif titled(row)[1]:
            yield from self._titled(row, line)
        if why := _lacking(row, kind, uuid):
            yield Skipped(why, line)

    def _turn(self, row: Mapping[str, Any], uuid: str, line: int) -> Iterator[Item]:
        session = self._session(row)
        parent = string(row.get("parentUuid")) or string(row.get("logicalParentUuid"))
        agent = self._agent(row, uuid, parent)
        name = f"{session}.{_AGENT}{agent}" if agent else session
        thread = self.reading.thread(name)
        links: list[Item] = []
        if is_first := not thread.last:
            begun = self._spawned(row, thread, session, agent, line) if agent else None
            links = [begun] if begun else [*self._continues(row, name, parent, line)]
        node = _node(row, uuid, parent, name, is_agents=bool(agent))
        moves = thread.goes_on(uuid, parent, sortable(node.at), node.origin in _MOVES)
        thread.call(1, self.reading.summaries.pop(uuid, ""))
        yield Turn(Key(_PROVIDER, name, thread.title), self._sent(node), line, head=moves)
        yield from links
        if not agent:
            self.reading.session = session
            yield from _forked(row, thread, name, uuid, line)
            if not mapping(row.get("forkedFrom")):
                yield from self._copied(node, thread, is_first, line)

    def _session(self, row: Mapping[str, Any]) -> str:
        """The session that a record names; else that of the caller, of the record before, of the file."""
        named = string(row.get("sessionId"))
        return named or self.source.session or self.reading.session or self.session

    def _agent(self, row: Mapping[str, Any], uuid: str, parent: str) -> str:
        """The sub-agent that a record belongs to; empty for the talk with a person."""
        if not self.agent and row.get("isSidechain") is not True:
            return ""
        return string(row.get("agentId")) or self.agent or self.reading.side(uuid, parent)

    def _spawned(self, row: Mapping[str, Any], thread: Thread, session: str, agent: str, line: int) -> Linked:
        """What begins a sub-agent; the file beside its log tells its task, and which agent began it."""
        beside = _beside(self.source, agent)
        thread.call(1, string(beside.get("description")) or string(beside.get("agentType")))
        above = string(row.get("parentAgentId")) or string(beside.get("parentAgentId"))
        key = Key(_PROVIDER, f"{session}.{_AGENT}{agent}", thread.title)
        return Linked(key, "spawned_by", f"{session}.{_AGENT}{above}" if above else session, line)

    def _continues(self, row: Mapping[str, Any], name: str, parent: str, line: int) -> Iterator[Linked]:
        """What a session goes on from whose first record names one above it."""
        if not parent or mapping(row.get("forkedFrom")):
            return
        above = self.reading.above(parent)
        if above:
            yield Linked(Key(_PROVIDER, name), "continues", above, line, NodeId(parent))
        else:
            self.reading.wait(name, parent)
            yield from self._holder(name, parent, line)

    def _holder(self, name: str, parent: str, line: int) -> Iterator[Linked]:
        holders = tuple(self.source.holders_of(_PROVIDER, NodeId(parent)))
        if holders:
            del self.reading.waiting[name]
        if holders and name not in holders:
            yield Linked(Key(_PROVIDER, name), "continues", holders[0], line, NodeId(parent))

    def _copied(self, node: Node, thread: Thread, is_first: bool, line: int) -> Iterator[Linked]:
        """The link of a session that an older program began with a copy of another, without saying so."""
        if is_first and node.parent is None:
            holders = tuple(self.source.holders_of(_PROVIDER, node.id))
            thread.copied = (holders[0], node.id) if holders and node.session not in holders else ("", "")
        above, last = thread.copied
        if not above or is_first or node.origin not in _MOVES:
            return
        if above in self.source.holders_of(_PROVIDER, node.id):
            thread.copied = (above, node.id)
            return
        thread.copied = ("", "")
        yield Linked(Key(_PROVIDER, node.session), "forked_from", above, line, NodeId(last))

    def _sent(self, node: Node) -> Node:
        """A message as it is; one that was sent again below the same parent hangs below the first."""
        if node.origin is not Origin.HUMAN or not node.text.strip() or node.parent == node.id:
            return node
        what = "\n".join([node.session, node.parent or "", node.text])
        first = self.reading.first_sent(sha256(what.encode()).hexdigest()[:24], node.id)
        if first == node.id:
            return node
        return evolve(node, parent=NodeId(first), origin=Origin.HARNESS, metadata={"sent_again": first})

    def _titled(self, row: Mapping[str, Any], line: int) -> Iterator[Head]:
        rank, title = titled(row)
        leaf = string(row.get("leafUuid"))
        session = string(row.get("sessionId")) or self.reading.session
        if rank == 1 and not (session in self.reading.threads and self.reading.threads[session].last):
            # Above the first record stand summaries of other logs too: it is the leaf that tells.
            self.reading.summarise(leaf, title)
        elif session:
            thread = self.reading.thread(session)
            thread.call(rank, title)
            if thread.last:
                yield Head(Key(_PROVIDER, session, thread.title), None, None, line)


def _node(row: Mapping[str, Any], uuid: str, parent: str, session: str, *, is_agents: bool) -> Node:
    origin, text = spoken(row)
    if is_agents and origin in (Origin.HUMAN, Origin.ASSISTANT):
        origin = Origin.AGENT
    kind, model = row.get("type"), string(mapping(row.get("message")).get("model"))
    return Node(
        id=NodeId(uuid),
        session=SessionId(session),
        provider=_PROVIDER,
        parent=NodeId(parent) if parent else None,
        role=kind if kind in ("user", "assistant") else "user" if text else "system",
        origin=origin,
        text=text,
        at=moment(row.get("timestamp")),
        scope=string(row.get("cwd")) or None,
        metadata={"model": model} if model else {},
        unique=True,
    )


def _forked(row: Mapping[str, Any], thread: Thread, session: str, uuid: str, line: int) -> Iterator[Linked]:
    """The link of a fork, once its first record of its own tells where it left the other session."""
    origin = mapping(row.get("forkedFrom"))
    if above := string(origin.get("sessionId")):
        thread.fork = (above, string(origin.get("messageUuid")) or uuid)
        return
    above, node = thread.fork
    if above and above != session:
        yield Linked(Key(_PROVIDER, session), "forked_from", above, line, NodeId(node))
    thread.fork = ("", "")


def _lacking(row: Mapping[str, Any], kind: object, uuid: str) -> str:
    """Why a record, or a part of it, was left out; empty if all of it is known."""
    if not isinstance(kind, str):
        return "a record without a type"
    if kind in CHAINED and not uuid:
        return "no uuid"
    if kind not in CHAINED and kind not in UNCHAINED:
        return f"an unknown record type {kind[:40]!r}"
    return "" if is_readable(row) else "a message without content"


def _beside(source: Source, agent: str) -> Mapping[str, Any]:
    """What the file beside a sub-agent's log says of it; empty where there is none."""
    try:
        text = source.path.with_name(f"{_AGENT}{agent}.meta.json").read_text(encoding="utf-8")
        return mapping(json.loads(text))
    except (OSError, ValueError, RecursionError):
        return {}


def _names(source: Source) -> tuple[str, str]:
    """The session and the sub-agent of which the name of a log speaks; a sub-agent's may be empty."""
    path = source.path
    stem = path.name.partition(".")[0]
    if not stem.startswith(_AGENT):
        return stem, ""
    return path.parent.parent.name if path.parent.name == "subagents" else stem, stem.removeprefix(_AGENT)


def _is_record(row: Mapping[str, Any]) -> bool:
    kind = row.get("type")
    if kind in CHAINED:
        return isinstance(row.get("uuid"), str) and "parentUuid" in row
    beside = ("sessionId", "leafUuid", "messageId")
    return kind in UNCHAINED and any(isinstance(row.get(key), str) for key in beside)


CLAUDE_CODE = ClaudeCode()
