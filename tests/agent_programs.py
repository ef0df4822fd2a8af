"""Made-up programs that stand for agents which edit files, and what a writer makes of them."""

import stat
import sys
from pathlib import Path

from attrs import define, field

from scriptorium.settings import Command
from scriptorium.workspace import Memory
from scriptorium.writer import Answer, Edited, Task, Unable
from scriptorium.writer.command import Commanded
from scriptorium_core.budget import estimate
from scriptorium_core.changes import Caller
from scriptorium_core.names import SourceId, TopicPath
from scriptorium_core.problem import Problem
from scriptorium_core.sources.frame import Origin
from scriptorium_core.writing.batch import Said
from scriptorium_core.writing.outcome import Failed
from trips import at_noon

__all__ = ["REF", "TOPIC", "WRITES", "Agent", "an_agent", "edited", "failed", "on_path"]

REF = "native/trip/m1"
TOPIC = "topics/people/mara.md"
_NOTE = f"[^e1]: Time: `2026-04-02`; Sources: [Mara, 2026-04-02]({REF})"
WRITES = f"""
topics = pathlib.Path("topics/people")
topics.mkdir(exist_ok=True, parents=True)
(topics / "mara.md").write_text("# Mara\\n\\nMara moved to Lisbon.[^e1]\\n\\n{_NOTE}\\n")
"""
_BEGIN = f"#!{sys.executable}\nimport json, os, pathlib, sys, time\n"


def on_path(folder: Path, name: str, lines: str) -> Path:
    """A program of this name, written in Python, in a folder for PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(_BEGIN + lines)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@define
class Agent:
    """A writer that runs a made-up program over a memory; `excluded` are the sessions that it kept out."""

    memory: Memory
    settings: Command
    excluded: list[tuple[str, str]] = field(factory=list)
    told: list[str] = field(factory=list)

    @property
    def writer(self) -> Commanded:
        """The writer."""
        return Commanded(self.settings, self.memory.layout, self._exclude, at_noon)

    def asked(self, *problems: Problem) -> Answer:
        """What it makes of a batch of one message."""
        said = Said(SourceId(REF), "Mara", Origin.HUMAN, "I moved to Lisbon.", "2026-04-02T10:00:00Z")
        reading, caller = self.memory.reading, Caller(speaker_name="Mara")
        task = Task(
            "write", (said,), reading, caller, "2026-04-03", estimate, problems, progress=self.told.append
        )
        return self.writer.propose(task)

    def organizes(self, *portion: str) -> Answer:
        """What it makes of topics that it is to put in order."""
        paths = tuple(TopicPath(path) for path in portion)
        task = Task("organize", (), self.memory.reading, Caller(), "2026-04-03", estimate, portion=paths)
        return self.writer.propose(task)

    def _exclude(self, provider: str, session: str) -> None:
        self.excluded.append((provider, session))


def an_agent(memory: Memory, folder: Path, lines: str, **settings: object) -> Agent:
    """An agent that is a program of these lines."""
    program = on_path(folder / "bin", "my-writer", lines)
    return Agent(memory, Command((str(program),), **settings))  # type: ignore[arg-type]


def edited(agent: Agent, *problems: Problem) -> Edited:
    """The edit that it makes."""
    answer = agent.asked(*problems)
    assert isinstance(answer, Edited), answer
    return answer


def failed(agent: Agent) -> Failed:
    """How it fails; its directory is gone."""
    answer = agent.asked()
    assert isinstance(answer, Unable), answer
    assert not list(agent.memory.layout.staging.iterdir())
    return answer.outcome
