"""The writer that plays back what a writer once did."""

from pathlib import Path

from attrs import evolve, frozen

from scriptorium_core.names import SourceId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction.staging import staged
from scriptorium_core.writing.outcome import fail
from scriptorium_core.writing.prompting import differences
from scriptorium_core.writing.tape import (
    Missing,
    Nothing,
    Played,
    Recorded,
    Tape,
    decode_tape,
    encode_tape,
    play,
)
from scriptorium_core.writing.taped import laid_on, taped

from .. import files
from ..refused import Refused
from .proposal import Answer, Edited, NothingProposed, Proposed, Task, Unable

__all__ = ["Player", "Recorder", "read_tape", "see_tape"]


@frozen
class Player:
    """Plays a tape: the same session, memory, tape and clock give the commit of the recording."""

    tape: Tape

    @property
    def name(self) -> str:
        """Who wrote when the tape was recorded."""
        return self.tape.writer or "recorded"

    @property
    def prompt(self) -> str:
        """The prompts with which the tape was recorded."""
        return self.tape.prompt

    @property
    def differences(self) -> tuple[str, ...]:
        """What of the prompts and tools is another now: a model would be given something else."""
        return differences(self.tape.prompt)

    def propose(self, task: Task) -> Answer:
        """What the tape holds for the batch."""
        found = play(self.tape, [item.source for item in task.batch])
        match found:
            case Missing(key):
                what = f"the tape holds no batch {key}"
                return _unable(f"{what}: it was recorded of another conversation or cut otherwise")
            case Nothing(reason, used):
                return NothingProposed(reason, used)
            case Played():
                return _played(found, task)


def _played(found: Played, task: Task) -> Answer:
    if found.edit is None:
        return Proposed(found.changes, summary=found.summary, used=found.used)
    with task.reading() as (_, base):
        stage = laid_on(staged(base, task.caller, task.today), found.edit)
    if isinstance(stage, tuple):
        return _unable("the tape was recorded over other texts than memory holds", stage)
    return Edited(stage, found.summary, found.used)


def _unable(message: str, problems: tuple[Problem, ...] = ()) -> Unable:
    return Unable(fail(Code.WRITER_PRECONDITION_FAILED, message, problems=problems))


class Recorder:
    """Writes a tape while another writer works: the file is whole after every batch.

    With `goes_on` a tape that is there goes on, where it is of the same writer.
    """

    def __init__(self, path: Path, writer: str, prompt: str = "", goes_on: bool = False) -> None:
        self._path = path
        self._tape = Tape(writer, prompt=prompt)
        if goes_on and path.exists():
            self._tape = _of_the_same(read_tape(path), self._tape, path)

    def __call__(self, refs: tuple[SourceId, ...], answer: Proposed | Edited | NothingProposed) -> None:
        """Add a batch, as it came into memory."""
        self._tape = evolve(self._tape, batches=(*self._tape.batches, _recorded(refs, answer)))
        files.write_durable(self._path, encode_tape(self._tape).encode())


def _of_the_same(known: Tape, fresh: Tape, path: Path) -> Tape:
    if (known.writer, known.prompt) != (fresh.writer, fresh.prompt):
        message = f"the tape was recorded of another writer, or with other prompts: {known.writer}"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, str(path), remedy="name another file"))
    return known


def _recorded(refs: tuple[SourceId, ...], answer: Proposed | Edited | NothingProposed) -> Recorded:
    match answer:
        case NothingProposed():
            return Recorded(refs, nothing=answer.reason, used=answer.used)
        case Proposed():
            return Recorded(refs, answer.changes, summary=answer.summary, used=answer.used)
        case Edited():
            return Recorded(refs, edit=taped(answer.stage), summary=answer.summary, used=answer.used)


def see_tape(path: Path) -> None:
    """See that a tape can be made at `path`, before a writer works for it. Raises Refused where it cannot."""
    remedy = "name a file in a folder that is there and can be written to"
    if path.is_symlink() or (path.exists() and not path.is_file()):
        message = "a tape cannot be made here: this is no file"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, str(path), remedy=remedy))
    try:
        files.unlink(files.write_temporary(path.parent, b""))
    except OSError as error:
        message = f"a tape cannot be made here: {error.strerror or error}"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, str(path), remedy=remedy)) from error


def read_tape(path: Path) -> Tape:
    """The tape at `path`. Raises Refused with everything that is wrong in it."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        message = f"the tape cannot be read: {error}"
        raise Refused(
            Problem(Code.INVALID_ARGUMENT, message, str(path), remedy="name a tape file")
        ) from error
    tape, problems = decode_tape(text)
    if problems:
        raise Refused(*(problem._replace(path=f"{path} {problem.path}".strip()) for problem in problems))
    return tape
