"""The formats that are known, ours and those of installed packages, and which of them a file is in."""

import sys
from collections.abc import Mapping
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from attrs import frozen

from .formats.chatgpt import CHATGPT
from .formats.claude_ai import CLAUDE_AI
from .formats.claude_code import CLAUDE_CODE
from .formats.codex import CODEX
from .formats.gemini import GEMINI
from .formats.locomo import LOCOMO
from .formats.native import NATIVE
from .formats.openai import OPENAI
from .formats.openclaw import OPENCLAW
from .formats.pi import PI
from .formats.transcript import TRANSCRIPT
from .items import BLANK, Importer, Sample
from .packed import SQLITE, START
from .records import first_value, json_elements

__all__ = ["GROUP", "Formats", "importers", "sample_of"]

GROUP = "scriptorium.importers"
"""The entry point group under which an installed package adds a format."""

_FORMATS = (
    OPENCLAW, PI, CLAUDE_CODE, CODEX, GEMINI, NATIVE, CHATGPT, CLAUDE_AI, OPENAI, LOCOMO, TRANSCRIPT,
)  # fmt: skip
_OURS: Mapping[str, Importer] = MappingProxyType({importer.name: importer for importer in _FORMATS})
_JSON = (".jsonl", ".json", ".ndjson", ".zst", ".gz")
_BEGINS = ("{", "[", SQLITE.decode())


@frozen
class Formats:
    """The formats of one import; what is installed is looked for, which takes time, once and when needed."""

    @cached_property
    def installed(self) -> Mapping[str, Importer]:
        """The formats of installed packages, which never replace ours."""
        return {name: importer for name, importer in importers().items() if name not in _OURS}

    def named(self, name: str) -> Importer | None:
        """The format of this name, None if there is none."""
        return _OURS.get(name) or self.installed.get(name)

    def names(self) -> str:
        """The names of all formats, as a person reads them."""
        return ", ".join(sorted([*_OURS, *self.installed]))

    def recognise(self, sample: Sample) -> Importer | None:
        """The format of a file by what stands in it, None if no importer knows it."""
        known = (*_OURS.values(), *self.installed.values()) if _is_data(sample) else self._of_text()
        return next((importer for importer in known if importer.recognises(sample)), None)

    def _of_text(self) -> tuple[Importer, ...]:
        return TRANSCRIPT, *self.installed.values()


def importers() -> Mapping[str, Importer]:
    """All formats by name: the built-in ones, and those of installed packages, which never replace ours."""
    added = {point.name: point for point in _points(tuple(sys.path)) if point.name not in _OURS}
    return {**_OURS} | {name: point.load() for name, point in added.items()}


@cache
def _points(_: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """What the packages below a search path add: to look for it takes longer than most imports."""
    return tuple(entry_points(group=GROUP))


def sample_of(path: Path, file: BinaryIO, is_named: bool = True) -> Sample:
    """The beginning of a file; one that nobody named is not searched for data unless it begins with some.

    A text that quotes a log somewhere is a text; a log that lost its beginning has the name of one.
    """
    file.seek(0)
    begins = file.read(START)
    start = begins.decode("utf-8", "replace")
    if begins.startswith(SQLITE):
        return Sample(None, start, path)
    if not is_named and not _is_data(Sample(None, start, path)):
        return Sample(None, start, path)
    in_list = start.lstrip(BLANK).startswith("[")
    value = None if in_list else first_value(file)
    if value is None:
        file.seek(0)
        record = next(json_elements(file), None)
        value = record.value if record else None
    return Sample(value, start, path)


def _is_data(sample: Sample) -> bool:
    """Whether a file may hold JSON or rows: by its first character, by what was found, or by its name."""
    return (
        sample.value is not None
        or sample.start.lstrip(BLANK).startswith(_BEGINS)
        or sample.path.suffix.lower() in _JSON
    )
