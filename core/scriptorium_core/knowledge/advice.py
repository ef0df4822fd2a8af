"""What could be better in a memory that is sound: measures, and what a person can do about them."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from ..writing.cutting import SOFT_LIMIT

__all__ = [
    "TOPIC_BYTES",
    "Advice",
    "git_advice",
    "leftover_advice",
    "lock_advice",
    "mode_advice",
    "topic_advice",
]

TOPIC_BYTES = SOFT_LIMIT
_PACKS = 32
_HALF_WRITTEN = 60.0  # seconds after which a file that is half written is nobody's work any more
_HELD = 3600.0  # seconds after which a lock of git has most probably lost its holder


@frozen
class Advice:
    """Something that is no fault: what it is, where, and what to do; `mended` by `doctor --repair`."""

    about: str
    message: str
    remedy: str
    path: str = ""
    mended: bool = False


def topic_advice(path: str, size: int) -> Iterator[Advice]:
    """That a topic is larger than what is read and edited with ease; `size` in bytes."""
    if size > TOPIC_BYTES:
        message = f"the topic has {size / 1024:,.0f} KiB, more than the {TOPIC_BYTES // 1024} that stay handy"
        yield Advice(
            "large topic", message, f"`scriptorium organize {path}` cuts it; `--dry-run` shows how", path
        )


def git_advice(program: bool, packs: int) -> Iterator[Advice]:
    """That the git program is missing, or that the history lies in many packs."""
    if not program:
        message = "the git program is not installed; all works without it, some of it more slowly"
        yield Advice("no git", message, "install git")
    if packs >= _PACKS:
        message = f"the history lies in {packs} packs"
        yield Advice("many packs", message, "`doctor --repair` merges them", ".git/objects/pack", True)


def leftover_advice(found: Sequence[tuple[str, float]]) -> Iterator[Advice]:
    """That killed processes left half-written files: `found` are paths and their ages in seconds."""
    left = [path for path, age in found if age > _HALF_WRITTEN]
    if left:
        message = f"{len(left)} half-written files were left by killed processes ({_few(left)})"
        yield Advice("leftovers", message, "`doctor --repair` removes them", left[0], True)


def lock_advice(found: Sequence[tuple[str, float]]) -> Iterator[Advice]:
    """That a lock file of git seems to have lost its holder: `found` are paths and ages in seconds."""
    for path, age in found:
        if age > _HELD:
            message = f"git's lock was taken {age / 3600:,.0f} hours ago and is still there"
            yield Advice("stale lock", message, f"if no git program runs in the memory, remove {path}", path)


def mode_advice(found: Sequence[tuple[str, int]]) -> Iterator[Advice]:
    """That others may enter or read: `found` are paths and their modes."""
    open_to_others = [path for path, mode in found if mode & 0o077]
    if open_to_others:
        message = f"{len(open_to_others)} files and folders are open to others ({_few(open_to_others)})"
        remedy = "`doctor --repair` makes folders 0700 and files 0600"
        yield Advice("modes", message, remedy, open_to_others[0], True)


def _few(paths: Sequence[str]) -> str:
    return ", ".join(paths[:3]) + (", …" if len(paths) > 3 else "")
