"""All references of a repository: branches, tags, stashes, and what is known of other repositories."""

import os
from collections.abc import Iterator, Mapping

from .. import files
from ..layout import Layout

__all__ = ["drop", "drop_packed", "read_all", "remotes", "settle"]

_PACKED = "packed-refs"
_REMOTE = "refs/remotes/"


def read_all(layout: Layout) -> Mapping[str, str]:
    """Name to commit (or tag) of each reference that is one; symbolic ones are left out."""
    found = dict(_packed(layout))
    for here, _, names in os.walk(layout.git / "refs"):
        for name in names:
            path = os.path.join(here, name)
            value = (files.read(layout.git / path) or b"").strip().decode("ascii", "replace")
            if len(value) == 40:
                found[os.path.relpath(path, layout.git).replace(os.sep, "/")] = value
    return found


def settle(layout: Layout, name: str, value: str) -> None:
    """Let a reference name an object, durably, in a file of its own."""
    files.write_durable(layout.git / name, f"{value}\n".encode(), root=layout.root)


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


def _packed(layout: Layout) -> Iterator[tuple[str, str]]:
    for line in (files.read(layout.git / _PACKED) or b"").decode("utf-8", "replace").splitlines():
        value, _, name = line.partition(" ")
        if len(value) == 40 and name:
            yield name.strip(), value
