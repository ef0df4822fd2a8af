"""A home in which one record was made, changed, moved and deleted, a commit a day."""

import shutil
import tempfile
from functools import cache
from pathlib import Path

from attrs import define

from scriptorium.clock import Moment
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium.workspace import Committed
from scriptorium_core.names import BlockId
from scriptorium_core.topics import parse_topic
from scriptorium_core.topics.edit import remove_record, tidy
from scriptorium_core.topics.render import render_topic
from scriptorium_core.trailers import id_trailers
from scriptorium_core.transaction import Edit, Snapshot
from trips import TRAINS, ask, at_noon, create, written

__all__ = ["BLUE", "GREEN", "HOUSE", "NOTES", "Story", "delete", "forget", "move", "story", "update"]

BLUE, GREEN = "The spare key hangs by the blue door.", "The spare key hangs by the green door now."
NOTES, HOUSE = "topics/notes.md", "topics/house.md"
_DAY = 86_400


@define
class Story:
    """The home, the record, and the commit of each day from 3 April 2026: written, made, changed, moved."""

    service: Service
    record: str
    commits: list[str]
    days: int = 0

    def ask(self, *changes: dict[str, object]) -> Committed:
        """A request on the next day."""
        self.tomorrow()
        done = ask(self.service, *changes)
        self.commits.append(done.revision)
        return done

    def tomorrow(self) -> None:
        """The clock goes on by a day."""
        self.days += 1
        point = Moment(at_noon().seconds + self.days * _DAY)
        self.service.close()
        self.service.moment = lambda: point


def story(folder: Path) -> Story:
    """A copy of the home, in which three days have passed."""
    told = _told()
    shutil.copytree(told.service.home, folder / "home")
    copy = Service(folder / "home", settings=Settings(), moment=told.service.moment)
    return Story(copy, told.record, list(told.commits), told.days)


@cache
def _told() -> Story:
    service = written(Path(tempfile.mkdtemp(prefix="scriptorium-test-")))
    told = Story(service, "", [service.memory().revision or ""])
    told.record = told.ask(create(BLUE)).report.created[0]
    told.ask(update(told.record, GREEN))
    told.ask(move(told.record))
    service.close()
    return told


def update(record: str, content: str) -> dict[str, object]:
    sources = [{"source": TRAINS, "label": "said"}]
    return {
        "op": "update_record",
        "memory_id": record,
        "content": content,
        "time": "2026-04-05",
        "sources": sources,
    }


def move(record: str, topic: str = HOUSE) -> dict[str, object]:
    destination = {"topic_path": topic, "headings": ["Keys"], "position": "end"}
    return {"op": "move_records", "memory_ids": [record], "destination": destination}


def delete(record: str) -> dict[str, object]:
    return {"op": "delete_record", "memory_id": record}


def forget(told: Story, path: str, record: str, *sources: str) -> str:
    """Retract a record and messages in a commit that names them; its id."""
    told.tomorrow()
    memory = told.service.memory()

    def plan(base: Snapshot) -> Edit:
        known = base.facts.records[record].record
        data = base.tree.get(path)
        assert data is not None
        topic = tidy(remove_record(parse_topic(known.path, data)[0], known))
        left = base.tree.put(path, render_topic(topic)) if topic.records else base.tree.remove(path)
        named = id_trailers("Forgotten", (record, *sources))
        return Edit(left, frozenset([BlockId(record)]), kind="forget", trailers=named)

    done = memory.commit(plan, memory.rules())
    assert isinstance(done, Committed), done
    told.commits.append(done.revision)
    return done.revision
