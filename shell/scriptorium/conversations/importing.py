"""Bringing a log into the store: the format found, the place where reading goes on, a report at the end.

A log that was cut or rewritten since is read again from the start, which changes nothing that is
known: a fingerprint of the log's beginning, and of what stands before the place, tells.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from errno import ENOSPC
from pathlib import Path
from typing import BinaryIO

from attrs import define, evolve, field, frozen

from scriptorium_core.problem import Code, Problem

from ..clock import now as present
from ..layout import TalkPlace
from ..refused import Refused
from .items import BLANK, Importer, Sample, Source
from .known import GROUP, Formats, importers, sample_of
from .linking import exclude
from .logs import Found, Log, Search, logs_in, search
from .packed import START
from .reports import Progress, Report, together
from .store import Cursor, Store
from .strange import cannot_be_talk, is_hollow, no_log_in, strange
from .taking import Taking, fingerprint

__all__ = [
    "GROUP",
    "Progress",
    "Report",
    "Wish",
    "import_path",
    "import_places",
    "importers",
    "together",
]

_CUT = "ends before anything can be unpacked: it was cut off, or is still being written"
_PACKED_NOTHING = 300  # bytes: gzip writes the name of the file, too


@frozen
class Wish:
    """How logs are to be read.

    `format` None means: by the content. `session` names the session of a log that names none; `again` reads a
    known log from the start; `dry_run` reports and changes nothing; sessions in `exclude` (ids, or
    `provider/id`) never enter, neither now nor later.
    """

    format: str | None = None
    session: str = ""
    again: bool = False
    dry_run: bool = False
    exclude: tuple[str, ...] = ()


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
    """Import what lies at one path (`import_places`), with one report of it all."""
    wish = Wish(format, session, again, dry_run)
    reports = tuple(import_places(store, [TalkPlace(path)], wish, progress=progress, now=now))
    return reports[0] if len(reports) == 1 else together(reports, str(path))


def import_places(
    store: Store, places: Sequence[TalkPlace], wish: Wish, *, progress: Progress | None = None, now: str = ""
) -> Iterator[Report]:
    """Import files, folders and archives: a report of each log, one of each folder or archive that held more.

    What a file is, its content says. A log in which something is wrong does not stop the others. `now` is the
    time of the import, ISO 8601. Raises Refused for the store's own failures.
    """
    now = now or present().isoformat(timespec="seconds")
    importing = _Importing(store, wish, now, progress)
    if not wish.dry_run:
        yield from importing.all(places)
        return
    try:
        # One for all, so that a fork finds what its parent would have brought.
        with store.transaction():
            yield from importing.all(places)
            raise _Undo
    except _Undo:
        return


@define
class _Importing:
    """One import of many logs on its way; `done` of `total` bytes are read.

    `hollow` are the names of files that nobody named and that hold an empty list.
    """

    store: Store
    wish: Wish
    now: str
    progress: Progress | None
    done: int = 0
    total: int = 0
    formats: Formats = field(factory=Formats)
    hollow: list[str] = field(factory=list[str])

    def all(self, places: Sequence[TalkPlace]) -> Iterator[Report]:
        for name in self.wish.exclude:
            provider, _, session = name.rpartition("/")
            exclude(self.store, provider, session, "it was excluded on request")
        found = [search(place) for place in places]
        self.total = sum(file.size for each in found for file in each.files)
        for each in found:
            yield from self._place(each)

    def _place(self, found: Search) -> Iterator[Report]:
        shown = str(found.place.path)
        if not found.is_folder:
            for fault in found.faults:
                yield Report(shown, self.wish.format or "", problems=(fault,))
            for file in found.files:
                yield from self._file(file, is_named=True)
            return
        reports: list[Report] = []
        hollow = len(self.hollow)
        passed_over = Counter(found.passed_over)
        for file in found.files:
            for report in self._file(file, is_named=False):
                passed_over.update(report.passed_over)
                reports.append(report)
                if report.files:
                    yield report
        is_vain = not any(report.files for report in reports) and not found.faults
        names = [Path(file.shown).name for file in found.files]
        vain = (no_log_in(shown, True, names, self.hollow[hollow:]),) if is_vain else ()
        yield Report(shown, "", problems=(*found.faults, *vain), files=0, passed_over=passed_over)

    def _file(self, file: Found, *, is_named: bool) -> Iterator[Report]:
        """The reports of a file that is a log or an archive of logs, and of what else is in it."""
        names: list[str] = []
        hollow = len(self.hollow)
        read, is_archive = 0, False
        try:
            for log in logs_in(file):
                is_archive = log.path != file.path
                report = self._log(log, file.size, is_named and not is_archive)
                if report is None:
                    names.append(log.path.name)
                else:
                    read += 1
                    yield report
        except Refused as refused:
            if _is_of_the_store(refused):
                raise
            yield Report(file.shown, self.wish.format or "", problems=refused.problems)
        except OSError as error:
            yield Report(file.shown, self.wish.format or "", problems=(_unreadable(file.shown, error),))
        else:
            if is_named and not read:
                problem = no_log_in(file.shown, False, names, self.hollow[hollow:])
                yield Report(file.shown, "", problems=(problem,))
            elif names:
                yield Report(file.shown, "", files=0, passed_over={"no log": len(names)})
        self.done += file.size

    def _log(self, log: Log, size: int, is_named: bool) -> Report | None:
        """The report of one log, or None if it is no log and nobody said that it was one."""
        cursor = None if self.wish.again else self.store.cursor(log.name)
        is_same = cursor and log.stamp and cursor.stamp == log.stamp
        if cursor and is_same and self.wish.format in (None, cursor.format):
            return Report(log.shown, cursor.format, self.wish.dry_run, unchanged=1)
        try:
            with log.opened() as file:
                return self._opened(log, file, cursor, size, is_named)
        except Refused as refused:
            if _is_of_the_store(refused):
                raise
            return Report(log.shown, self.wish.format or "", problems=refused.problems)
        except OSError as error:
            return Report(log.shown, self.wish.format or "", problems=(_unreadable(log.shown, error),))

    def _opened(
        self, log: Log, file: BinaryIO, known: Cursor | None, size: int, is_named: bool
    ) -> Report | None:
        begun = self._begin(log, file, known, is_named)
        if not isinstance(begun, tuple):
            return begun
        importer, cursor = begun
        taking = Taking(
            self.store, cursor, file, os.fstat(file.fileno()).st_size, self.now, self._steps(size)
        )
        position, line, state = cursor.place
        source = Source(
            log.path,
            file,
            taking.head_of,
            taking.nodes_of,
            position,
            line,
            state,
            self.wish.session,
            taking.holders_of,
        )
        taking.take(importer.read(source))
        report = taking.report(log.shown, self.wish.dry_run)
        if cursor.position == 0 and _is_only_torn(report):
            sample = sample_of(log.path, file)
            if self.formats.recognise(sample) is None:
                return self._strange(log, file, sample, importer.name) if is_named else None
        if is_named and cursor.position == 0 and _is_no_talk(report) and not taking.cursor.state:
            # A person who names it again is told the same again, not that it is known. (A log with a state
            # may go on with what depends on the part that was left out.)
            self.store.drop_cursor(log.name)
            return report
        if log.stamp and not report.torn:
            self.store.set_cursor(evolve(taking.cursor, stamp=log.stamp))
        is_at_end = 0 < cursor.position == taking.cursor.position
        return evolve(report, unchanged=1) if is_at_end and _is_nothing(report) else report

    def _begin(
        self, log: Log, file: BinaryIO, known: Cursor | None, is_named: bool
    ) -> tuple[Importer, Cursor] | Report | None:
        """Which importer reads the file from where, or what there is to say of one that none can read."""
        is_sure = is_named or known is not None
        if not is_sure and _cannot_be_talk(file):
            return None
        format = self.wish.format or (known.format if known else None)
        importer = self.formats.named(format) if format else None
        if importer is None and format:
            remedy = f"use --format with one of {self.formats.names()}"
            return _failed(log.shown, format, f"there is no format {format!r}", remedy)
        if _is_blank(file):
            if is_sure and _is_cut(log):
                return _failed(log.shown, format or "", f"{log.shown} {_CUT}", "import it when it is whole")
            return Report(log.shown, format or "", empty=True) if is_sure else None
        if importer is None or not is_sure:
            sample = sample_of(log.path, file, is_named)
            found = self.formats.recognise(sample)
            if found is None or importer not in (None, found):
                if is_named:
                    return self._strange(log, file, sample, "")
                if is_hollow(sample):
                    self.hollow.append(log.path.name)
                return None
            importer = found
        if known and known.format == format and fingerprint(file, known.position) == known.fingerprint:
            return importer, evolve(known, stamp="")
        return importer, Cursor(log.name, importer.name)

    def _strange(self, log: Log, file: BinaryIO, sample: Sample, format: str) -> Report:
        file.seek(0)
        problem = strange(sample, file.read(START), log.shown, self.formats.names())
        return Report(log.shown, format, problems=(problem,))

    def _steps(self, size: int) -> Progress | None:
        """How the bytes of one log, which may be packed, move the whole import on."""
        if (whole := self.progress) is None:
            return None
        return lambda done, total: whole(self.done + size * done // max(total, 1), self.total)


def _cannot_be_talk(file: BinaryIO) -> bool:
    file.seek(0)
    return cannot_be_talk(file.read(START))


def _is_blank(file: BinaryIO) -> bool:
    file.seek(0)
    start = file.read(START)
    return len(start) < START and not start.decode("utf-8", "replace").strip(BLANK)


def _is_cut(log: Log) -> bool:
    """Whether a compressed file holds more than one of nothing does, and yet nothing could be unpacked."""
    return bool(log.stamp) and log.path.is_file() and log.path.stat().st_size > _PACKED_NOTHING


def _is_nothing(report: Report) -> bool:
    """Whether there is nothing to say of what was read."""
    return not (report.sessions or report.skipped or report.excluded or report.torn)


def _is_only_torn(report: Report) -> bool:
    """Whether nothing was read but half a record."""
    return bool(report.torn) and not (report.sessions or report.skipped)


def _is_no_talk(report: Report) -> bool:
    """Whether all that was in it was left out."""
    return bool(report.skipped) and not (report.sessions or report.excluded or report.torn)


def _failed(shown: str, format: str, message: str, remedy: str) -> Report:
    problem = Problem(Code.INVALID_ARGUMENT, message, shown, remedy=remedy)
    return Report(shown, format, problems=(problem,))


def _unreadable(shown: str, error: OSError) -> Problem:
    message, remedy = f"{shown}: {error.strerror or error}", "name a file that can be read"
    if error.errno == ENOSPC:
        remedy = "make room where temporary files lie (TMPDIR), into which a packed log is unpacked"
    return Problem(Code.INVALID_ARGUMENT, message, shown, remedy=remedy)


def _is_of_the_store(refused: Refused) -> bool:
    """Whether it is the session store that refuses; what a log has is always of one kind."""
    return any(problem.code is not Code.INVALID_ARGUMENT for problem in refused.problems)
