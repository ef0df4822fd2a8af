"""The folder of an index: ours or a stranger's, missing, sound or damaged.

The engine trusts its files and would answer from rubbish. A file is written once, so its checksum is
looked at once: `checked.json` keeps size, times and inode of those that had theirs, and one that has
others now is read again.
"""

import contextlib
import json
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scriptorium_core.problem import Code, Problem

from .. import files
from ..refused import Refused
from .stored import schema

if TYPE_CHECKING:
    import tantivy

__all__ = ["META", "Marks", "clear", "damaged", "existing", "intact", "made", "marks", "refuse_strangers"]

Marks = tuple[tuple[str, int, int, int, int], ...]
"""Of each file its name, and what changes when somebody writes to it."""

_CHECKED = "checked.json"
_ATTEMPTS = 5
MARKER = "scriptorium-fulltext"
_MAGIC = 1337  # what each file of tantivy ends with: {"crc": …, …}, its length, the magic number
META = "meta.json"
"""The file that names the others of an index: without it there is none."""
_NO_META = (ValueError, KeyError, TypeError, AttributeError)  # what reading another text as one may raise
_ENGINE = r"\.managed\.json|\.tantivy-[a-z]+\.lock|\.tmp\w*|[0-9a-f]{32}\.\w+(\.del)?"


def refuse_strangers(folder: Path) -> None:
    """Raise Refused if something stands at `folder` that this program did not make."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise Refused(_strange(folder, "there is no folder"))
    if folder.is_dir() and not (folder / MARKER).is_file() and not all(map(_is_left_over, folder.iterdir())):
        raise Refused(_strange(folder, "there are files of something else"))


def _is_left_over(path: Path) -> bool:
    """Whether tantivy may have written the file after its index was cleared, while it let go of it."""
    return path.name != META and re.fullmatch(_ENGINE, path.name) is not None


def existing(folder: Path) -> "tantivy.Index | None":
    """The index in the folder; None if there is none that can be read."""
    import tantivy

    if not (folder / META).is_file() or not _unspoilt(folder):
        return None
    try:
        index = tantivy.Index.open(str(folder))
        index.config_reader("manual")
    except ValueError:
        return None
    return index


def damaged(folder: Path) -> bool:
    """Whether there is an index that cannot be used for what stands in its files."""
    return (folder / META).is_file() and existing(folder) is None


def made(folder: Path) -> "tantivy.Index":
    """The index in the folder, made where it is missing; ValueError if it is damaged."""
    import tantivy

    if not (folder / META).exists():
        files.ensure_folder(folder)
        files.write_durable(folder / MARKER, b"the full text index of a memory; safe to delete\n")
    return tantivy.Index(schema(), str(folder))


def clear(folder: Path) -> None:
    """Remove the files of an index, the marker last: a killed clearing leaves a folder that is still ours."""
    refuse_strangers(folder)
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir(), key=lambda path: (path.name == MARKER, path.name != META)):
        files.unlink(path)


def intact(folder: Path) -> bool:
    """Whether each file of the committed segments has the checksum written with it; reads all of them."""
    try:
        return all(_has_its_checksum(path.read_bytes()) for path in _segments(folder))
    except (OSError, *_NO_META):
        return False


def _unspoilt(folder: Path) -> bool:
    """The same, without reading again what was read before and is as it was."""
    for _ in range(_ATTEMPTS):
        try:
            known, found = _known(folder), {path.name: [*_marks(path.stat())] for path in _segments(folder)}
            fresh = [name for name, marks in found.items() if known.get(name) != marks]
            if not all(_has_its_checksum((folder / name).read_bytes()) for name in fresh):
                return False
        except FileNotFoundError:
            continue  # another process has put other segments in their place, or the file is lost
        except (OSError, *_NO_META):
            return False
        if known != found:
            _keep(folder, found)
        return True
    return False


def marks(folder: Path) -> Marks:
    """How the files of an index are now, none where there is no folder."""
    try:
        with os.scandir(folder) as entries:
            return tuple(sorted((entry.name, *_marks(entry.stat())) for entry in entries))
    except FileNotFoundError:  # no folder, or a file that went meanwhile
        return ()


def _marks(status: os.stat_result) -> tuple[int, int, int, int]:
    """What changes when somebody writes to a file."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _known(folder: Path) -> Mapping[str, list[int]]:
    try:
        known = json.loads((folder / _CHECKED).read_bytes())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _keep(folder: Path, found: Mapping[str, list[int]]) -> None:
    """Note what was looked at; where that cannot be kept it is looked at again."""
    with contextlib.suppress(OSError):
        files.install(files.write_temporary(folder, json.dumps(found).encode()), folder / _CHECKED)


def _segments(folder: Path) -> Iterator[Path]:
    """The files of the committed segments; FileNotFoundError if one has none."""
    for segment in json.loads((folder / META).read_bytes())["segments"]:
        paths = tuple(_files(folder, segment))
        if not paths:
            raise FileNotFoundError(segment["segment_id"])
        yield from paths


def _files(folder: Path, segment: Mapping[str, Any]) -> Iterator[Path]:
    stem = segment["segment_id"].replace("-", "")
    names = (name for name in os.listdir(folder) if name.startswith(f"{stem}.") and not name.endswith(".del"))
    yield from (folder / name for name in names)
    if segment["deletes"]:
        yield folder / f"{stem}.{segment['deletes']['opstamp']}.del"


def _has_its_checksum(data: bytes) -> bool:
    length, magic = int.from_bytes(data[-8:-4], "little"), int.from_bytes(data[-4:], "little")
    end = len(data) - 8 - length
    if magic != _MAGIC or end < 0:
        return False
    return f'"crc":{zlib.crc32(data[:end])}'.encode() in data[end:]


def _strange(folder: Path, what: str) -> Problem:
    return Problem(
        Code.INVALID_ARGUMENT,
        f"{what} where the full text index should be",
        folder.name,
        remedy="move it away; the index is then built anew",
    )
