"""The words that were erased, for finding them where no structure says what belongs to them.

Topics, archives and views are cleaned by their ids. Words are looked for only elsewhere: in messages of
commits, in files that cannot be read, in what stands beside the memory. Passages of less than eight
characters are not looked for: they stand everywhere.
"""

import json
from collections.abc import Iterable
from functools import cached_property

from attrs import frozen

__all__ = ["ERASED", "Words", "words_of"]

ERASED = "[erased]"
_SHORTEST = 8
_RUN = 20  # so many characters that a line shares with the words are no chance
_STEP = 10


@frozen
class Words:
    """Erased passages: whole texts and their lines, the longest first."""

    passages: tuple[str, ...] = ()

    @cached_property
    def forms(self) -> tuple[bytes, ...]:
        """The passages as files hold them: in UTF-8, and as strings of JSON; the longest first."""
        found = set[bytes]()
        for passage in self.passages:
            written = (passage, json.dumps(passage)[1:-1], json.dumps(passage, ensure_ascii=False)[1:-1])
            found |= {form.encode("utf-8", "surrogatepass") for form in written}
        return tuple(sorted(found, key=lambda form: (-len(form), form)))

    def found_in(self, data: bytes) -> bool:
        """Whether the bytes hold a passage."""
        return any(form in data for form in self.forms)

    def scrubbed(self, data: bytes) -> bytes:
        """The bytes with each passage replaced by `[erased]`."""
        for form in self.forms:
            data = data.replace(form, ERASED.encode())
        return data

    def quoted_in(self, text: str) -> bool:
        """Whether a text holds a passage, or twenty characters in a row of one, whatever the white space."""
        line = _plain(text)
        if any(each in line for each in self._short):
            return True
        starts = range(len(line) - _STEP + 1)
        if not any(line[start : start + _STEP] in self._steps for start in starts):
            return False
        whole = self._whole
        return any(line[start : start + _RUN] in whole for start in range(len(line) - _RUN + 1))

    def message(self, message: str) -> str:
        """The message of a commit without the lines that quote a passage; trailers keep their keys."""
        return "\n".join(map(self._line, message.split("\n")))

    def _line(self, line: str) -> str:
        if not self.quoted_in(line):
            return line
        key, colon, value = line.partition(":")
        return f"{key}: {ERASED}" if colon and self.quoted_in(value) and key.isalpha() else ERASED

    @cached_property
    def _short(self) -> tuple[str, ...]:
        return tuple(plain for each in self.passages if len(plain := _plain(each)) < _RUN)

    @cached_property
    def _whole(self) -> str:
        return "\n".join(map(_plain, self.passages))

    @cached_property
    def _steps(self) -> frozenset[str]:
        whole = self._whole
        return frozenset(whole[start : start + _STEP] for start in range(0, len(whole), _STEP))


def words_of(texts: Iterable[str]) -> Words:
    """The passages of erased texts."""
    found = {part.strip() for text in texts for part in (text, *text.splitlines())}
    kept = (passage for passage in found if len(passage) >= _SHORTEST)
    return Words(tuple(sorted(kept, key=lambda passage: (-len(passage), passage))))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
