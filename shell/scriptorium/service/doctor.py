"""The doctor: a proof, what could be better, and the mending of whatever can be made anew."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from scriptorium_core.knowledge.advice import (
    Advice,
    git_advice,
    leftover_advice,
    lock_advice,
    mode_advice,
    topic_advice,
)
from scriptorium_core.problem import Code, Problem

from ..clock import now
from ..files import TEMPORARY
from ..history import packs, refs
from ..layout import PROJECTED, git_program
from . import secrecy
from .mending import Mended, mend
from .model import Finding, Verified
from .verify import verify

if TYPE_CHECKING:
    from ..layout import Layout
    from ..workspace import Memory
    from .exposed import Exposed

__all__ = ["Diagnosis", "doctor"]

Progress = Callable[[int, int], None]


@frozen
class Diagnosis:
    """The proof, what could be better, what was mended and what could not be, and what takes how many bytes.

    After mending, proof and advice are those of afterwards.
    """

    proof: Verified
    advice: tuple[Advice, ...]
    sizes: Mapping[str, int] = field(factory=dict)
    mended: tuple[Mended, ...] = ()
    failed: tuple[Problem, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every invariant holds."""
        return self.proof.holds and not self.failed


def doctor(
    memory: Memory,
    sessions: Path,
    repair: bool = False,
    progress: Progress | None = None,
    history: bool = False,
    exposed: Exposed | None = None,
) -> Diagnosis:
    """Examine the memory; with `repair`, mend projections and indexes first, never topics or evidence.

    With `history`, all that the commits keep is searched for secrets too; what is `exposed` about
    the home, and `repair` replaces those that stand in the session store and the traces.
    """
    proof, advice = verify(memory, sessions, progress), _advice(memory)
    mended, failed = mend(memory, proof, advice) if repair else ((), ())
    if mended:
        proof, advice = verify(memory, sessions, progress), _advice(memory)
    if exposed is not None and repair:
        mended += exposed.hide()
    if exposed is not None:
        proof = evolve(proof, findings=(*proof.findings, *_clear(memory, proof, exposed.search(progress))))
    elif history:
        past = secrecy.in_history(memory, progress)
        proof = evolve(proof, findings=(*proof.findings, *_clear(memory, proof, past)))
    return Diagnosis(proof, advice, _sizes(memory.layout), mended, failed)


def _clear(memory: Memory, proof: Verified, found: Iterator[Problem]) -> Iterator[Finding]:
    """The secrets that a search comes upon, where the history can be read."""
    if any(found.problem.code is Code.HISTORY_DAMAGED for found in proof.findings):
        return
    for problem in dict.fromkeys(found):
        yield Finding(secrecy.level(memory), problem)


def _advice(memory: Memory) -> tuple[Advice, ...]:
    layout = memory.layout
    found: list[Advice] = []
    base = memory.history.base(memory.revision)
    for path in base.under("topics/"):
        found += topic_advice(path, len(base.get(path) or b""))
    found += git_advice(git_program() is not None, packs.count(layout))
    found += leftover_advice(tuple(_leftovers(layout)))
    found += lock_advice(tuple(_locks(layout)))
    found += mode_advice(tuple(_modes(layout)) if os.name != "nt" else ())
    return tuple(found)


def _leftovers(layout: Layout) -> Iterator[tuple[str, float]]:
    for folder in (*_folders(layout), layout.git, layout.git / "objects" / "pack"):
        for path in _inside(folder):
            if path.name.startswith(TEMPORARY) and path.is_file():
                yield _aged(layout, path)


def _locks(layout: Layout) -> Iterator[tuple[str, float]]:
    """The lock files that git leaves while it works."""
    branch = f"{refs.branch(layout)}.lock"
    for name in ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "shallow.lock", branch):
        if (layout.git / name).is_file():
            yield _aged(layout, layout.git / name)


def _modes(layout: Layout) -> Iterator[tuple[str, int]]:
    """The modes of all folders, and of the files outside of the indexes, which their folders keep private."""
    for folder in _folders(layout):
        yield _place(layout, folder), folder.stat().st_mode
        if layout.runtime not in folder.parents:
            for path in _inside(folder):
                if path.is_file() and not path.is_symlink() and _is_ours(layout, path):
                    yield _place(layout, path), path.stat().st_mode


def _is_ours(layout: Layout, path: Path) -> bool:
    """Whether a file is one that this program writes: in the root, a person keeps what they like."""
    return path.parent != layout.root or path.name in PROJECTED


def _folders(layout: Layout) -> Iterator[Path]:
    """The folders of the memory outside of git, its own first; links are not followed."""
    yield layout.root
    for top in (layout.runtime, *(layout.root / name for name in PROJECTED if name.endswith("/"))):
        if top.is_dir() and not top.is_symlink():
            for here, folders, _ in os.walk(top):
                folders.sort()
                yield Path(here)


def _inside(folder: Path) -> Iterator[Path]:
    return iter(sorted(folder.iterdir())) if folder.is_dir() else iter(())


def _aged(layout: Layout, path: Path) -> tuple[str, float]:
    return _place(layout, path), now().timestamp() - path.stat().st_mtime


def _place(layout: Layout, path: Path) -> str:
    return path.relative_to(layout.root).as_posix()


def _sizes(layout: Layout) -> Mapping[str, int]:
    """Bytes of what the memory keeps beside its files."""
    parts = {
        "history": (layout.git,),
        "index of facts": tuple(layout.runtime.glob(f"{layout.facts.name}*")),
        "full text index": (layout.fulltext,),
        "vectors": tuple(layout.runtime.glob(f"{layout.vectors.name}*")),
        "earlier states": (layout.runtime / "at",),
    }
    return {name: sum(map(_size, places)) for name, places in parts.items()}


def _size(place: Path) -> int:
    if place.is_file():
        return place.stat().st_size
    found = (Path(here) / name for here, _, names in os.walk(place) for name in names)
    return sum(path.lstat().st_size for path in found)
