"""Homes that are kept by themselves: a clock that can be moved, logs that grow, writers that fail."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

from attrs import define, field

from scriptorium.clock import Moment
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium.writer import Writer
from scriptorium.writer.proposal import NothingProposed, Proposed, Task, Unable
from scriptorium_core.writing.outcome import Failed
from trips import a_talk

__all__ = ["MINUTE", "NOON", "Clock", "Failing", "Log", "events", "home", "unwritten", "using"]

NOON = 1_775_217_600  # 2026-04-03T12:00:00Z
MINUTE = 60


@define
class Clock:
    """The clock on the wall: it can be moved either way."""

    now: int = NOON

    def __call__(self) -> Moment:
        return Moment(self.now)

    @property
    def text(self) -> str:
        """The time as logs have it."""
        return datetime.fromtimestamp(self.now, UTC).isoformat()


@define
class Log:
    """A log in the native format to which a conversation adds its turns."""

    folder: Path
    clock: Clock
    session: str = "trip"
    turns: list[Mapping[str, object]] = field(factory=list)

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / f"{self.session}.jsonl"

    def says(self, text: str, parent: str | None = None) -> str:
        """One more turn; its id."""
        name = f"m{len(self.turns) + 1}"
        turn: dict[str, object] = {"id": name, "role": "user", "text": text, "at": self.clock.text}
        self.turns.append(turn | ({"parent": parent} if parent else {}))
        a_talk(self.folder, *self.turns, session=self.session)
        return name


class Failing:
    """A writer that fails as it is told: with an outcome, or by raising."""

    name = "failing"
    prompt = ""

    def __init__(self, *answers: Failed | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, ...]] = []

    def propose(self, task: Task) -> Proposed | NothingProposed | Unable:
        """The next answer; when there is none, that nothing is worth keeping."""
        self.asked.append(tuple(item.source for item in task.batch))
        if not self.answers:
            return NothingProposed("small talk")
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Unable(answer)


def home(folder: Path, clock: Callable[[], Moment], **settings: object) -> Service:
    """A home with this clock and these settings, which watches the folder `logs`."""
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    given: dict[str, object] = {"watch": [str(folder / "logs")], **settings}
    return Service(folder / "home", settings=Settings(**given), moment=clock)  # type: ignore[arg-type]


@contextmanager
def using(writer: Writer) -> Iterator[None]:
    """Whatever the settings say, this one writes."""
    with mock.patch("scriptorium.writer.writers.writer_named", return_value=writer):
        yield


def events(service: Service) -> list[dict[str, object]]:
    """What was published."""
    path = service.root / ".scriptorium" / "events.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def unwritten(service: Service) -> dict[str, int]:
    """How many messages of each session are not written."""
    return {each.session.id: each.pending for each in service.sessions()}
