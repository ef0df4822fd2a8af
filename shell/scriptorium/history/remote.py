"""Another copy of a history, reached through git's own protocols by dulwich: what it has, and a push to it.

What the other side says is data: its references are read by name, its errors told without credentials.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from attrs import define, field

from scriptorium_core.problem import Code, Problem
from scriptorium_core.syncing.address import Address, told

from .. import files
from ..refused import Refused
from ..settings import expanded

if TYPE_CHECKING:
    from dulwich.client import GitClient
    from dulwich.object_store import BaseObjectStore
    from dulwich.repo import Repo

__all__ = ["Remote"]

_MAKES_ONE = "`scriptorium sync FOLDER --init` makes one"
_TIMEOUT = 60.0  # seconds without a word from a host


@define
class Remote:
    """The copy at an address."""

    address: Address
    _client: GitClient | None = field(default=None, init=False)
    _path: str = field(default="", init=False)

    def make(self, branch: str) -> None:
        """Make a folder that is not there, or holds nothing, a bare repository with that branch."""
        if not self.address.local:
            message = "only a folder on this computer is made a repository"
            raise Refused(
                Problem(Code.INVALID_ARGUMENT, message, self.address.shown, remedy="make it on the host")
            )
        place = _folder_of(self.address)
        if not _is_free(place):
            return  # a repository will do, and another thing is named when it is asked
        from dulwich.repo import Repo

        with files.explained(place):
            place.mkdir(parents=True, exist_ok=True)
            name = branch.removeprefix("refs/heads/").encode()
            Repo.init_bare(str(place), default_branch=name).close()

    def fetch(self, into: Repo, wanted: str) -> Mapping[str, str]:
        """Bring what the branch `wanted` leads to into a repository; all references of the copy.

        Raises Refused where the copy cannot be read.
        """
        from dulwich.objects import ObjectID

        given: dict[bytes, bytes] = {}

        def wants(refs: Mapping[bytes, bytes | None], depth: int | None = None) -> list[bytes]:
            given.update({name: value for name, value in refs.items() if value is not None})
            tip = refs.get(wanted.encode())
            return [tip] if tip is not None and ObjectID(tip) not in into.object_store else []

        with self._asking() as client:
            client.fetch(self._path, into, determine_wants=wants)  # type: ignore[arg-type]
        return {_text(name): _text(value) for name, value in given.items() if len(value) == 40}

    def push(self, store: BaseObjectStore, old: Mapping[str, str | None], new: Mapping[str, str]) -> bool:
        """Set references from `old` (None: not there) to `new`; False if the first stands elsewhere by now.

        Raises Refused where the copy does not take it.
        """
        from dulwich.objects import ObjectID

        first = next(iter(new)).encode()

        def update(refs: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
            there = {name: refs.get(name.encode()) for name in new}
            if any((value.decode() if value else None) != old.get(name) for name, value in there.items()):
                raise _MovedError
            return {name.encode(): value.encode() for name, value in new.items()}

        def pack(have: set[bytes], want: set[bytes], **more: object) -> object:
            known = {name for name in map(ObjectID, have) if name in store}
            wanted = set(map(ObjectID, want))
            return store.generate_pack_data(known, wanted, ofs_delta=bool(more.get("ofs_delta")))

        with self._asking() as client:
            try:
                done = client.send_pack(self._path, update, pack)  # type: ignore[arg-type]
            except _MovedError:
                return False
            refused = {n: why for n, why in (done.ref_status or {}).items() if why and n == first}
        if refused and _is_race(refused[first]):
            return False
        if refused:
            raise Refused(self._problem(str(refused[first])))
        return True

    def close(self) -> None:
        """Let go of the connection."""
        if self._client is not None:
            self._client.close()
            self._client = None

    @contextlib.contextmanager
    def _asking(self) -> Iterator[GitClient]:
        from dulwich.errors import GitProtocolError, HangupException, NotGitRepository, SendPackError

        try:
            if self._client is None:
                self._client, self._path = _client_of(self.address)
            yield self._client
        except NotGitRepository as error:
            raise Refused(self._nothing()) from error
        except (GitProtocolError, HangupException, SendPackError, OSError, ValueError, KeyError) as error:
            raise Refused(self._problem(f"{type(error).__name__}: {error}")) from None
        except Exception as error:
            if type(error).__module__.split(".")[0] not in ("dulwich", "urllib3"):
                raise
            raise Refused(self._problem(f"{type(error).__name__}: {error}")) from None

    def _nothing(self) -> Problem:
        message, remedy, shown = "there is no git repository", "look at the address", self.address.shown
        if not self.address.local:
            remedy += "; `git init --bare` on the host makes an empty one"
        elif _is_free(place := _folder_of(self.address)):
            remedy += f"; `scriptorium sync {quote(shown)} --init` makes an empty one there"
        else:
            kind = "a folder with other things in it" if place.is_dir() else "a file"
            message = f"{kind} is there, and no git repository"
            remedy += f"; {_MAKES_ONE} in a new folder"
        return Problem(Code.GIT_UNAVAILABLE, message, shown, remedy=remedy)

    def _problem(self, said: str) -> Problem:
        remedy = "look at the address, the connection and your access; nothing was changed here"
        words = " ".join(told(said).split())[:300]
        message = f"the other copy did not answer as it should ({words})"
        return Problem(Code.GIT_UNAVAILABLE, message, self.address.shown, remedy=remedy)


class _MovedError(Exception):
    """The branch there is not where it was seen."""


def _client_of(address: Address) -> tuple[GitClient, str]:
    from dulwich.client import LocalGitClient, default_urllib3_manager, get_transport_and_path

    if address.local:
        path = _folder_of(address)
        if (path / ".git").exists():
            raise Refused(_lived_in(address))
        return LocalGitClient(), str(path)
    if not address.url.startswith(("https:", "http:")):
        return get_transport_and_path(address.url)
    from urllib3 import Retry

    manager = default_urllib3_manager(None, base_url=address.url, timeout=_TIMEOUT)
    # An address that leads on may lead away from encryption: the person is to give the other one.
    manager.connection_pool_kw["retries"] = Retry(total=2, redirect=0, raise_on_redirect=False)
    return get_transport_and_path(address.url, pool_manager=manager)  # type: ignore[arg-type]


def _is_free(place: Path) -> bool:
    """Whether nothing is there, or a folder with nothing in it."""
    return not any(place.iterdir()) if place.is_dir() else not os.path.lexists(place)


def _folder_of(address: Address) -> Path:
    url = address.url
    path = unquote(urlsplit(url).path) if url.startswith("file://") else url
    return expanded(path).absolute()


def _lived_in(address: Address) -> Problem:
    message = "files stand beside that repository: its branch would be moved under whoever works there"
    remedy = f"put a bare one between the two, in a new folder: {_MAKES_ONE}; sync both with it"
    return Problem(Code.GIT_UNAVAILABLE, message, address.shown, remedy=remedy)


def _is_race(why: str) -> bool:
    words = why.lower()
    return any(
        part in words for part in ("unable to set", "failed to update", "lock", "fetch first", "stale")
    )


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
