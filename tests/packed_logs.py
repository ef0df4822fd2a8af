"""Logs in the native format, as text, compressed, and in archives."""

import gzip
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import zstandard

__all__ = ["gz", "talk", "turn", "zipped", "zst"]


def turn(name: str, session: str = "s1", **row: object) -> str:
    """One line of a log."""
    line = {"session": session, "id": name, "role": "user", "text": f"says {name}", **row}
    return json.dumps(line, ensure_ascii=False) + "\n"


def talk(session: str, turns: int = 2) -> bytes:
    """A log of one session, whose ids begin with its name."""
    return "".join(turn(f"{session}-{number}", session) for number in range(turns)).encode()


def zst(data: bytes) -> bytes:
    """Compressed as Codex does it."""
    return zstandard.ZstdCompressor().compress(data)


def gz(data: bytes) -> bytes:
    """Compressed by gzip, the same bytes each time."""
    return gzip.compress(data, mtime=0)


def zipped(path: Path, files: Mapping[str, bytes]) -> Path:
    """An archive with these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path
