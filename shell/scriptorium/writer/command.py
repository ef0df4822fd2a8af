"""The writer that is a program which edits files: an agent that a person has, on their own login.

It is run in a directory of its own that holds a copy of the memory. What it leaves there is an edit like any
other; what it says of it is not.
"""

import contextlib
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

from attrs import evolve, frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.redact import Redact
from scriptorium_core.transaction.staging import Stage, onto, staged
from scriptorium_core.tree import Tree
from scriptorium_core.writing import directory
from scriptorium_core.writing.batch import render_batch
from scriptorium_core.writing.complaints import Complaint, complaint
from scriptorium_core.writing.datalines import data_line
from scriptorium_core.writing.directory import GIVEN, RESULT, Result
from scriptorium_core.writing.outcome import Failed, fail
from scriptorium_core.writing.outline import outline
from scriptorium_core.writing.printed import Printed, printed
from scriptorium_core.writing.used import Used

from .. import files
from ..clock import Moment, session_id, time_of
from ..layout import Layout, program_environment, writer_environment
from ..redaction import redact
from ..refused import Refused
from ..settings import Command
from ..stage import collected, laid_out
from .programs import Program, program_of
from .proposal import Answer, Edited, NothingProposed, Task, Unable
from .running import Ran, run

__all__ = ["Commanded"]

_SHORT = 400
_SHOWN = 300
_LONGEST_RESULT = 256 * 1024
_LEAST_SECRET = 8


@frozen
class Commanded:
    """Runs the program of the settings for each batch.

    `exclude` keeps a session of a provider out of memory, for good: the program's own. `moment` is the
    present, `redact` takes secrets out of what the program says.
    """

    settings: Command
    layout: Layout
    exclude: Callable[[str, str], None]
    moment: Callable[[], Moment]
    redact: Redact = redact
    name: str = "command"

    @property
    def prompt(self) -> str:
        """The versions of what the program is given to read."""
        return directory.versions()

    def propose(self, task: Task) -> Answer:
        """What the program made of a copy of the memory."""
        program = program_of(self.settings)
        try:
            with ExitStack() as stack:
                with task.reading() as (_, base):
                    old = staged(base, task.caller, task.today)
                    laid = directory.given(base)
                    seen = _portion(task, laid) or outline(base.facts, task.batch, task.count)
                    folder = stack.enter_context(laid_out(self.layout, laid))
                given = self._lay(folder, program, task, seen)
                task.progress(f"{program.name} reads and edits a copy of the memory")
                made = self._run(folder, program, given)
                result, faults = directory.decode_result(_result(folder))
                left = collected(folder, laid, (*GIVEN, *program.files))
        except Refused as refused:
            first = refused.problems[0]
            return Unable(fail(first.code, first.message, problems=refused.problems))
        tree, hidden = directory.taken(base, laid, left.tree)
        dropped = (*left.dropped, *hidden, *faults)
        with task.reading() as (_, present):
            stage = onto(evolve(old, tree=tree), present)
            if not isinstance(stage, Stage):
                message = f"{stage[0].path} was changed while {program.name} worked"
                return Unable(fail(Code.CONCURRENT_UPDATE, message, problems=stage), made.used)
            edited, undeclared = directory.edited_stage(stage, result)
        return made.answer(edited, result, (*dropped, *undeclared))

    def _lay(self, folder: Path, program: Program, task: Task, seen: str) -> bytes:
        """Put the task into the directory; what of it goes to the standard input."""
        text = directory.instructions(task.kind, task.today, seen, task.problems).encode()
        rows = {directory.INSTRUCTIONS: text}
        if task.batch:
            rows[directory.BATCH] = render_batch(task.batch).encode()
        rows |= {name: content.encode() for name, content in program.files.items()}
        for name, data in rows.items():
            files.install(files.write_temporary(folder, data, 0o444), folder / name)
        return text

    def _run(self, folder: Path, program: Program, given: bytes) -> "_Run":
        """Run it, and keep the sessions that it makes out of memory."""
        known = program_environment((*program.env, *self.settings.env))
        environment = {**known, **writer_environment(), **program.sets(folder)}
        session = session_id()
        if program.sessions:  # before it is begun: its log may be read while it is still being written
            self.exclude(program.provider, session)
        arguments = program.arguments(self.settings.model, session)
        try:
            ran = run(arguments, folder, environment, given, self.settings.timeout)
        except OSError as error:
            raise Refused(_not_begun(arguments[0], error)) from error
        said = printed(ran.out)
        for each in said.sessions if program.provider else ():
            self.exclude(program.provider, each)
        secrets = tuple(known[name] for name in (*program.env, *self.settings.env) if name in known)
        return _Run(program, self.settings, ran, said, secrets, time_of(self.moment()), self.redact)


