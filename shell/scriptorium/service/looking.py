"""What an agent looks at beside what it searches for: lines that hold a text, and topics in parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..fulltext import FullText
    from ..index import Index
    from .lines import Excerpt, Grepped
    from .place import Place

__all__ = ["Looking"]

Progress = Callable[[int, int], None]


class Looking:
    """The part of a service that shows topics by their lines, without what is held."""

    searched: FullText | None = None
    glanced: Index | None = None

    def grep(
        self: Place,
        text: str,
        *,
        topic: str = "",
        ignore_case: bool = False,
        limit: int = 50,
        progress: Progress | None = None,
    ) -> Grepped:
        """The first `limit` lines of topics in which a text stands, letter by letter.

        `topic` is the beginning of a path; `progress` counts topics.
        """
        from .lines import grep

        return grep(self, text, topic, ignore_case, limit, progress)

    def excerpt(self: Place, path: str, first: int = 1, room: int = 12_000) -> Excerpt:
        """Lines of a topic from `first` on, at least one, and no more than `room` characters in all."""
        from .lines import excerpt

        return excerpt(self, path, first, room)
