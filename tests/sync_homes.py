"""Copies of one memory that meet through a bare repository, each with a clock that goes on."""

import shutil
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from scriptorium.clock import Moment
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.syncing import Synced
from scriptorium.settings import Settings
from scriptorium.workspace import Committed
from scriptorium_core.facts import chronicle, facts_of
from scriptorium_core.problem import Code, Problem
from scriptorium_core.trailers import Trailer
from scriptorium_core.tree import Tree

__all__ = ["CLOCK", "DIALOGUE", "Copy", "bare", "git", "has_git"]

CLOCK = count(1_770_000_000, 60)
DIALOGUE = """# D1

<a id="d1-1"></a>
[2025-11-03] Tom: Hello! [D1:1]

<a id="d1-2"></a>
[2025-11-03] Ida: The safe opens at 4711. [D1:2]
"""
"""An archive of the oldest form, at `sources/D1.md`."""


class Copy:
    """One copy: a service over a home of its own, and what examples ask of it."""

    def __init__(self, home: Path, remote: str = "") -> None:
        self.home, self.remote = home, remote
        self.service = Service(home, settings=Settings(remote=remote), moment=lambda: Moment(next(CLOCK)))

    def __enter__(self) -> "Copy":
        return self

    def __exit__(self, *_: object) -> None:
        self.service.close()

    @property
    def root(self) -> Path:
        return self.home / "memory"

    @property
    def head(self) -> str:
        found = self.service.memory().revision
        assert found is not None
        return found

    def say(self, text: str, topic: str = "keys") -> str:
        """Save words of the owner; the id of the record."""
        done = self.service.remember(text, topic=topic)
        report = getattr(done, "report", None) or done.committed.report  # type: ignore[union-attr]
        (block,) = report.created
        return str(block)

    def ask(self, *changes: dict[str, Any]) -> Committed:
        done = self.service.change({"memory_changes": list(changes), "base_revision": self.head})
        assert isinstance(done, Committed), done
        return done

    def update(self, block: str, text: str) -> None:
        self.ask({"op": "update_record", "memory_id": block, "content": text, "time": "2026-05-01",
                  "sources": [{"source": self.source_of(block), "label": "said"}]})  # fmt: skip

    def delete(self, block: str) -> None:
        self.ask({"op": "delete_record", "memory_id": block})

    def given(self, path: str, text: str) -> None:
        """Commit a file by hand, and take the commit over."""
        self.service.close()
        (self.root / path).write_text(text)
        git(self.root, "add", path)
        git(self.root, "commit", "-q", "-m", "By another program")
        self.say("Tea is at six.", "tea")

    def merge(self, block: str, other: str) -> str:
        """Make two records that follow each other one paragraph with both ids; what it says."""
        with self.service.memory().reading() as (_, base):
            first, second = (base.facts.records[name].record for name in (block, other))
        path, cites = first.path, [f"[^{r.evidence[0].id}]" for r in (first, second)]
        text = (self.root / path).read_text()
        paragraphs = [f"{r.content}{cite} ^{r.id}" for r, cite in zip((first, second), cites, strict=True)]
        assert all(each in text for each in paragraphs), text
        merged = f"{first.content} {second.content}"
        text = text.replace(paragraphs[1] + "\n\n", "")
        text = text.replace(paragraphs[0], f"{merged}{''.join(cites)} ^{block} ^{other}")
        done = self.service.change({"changes": [{"action": "write", "path": path, "content": text}]})
        assert isinstance(done, Committed), done
        return merged

    def source_of(self, block: str) -> str:
        with self.service.memory().reading() as (_, base):
            (source, *_) = base.facts.records[block].record.sources
            return base.facts.places[source.place]

    def sync(self, **more: Any) -> Synced:
        return self.service.sync(**more)

    def refused(self, **more: Any) -> tuple[Problem, ...]:
        with pytest.raises(Refused) as caught:
            self.service.sync(**more)
        return caught.value.problems

    def codes(self, **more: Any) -> list[Code]:
        return [problem.code for problem in self.refused(**more)]

    def texts(self) -> set[str]:
        with self.service.memory().reading() as (_, base):
            return {known.record.content for known in base.facts.newest}

    def messages(self) -> dict[str, str]:
        with self.service.memory().reading() as (_, base):
            return {name: source.text for name, source in base.facts.sources.items()}

    def files(self) -> dict[str, bytes]:
        """The files of HEAD."""
        memory = self.service.memory()
        base = memory.history.base(memory.revision)
        return {path: base.get(path) or b"" for path in base.under("")}

    def on_disk(self) -> dict[str, bytes]:
        found = (path for path in self.root.rglob("*") if path.is_file())
        named = ((path.relative_to(self.root).as_posix(), path) for path in found)
        return {name: path.read_bytes() for name, path in named if not name.startswith((".git", ".script"))}

    def order(self) -> list[str]:
        with self.service.memory().reading() as (_, base):
            return [known.record.id for known in base.facts.newest]

    def facts_from_scratch(self) -> object:
        """What the commits and the files say, without an index."""
        history = self.service.memory().history

        def told() -> Iterator[tuple[str, tuple[Trailer, ...]]]:
            for entry in reversed(list(history.log())):
                yield "", entry.trailers

        said = chronicle(told())
        return facts_of(Tree(history.base(self.head)), said.order, said.forgotten)

    def sound(self) -> None:
        """Nothing is broken, and git agrees."""
        found = self.service.verify()
        assert found.holds, found.findings
        assert self.on_disk() == self.files()
        if has_git():
            git(self.root, "fsck", "--full", "--strict")
            assert git(self.root, "status", "--porcelain") == ""


def has_git() -> bool:
    return shutil.which("git") is not None


def git(where: Path, *arguments: str) -> str:
    if not has_git():
        pytest.skip("git is not installed")
    command = ["git", "-C", str(where), "-c", "user.name=x", "-c", "user.email=x@x", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def bare(place: Path) -> Path:
    """A bare repository with nothing in it."""
    from dulwich.repo import Repo

    Repo.init_bare(str(place), mkdir=True, default_branch=b"main").close()
    return place
