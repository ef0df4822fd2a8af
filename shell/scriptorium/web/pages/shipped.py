"""The files that the page is made of: its style, its scripts, its icon; kept until they change."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType

__all__ = ["KINDS", "data_of", "version"]

_SCRIPTS = ("asking.js", "editor.js", "evidence.js", "page.js", "places.js", "renewal.js", "rows.js")

KINDS = MappingProxyType(
    {"icon.svg": "image/svg+xml", "page.css": "text/css"} | dict.fromkeys(_SCRIPTS, "text/javascript")
)
"""The media type of each."""


@cache
def data_of(name: str) -> bytes:
    """The bytes of a file."""
    return (files("scriptorium.web.pages") / "assets" / name).read_bytes()


@cache
def version() -> str:
    """A name for all of them as they are; it stands in their addresses."""
    return sha256(b"\0".join(map(data_of, KINDS))).hexdigest()[:12]
