"""The format `openclaw`: sessions of OpenClaw agents, in JSON lines or in an agent's SQLite database.

`agents/<agent>/sessions/<session>.jsonl`, with `-topic-<thread>` in the name for a thread of a group, and
`agents/<agent>/agent/openclaw-agent.sqlite` hold the same entries (`entries`). Session ids are unique in
the store of one agent only: a session here is `agent:session`. Files that say the same turns again, or
hold none, are left out, and the report says why.
"""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from attrs import evolve

from ..items import Item, Key, Sample, Skipped, Source
from .entries import Header, Thread, begins_log, lines
from .openclaw_database import SQLITE, holds_sessions, rows_of_sessions
from .openclaw_talk import Place, voice_in

__all__ = ["OPENCLAW", "OpenClaw"]

_PROVIDER = "openclaw"
_INDEX = "sessions.json"
_LARGEST_INDEX = 16 * 1024 * 1024
_LEFT_OUT: Mapping[str, str] = MappingProxyType(
    {
        ".trajectory.": "a trajectory: it tells again what the session's own log tells",
        ".checkpoint.": "a checkpoint: it tells again what the session's own log tells",
    }
)
_ARCHIVED = "session-sqlite-import-archive"


class OpenClaw:
    """The importer of OpenClaw sessions."""

    name = "openclaw"

    def recognises(self, sample: Sample) -> bool:
        """A database with transcripts, or a log or an index of sessions in the folder of an agent."""
        if sample.start.startswith(SQLITE):
            return holds_sessions(sample.path)
        if sample.path.name == _INDEX:
            return '"sessionId"' in sample.start
        is_ours = _agent(sample.path) or ".openclaw" in sample.path.parts or _topic(sample.path)
        return bool(is_ours) and (begins_log(sample) or bool(_left_out(sample.path)))

    def read(self, source: Source) -> Iterator[Item]:
        """The entries of a log, or of all sessions of a database, in order."""
        source.file.seek(0)
        if source.file.read(len(SQLITE)) == SQLITE.encode():
            return rows_of_sessions(source, partial(_thread, source))
        if why := _left_out(source.path):
            return iter([Skipped(why, 1)])
        return lines(source, partial(_begun, source))


def _begun(source: Source, header: Header) -> Thread:
    name = header.id or source.session or source.path.name.partition(".jsonl")[0].partition("-topic-")[0]
    place = _indexed(source.path.parent / _INDEX).get(name, Place())
    return _thread(source, evolve(header, id=name), evolve(place, topic=_topic(source.path)))


def _thread(source: Source, header: Header, place: Place) -> Thread:
    agent = _agent(source.path) or place.agent
    forked = PurePosixPath(header.parent.replace("\\", "/")).name.partition(".jsonl")[0]
    session = _qualified(agent, header.id) + (f"-topic-{place.topic}" if place.topic else "")
    return Thread(
        Key(_PROVIDER, session, place.title),
        header,
        voice_in(place),
        _qualified(agent, forked) if forked else "",
        spawned_by=_qualified(agent, place.spawned_by) if place.spawned_by else "",
    )


def _qualified(agent: str, session: str) -> str:
    return f"{agent}:{session}" if agent else session


def _agent(path: Path) -> str:
    """The agent in whose folder a file lies: `agents/<agent>/sessions/…` or `agents/<agent>/agent/…`."""
    above = path.parts[:-1]
    found = [
        agent
        for folder, agent, inside in zip(above, above[1:], above[2:], strict=False)
        if folder == "agents" and inside in ("sessions", "agent")
    ]
    return found[-1] if found else ""


def _topic(path: Path) -> str:
    return path.name.partition(".jsonl")[0].partition("-topic-")[2]


def _left_out(path: Path) -> str:
    if path.name == _INDEX:
        return "the index of an agent's sessions: it holds no messages"
    if _ARCHIVED in path.parts:
        return "an archive of what was taken into the database"
    return next((why for part, why in _LEFT_OUT.items() if part in path.name), "")


def _indexed(path: Path) -> Mapping[str, Place]:
    """What the index beside the logs says of sessions, by their ids; nothing where there is none."""
    try:
        if path.stat().st_size > _LARGEST_INDEX:
            return {}
        entries = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    found = entries.items() if isinstance(entries, dict) else ()
    ids = {
        key: entry["sessionId"]
        for key, entry in found
        if isinstance(entry, dict) and isinstance(entry.get("sessionId"), str)
    }
    return {ids[key]: Place.of(key, entry, ids) for key, entry in found if key in ids}


OPENCLAW = OpenClaw()
