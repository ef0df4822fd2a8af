"""The keys of sealed libraries and of the vault: a file beside the memory, never inside, or the environment.

H/keys.json             mode 0600: {"version": 1, "keys": [{"version", "secret_b64u", "made"}]}, newest last
SCRIPTORIUM_KEY_FILE    another place for that file
SCRIPTORIUM_KEY         the keys themselves: `key-1:<43 letters of base64url>`, newest last, spaces between

Without the newest key nothing new is sealed, and without the older ones nothing old is opened.
"""

import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing.canonical import b64u, unb64u
from scriptorium_core.sealing.names import Key, KeyVersion, following, is_version

from . import files
from .clock import chance, now
from .layout import home as memory_of
from .lock import held
from .refused import Refused
from .settings import expanded, variable

__all__ = [
    "FILE",
    "LOCK",
    "Exported",
    "Key",
    "available",
    "export",
    "is_here",
    "master",
    "place",
    "read",
    "restore",
    "rotate",
    "stand_in_a_file",
]

FILE = "keys.json"
LOCK = ".keys.lock"
_FILE_VARIABLE, _VARIABLE = "SCRIPTORIUM_KEY_FILE", "SCRIPTORIUM_KEY"
_SECRET = 32  # bytes
_FIRST = KeyVersion("key-1")
_OPEN_TO_OTHERS = 0o077
_RUNTIME = (".scriptorium", ".nativemem")


@frozen
class Exported:
    """What of keys may be told: their versions, newest last, and where they stand."""

    versions: tuple[KeyVersion, ...]
    place: str


def place(home: Path) -> Path:
    """The file of keys. Raises Refused where it would stand inside a memory directory."""
    named = variable(_FILE_VARIABLE)
    path = expanded(named).absolute() if named else home.absolute() / FILE
    real = path.parent.resolve() / path.name
    memories = [folder for folder in real.parents if any((folder / name).is_dir() for name in _RUNTIME)]
    if memories or real.is_relative_to(memory_of(home).resolve()):
        message = "a key that stands in the memory directory goes wherever the memory goes"
        raise Refused(_wrong(Code.NOT_PERMITTED, message, path, "put the file beside it, or elsewhere"))
    return path


def is_here(home: Path) -> bool:
    """Whether there is a key already."""
    return bool(variable(_VARIABLE)) or place(home).exists()


def available(home: Path) -> tuple[Key, ...]:
    """All keys, newest last; none where there are none. Raises Refused where they may not be used."""
    if spelled := variable(_VARIABLE):
        return _spelled(spelled)
    return read(place(home))


def stand_in_a_file() -> bool:
    """Whether keys stand in a file, and not in the environment."""
    return not variable(_VARIABLE)


def read(path: Path) -> tuple[Key, ...]:
    """All keys of one file, newest last; none where there is none. Raises Refused as `available` does."""
    with files.explained(path.parent):
        data = files.read(path)
        if data is None:
            return ()
        _see_it_is_ours(path)
    try:
        whole = json.loads(data)
        return _checked((e["version"], e["secret_b64u"]) for e in whole["keys"])
    except (ValueError, KeyError, TypeError):
        raise Refused(_unreadable(path)) from None


def master(home: Path) -> Key:
    """The newest key, with which new objects are sealed; drawn on first use."""
    known = available(home)
    return known[-1] if known else _added(home, lambda keys: keys or (_drawn(_FIRST),))[-1]


def rotate(home: Path) -> Key:
    """A new key, with which all that is new is sealed from now on; the older ones still open what is old."""
    if not stand_in_a_file():
        raise Refused(_fixed("a new key has no place to stand in"))
    return _added(home, _with_another)[-1]


def export(home: Path, passphrase: str) -> bytes:
    """All keys under a passphrase (argon2id), as the text of a file. Raises Refused where there is none."""
    from scriptorium_core.sealing.wrapping import Kdf, wrapped

    known = available(home)
    if not known:
        message, remedy = "there is no key yet", "`scriptorium seal` makes one"
        raise Refused(_wrong(Code.KEY_UNAVAILABLE, message, place(home), remedy))
    return wrapped(known, passphrase, Kdf(_random(16)), _random(12))


