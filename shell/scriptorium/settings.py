"""What a person may set: the home, and `settings.toml` in it."""

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from attrs import field, frozen

from scriptorium_core.problem import Code, Problem

from .refused import Refused

__all__ = ["BACKENDS", "WRITERS", "Settings", "default_home", "expanded", "load"]

WRITERS = ("extractive", "recorded")
BACKENDS = ("local", "none")
FILE = "settings.toml"
_WANTED = MappingProxyType({int: "a number above 0", str: "a text", bool: "true or false"})


@frozen
class Settings:
    """Settings of a home; `batch_tokens` is 8,000, 16,000 or 32,000, the others are free.

    `owner` is the name under which the owner's own words are shown. `redact` takes secrets out of what is
    archived; where it is false, they are archived as they were said.
    """

    writer: str = "extractive"
    backend: str = "local"
    batch_tokens: int = 16_000
    core_tokens: int = 2_000
    recent: int = 50
    owner: str = "Owner"
    redact: bool = True
    source: Path | None = field(default=None, eq=False)


def default_home() -> Path:
    """`$SCRIPTORIUM_HOME`, else `scriptorium` in the folder for a program's data."""
    if named := os.environ.get("SCRIPTORIUM_HOME"):
        return Path(named).expanduser()
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "scriptorium"


def expanded(path: str | Path) -> Path:
    """A path as a person writes it, `~` for their own folder."""
    return Path(path).expanduser()


def load(home: Path) -> Settings:
    """The settings of a home; without a file, the defaults. Raises Refused with all that is wrong in it."""
    path = home / FILE
    if not path.exists():
        return Settings()
    import tomllib

    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(_problem(path, "", f"the file is not TOML: {error}", "mend it or remove it")) from error
    problems = tuple(_faults(path, raw))
    if problems:
        raise Refused(*problems)
    return Settings(**raw, source=path)


def _faults(path: Path, raw: Mapping[str, object]) -> list[Problem]:
    known: dict[str, object] = {
        "writer": WRITERS,
        "backend": BACKENDS,
        "batch_tokens": (8_000, 16_000, 32_000),
        "core_tokens": int,
        "recent": int,
        "owner": str,
        "redact": bool,
    }
    faults: list[Problem] = []
    for key, value in raw.items():
        wanted = known.get(key)
        if wanted is None:
            faults.append(_problem(path, key, "is not a setting", f"known: {', '.join(known)}"))
        elif isinstance(wanted, tuple) and value not in wanted:
            faults.append(_problem(path, key, f"{value!r} is not possible", f"one of {wanted}"))
        elif isinstance(wanted, type) and (type(value) is not wanted or not (value or wanted is bool)):
            faults.append(_problem(path, key, f"{value!r} is not possible", f"give {_WANTED[wanted]}"))
    return faults


def _problem(path: Path, key: str, message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, f"{key} {message}".strip(), str(path), remedy=remedy)
