"""What a person may set: the home, and `settings.toml` in it."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from attrs import field, frozen

from scriptorium_core.problem import Code, Problem

from .clock import zone_named
from .refused import Refused

__all__ = ["BACKENDS", "WRITERS", "Settings", "default_home", "expanded", "load"]

WRITERS = ("extractive", "recorded")
BACKENDS = ("local", "none")
FILE = "settings.toml"
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_FORMS = MappingProxyType(
    {
        "watch": 'give a list: ["claude-code", "~/exports"]',
        "organize_at": "give HH:MM",
        "timezone": 'give a name as "Europe/Berlin"; if this is one, install the package tzdata',
    }
)
_WANTED = MappingProxyType({int: "a number above 0", str: "a text", bool: "true or false"})


@frozen
class Settings:
    """Settings of a home; `batch_tokens` is 8,000, 16,000 or 32,000, the others are free.

    `owner` is the name under which the owner's own words are shown. `redact` takes secrets out of what is
    archived; where it is false, they are archived as they were said. `timezone` (`Europe/Berlin`) is the zone
    in which days count; while it is empty, a time counts in the zone in which it was given.

    The keeper takes in the logs of `watch` (programs, or paths of files and folders), none if it is empty,
    every `scan_minutes`; it writes a conversation that was idle for `idle_minutes`; topics are organized at
    `organize_at` (`HH:MM`, local). `daily_tokens` is what a writer is offered on one local day: without it,
    a writer that costs has a cap and another one none.
    """

    writer: str = "extractive"
    backend: str = "local"
    batch_tokens: int = 16_000
    core_tokens: int = 2_000
    recent: int = 50
    owner: str = "Owner"
    redact: bool = True
    timezone: str = ""
    watch: tuple[str, ...] = field(default=(), converter=tuple)
    scan_minutes: int = 5
    idle_minutes: int = 30
    organize_at: str = "03:00"
    daily_tokens: int | None = None
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
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
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
        "timezone": str,
        "watch": list,
        "scan_minutes": int,
        "idle_minutes": int,
        "organize_at": str,
        "daily_tokens": int,
    }
    faults: list[Problem] = []
    for key, value in raw.items():
        wanted = known.get(key)
        if wanted is None:
            faults.append(_problem(path, key, "is not a setting", f"known: {', '.join(known)}"))
        elif isinstance(wanted, tuple) and value not in wanted:
            faults.append(_problem(path, key, f"{value!r} is not possible", f"one of {wanted}"))
        elif isinstance(wanted, type) and not _fits(key, value, wanted):
            remedy = _FORMS.get(key) or f"give {_WANTED[wanted]}"
            faults.append(_problem(path, key, f"{value!r} is not possible", remedy))
    return faults


def _fits(key: str, value: object, wanted: type) -> bool:
    if key == "organize_at":
        return isinstance(value, str) and _TIME.fullmatch(value) is not None
    if key == "timezone":
        return isinstance(value, str) and value != "" and _is_zone(value)
    match value:
        case bool():
            return wanted is bool
        case int():
            return wanted is int and value > 0
        case list():
            return wanted is list and all(isinstance(each, str) and each for each in value)
        case _:
            return wanted is str and isinstance(value, str) and value != ""


def _is_zone(name: str) -> bool:
    try:
        return zone_named(name) is not None
    except KeyError:
        return False


def _problem(path: Path, key: str, message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, f"{key} {message}".strip(), str(path), remedy=remedy)
