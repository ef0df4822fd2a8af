"""Bringing a log into the store: the format found, the place where reading goes on, a report at the end.

A log that was cut or rewritten since is read again from the start, which changes nothing that is
known: a fingerprint of the log's beginning, and of what stands before the place, tells.
"""

import os
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from attrs import frozen

from scriptorium_core.problem import Code, Problem

from ..clock import now as present
from .formats.chatgpt import CHATGPT
from .formats.claude_ai import CLAUDE_AI
from .formats.claude_code import CLAUDE_CODE
from .formats.locomo import LOCOMO
from .formats.native import NATIVE
from .formats.openai import OPENAI
from .items import BLANK, Importer, Sample, Source
from .records import first_value, json_elements
from .store import Cursor, Store
from .taking import Progress, Report, Taking, fingerprint

__all__ = ["GROUP", "Progress", "Report", "import_path", "importers", "recognise"]

GROUP = "scriptorium.importers"
"""The entry point group under which an installed package adds a format."""

_START = 65536
_OURS: Mapping[str, Importer] = MappingProxyType(
    {importer.name: importer for importer in (CLAUDE_CODE, NATIVE, CHATGPT, CLAUDE_AI, OPENAI, LOCOMO)}
)


@frozen
class _Wish:
    format: str | None
    session: str
    again: bool


class _Undo(Exception):
    """Takes a dry run back."""


def import_path(
    store: Store,
    path: Path,
    format: str | None = None,
    *,
    session: str = "",
    dry_run: bool = False,
    again: bool = False,
    progress: Progress | None = None,
    now: str = "",
) -> Report:
    """Import one file; `format` None means: by its content. Raises Refused for the store's own failures.

    `session` names the session of a log that names none; `again` reads a known log from the start;
    `dry_run` reports and changes nothing; `now` is the time of the import, ISO 8601.
    """
    now = now or present().isoformat(timespec="seconds")
    try:
        with path.open("rb") as file:
            begun = _begin(store, path, file, _Wish(format, session, again))
            if isinstance(begun, Report):
                return begun
            importer, cursor = begun
            taking = Taking(store, cursor, file, os.fstat(file.fileno()).st_size, now, progress)
            report = _take(
                taking,
                importer,
                Source(
                    path,
                    file,
                    taking.head_of,
                    taking.nodes_of,
                    cursor.position,
                    cursor.line,
                    cursor.state,
                    session,
                    taking.holders_of,
                ),
                dry_run,
            )
            is_strange = cursor.position == 0 and _is_only_torn(report) and recognise(path, file) is None
            return _strange(path, importer.name) if is_strange else report
    except OSError as error:
        return _failed(path, format, f"{path}: {error.strerror or error}", "name a file that can be read")


def importers() -> Mapping[str, Importer]:
    """All formats by name: the built-in ones, and those of installed packages, which never replace ours."""
    added = {point.name: point for point in entry_points(group=GROUP) if point.name not in _OURS}
    return {**_OURS} | {name: point.load() for name, point in added.items()}


def recognise(path: Path, file: BinaryIO) -> Importer | None:
    """The format of a file by what stands in it, None if no importer knows it."""
    sample = _sample(path, file)
    # What is installed is looked for, which takes time, only where none of ours knows the file.
    return _knowing(_OURS, sample) or _knowing(importers(), sample)


def _knowing(known: Mapping[str, Importer], sample: Sample) -> Importer | None:
    return next((importer for importer in known.values() if importer.recognises(sample)), None)


def _sample(path: Path, file: BinaryIO) -> Sample:
    file.seek(0)
    start = file.read(_START).decode("utf-8", "replace")
    in_list = start.lstrip(BLANK).startswith("[")
    value = None if in_list else first_value(file)
    if value is None:
        file.seek(0)
        record = next(json_elements(file), None)
        value = record.value if record else None
    return Sample(value, start, path)


def _begin(store: Store, path: Path, file: BinaryIO, wish: _Wish) -> tuple[Importer, Cursor] | Report:
    """Which importer reads the file from where, or the report of one that none can read."""
    name = os.path.realpath(path)
    cursor = None if wish.again else store.cursor(name)
    format = wish.format or (cursor.format if cursor else None)
    importer = _named(format) if format else recognise(path, file)
    if importer is None and format:
        return _failed(path, format, f"there is no format {format!r}", f"use --format with one of {_names()}")
    if _is_blank(file):
        return Report(str(path), format or "", empty=True)
    if importer is None:
        return _strange(path, "")
    if cursor and cursor.format == format and fingerprint(file, cursor.position) == cursor.fingerprint:
        return importer, cursor
    return importer, Cursor(name, importer.name)


def _named(format: str) -> Importer | None:
    return _OURS.get(format) or importers().get(format)


def _take(taking: Taking, importer: Importer, source: Source, dry_run: bool) -> Report:
    if not dry_run:
        taking.take(importer.read(source))
        return taking.report(str(source.path), dry_run)
    report = Report(str(source.path), importer.name)
    try:
        with taking.store.transaction():
            taking.take(importer.read(source))
            report = taking.report(str(source.path), dry_run)
            raise _Undo
    except _Undo:
        return report


def _is_blank(file: BinaryIO) -> bool:
    file.seek(0)
    start = file.read(_START)
    return len(start) < _START and not start.decode("utf-8", "replace").strip(BLANK)


def _is_only_torn(report: Report) -> bool:
    """Whether nothing was read but half a record."""
    return bool(report.torn) and not (report.sessions or report.skipped)


def _strange(path: Path, format: str) -> Report:
    message = f"{path} is in no format that is known"
    return _failed(path, format, message, f"use --format with one of {_names()}, for a file of that format")


def _names() -> str:
    return ", ".join(sorted(importers()))


def _failed(path: Path, format: str | None, message: str, remedy: str) -> Report:
    problem = Problem(Code.INVALID_ARGUMENT, message, str(path), remedy=remedy)
    return Report(str(path), format or "", problems=(problem,))
