"""Small homes for examples: a clock that stands, requests, a conversation, and what must always hold."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from scriptorium import files
from scriptorium.clock import Moment
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium.workspace import Memory
from scriptorium.writer import Pass, Writer, write_session
from scriptorium.writer.extractive import Extractive
from scriptorium_core.names import NodeId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin
from scriptorium_core.writing.outcome import Outcome
from talk_examples import node

__all__ = [
    "NOW",
    "TALK",
    "committed",
    "count",
    "create",
    "delete",
    "git",
    "listed",
    "move",
    "on_disk",
    "opened",
    "request",
    "said",
    "service",
    "talk_of",
    "told",
    "unsound",
    "written",
]

NOW = Moment(1_700_000_000, 60)
_WHEN = "2026-03-01T10:00:00+00:00"


def count(text: str) -> int:
    """A counter that loads nothing."""
    return len(text)


def opened(root: Path, **more: Any) -> Memory:
    """The memory directory at `root`, with a clock that stands."""
    return Memory.open(root, count=count, moment=lambda: NOW, **more)


def service(home: Path) -> Service:
    """The service of a home, with the same clock."""
    return Service(home, settings=Settings(), moment=lambda: NOW)


# --- Requests ------------------------------------------------------------------------------------


def create(content: str, topic: str = "topics/keys.md", source: str = "new-source-a") -> dict[str, Any]:
    """A record at the end of a topic, below the heading `Keys`."""
    return {
        "op": "create_record",
        "content": content,
        "time": "2026-04",
        "sources": [{"source": source, "label": "Owner"}],
        "destination": {"topic_path": topic, "headings": ["Keys"], "position": "end"},
    }


def delete(block: str) -> dict[str, Any]:
    return {"op": "delete_record", "memory_id": block}


def move(*blocks: str, topic: str) -> dict[str, Any]:
    destination = {"topic_path": topic, "headings": ["Moved"], "position": "start"}
    return {"op": "move_records", "memory_ids": list(blocks), "destination": destination}


def request(*changes: dict[str, Any], base: str | None = None, says: str = "I said so.") -> dict[str, Any]:
    """A request with these operations and one new source."""
    sources = [{"label": "new-source-a", "role": "user", "content": says}]
    return {"memory_changes": list(changes), "sources": sources} | ({"base_revision": base} if base else {})


def written(memory: Memory, *contents: str, topic: str = "topics/keys.md") -> tuple[str, ...]:
    """The ids of records that are created, one commit for all."""
    done = memory.update(request(*(create(content, topic) for content in contents)))
    return done.report.created  # type: ignore[union-attr]


# --- Conversations -------------------------------------------------------------------------------


def said(name: str, parent: str | None, text: str, origin: Origin = Origin.HUMAN) -> Node:
    """A turn with a time."""
    return node(name, parent, text, origin, at="2026-03-01T09:00:00+00:00")


TALK = (
    said("u1", None, "I prefer tea to coffee. From now on, write prices in euros."),
    said("a1", "u1", "Tea it is, and euros.", Origin.ASSISTANT),
    said("u2", "a1", "I decided to move to Lisbon in May."),
    said("u2b", "a1", "I decided to move to Porto in June."),
    said("a2b", "u2b", "Porto in June.", Origin.ASSISTANT),
    said("u3b", "a2b", "My sister Ines is allergic to shellfish."),
)
"""Six messages on two branches; the first was given up."""


def told(home: Path, nodes: Sequence[Node] = TALK, head: str | None = None) -> None:
    """Bring a conversation into the session store of a home."""
    home.mkdir(parents=True, exist_ok=True)
    with open_store(home / "sessions.sqlite3") as store:
        session = store.ensure("chat", "s1", _WHEN)
        store.add(session, nodes, _WHEN)
        store.set_head(session, NodeId(head or nodes[-1].id), _WHEN)


def talk_of(store: Store) -> Session:
    """The conversation in it."""
    (session,) = store.sessions()
    return session


def listed(
    home: Path, goal: int = 60, writer: Writer | None = None, force: bool = True, **more: Any
) -> list[Outcome]:
    """The outcomes of a pass over the conversation of a home, in batches of `goal` characters."""
    with opened(home / "memory") as memory, open_store(home / "sessions.sqlite3") as store:
        made = Pass(memory, store, writer or Extractive(), count, goal, force, **more)
        return list(write_session(made, talk_of(store)))


# --- What must hold ------------------------------------------------------------------------------


def committed(memory: Memory) -> dict[str, bytes | None]:
    """The files of HEAD."""
    base = memory.history.base(memory.revision)
    return {path: base.get(path) for path in base.under("")}


def on_disk(root: Path) -> dict[str, bytes]:
    """The files in the working tree, hidden ones left out."""
    paths = [path for path in root.rglob("*") if path.is_file() and "/." not in f"/{path.relative_to(root)}"]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def git(root: Path, *arguments: str) -> str:
    """What the git program says, as a person calls it; empty where it is not installed."""
    if shutil.which("git") is None:
        return ""
    command = ["git", "-C", str(root), "-c", "user.name=P", "-c", "user.email=p@x", *arguments]
    environment = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout + done.stderr


def unsound(home: Path) -> Iterator[str]:
    """What is wrong with a home at its next opening: nothing, whatever befell it."""
    root = home / "memory"
    with service(home) as opening:
        for finding in opening.verify().findings:
            # That there is no full text index, or no mark yet, is no fault: the next search, the next pass.
            if finding.level == "problem":
                yield f"{finding.problem.path}: {finding.problem.message}"
        memory = opening.memory()
        if memory.revision is not None and on_disk(root) != committed(memory):
            yield "the working tree is not that of HEAD"
        if memory.history.drafts():
            yield "there are drafts"
    yield from (f"left behind: {path}" for path in root.rglob(f"{files.TEMPORARY}*"))
    yield from git(root, "status", "--porcelain").splitlines()
