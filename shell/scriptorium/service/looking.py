"""What is looked at beside what is searched for: lines that hold a text, topics in parts, and links."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..fulltext import FullText
    from ..index import Index
    from .lines import Excerpt, Grepped
    from .place import Place
    from .relations import Relations

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
        from .assessing import day_of
        from .guarding import seen_by
        from .lines import grep

        memory = seen_by(self.actor, self.whole(), "search")
        return grep(memory, text, topic, ignore_case, limit, day_of(self), progress)

    def excerpt(self: Place, path: str, first: int = 1, room: int = 12_000) -> Excerpt:
        """Lines of a topic from `first` on, at least one, and no more than `room` characters in all."""
        from .lines import excerpt

        return excerpt(self, path, first, room)

    def relations(self: Place, name: str = "", limit: int = 50) -> Relations:
        """What links to what: by topic, or if `name` is a topic or the id of a record, of that alone."""
        from .relations import relations

        return relations(self.memory(), name, limit)
