"""Where a file of a sealed library may come to stand: in the memory or beside it, never in git's folder."""

import re
import unicodedata
from types import MappingProxyType
from typing import Any

__all__ = ["BESIDE", "HOME", "MEMORY", "is_kept", "is_reference"]

MEMORY, HOME = "memory", "home"
BESIDE = ("settings.toml", "sessions.sqlite3")
"""What of a home goes along; tokens and keys never do."""

_REFERENCE = re.compile(r"refs(?:/[A-Za-z0-9][A-Za-z0-9._+@=#-]*)+")
_LONGEST = 4096
_RUNTIME = (".git", "git~", ".scriptorium", ".nativemem")
_UNSEEN = "\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff"
_IGNORED = MappingProxyType(dict.fromkeys(map(ord, _UNSEEN)))


def is_kept(root: Any, path: Any) -> bool:
    """Whether a file may be sealed from, and unsealed to, a path below the memory or the home."""
    if root == HOME:
        return path in BESIDE
    if root != MEMORY or not isinstance(path, str) or not 0 < len(path) <= _LONGEST:
        return False
    return all(map(_is_step, path.split("/")))


def is_reference(name: Any) -> bool:
    """Whether a text may be the name of a reference, on every disk: `refs/heads/main`."""
    if not isinstance(name, str) or not _REFERENCE.fullmatch(name) or len(name) > 200:
        return False
    steps = name.split("/")
    return len(steps) > 2 and not any(s.endswith((".lock", ".")) or ".." in s or "@{" in s for s in steps)


def _is_step(step: str) -> bool:
    if step in ("", ".", "..") or not step.isprintable() or any(each in step for each in '\\:"<>|?*'):
        return False
    # What some disk takes for git's folder or ours is it.
    plain = unicodedata.normalize("NFKC", step.translate(_IGNORED)).casefold().rstrip(" .")
    return bool(plain) and not plain.startswith(_RUNTIME)
