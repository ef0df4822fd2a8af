"""How values are written on the page: names of topics, dates, times, numbers."""

import re
from calendar import month_name

__all__ = ["clipped", "day_of", "named", "time_of", "tokens_of"]

_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")


def named(path: str) -> str:
    """The name of a topic or a folder: the last part of its path."""
    return path.rstrip("/").rpartition("/")[2].removesuffix(".md")


def day_of(date: str) -> str:
    """A date as people write it, as exact as it is: `2026`, `March 2026`, `1 March 2026`."""
    year, *rest = date.split("-")
    if not rest or not all(part.isdigit() for part in rest):
        return date
    month = month_name[int(rest[0])] if 1 <= int(rest[0]) <= 12 else rest[0]
    return f"{int(rest[1])} {month} {year}" if len(rest) > 1 else f"{month} {year}"


def time_of(text: str) -> str:
    """A time of ISO 8601 to the minute, in its own zone."""
    return f"{text[:10]} {text[11:16]}" if text[10:11] in ("T", " ") else text


def tokens_of(number: int) -> str:
    """A number with its thousands set apart."""
    return f"{number:,}"


def clipped(text: str, length: int = 60) -> str:
    """The beginning of a text on one line, of its links the words alone."""
    line = " ".join(_LINK.sub(r"\1", text).split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"
