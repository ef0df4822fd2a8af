"""What the index says of itself: the commit that it stands for, and how far a first build has come."""

import sqlite3

__all__ = ["commit_of", "put", "said"]


def commit_of(database: sqlite3.Connection) -> str | None:
    """The commit that the index stands for; None while it stands for none."""
    return said(database, "commit")


def said(database: sqlite3.Connection, name: str) -> str | None:
    """The value of a name, None where it has none."""
    row = database.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def put(database: sqlite3.Connection, **values: str | None) -> None:
    """Give names their values; None takes one away."""
    for name, value in values.items():
        if value is None:
            database.execute("DELETE FROM state WHERE name = ?", (name,))
        else:
            database.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))
