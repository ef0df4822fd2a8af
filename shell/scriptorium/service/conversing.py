"""The conversations beside the memory: logs are taken in, found where programs keep them, or kept out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from scriptorium_core.names import SourceId, WorkspaceId, archive_path

from .. import files
from ..conversations.importing import Progress, Report, Wish, import_places
from ..conversations.linking import Exclusion, exclude, exclusions
from ..conversations.logs import search
from ..conversations.store import open_store
from ..conversations.unwritten import Summary, summaries
from ..layout import TalkPlace
from ..refused import Refused
from .opening import see_it_is_on
from .redacting import redaction_of
from .shaping import moment_text

if TYPE_CHECKING:
    from scriptorium_core.sources.redact import Redact

    from ..workspace import Memory
    from .place import Place

__all__ = ["FoundLogs", "exclude_session", "excluded_sessions", "found_logs", "import_logs", "sessions"]

_NO_WORKSPACE = WorkspaceId("w-")


@frozen
class FoundLogs:
    """What a program keeps at a place: how many logs, how large they are, when the newest was changed.

    `newest` is seconds since 1970, 0 where there is no log.
    """

    program: str
    path: Path
    files: int
    bytes: int
    newest: float


def import_logs(
    service: Place, places: Sequence[TalkPlace], wish: Wish, progress: Progress | None
) -> Iterator[Report]:
    """Take logs into the session store of the home, a report as soon as each is taken."""
    see_it_is_on(service)
    _make_home(service)
    if not wish.dry_run and not service.root.exists():
        service.whole(make=True)  # what waits to be written is asked of a memory, also of an empty one
    with open_store(service.sessions_path) as store:
        yield from import_places(store, places, wish, progress=progress, now=moment_text(service.moment()))


def found_logs(places: Sequence[TalkPlace]) -> tuple[FoundLogs, ...]:
    """What lies at these places; no log is opened."""
    return tuple(
        FoundLogs(
            place.program,
            place.path,
            len(found.files),
            sum(file.size for file in found.files),
            max((file.changed for file in found.files), default=0.0),
        )
        for place, found in ((place, search(place)) for place in places)
    )


def sessions(service: Place) -> tuple[Summary, ...]:
    """All conversations of the home; before there is a memory, all of them is unwritten.

    Titles are made of what was said, and the store holds that as it was said: secrets are taken out here.
    """
    if not service.sessions_path.is_file():
        return ()
    memory = service.memory() if service.root.is_dir() else None
    with open_store(service.sessions_path) as store:
        found = summaries(store, memory.workspace if memory is not None else _NO_WORKSPACE)
    found = found if memory is None else _with_gifts(memory, found)
    redact = redaction_of(service)
    return tuple(_without_secrets(summary, redact) for summary in found)


def _with_gifts(memory: Memory, found: tuple[Summary, ...]) -> tuple[Summary, ...]:
    """The conversations with the records that cite each."""
    with memory.reading():
        queries = memory.index.queries
        names = ((each, SourceId(f"{each.session.provider}/{each.session.id}/0")) for each in found)
        return tuple(evolve(each, gave=queries.resting_on(archive_path(name))) for each, name in names)


def _without_secrets(summary: Summary, redact: Redact) -> Summary:
    title = redact(summary.session.title)
    return evolve(summary, session=evolve(summary.session, title=title.text)) if title.found else summary


def exclude_session(service: Place, provider: str, session: str, reason: str) -> None:
    """Keep a session, and those that its agents begin, out from now on."""
    _make_home(service)
    with open_store(service.sessions_path) as store:
        exclude(store, provider, session, reason)


def excluded_sessions(service: Place) -> tuple[Exclusion, ...]:
    """The sessions that never enter, also those of which no log was seen."""
    if not service.sessions_path.is_file():
        return ()
    with open_store(service.sessions_path) as store:
        return exclusions(store)


def _make_home(service: Place) -> None:
    try:
        files.ensure_folder(service.home)
    except OSError as error:
        raise Refused(files.disk_problem(error, service.home)) from error
