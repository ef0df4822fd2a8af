"""The file of a vault: read whole, written whole, in one process at a time.

H/vault.json               mode 0600: `scriptorium_core.sealing.vault` says what is in it
H/.vault.lock              whose lock a change holds
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path

from attrs import evolve, frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing import vault
from scriptorium_core.sealing.names import Key
from scriptorium_core.sealing.secretname import Kept, entry_named, vault_named
from scriptorium_core.sealing.vault import Entry, Vault

from .. import files, keys
from ..clock import chance
from ..lock import held
from ..refused import Refused
from .place import place

__all__ = ["Opened", "changed", "opened"]

_LOCK = ".vault.lock"
_OPEN_TO_OTHERS = 0o077
_IV = 12  # bytes


@frozen
class Opened:
    """A vault and the key that opened it."""

    vault: Vault
    key: Key
    path: Path

    def value(self, entry: Entry) -> bytes:
        """The secret of an entry. Raises Refused where it is not the one that was put."""
        found = vault.revealed(self.vault, entry, self.key, str(self.path))
        if isinstance(found, Problem):
            raise Refused(found)
        return found

    def with_secret(self, kept: Kept, value: bytes) -> "Opened":
        """The vault with another secret, or with another value of one."""
        others = tuple(entry for entry in self.vault.entries if entry.kept.name != kept.name)
        fresh = _sealed(self.vault, kept, value, self.key)
        return self._with((*others, fresh))

    def without(self, name: str) -> "Opened":
        """The vault without the secret of a name."""
        return self._with(tuple(entry for entry in self.vault.entries if entry.kept.name != name))

    def _with(self, entries: tuple[Entry, ...]) -> "Opened":
        ordered = tuple(sorted(entries, key=lambda entry: entry.kept.name))
        return evolve(self, vault=evolve(self.vault, entries=ordered))


def opened(home: Path) -> Opened | None:
    """The vault of a home, every name in it proved; None where there is none.

    Raises Refused for one that others may read, that needs a key which is not here, or that was altered.
    """
    path = place(home)
    with files.explained(path.parent):
        data = files.read(path)
        if data is None:
            return None
        _see_it_is_ours(path)
    version = vault.version_of(data, str(path))
    if isinstance(version, Problem):
        raise Refused(version)
    key = next((key for key in keys.available(home) if key.version == version), None)
    if key is None:
        raise Refused(_missing(path, version))
    found = vault.opened(data, key, str(path))
    if isinstance(found, Problem):
        raise Refused(found)
    return Opened(found, key, path)


def changed(home: Path, change: Callable[[Opened], Opened]) -> None:
    """Change a vault, made where it is missing, and keep it; after a rotation all of it under the new key."""
    path = place(home)
    with files.explained(path.parent):
        files.ensure_folder(path.parent)
        with held(path.parent / _LOCK):
            key = keys.master(home)
            known = opened(home) or Opened(Vault(vault_named(chance(16)), key.version), key, path)
            after = change(_renewed(known, key))
            files.write_durable(path, vault.written(after.vault, key, _drawn()), mode=0o600)


def _renewed(known: Opened, key: Key) -> Opened:
    """A vault under the newest key."""
    if known.key == key:
        return known
    empty = Vault(known.vault.id, key.version)
    entries = tuple(_sealed(empty, each.kept, known.value(each), key) for each in known.vault.entries)
    return Opened(evolve(empty, entries=entries), key, known.path)


def _sealed(whole: Vault, kept: Kept, value: bytes, key: Key) -> Entry:
    return vault.sealed_entry(whole, kept, value, key, entry_named(chance(16)), _drawn())


def _drawn() -> bytes:
    return bytes.fromhex(chance(_IV))


def _see_it_is_ours(path: Path) -> None:
    """Refuse a file that others may read or write: they may put an older one in its place."""
    if os.name == "nt":
        return
    mode = stat.S_IMODE(os.lstat(path).st_mode)
    if mode & _OPEN_TO_OTHERS:
        message, remedy = f"the vault is open to others (mode {mode:04o})", f"`chmod 600 '{path}'`"
        raise Refused(Problem(Code.NOT_PERMITTED, message, str(path), remedy=remedy))


def _missing(path: Path, version: str) -> Problem:
    message = f"the vault was sealed with {version}, which is not here"
    remedy = "import the key (`scriptorium key import FILE`), or move the vault away and put the secrets anew"
    return Problem(Code.KEY_UNAVAILABLE, message, str(path), remedy=remedy)
