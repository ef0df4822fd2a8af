"""Tokens, each bound to an actor: a file beside the memory directory that holds their hashes alone.

H/credentials.json         mode 0600: {"version": 1, "tokens": [{"id", "actor", "label", "made", "hash"}]}
H/credentials.lock         whose lock a change holds

A token is `scriptorium_`, the eight hex digits of its id, `_`, and 64 hex digits that are drawn. So many are
not guessed, and a plain SHA-256 of them is enough. It is shown when it is made, and never again.
"""

import hmac
import json
import os
import stat
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import cast

from attrs import asdict, frozen

from scriptorium_core.policy import Actor, actor_named
from scriptorium_core.problem import Code, Problem

from . import files
from .clock import chance, now
from .lock import held
from .refused import Refused

__all__ = ["FILE", "Credential", "actor_of", "create", "listed", "revoke"]

FILE = "credentials.json"
_LOCK = "credentials.lock"
_OPEN_TO_OTHERS = 0o077


@frozen
class Credential:
    """A token as it is kept: its id, its actor, what its owner calls it, when it was made (ISO 8601)."""

    id: str
    actor: str
    label: str
    made: str
    hash: str


def create(home: Path, actor: Actor, label: str = "") -> str:
    """A new token for an actor: the only time that it is seen. Raises Refused for a name that is none."""
    named = actor_named(actor.name)
    if isinstance(named, Problem):
        raise Refused(named)
    with files.explained(home):
        files.ensure_folder(home)
        with held(home / _LOCK):
            known = listed(home)
            name = _free(known)
            token = f"scriptorium_{name}_{chance(32)}"
            made = now().isoformat(timespec="seconds")
            _keep(home, (*known, Credential(name, actor.name, label, made, _hashed(token))))
    return token


def actor_of(home: Path, token: str) -> Actor | None:
    """The actor of a token, None if it is none of this home; Refused where the file may not be used."""
    given, found = _hashed(token), None
    for known in listed(home):
        if hmac.compare_digest(known.hash, given):  # each is compared, so that time tells nothing
            found = Actor(known.actor)
    return found


def listed(home: Path) -> tuple[Credential, ...]:
    """What is known of each token, oldest first. Raises Refused where the file may not be used."""
    path = home / FILE
    with files.explained(home):
        data = files.read(path, home)
        if data is None:
            return ()
        _see_it_is_ours(path)
    try:
        held_there = cast("list[dict[str, str]]", json.loads(data)["tokens"])
        return tuple(Credential(**each) for each in held_there)
    except (ValueError, KeyError, TypeError) as error:
        raise Refused(_unreadable(path)) from error


def revoke(home: Path, name: str) -> Credential:
    """Take a token back, named by its id, or by a label that only one has; Refused where none is meant."""
    with files.explained(home):
        known = listed(home)
        if not known:
            raise Refused(_unknown(name))
        with held(home / _LOCK):
            known = listed(home)
            meant = [each for each in known if each.id == name] or [e for e in known if e.label == name != ""]
            if len(meant) != 1:
                raise Refused(_unknown(name) if not meant else _ambiguous(name, meant))
            _keep(home, tuple(each for each in known if each is not meant[0]))
    return meant[0]


def _keep(home: Path, tokens: Sequence[Credential]) -> None:
    whole = {"version": 1, "tokens": [asdict(each) for each in tokens]}
    data = json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
    files.write_durable(home / FILE, data.encode("utf-8", "surrogatepass"), mode=0o600, root=home)


def _free(known: Sequence[Credential]) -> str:
    taken = {each.id for each in known}
    while (name := chance(4)) in taken:
        pass
    return name


def _hashed(token: str) -> str:
    return sha256(token.strip().encode("utf-8", "surrogatepass")).hexdigest()


def _see_it_is_ours(path: Path) -> None:
    """Refuse a file that others may read or write: whoever writes to it is whoever they like."""
    if os.name == "nt":
        return
    mode = stat.S_IMODE(os.lstat(path).st_mode)
    if mode & _OPEN_TO_OTHERS:
        message = f"{path.name} holds credentials and is open to others (mode {mode:04o})"
        remedy = f"`chmod 600 '{path}'`, and look whether `scriptorium token list` shows only yours"
        raise Refused(Problem(Code.NOT_PERMITTED, message, path.name, remedy=remedy))


def _unreadable(path: Path) -> Problem:
    remedy = "move the file away and make new tokens; those in it are void then"
    return Problem(Code.INVALID_ARGUMENT, "the credentials cannot be read", path.name, remedy=remedy)


def _unknown(name: str) -> Problem:
    remedy = "`scriptorium token list` shows ids and labels"
    return Problem(Code.MEMORY_NOT_FOUND, f"there is no token {name!r}", "token", remedy=remedy)


def _ambiguous(name: str, meant: Sequence[Credential]) -> Problem:
    ids = ", ".join(each.id for each in meant)
    message = f"{len(meant)} tokens are called {name!r}"
    return Problem(Code.INVALID_ARGUMENT, message, "token", remedy=f"name one by id: {ids}")
