"""The writer that plays back what a writer once did."""

from pathlib import Path

from attrs import evolve, frozen

from scriptorium_core.names import SourceId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.writing.outcome import fail
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

from .. import files
from ..refused import Refused
from .proposal import NothingProposed, Proposed, Task, Unable

__all__ = ["Player", "Recorder", "read_tape", "see_tape"]


@frozen
class Player:
    """Plays a tape: the same session, tape and clock give the same commit."""

    tape: Tape
    name: str = "recorded"
    prompt: str = ""

    def propose(self, task: Task) -> Proposed | NothingProposed | Unable:
        """What the tape holds for the batch."""
        match play(self.tape, [item.source for item in task.batch]):
            case Played(changes):
                return Proposed(changes)
            case Nothing(reason):
                return NothingProposed(reason)
            case Missing(key):
                message = (
                    f"the tape holds no batch {key}: it was recorded of another conversation or cut otherwise"
                )
                return Unable(fail(Code.WRITER_PRECONDITION_FAILED, message))


class Recorder:
    """Writes a tape while another writer works: the file is whole after every batch."""

    def __init__(self, path: Path, writer: str) -> None:
        self._path = path
        self._tape = Tape(writer)

    def __call__(self, refs: tuple[SourceId, ...], answer: Proposed | NothingProposed) -> None:
        """Add a batch."""
        if isinstance(answer, Proposed):
            batch = Recorded(refs, answer.changes)
        else:
            batch = Recorded(refs, nothing=answer.reason)
        self._tape = evolve(self._tape, batches=(*self._tape.batches, batch))
        files.write_durable(self._path, encode_tape(self._tape).encode())


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
        raise Refused(*(evolve(problem, path=f"{path} {problem.path}".strip()) for problem in problems))
    return tape