@frozen
class _Run:
    """How a program ran, and what it makes of that; `secrets` are the values of its login."""

    program: Program
    settings: Command
    ran: Ran
    said: Printed
    secrets: tuple[str, ...]
    now: datetime
    redact: Redact

    @property
    def used(self) -> Used:
        """What it says that it used; one call at least was made."""
        said = self.said
        model = said.model or self.settings.model or self.program.name
        return Used(model, said.tokens_in, said.tokens_out, max(said.calls, 1), said.cost)

    def answer(self, stage: Stage, result: Result, dropped: tuple[Problem, ...]) -> Answer:
        """What differs is an edit; else that there is nothing to keep; else why nothing came of it."""
        done = bool(stage.tree.differences() or stage.deleted)
        failure = self._failure(done)
        if failure is not None:
            return Unable(evolve(failure, problems=(*failure.problems, *dropped)), self.used)
        if done:
            return Edited(stage, self._clean(result.summary), self.used, dropped)
        if reason := result.nothing or directory.said_nothing(self.said.text):
            return NothingProposed(self._clean(reason), self.used)
        message = f"{self.program.name} ended without a change and without a reason{self._words()}"
        return Unable(fail(Code.WRITER_NO_PROGRESS, message, problems=dropped), self.used)

    def _failure(self, done: bool) -> Failed | None:
        """Why it failed, by its time, its exit code and its own words; None if it did not."""
        name = self.program.name
        if self.ran.code is None:
            message = f"{name} did not end within {self.settings.timeout:,} seconds, and was ended"
            return fail(Code.MODEL_TIMEOUT, message)
        wrong = self.ran.code != 0 or self.said.error != ""
        if not wrong and (done or len(self.said.text) > _SHORT):
            return None
        found = complaint(self._complaints(wrong), self.now)
        if found is not None:
            return self._complained(found)
        if not wrong:
            return None
        message = f"{name} failed with exit code {self.ran.code}{self._words()}"
        return fail(Code.WRITER_FAILURE_UNKNOWN, message)

    def _complained(self, found: Complaint) -> Failed:
        name, message = self.program.name, f"{self.program.name} says{self._words()}"
        match found.code:
            case Code.MODEL_AUTHENTICATION:
                remedy = self.program.login
            case Code.WRITER_PRECONDITION_FAILED:
                remedy = f"upgrade {name}: it does not know an option that it is given"
            case _:
                return fail(found.code, message, until=found.until)
        return fail(found.code, message, problems=(Problem(found.code, message, name, remedy=remedy),))

    def _complaints(self, wrong: bool) -> str:
        """Where a complaint may stand: a program that did well may have printed anything on the way."""
        return "\n".join((self.said.error, self.said.text, self.ran.err) if wrong else (self.said.text,))

    def _words(self) -> str:
        """The end of what it said, to be shown."""
        words = self.said.error or self.ran.err.strip() or self.said.text
        shown = self._clean(words[-4 * _SHOWN :])
        return f": {shown[-_SHOWN:]}" if shown else ""

    def _clean(self, words: str) -> str:
        """One line without what is secret or steers a terminal."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            if len(secret) >= _LEAST_SECRET:
                words = words.replace(secret, "[secret]")
        return " ".join("".join(c if c.isprintable() else " " for c in self.redact(words).text).split())


def _portion(task: Task, laid: Tree) -> str:
    """The topics that are to be put in order, a line of JSON each; empty where all of memory is meant."""
    there = [path for path in task.portion if laid.get(path) is not None]
    return "".join(f"{data_line({'topic': path})}\n" for path in there)


def _result(folder: Path) -> bytes | None:
    """The file in which the program says how it ended; none if it is a link, a folder, or without end."""
    path = folder / RESULT
    with contextlib.suppress(OSError, Refused):
        if path.stat(follow_symlinks=False).st_size <= _LONGEST_RESULT:
            return files.read(path, folder)
    return None


def _not_begun(program: str, error: OSError) -> Problem:
    if isinstance(error, FileNotFoundError):
        message, remedy = (
            f"the program {program} is not installed, or not on PATH",
            (f"install {program}, or choose another writer: `scriptorium setup`"),
        )
    else:
        message = f"the program {program} cannot be run: {error.strerror or error}"
        remedy = "see that the file may be run, or choose another writer: `scriptorium setup`"
    return Problem(Code.WRITER_PRECONDITION_FAILED, message, program, remedy=remedy)
