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
    from .leased import HandedIn, Offered, Unoffered
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
        take_over: bool = False,
    ) -> tuple[Pass, ...]:
        """Write what is unwritten of the named sessions (None: of all), with the writer of the settings.

        Without `force`, only sessions whose unwritten part reaches a batch; with it, or a tape, everything.
        `progress` counts sessions, `told` takes lines on how a writer gets on. A session of which an agent
        has taken a batch is left to it, unless `take_over` ends its lease.
        """
        from .opening import see_it_is_on
        from .writing import passes

        see_it_is_on(self)
        chosen = writer or self.settings.writer
        return tuple(passes(self, names, force, chosen, tape, record, progress, told, take_over))

    def pending(
        self: Place, session: str = "", *, tokens: int | None = None, force: bool = True
    ) -> Offered | Unoffered:
        """The next batch for the agent that asks, for ten minutes its own; asked again, the same one.

        Of one session if it is named, of at most about `tokens` (None: as the settings say); without `force`
        only a whole batch. Raises Refused with CONCURRENT_UPDATE while a pass of another writer runs.
        """
        from .offering import offered

        return offered(self, session, tokens, force)

    def hand_in(
        self: Place,
        batch: str,
        memory_changes: Sequence[object] | None = None,
        *,
        changes: Sequence[object] | None = None,
        patch: str | None = None,
        deleted: Sequence[str] | None = None,
        nothing_to_keep: str | None = None,
        summary: str | None = None,
        base_revision: str | None = None,
        record: Path | None = None,
    ) -> HandedIn:
        """Hand in what an agent made of a batch: one of `memory_changes`, `changes`, `patch`, or why nothing.

        The first rejection names all problems and leaves one more attempt; twice the same call writes once.
        `base_revision` is the commit that the agent read, where it is later than that of the offer; `record`
        is a tape to which it is added. Raises Refused where the call has no form.
        """
        from .handing import handed_in

        given = {
            "memory_changes": memory_changes,
            "changes": changes,
            "patch": patch,
            "deleted": deleted,
            "nothing_to_keep": nothing_to_keep,
            "summary": summary,
            "base_revision": base_revision,
        }
        raw = {key: value for key, value in given.items() if value is not None}
        return handed_in(self, batch, raw, record)

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
        from .opening import see_it_is_on
        from .writing import passes

        see_it_is_on(self)
        return passes(self, names, force, writer or self.settings.writer, tape, record, progress)

    def replay(
        self: Place, tape: Path, names: Sequence[str] | None = None, *, progress: Progress | None = None
    ) -> tuple[Pass, ...]:
        """Write as a tape says: the same sessions, tape and clock give the same commits."""
        from .opening import see_it_is_on
        from .writing import passes

        see_it_is_on(self)
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
