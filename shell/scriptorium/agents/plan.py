"""What is wished for in an agent's settings, and what would be written for it."""

from difflib import unified_diff
from pathlib import Path

from attrs import frozen

from scriptorium_core.writing.hosts import Host

__all__ = ["BACKUP", "Change", "Plan", "Wish"]

BACKUP = ".scriptorium-backup"
"""What the name of a backup ends with: the settings as they were before the newest change."""


@frozen
class Wish:
    """Which agent, the words that call this program with its home, and for which project (None: for all).

    `mcp` says that the server is entered too.
    """

    host: Host
    words: tuple[str, ...]
    project: Path | None = None
    mcp: bool = False


@frozen
class Change:
    """A file before and after; None where there is none. Below `root` no link is followed.

    `own` says that nobody but us writes the file.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    root: Path
    own: bool = False

    @property
    def backup(self) -> Path | None:
        """Where the bytes from before are kept; None where there were none, or none of a person's."""
        is_kept = self.before is not None and not self.own
        return self.path.with_name(self.path.name + BACKUP) if is_kept else None

    @property
    def diff(self) -> str:
        """What is written, as a unified diff."""
        old, new = (str(self.path) if data is not None else "/dev/null" for data in (self.before, self.after))
        return "".join(unified_diff(_lines(self.before), _lines(self.after), old, new))


@frozen
class Plan:
    """All changes for a wish, and what a person must know beside them."""

    host: Host
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()


def _lines(data: bytes | None) -> list[str]:
    """The lines; of a last one that does not end it is said, as diffs do it."""
    lines = (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n\\ No newline at end of file\n"
    return lines
