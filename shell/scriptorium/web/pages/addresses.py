"""Where everything stands on the page: the address of a topic, a record, a date, a message, a search."""

import re
from urllib.parse import quote, urlencode

from scriptorium_core.markdown.links import resolve

__all__ = [
    "ROOT",
    "anchor",
    "commit",
    "date",
    "folder",
    "linked",
    "message",
    "record",
    "rows",
    "search",
    "topic",
]

ROOT = "/memory"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_OUTSIDE = ("http://", "https://", "mailto:")


def topic(path: str, block: str = "", **query: str) -> str:
    """The page of a topic (`topics/a/b.md`), at a record of it."""
    asked = f"?{urlencode(query)}" if query else ""
    inside = quote(path.removeprefix("topics/"))
    return f"{ROOT}/topics/{inside}{asked}" + (f"#{anchor(block)}" if block else "")


def anchor(block: str) -> str:
    """The id of a record in a page; the page's own ids never begin so."""
    return f"r-{block}"


def record(block: str, part: str = "") -> str:
    """The page of a record."""
    return f"{ROOT}/records/{quote(block)}" + (f"/{part}" if part else "")


def message(name: str) -> str:
    """The page of a message, by its source id or its place in an archive."""
    return f"{ROOT}/message?{urlencode({'name': name})}"


def date(day: str) -> str:
    """The page of a date."""
    return f"{ROOT}/timeline/{quote(day)}"


def commit(name: str) -> str:
    """The page of a commit."""
    return f"{ROOT}/commits/{quote(name)}"


def folder(name: str) -> str:
    """The list of topics with a folder (`a/b/`) open."""
    return f"{ROOT}/topics?{urlencode({'folder': name})}"


def search(text: str) -> str:
    """The page of a search."""
    return f"{ROOT}/search?{urlencode({'q': text})}"


def rows(folder: str, start: int | None = None) -> str:
    """The rows of a folder of topics: all, or the piece that begins with one of them."""
    piece = {} if start is None else {"start": start}
    return f"{ROOT}/rows?{urlencode({'folder': folder, **piece})}"


def linked(path: str, target: str) -> str:
    """Where a link in the file `path` leads on the page; empty for what is nowhere there."""
    if _SCHEME.match(target):
        return target if target.lower().startswith(_OUTSIDE) else ""
    file, _, fragment = target.partition("#")
    if fragment.startswith("^"):
        return record(fragment[1:], "place")
    found = resolve(path, file) if file else None
    if target.startswith(("/", "\\")) or not found:
        return ""
    if found.startswith("sources/"):
        return message(f"{found}#{fragment}" if fragment else found)
    return topic(found) if found.startswith("topics/") and found.endswith(".md") else ""
