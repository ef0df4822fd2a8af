"""A history that came from elsewhere, looked through before anything of it is part of the memory."""

from shlex import quote

from attrs import frozen

from scriptorium_core.forgetting import targets_of
from scriptorium_core.problem import Code, Problem
from scriptorium_core.syncing import Relation, Standing, erased_by, is_within, relation, tidings_of
from scriptorium_core.syncing.incoming import held_still, path_faults
from scriptorium_core.syncing.rewritten import Made, lost_by_rewriting

from ..history import references
from ..history.quarantine import Quarantine
from ..layout import workspace_id
from ..refused import Refused
from .memory import Memory

__all__ = ["Seen", "looked_through"]

_FEW = 5


@frozen
class Seen:
    """What the other copy has: the commit of its branch, and what that was when it was seen last.

    `workspaces` are the ids of the memories that were pushed to it; `rescue` begins the name under which
    its history is kept where it cannot be taken in.
    """

    theirs: str | None
    last: str | None
    workspaces: frozenset[str]
    rescue: str


def looked_through(
    memory: Memory, waiting: Quarantine, seen: Seen, shown: str, replace: bool = False
) -> bool:
    """Raise Refused where the history may not come in; one that is of no kin is kept under a rescue name.

    With `replace` one that holds what was erased here need not come in: True says that this history may take
    its place, for each commit of it is here, cleaned.
    """
    head, theirs = memory.revision, seen.theirs
    own = workspace_id(memory.layout)
    if theirs is None:
        if seen.workspaces and own not in seen.workspaces and head is not None:
            raise Refused(_another(shown, own, seen.workspaces))
        return False
    if problems := waiting.faults() or path_faults(waiting.changed(head, theirs)):
        raise Refused(*problems)
    found = relation(head, theirs, waiting.look)
    held_there, held_here = _erased_here(memory, waiting, found, shown), _erased_there(waiting, found, shown)
    if replace and held_there and not held_here:
        if lost := _unseen(waiting, found):
            raise Refused(_would_be_lost(memory, lost, shown))
        return True
    if problems := (*held_there, *held_here):
        raise Refused(*problems)
    why: Problem | None = None
    place = f"{seen.rescue}-{theirs[:10]}"
    if found.standing is Standing.UNRELATED:
        why = _unrelated(shown, own, seen.workspaces, place)
    elif seen.last and _is_known(waiting, seen.last) and not is_within(seen.last, theirs, waiting.look):
        why = _rewritten(shown, seen.last, place)
    if why is not None:
        waiting.admit(memory.history.objects)
        references.note(memory.layout, place, theirs)
        raise Refused(why)
    return False


def _is_known(waiting: Quarantine, commit: str) -> bool:
    try:
        waiting.entry(commit)
    except KeyError:
        return False
    return True


# --- What was erased ------------------------------------------------------------------------------


def _erased_here(memory: Memory, waiting: Quarantine, found: Relation, shown: str) -> tuple[Problem, ...]:
    """Whether the other history still holds what was erased here."""
    targets = targets_of(_erased_names(memory))
    held = tuple(dict.fromkeys(each.path for each in held_still(waiting.versions(found.only_two), targets)))
    if not held:
        return ()
    message = f"the copy there still holds text that was erased here ({', '.join(held[:_FEW])})"
    remedy = f"`scriptorium sync {quote(shown)} --replace` puts this history there, if that loses nothing"
    return (Problem(Code.FORGOTTEN, message, shown, remedy=remedy),)


def _unseen(waiting: Quarantine, found: Relation) -> tuple[str, ...]:
    """The commits of the other history that this one has under no id."""

    def made(commit: str) -> Made:
        entry = waiting.entry(commit)
        return Made(entry.when.seconds, entry.when.offset, entry.author, entry.trailers)

    return lost_by_rewriting({name: made(name) for name in found.only_two}, map(made, found.only_one))


def _would_be_lost(memory: Memory, commits: tuple[str, ...], shown: str) -> Problem:
    few = ", ".join(name[:10] for name in commits[-_FEW:])
    message = f"commits were made there that are not here, and would be lost ({len(commits)}: {few})"
    names = " ".join(_erased_names(memory)[:_FEW])
    remedy = f"where they were made, `forget --erase {names}` and `sync --replace`; then sync here"
    return Problem(Code.FORGOTTEN, message, shown, remedy=remedy)


def _erased_there(waiting: Quarantine, found: Relation, shown: str) -> tuple[Problem, ...]:
    """Whether this history still holds what was erased there."""
    erased = tidings_of(waiting.entry(commit).trailers for commit in found.only_two).erased
    held = tuple(held_still(waiting.versions(found.only_one), targets_of(erased))) if erased else ()
    if not held:
        return ()
    message = f"the copy there has erased what is still here ({', '.join(erased[:_FEW])})"
    names = " ".join(erased[:_FEW])
    remedy = f"erase it here too: `scriptorium forget --erase {names}`, then sync again"
    return (Problem(Code.FORGOTTEN, message, shown, remedy=remedy),)


def _erased_names(memory: Memory) -> tuple[str, ...]:
    """What was erased in this memory, as its commits say."""
    told: dict[str, frozenset[str]] = {}
    names: list[str] = []
    with memory.reading() as (_, base):
        for name in base.facts.forgotten:
            for each in memory.index.queries.mentions(name):
                if each.name == "Forgotten" and each.commit not in told:
                    told[each.commit] = frozenset(erased_by(memory.history.entry(each.commit).trailers))
                if each.name == "Forgotten" and name in told[each.commit]:
                    names.append(name)
    return tuple(dict.fromkeys(names))


# --- What is of no kin -----------------------------------------------------------------------------


def _another(shown: str, own: str, others: frozenset[str]) -> Problem:
    message = f"the copy there is of another memory ({', '.join(sorted(others))}); this one is {own}"
    remedy = "give each memory a repository of its own: `scriptorium sync FOLDER --init` makes one"
    return Problem(Code.COMMIT_REJECTED, message, shown, remedy=remedy)


def _unrelated(shown: str, own: str, others: frozenset[str], place: str) -> Problem:
    known = f" ({', '.join(sorted(others))}; this one is {own})" if others - {own} else ""
    message = (
        f"the history there is of another memory{known}; it is kept as {place}, and no file was replaced"
    )
    remedy = (
        f"`git log {place}` in the memory directory shows it; to have both, open it in a home of its own, or"
        " import its conversations here"
    )
    return Problem(Code.COMMIT_REJECTED, message, shown, remedy=remedy)


def _rewritten(shown: str, last: str, place: str) -> Problem:
    message = (
        f"the history there was rewritten: it does not contain {last[:10]} any more, which was seen there;"
        f" it is kept as {place}, and no file was replaced"
    )
    remedy = (
        f"ask who rewrote it, and why; `git diff HEAD {place}` compares. To give this history back:"
        " `git push --force ADDRESS HEAD`. To take theirs: sync a new home with it, and import the rest"
    )
    return Problem(Code.COMMIT_REJECTED, message, shown, remedy=remedy)
