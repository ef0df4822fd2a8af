"""The commits that the index knows: by the beginning of their ids, and in their order."""

import json
from collections.abc import Iterable

from .queries import Queries

__all__ = ["commits_named", "newest_first"]


def commits_named(queries: Queries, beginning: str, most: int = 2) -> tuple[str, ...]:
    """At most `most` of the commits whose id begins so, in the transaction that is open."""
    query = "SELECT id FROM commits WHERE id >= ?1 AND id < ?1 || 'g' ORDER BY id LIMIT ?2"
    return tuple(name for (name,) in queries.database.execute(query, (beginning, most)))


def newest_first(queries: Queries, commits: Iterable[str]) -> tuple[str, ...]:
    """Those of the commits that the index knows, the newest first, in the transaction that is open."""
    query = "SELECT c.id FROM json_each(?) j CROSS JOIN commits c ON c.id = j.value ORDER BY c.seq DESC"
    return tuple(name for (name,) in queries.database.execute(query, (json.dumps([*commits]),)))
