"""All references of a repository: branches, tags, stashes, working trees, and what is known of others."""

import os
from collections.abc import Callable, Iterator, Mapping

from .. import files
from ..layout import Layout

__all__ = [
    "STASH_LOG",
    "drop",
    "drop_packed",
    "follow_stash",
    "note",
    "read_all",
    "remote_named",
    "remotes",
    "settle",
    "stashed",
]

STASH_LOG = "logs/refs/stash"  # alone knows the stashes below the newest

_PACKED = "packed-refs"
_REMOTE = "refs/remotes/"


def read_all(layout: Layout) -> Mapping[str, str]:
    """Name to commit (or tag) of each reference that is one; symbolic ones are left out.

    The commit that another working tree of the repository has checked out counts as one.
    """
    found = dict(_packed(layout))
    loose = [os.path.join(here, name) for here, _, names in os.walk(layout.git / "refs") for name in names]
    for path in (*loose, *map(str, layout.git.glob("worktrees/*/HEAD"))):
        value = (files.read(layout.git / path) or b"").strip().decode("ascii", "replace")
        if len(value) == 40:
            found[os.path.relpath(path, layout.git).replace(os.sep, "/")] = value
    return found


def stashed(layout: Layout) -> tuple[str, ...]:
    """The commits of the stashes, oldest first."""
    return tuple(line[41:81] for line in _stash_lines(layout))


def follow_stash(layout: Layout, successor: Callable[[str], str], said: Callable[[str], str]) -> None:
    """Let the stashes be their successors, and their descriptions what `said` makes of them."""
    known, lines, before = _stash_lines(layout), list[str](), "0" * 40
    for line in known:
        who, _, words = line[82:].partition("\t")
        after = successor(line[41:81])
        lines.append(f"{before} {after} {who}\t{said(words)}")
        before = after
    if lines != known:
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        files.write_durable(layout.git / STASH_LOG, data, root=layout.root)


def settle(layout: Layout, name: str, value: str) -> None:
    """Let a reference name an object, durably, in a file of its own."""
    files.write_durable(layout.git / name, f"{value}\n".encode(), root=layout.root)


def note(layout: Layout, name: str, value: str) -> None:
    """The same, of a reference that only tells something: a file half written waits in the staging folder."""
    place = layout.git / name
    files.ensure_folder(place.parent, root=layout.root)
    temporary = files.write_temporary(layout.staging, f"{value}\n".encode())
    files.sync(temporary)
    files.install(temporary, place)
    files.sync_folder(place.parent)


def drop(layout: Layout, name: str) -> None:
    """Take the file of a reference away."""
    files.remove(layout.git / name, layout.git / "refs")


def drop_packed(layout: Layout) -> None:
    """Take the packed references away: each that stays has a file of its own by now."""
    if (layout.git / _PACKED).exists():
        files.unlink(layout.git / _PACKED)
        files.sync_folder(layout.git)


def remotes(layout: Layout) -> tuple[str, ...]:
    """The addresses of other repositories that the configuration names."""
    lines = (files.read(layout.git / "config") or b"").decode("utf-8", "replace").splitlines()
    urls = (line.partition("=") for line in map(str.strip, lines))
    return tuple(
        dict.fromkeys(value.strip() for key, _, value in urls if key.strip().lower() in ("url", "pushurl"))
    )


def remote_named(layout: Layout, name: str) -> str:
    """The address that the configuration gives to a name; empty if it knows none."""
    lines = (files.read(layout.git / "config") or b"").decode("utf-8", "replace").splitlines()
    inside = False
    for line in map(str.strip, lines):
        if line.startswith("["):
            inside = line.replace("'", '"') == f'[remote "{name}"]'
        key, _, value = line.partition("=")
        if inside and key.strip().lower() == "url":
            return value.strip().strip('"')
    return ""


def _stash_lines(layout: Layout) -> list[str]:
    """Lines of `before after who<tab>words`, the ids in the first 81 characters."""
    text = (files.read(layout.git / STASH_LOG) or b"").decode("utf-8", "surrogateescape")
    return [line for line in text.split("\n") if len(line) > 81]


def _packed(layout: Layout) -> Iterator[tuple[str, str]]:
    for line in (files.read(layout.git / _PACKED) or b"").decode("utf-8", "replace").splitlines():
        value, _, name = line.partition(" ")
        if len(value) == 40 and name:
            yield name.strip(), value
