"""A batch that an agent has taken, as it stands when it is handed in, and what was handed in as an answer."""

from attrs import frozen

from scriptorium_core.changes import PatchTopic, paths_meant
from scriptorium_core.changes.sources import place
from scriptorium_core.names import WorkspaceId, archive_path
from scriptorium_core.policy.rules import Right
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.pending import Batch, taken
from scriptorium_core.transaction.permitting import Gate
from scriptorium_core.transaction.staging import applied, staged
from scriptorium_core.writing.handing import HandIn, Nothing, requested
from scriptorium_core.writing.leasing import Lease, digest_of
from scriptorium_core.writing.looking import stands_held
from scriptorium_core.writing.offering import Given, given

from ..conversations.store import Session, Store
from ..conversations.unwritten import spoken
from ..workspace.rebasing import moved_meanwhile
from .answers import Kept
from .asking import Heard, Pass, hear
from .passes import waiting_of
from .proposal import Edited, NothingProposed, Proposed

__all__ = ["Shown", "answer_of", "may_write", "unchanged"]

_HELD = "a part of this topic waits for the owner's consent and was not shown to you"


@frozen
class Shown:
    """A leased batch: what is written and marked of the conversation, and what its holder was shown."""

    portion: Batch
    heard: Heard
    text: Given


def unchanged(made: Pass, session: Session, known: Lease) -> Shown | None:
    """A leased batch as it stands now; None where it is not what its holder was shown."""
    portion = taken(waiting_of(made, session), known.refs, made.count)
    if portion is None:
        return None
    heard = hear(made, session, portion)
    text = given(heard.said)
    return Shown(portion, heard, text) if digest_of(text.text) == known.digest else None


def may_write(gate: Gate | None, store: Store, session: Session, workspace: WorkspaceId) -> bool:
    """Whether an actor may read what is unwritten of a session, and write it into the archives."""
    if gate is None:
        return True
    unmarked = (source for source, mark in spoken(store, session) if mark != workspace)
    return all(gate.allows(Right.WRITE, path) for path in {archive_path(source) for source in unmarked})


def answer_of(made: Pass, heard: Heard, handed: HandIn | Nothing, seen: str) -> Kept | tuple[Problem, ...]:
    """What was handed in as an answer, or all that is wrong with it; it was made on the commit `seen`."""
    if isinstance(handed, Nothing):
        return NothingProposed(handed.reason)
    request, problems = requested(handed)
    if problems:
        return problems
    if not request.files:
        return Proposed(request.changes, request.sources, handed.summary)
    memory, meant = made.memory, paths_meant(request)
    places: dict[str, str] = {frame.id: place(frame.id) for frame in heard.frames}
    with memory.reading() as (head, base):
        moved = moved_meanwhile(memory.history, seen or None, head, base, (), meant)
        if moved:
            return moved
        stage = staged(base, made.caller, memory.today(), places)
        texts = [change.path for change in request.files if not isinstance(change, PatchTopic)]
        if held := [path for path in texts if stands_held(stage, path)]:
            remedy = "change single records with memory_changes"
            return tuple(Problem(Code.NOT_PERMITTED, _HELD, path, remedy=remedy) for path in held)
        edited = applied(stage, handed.raw)
    return edited if isinstance(edited, tuple) else Edited(edited, handed.summary)