def restore(home: Path, data: bytes, passphrase: str, name: str) -> Exported:
    """Take in the keys of an exported text, called `name` in problems, beside those that are here.

    Raises Refused for another passphrase, and where another key of the same version is here: it opens
    something else, and is not replaced.
    """
    from scriptorium_core.sealing.wrapping import unwrapped

    if not stand_in_a_file():
        raise Refused(_fixed("imported keys have no place to stand in"))
    given = unwrapped(data, passphrase, name)
    if isinstance(given, Problem):
        raise Refused(given)
    united = _added(home, lambda known: _united(known, given, place(home)))
    return Exported(tuple(key.version for key in united), str(place(home)))


def _added(home: Path, change: Callable[[tuple[Key, ...]], tuple[Key, ...]]) -> tuple[Key, ...]:
    """The keys after a change of them, kept."""
    path = place(home)
    with files.explained(path.parent):
        files.ensure_folder(path.parent)
        with held(path.parent / LOCK):
            known = available(home)
            keys = change(known)
            if keys != known:
                _keep(path, keys)
    return keys


def _keep(path: Path, keys: tuple[Key, ...]) -> None:
    made = _made(path)
    rows = [
        {
            "version": key.version,
            "secret_b64u": b64u(key.secret),
            "made": made.get(key.version) or now().isoformat(timespec="seconds"),
        }
        for key in keys
    ]
    data = json.dumps({"version": 1, "keys": rows}, indent=1) + "\n"
    files.write_durable(path, data.encode(), mode=0o600)


def _made(path: Path) -> Mapping[str, str]:
    data = files.read(path)
    return {e["version"]: e.get("made", "") for e in json.loads(data)["keys"]} if data else {}


def _with_another(known: tuple[Key, ...]) -> tuple[Key, ...]:
    if not known:
        return (_drawn(_FIRST),)
    return (*known, _drawn(following(known[-1].version)))


def _united(known: tuple[Key, ...], given: tuple[Key, ...], path: Path) -> tuple[Key, ...]:
    here = {key.version: key for key in known}
    for key in given:
        if here.setdefault(key.version, key) != key:
            message = f"another {key.version} is here already, and what it has sealed needs it"
            remedy = f"keep them apart: set {_FILE_VARIABLE} to another file, then import again"
            raise Refused(_wrong(Code.KEY_UNAVAILABLE, message, path, remedy))
    return _in_order(here.values())


def _in_order(keys: Iterable[Key]) -> tuple[Key, ...]:
    return tuple(sorted(keys, key=lambda key: int(key.version.removeprefix("key-"))))


def _spelled(text: str) -> tuple[Key, ...]:
    try:
        return _checked(tuple(word.split(":", 1)) for word in text.replace(",", " ").split())
    except ValueError:
        message = f"{_VARIABLE} holds no keys"
        remedy = "write key-1:, then 32 bytes in base64url without padding"
        raise Refused(Problem(Code.KEY_UNAVAILABLE, message, _VARIABLE, remedy=remedy)) from None


def _checked(rows: Iterable[Any]) -> tuple[Key, ...]:
    """Keys of what is told of them. Raises ValueError for what is no key."""
    found = dict[str, Key]()
    for version, spelled in rows:
        secret = unb64u(spelled)
        if not is_version(version) or secret is None or len(secret) != _SECRET or version in found:
            raise ValueError("no key")
        found[version] = Key(version, secret)
    return _in_order(found.values())


def _drawn(version: KeyVersion) -> Key:
    return Key(version, _random(_SECRET))


def _random(size: int) -> bytes:
    return bytes.fromhex(chance(size))


def _see_it_is_ours(path: Path) -> None:
    """Refuse a file that others may read: whoever reads it opens every copy."""
    if os.name == "nt":
        return
    mode = stat.S_IMODE(os.lstat(path).st_mode)
    if mode & _OPEN_TO_OTHERS:
        message = f"the keys are open to others (mode {mode:04o})"
        remedy = f"`chmod 600 '{path}'`, then `scriptorium key rotate` if somebody may have read them"
        raise Refused(_wrong(Code.NOT_PERMITTED, message, path, remedy))


def _unreadable(path: Path) -> Problem:
    remedy = "put back the file, or import the keys (`scriptorium key import`) after moving it away"
    return _wrong(Code.KEY_UNAVAILABLE, "the keys cannot be read", path, remedy)


def _fixed(why: str) -> Problem:
    message = f"the keys are in {_VARIABLE}, so {why}"
    return Problem(Code.KEY_UNAVAILABLE, message, _VARIABLE, remedy=f"unset {_VARIABLE}, then try again")


def _wrong(code: Code, message: str, path: Path, remedy: str) -> Problem:
    return Problem(code, message, str(path), remedy=remedy)
