"""The git program as a helper: this repository, no hooks, no settings of the person, nothing asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..layout import Layout, git_environment, git_program

if TYPE_CHECKING:
    import subprocess

__all__ = ["start"]

_SAFE = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0")


def start(
    layout: Layout,
    arguments: Sequence[str],
    background: int | None = None,
    output: bool = False,
    index: Path | None = None,
) -> subprocess.Popen[bytes] | None:
    """A running `git ARGUMENTS`, None if git is not installed.

    It has pipes to it and from its errors, and with `output` from what it says; in the `background` it has
    none, outlives this process, and holds the descriptor of that number open as long as it runs. It takes
    the file `index` for the repository's own.
    """
    import subprocess

    program = git_program()
    if program is None:
        return None
    aside = background is not None
    return subprocess.Popen(
        [program, *_SAFE, *arguments],
        cwd=layout.root,
        env={**git_environment(layout), **({"GIT_INDEX_FILE": str(index)} if index else {})},
        stdin=subprocess.DEVNULL if aside else subprocess.PIPE,
        stdout=subprocess.PIPE if output else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL if aside else subprocess.PIPE,
        pass_fds=() if background is None else (background,),
        start_new_session=aside,
    )
