"""The format `pi`: the sessions of the Pi coding agent, `<time>_<id>.jsonl`, of versions 1 to 3.

A log is one session, a tree of entries (`entries`). The head is where the last entry was appended: it
is stored nowhere else. A fork names the file that it was copied from, which may be gone or on another
machine; its name alone tells the id of the other session.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from attrs import evolve

from scriptorium_core.sources.frame import Origin

from ..items import Item, Key, Sample, Source
from .entries import Header, Said, Thread, begins_log, lines

__all__ = ["PI", "Pi", "session_in"]

_PROVIDER = "pi"
_NAMED = re.compile(r"(?:.*_)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})")
# What `/skill:name` becomes before it is sent: the skill's text, then what the person wrote.
_SKILL = re.compile(r'<skill name="[^"\n]*"[^>\n]*>\n.*?\n</skill>\s*', re.DOTALL)


class Pi:
    """The importer of Pi sessions."""

    name = "pi"

    def recognises(self, sample: Sample) -> bool:
        """A log that begins with the header of a session."""
        return begins_log(sample)

    def read(self, source: Source) -> Iterator[Item]:
        """The entries of a log in order."""
        return lines(source, partial(_begun, source))


def session_in(path: str) -> str:
    """The id of the session that a log's name gives, on whatever system it lies; empty if it gives none."""
    name = PurePosixPath(path.replace("\\", "/")).name
    found = _NAMED.fullmatch(name.removesuffix(".jsonl"))
    return found[1] if found else ""


def _begun(source: Source, header: Header) -> Thread:
    name = str(source.path)
    session = header.id or source.session or session_in(name) or source.path.stem
    return Thread(Key(_PROVIDER, session), evolve(header, id=session), _voice, session_in(header.parent))


def _voice(said: Said, message: Mapping[str, Any]) -> Said:
    if said.origin is not Origin.HUMAN or not said.text.startswith("<skill "):
        return said
    return evolve(said, text=_SKILL.sub("", said.text, count=1))


PI = Pi()
