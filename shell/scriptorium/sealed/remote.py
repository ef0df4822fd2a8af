"""A sealed library wherever fsspec reaches: object stores, WebDAV, SFTP, the memory of this process.

S3 writes under a condition: a new object only where there is none, the manifest only in the place of the one
that was read. Elsewhere one writer at a time is assumed, and what was written is read again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing.names import MANIFEST, OBJECTS
from scriptorium_core.syncing.address import told

from ..refused import Refused

__all__ = ["Remote"]

_CONDITIONAL = frozenset(["s3", "s3a"])
_TAKEN = frozenset(["412", "PreconditionFailed", "ConditionalRequestConflict", "409"])


class Remote:
    """A place that fsspec knows, as a storage."""

    def __init__(self, location: str) -> None:
        self.shown = told(location)
        self._fs, self._root = _opened(location, self.shown)
        protocol = self._fs.protocol
        names = {protocol} if isinstance(protocol, str) else set(protocol)
        self._conditional = bool(names & _CONDITIONAL)
        self.one_writer = not self._conditional
        self._made = set[str]()

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None if there is none."""
        with self._explained(path):
            try:
                return bytes(self._fs.cat_file(self._at(path)))
            except (FileNotFoundError, NotADirectoryError):
                return None
            except Exception as error:
                if _is_missing(error):
                    return None
                raise

    def create(self, path: str, data: bytes) -> bool:
        """Write a new file, whole; False, and nothing changed, where one stands already."""
        with self._explained(path):
            if self._conditional:
                return self._put(path, data, mode="create")
            if self._fs.exists(self._at(path)):
                return False
            self._folder(path)
            self._fs.pipe_file(self._at(path), data)
        return True

    def swap(self, path: str, old: bytes | None, new: bytes) -> bool:
        """Write a file where it still holds `old` (None: where there is none); whether it was written."""
        if old is None and self._conditional:
            return self.create(path, new)
        with self._explained(path):
            tag = self._tag(path) if self._conditional else ""
            if tag is None or self.read(path) != old:
                return False
            if tag:
                return self._put(path, new, IfMatch=tag)
            self._folder(path)
            self._fs.pipe_file(self._at(path), new)
        return self.read(path) == new

    def size(self, path: str) -> int | None:
        """The bytes that a file has, None if there is none."""
        with self._explained(path):
            try:
                return int(self._fs.size(self._at(path)) or 0)
            except Exception as error:
                if isinstance(error, FileNotFoundError) or _is_missing(error):
                    return None
                raise

    def paths(self) -> Iterator[str]:
        """The path of every file below `objects/`."""
        with self._explained(OBJECTS):
            self._fs.invalidate_cache()
            try:
                found = self._fs.find(self._at(OBJECTS))
            except FileNotFoundError:
                found = []
        for each in found:
            yield str(each).lstrip("/").removeprefix(self._root.strip("/")).lstrip("/")

    def others(self) -> Iterator[str]:
        """The names of what lies directly at the place and belongs to no library."""
        with self._explained(""):
            self._fs.invalidate_cache()
            try:
                found = self._fs.ls(self._root, detail=False)
            except Exception as error:
                if not isinstance(error, FileNotFoundError) and not _is_missing(error):
                    raise
                found = []
        root = self._root.strip("/")
        # Some name the place itself in it.
        names = (each.rpartition("/")[2] for each in (str(e).strip("/") for e in found) if each != root)
        yield from (name for name in names if name not in (MANIFEST, OBJECTS))

    def remove(self, path: str) -> None:
        """Take a file away, if it is there."""
        with self._explained(path), contextlib.suppress(FileNotFoundError):
            self._fs.rm_file(self._at(path))

    def _at(self, path: str) -> str:
        return f"{self._root.rstrip('/')}/{path}" if self._root else path

    def _folder(self, path: str) -> None:
        """Make the folder of a file, where folders are things."""
        parent = self._at(path).rpartition("/")[0]
        if parent and parent not in self._made:
            self._fs.makedirs(parent, exist_ok=True)
            self._made.add(parent)

    def _tag(self, path: str) -> str | None:
        """What an object store calls the present state of a file; None if there is none."""
        with contextlib.suppress(FileNotFoundError):
            return str(self._fs.info(self._at(path), refresh=True)["ETag"])
        return None

    def _put(self, path: str, data: bytes, **condition: Any) -> bool:
        try:
            # In one request: a write in parts would have its condition at the end.
            self._fs.pipe_file(self._at(path), data, chunksize=max(len(data), 1), **condition)
        except Exception as error:
            if isinstance(error, FileExistsError) or _codes(error) & _TAKEN:
                return False
            raise
        return True

    @contextlib.contextmanager
    def _explained(self, path: str) -> Iterator[None]:
        try:
            yield
        except Refused:
            raise
        except Exception as error:  # each package has kinds of its own
            remedy = "see that it can be reached and that you may write there, then try again"
            kind = f"{type(error).__name__}: {told(str(error))[:300]}"
            place = f"{self.shown.rstrip('/')}/{path}"
            raise Refused(Problem(Code.STORAGE_FAILED, kind, place, remedy=remedy)) from error


def _opened(location: str, shown: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError as error:
        raise Refused(_lacks("fsspec", shown, "pip install 'scriptorium-memory[sealed]'")) from error
    try:
        fs, root = fsspec.core.url_to_fs(location)
    except ImportError as error:
        name = str(error).split("\n")[0]
        raise Refused(_lacks(name, shown, "install the package that it names")) from error
    except ValueError as error:
        message = f"this kind of storage is not known: {told(str(error))[:200]}"
        remedy = "give a folder, or an address like s3://bucket/name"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, shown, remedy=remedy)) from error
    return fs, str(root)


def _codes(error: BaseException) -> frozenset[str]:
    """The codes that an object store gives to a failure, from the error or what it was made of."""
    found = set[str]()
    each: BaseException | None = error
    while each is not None:
        answer = getattr(each, "response", None)
        if isinstance(answer, dict):
            found.add(str(answer.get("Error", {}).get("Code", "")))
            found.add(str(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", "")))
        each = each.__cause__ or each.__context__
    return frozenset(found)


def _is_missing(error: Exception) -> bool:
    return type(error).__name__ == "ResourceNotFound" or "404" in _codes(error)


def _lacks(name: str, shown: str, remedy: str) -> Problem:
    message = f"this storage needs a package that is not installed: {name}"
    return Problem(Code.STORAGE_FAILED, message, shown, remedy=remedy)
