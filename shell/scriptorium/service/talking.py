"""What a service does with conversations: taking them in, keeping some out, writing them into memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..layout import TalkPlace, talk_places

if TYPE_CHECKING:
    from scriptorium_core.writing.estimating import Estimate
    from scriptorium_core.writing.outcome import Outcome

    from ..conversations.importing import Report, Wish
    from ..conversations.linking import Exclusion
    from ..conversations.unwritten import Summary
    from ..organizer import Portion
    from .choosing import Choice
    from .conversing import FoundLogs
    from .hooking import Answer
    from .keeping import Round
    from .model import Pass
    from .place import Place

__all__ = ["Progress", "Talking"]

Progress = Callable[[int, int], None]
"""Called with what is done and how much there is in all."""


class Talking:
    """The part of a service that has to do with conversations."""

    def import_paths(
        self: Place,
        paths: Sequence[Path],
        *,
        format: str | None = None,
        session: str = "",
        again: bool = False,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> tuple[Report, ...]:
        """Take files, folders and archives in, a report of each log.

        `format` None means: by their content.
        """
        from ..conversations.importing import Wish
        from .conversing import import_logs

        places = [TalkPlace(path) for path in paths]
        return tuple(import_logs(self, places, Wish(format, session, again, dry_run), progress))

    def importing(
        self: Place, places: Sequence[TalkPlace], wish: Wish, progress: Progress | None = None
    ) -> Iterator[Report]:
        """The same, log by log as they are taken; what was reported stays, whatever happens then."""
        from .conversing import import_logs

        return import_logs(self, places, wish, progress)

    def found_logs(self: Place, places: Sequence[TalkPlace] | None = None) -> tuple[FoundLogs, ...]:
        """Where programs keep their logs (None: all places that are known), and how much lies there."""
        from .conversing import found_logs

        return found_logs(talk_places() if places is None else places)

    def exclude_session(self: Place, provider: str, session: str, reason: str) -> None:
        """Keep a session out by its id, and what its agents begin; an empty provider stands for any."""
        from .conversing import exclude_session

        exclude_session(self, provider, session, reason)

    def excluded_sessions(self: Place) -> tuple[Exclusion, ...]:
        """The sessions that never enter, with the reason."""
        from .conversing import excluded_sessions

        return excluded_sessions(self)

    def sessions(self: Place) -> tuple[Summary, ...]:
        """The conversations, oldest first, with the number of messages that memory has not written."""
        from .conversing import sessions

        return sessions(self)

    def write(
        self: Place,
        names: Sequence[str] | None = None,
        *,
        force: bool = False,
        writer: str | None = None,
        tape: Path | None = None,
        record: Path | None = None,
        progress: Progress | None = None,
        told: Callable[[str], None] | None = None,
    ) -> tuple[Pass, ...]:
        """Write what is unwritten of the named sessions (None: of all), with the writer of the settings.

        Without `force`, only sessions whose unwritten part reaches a batch; with it, or a tape, everything.
        `progress` counts sessions, `told` takes lines on how a writer gets on.
        """
        from .writing import passes

        chosen = writer or self.settings.writer
        return tuple(passes(self, names, force, chosen, tape, record, progress, told))

    def choices(self: Place) -> tuple[Choice, ...]:
        """What could write here: local servers, programs, keys, and the writer that needs nothing."""
        from .choosing import choices

        return choices()

    def settle(self: Place, chosen: Choice) -> Path:
        """Write a choice into the settings of the home; it holds from the next opening on."""
        from .choosing import settle

        return settle(self, chosen)

    def estimate(
        self: Place, names: Sequence[str] | None = None, *, force: bool = False, writer: str | None = None
    ) -> Estimate:
        """What `write` would take: sessions, batches, tokens, and at what price; nothing is written."""
        from .estimating import estimate

        return estimate(self, names, writer or self.settings.writer, force)

    def passes(
        self: Place,
        names: Sequence[str] | None = None,
        *,
        force: bool = False,
        writer: str | None = None,
        tape: Path | None = None,
        record: Path | None = None,
        progress: Progress | None = None,
    ) -> Iterator[Pass]:
        """The same, session by session as they are done."""
        from .writing import passes

        return passes(self, names, force, writer or self.settings.writer, tape, record, progress)

    def replay(
        self: Place, tape: Path, names: Sequence[str] | None = None, *, progress: Progress | None = None
    ) -> tuple[Pass, ...]:
        """Write as a tape says: the same sessions, tape and clock give the same commits."""
        from .writing import passes

        return tuple(passes(self, names, True, "recorded", tape, None, progress))

    def organize(
        self: Place,
        topics: Sequence[str] = (),
        *,
        writer: str | None = None,
        tape: Path | None = None,
        dry_run: bool = False,
        told: Callable[[str], None] | None = None,
    ) -> Iterator[Portion]:
        """Put these topics in order (none named: all), a commit a portion; `dry_run` only shows patches."""
        from .organizing import organized

        return organized(self, topics, writer or self.settings.writer, tape, dry_run, told)

    def backfill(
        self: Place,
        *,
        writer: str | None = None,
        tape: Path | None = None,
        limit: int | None = None,
        told: Callable[[str], None] | None = None,
    ) -> Iterator[Outcome]:
        """Write what is archived and cited by no topic, at most `limit` messages; an outcome a batch."""
        from .organizing import backfilled

        return backfilled(self, writer or self.settings.writer, tape, limit, told)

    def keep_once(self: Place, *, scan: bool = True) -> Round:
        """Take in what has grown of the watched logs (`scan`) and what hooks ask for, and write what is due.

        Raises Refused with CONCURRENT_UPDATE where a keeper runs already.
        """
        from .keeping import keep_once

        return keep_once(self, scan)

    def hook(self: Place, event: str, data: bytes = b"") -> Answer:
        """Answer an agent's host at once: `data` is the JSON object that it gives; never raises.

        `session-start` is given the core memory; `turn`, `pre-compact` and `session-end` leave a request and
        begin a pass in the background.
        """
        from .hooking import hook

        return hook(self, event, data)
