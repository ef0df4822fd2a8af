"""Copies of a home, each killed at its own step of a piece of work."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["deaths", "run"]

_SCRIPT = Path(__file__).with_name("dying.py")


def run(work: str, *deaths: str) -> list[str]:
    """What the script prints for these deaths (`NUMBER=HOME`)."""
    path = os.pathsep.join([*sys.path, str(_SCRIPT.parents[1])])
    command = [sys.executable, str(_SCRIPT), work, *deaths]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


def deaths(work: str, home: Path, folder: Path, most: int | None = None) -> Iterator[Path]:
    """Copies of `home` whose process died at some step, in the order of steps.

    Every step; with `most` about so many of them, evenly, and the last ones, unless the profile is `deep`.
    """
    alive = shutil.copytree(home, folder / "alive")
    (steps, ended) = run(work, f"0={alive}")
    assert ended == "done"
    sampled = most is not None and os.environ.get("HYPOTHESIS_PROFILE") != "deep"
    every = max(1, int(steps) // most) if sampled and most else 1
    last = int(steps)
    numbers = sorted({*range(1, last + 1, every), last - 1, last})
    homes = [shutil.copytree(home, folder / f"{number:03d}") for number in numbers]
    ends = run(work, *(f"{number}={place}" for number, place in zip(numbers, homes, strict=True)))
    assert ends == ["killed"] * len(homes)
    yield from homes
    shutil.rmtree(alive)
