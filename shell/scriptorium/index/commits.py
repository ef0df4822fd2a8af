"""The commits that the index knows, by the beginning of their ids."""

from .queries import Queries

__all__ = ["commits_named"]


def commits_named(queries: Queries, beginning: str, most: int = 2) -> tuple[str, ...]:
    """At most `most` of the commits whose id begins so, in the transaction that is open."""
    query = "SELECT id FROM commits WHERE id >= ?1 AND id < ?1 || 'g' ORDER BY id LIMIT ?2"
    return tuple(name for (name,) in queries.database.execute(query, (beginning, most)))
