"""A home with one invented conversation that forks, written into memory by the writer that needs no model."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

import tars
from scriptorium.clock import Moment
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium.workspace import Committed

__all__ = [
    "TALK",
    "TRAINS",
    "WORKSPACES",
    "a_talk",
    "ask",
    "at_noon",
    "create",
    "shared",
    "unpacked",
    "written",
]

SHARED = Path(
    os.environ.get("SCRIPTORIUM_ACCEPTANCE", Path(__file__).resolve().parents[2] / "shared" / "data")
)
WORKSPACES = ("rich", "small", "legacy", "legacy-before")
TRAINS = "native/trip/m1"

# m3 and m4 are given up when m5 is said in their place.
TALK: tuple[Mapping[str, object], ...] = (
    {"id": "m1", "role": "user", "text": "I prefer trains to planes, always.", "at": "2026-03-01T10:00:00Z"},
    {"id": "m2", "role": "assistant", "text": "Trains it is.", "at": "2026-03-01T10:00:10Z"},
    {"id": "m3", "role": "user", "text": "I prefer a hotel by the harbour.", "at": "2026-03-01T10:01:00Z"},
    {"id": "m4", "role": "assistant", "text": "The harbour is lovely.", "at": "2026-03-01T10:01:10Z"},
    {
        "id": "m5",
        "parent": "m2",
        "role": "user",
        "text": "I prefer a small guest house in the old town.",
        "at": "2026-03-01T10:02:00Z",
    },
    {"id": "m6", "role": "assistant", "text": "I will look for one.", "at": "2026-03-01T10:02:10Z"},
)


def at_noon() -> Moment:
    """The clock of these examples: noon of 3 April 2026, UTC."""
    return Moment(1_775_217_600)


def a_talk(folder: Path, *lines: Mapping[str, object], session: str = "trip") -> Path:
    """A log in the native format; `TALK` if no lines are given."""
    path = folder / f"{session}.jsonl"
    path.write_text("".join(json.dumps({"session": session, **line}) + "\n" for line in lines or TALK))
    return path


def written(folder: Path, settings: Settings | None = None) -> Service:
    """A home whose conversation is in memory."""
    service = Service(folder / "home", settings=settings or Settings(), moment=at_noon)
    service.import_paths([a_talk(folder)])
    service.write(force=True)
    return service


def create(
    content: str, topic: str = "topics/notes.md", source: str = TRAINS, **more: object
) -> dict[str, object]:
    """A `create_record` of a request."""
    return {
        "op": "create_record",
        "content": content,
        "time": "2026-04-03",
        "sources": [{"source": source, "label": "said"}],
        "destination": {"topic_path": topic, "headings": ["Notes"], "position": "end"},
        **more,
    }


def ask(service: Service, *changes: Mapping[str, object], **more: object) -> Committed:
    """Carry out a request that must succeed."""
    result = service.change({"memory_changes": list(changes), **more})
    assert isinstance(result, Committed), result
    return result


def shared(name: str) -> Path:
    """A file of the acceptance data; the test is skipped where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"the acceptance data are not here: {path}")
    return path


def unpacked(name: str, folder: Path) -> Path:
    """One of the directories that the other program wrote."""
    tars.unpacked(shared(f"workspaces/{name}.tar.gz"), folder)
    return folder / name
