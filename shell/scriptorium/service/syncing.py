"""Syncing with another copy of the memory, by git: fetch, look through, unite, push.

The order is what makes a crash harmless. What comes waits in a quarantine; only what may come in is made part
of the repository, then the branch moves, then what was seen there is noted, and the push is last. A sync
that was killed is simply done again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha1
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.problem import Code, Problem
from scriptorium_core.syncing import Standing
from scriptorium_core.syncing.address import Address, address_of, is_name
from scriptorium_core.transaction import Rejected

from .. import files
from ..history import references
from ..history.refs import branch as own_branch
from ..layout import adopt_workspace, workspace_id
from ..lock import held
from ..refused import Refused

if TYPE_CHECKING:
    from ..history.remote import Remote
    from ..workspace import Memory
    from ..workspace.uniting import Taken
    from .place import Place

__all__ = ["Synced", "sync"]

Progress = Callable[[int, int], None]

_ATTEMPTS = 5
_STEPS = 4
_WORKSPACES = "refs/scriptorium/"
_NEWER = frozenset([Standing.AHEAD, Standing.APART])


@frozen
class Synced:
    """What a sync did, or with a dry run would do.

    `did` says it in a word: nothing, taken (the other copy was ahead), pushed (this one was), united, or
    replaced (the copy held what was erased here, and has this history now).
    `created` and `deleted` are what came, by block id; `archived` the messages. `alternatives` are pairs of
    records that are two texts of one, which both copies had changed. `kept` are files that are no memory, and
    that both had changed: those of the older history stand. `projected` is false where the files could not
    follow.
    """

    remote: str
    did: str
    revision: str | None
    pushed: bool = False
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, str], ...] = ()
    kept: tuple[str, ...] = ()
    projected: bool = True
    drafts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    dry_run: bool = False


def sync(
    service: Place, remote: str, dry_run: bool, make: bool, replace: bool, loopback: bool, progress: Progress
) -> Synced:
    """Meet the copy at `remote`. Raises Refused with all that is in the way."""
    from ..history.remote import Remote

    memory = service.whole(make=not dry_run)
    address = _address(service, memory, remote, loopback)
    other = Remote(address)
    lock = memory.layout.runtime / "sync.lock"
    try:
        with files.explained(memory.layout.root), held(lock):
            if make and not dry_run:
                other.make(own_branch(memory.layout))
            for _ in range(_ATTEMPTS):
                done = _met(memory, other, dry_run, replace, progress)
                if done is not None:
                    return done
    finally:
        other.close()
    raise Refused(_raced(address))


def _met(memory: Memory, remote: Remote, dry: bool, replace: bool, progress: Progress) -> Synced | None:
    """One meeting; None where the other copy was changed by somebody else meanwhile."""
    from ..history.quarantine import Quarantine
    from ..workspace.foreign import Seen, looked_through

    layout, history = memory.layout, memory.history
    name, head = own_branch(layout), memory.revision
    key = sha1(remote.address.shown.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:8]
    noted = f"refs/remotes/sync-{key}/{name.removeprefix('refs/heads/')}"
    progress(0, _STEPS)
    with Quarantine(layout, head) as waiting:
        found = remote.fetch(waiting.repo, name)
        progress(1, _STEPS)
        spaces = frozenset(ref.removeprefix(_WORKSPACES) for ref in found if ref.startswith(_WORKSPACES))
        theirs = found.get(name)
        seen = Seen(theirs, references.read_all(layout).get(noted), spaces, f"refs/rescue/{key}")
        replaced = looked_through(memory, waiting, seen, remote.address.shown, replace)
        coming = None if replaced else theirs
        if coming is not None:
            waiting.admit(history.objects)
    progress(2, _STEPS)
    taken = _taken(memory, coming, seen.rescue, dry) if coming is not None else None
    if head is None and theirs is not None and len(spaces) == 1 and not dry:
        adopt_workspace(layout, *spaces)
    progress(3, _STEPS)
    pushing = memory.revision is not None and (taken is None or taken.standing in _NEWER)
    if coming is not None and not dry:
        references.note(layout, noted, coming)
    pushed = pushing and not dry and _pushed(memory, remote, name, found)
    if pushing and not dry and not pushed:
        return None
    if pushed and memory.revision is not None:
        references.note(layout, noted, memory.revision)
    progress(_STEPS, _STEPS)
    done = _told(remote.address, memory, taken, pushing)
    return evolve(done, did="replaced" if replaced else done.did, pushed=bool(pushed), dry_run=dry)


def _taken(memory: Memory, theirs: str, rescue: str, dry: bool) -> Taken:
    from ..workspace.uniting import take

    result = take(memory, theirs, memory.rules(), dry)
    if isinstance(result, Rejected):
        place = f"{rescue}-{theirs[:10]}"
        if not dry:
            references.note(memory.layout, place, theirs)
        raise Refused(*result.problems, _not_taken(place))
    return result


def _pushed(memory: Memory, remote: Remote, name: str, there: Mapping[str, str]) -> bool:
    """Give the other copy our branch, if it stands where it was seen, and the id of the workspace."""
    from dulwich.object_store import DiskObjectStore

    head = memory.revision
    assert head is not None
    mark = f"{_WORKSPACES}{workspace_id(memory.layout)}"
    new = {name: head} if mark in there else {name: head, mark: head}
    store = DiskObjectStore(memory.layout.git / "objects")
    try:
        return remote.push(store, {ref: there.get(ref) for ref in new}, new)
    finally:
        store.close()


def _told(address: Address, memory: Memory, taken: Taken | None, pushing: bool) -> Synced:
    if taken is None:
        return Synced(address.shown, "pushed" if pushing else "nothing", memory.revision)
    words = {
        Standing.SAME: "nothing",
        Standing.BEHIND: "taken",
        Standing.AHEAD: "pushed",
        Standing.APART: "united",
    }
    report = taken.report
    return Synced(
        address.shown,
        words[taken.standing],
        taken.revision,
        created=report.created,
        updated=report.updated,
        deleted=report.deleted,
        archived=report.archived,
        alternatives=taken.alternatives,
        kept=taken.kept,
        projected=taken.projected,
        drafts=taken.drafts,
        problems=taken.problems,
    )


def _address(service: Place, memory: Memory, remote: str, loopback: bool) -> Address:
    """The address that is meant: given, in the settings, or by a name that git's configuration knows."""
    text = remote or service.settings.remote
    if not text:
        message = "no other copy is named"
        remedy = 'name one, or set `remote = "ssh://host/memory.git"` in settings.toml'
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, "remote", remedy=remedy))
    named = references.remote_named(memory.layout, text) if is_name(text) else ""
    found = address_of(named or text, loopback)
    if isinstance(found, Problem):
        raise Refused(found)
    return found


def _not_taken(place: str) -> Problem:
    message = f"nothing was taken in; the other history is kept as {place}, and no file was replaced"
    remedy = f"`git diff HEAD {place}` in the memory directory compares the two; mend one, then sync again"
    return Problem(Code.COMMIT_REJECTED, message, place, remedy=remedy)


def _raced(address: Address) -> Problem:
    message = "the other copy was changed by somebody else at every attempt"
    return Problem(
        Code.CONCURRENT_UPDATE, message, address.shown, remedy="sync again; what was taken in stays"
    )
