"""JSON as it stands in logs: lines or elements, one at a time, with what is broken or half written.

A line ends at LF alone. The last one may be half written: it is whole without its LF only if it
parses as an object or a list, because no beginning of one of these does. Bytes that are no UTF-8 and
lone surrogates become U+FFFD, and the record says so. Behind a broken element reading goes on where
the next one seems to begin: at the same brace and first key with which the first element begins.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO

import orjson
from attrs import define, field, frozen

__all__ = ["LONGEST", "Record", "first_value", "json_elements", "json_lines"]

LONGEST = 64 * 1024 * 1024
"""The longest record that is read, in bytes of a line or characters of an element."""

_CHUNK = 1024 * 1024
_TRIED = 20
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")
_BETWEEN = re.compile(r"[\s,]*")
_OPENING = re.compile(r'\{\s{0,40}"[^"\\]{0,40}"\s{0,40}:')
_LONGEST_OPENING = 200
_NEAR_END = 16  # no token but a string is longer
_DECODER = json.JSONDecoder()


@frozen
class Record:
    """A JSON value and where it stands; `fault` says why there is none.

    `end` is the byte after a line; of an element it is 0. `torn` is half a record at the end.
    """

    value: object
    line: int
    end: int = 0
    fault: str = ""
    replaced: bool = False
    torn: bool = False


def json_lines(file: BinaryIO, position: int = 0, line: int = 0) -> Iterator[Record]:
    """The lines of a file from byte `position`, before which stand `line` lines; blank ones are left out."""
    if position and _byte(file, position - 1) != b"\n":
        line -= 1  # the last line had been whole without its LF: this is its rest
    file.seek(position)
    end = position
    while data := file.readline(LONGEST):
        line += 1
        end += len(data)
        if not data.endswith(b"\n") and len(data) == LONGEST:
            rest = _skip_line(file)
            end += abs(rest)
            yield Record(None, line, end, "a record of more than 64 MiB", torn=rest < 0)
        elif data.strip():
            yield _line(data, line, end)


def json_elements(file: BinaryIO) -> Iterator[Record]:
    """The elements of the list that a file holds, or the values that it holds one after the other."""
    text = _Text(file)
    text.skip()
    is_list = text.peek() == "["
    if is_list:
        text.at += 1
        text.skip()
    text.remember_opening()
    while text.peek() or is_list:
        # Behind damage, what closes may have been opened inside of an element.
        if is_list and text.peek() == "]" and not (text.damaged and text.to_next()):
            break
        record = text.value()
        yield record
        if record.torn or (record.fault and not text.to_next()):
            return
        text.skip()
    if is_list and not text.damaged and text.has_more():
        yield Record(None, text.line, fault="more behind the end of the list")


def first_value(file: BinaryIO) -> object:
    """The first line that is a JSON object, looked for in the first twenty; None if none is."""
    for record in json_lines(file):
        if isinstance(record.value, dict):
            return record.value
        if record.line >= _TRIED or record.end > _CHUNK:
            break
    return None


def _byte(file: BinaryIO, position: int) -> bytes:
    file.seek(position)
    return file.read(1)


def _line(data: bytes, line: int, end: int) -> Record:
    # What orjson takes is strict JSON in UTF-8, without lone surrogates; all else is looked at closely.
    try:
        value = orjson.loads(data)
    except ValueError:
        return _odd_line(data, line, end)
    if not data.endswith(b"\n") and not isinstance(value, dict | list):
        return Record(None, line, end, "not JSON", torn=True)
    return Record(value, line, end)


def _odd_line(data: bytes, line: int, end: int) -> Record:
    try:
        text, replaced = data.decode(), False
    except UnicodeDecodeError:
        text, replaced = data.decode(errors="replace"), True
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return Record(None, line, end, "not JSON", replaced, torn=not data.endswith(b"\n"))
    if not data.endswith(b"\n") and not isinstance(value, dict | list):
        return Record(None, line, end, "not JSON", replaced, torn=True)
    if _ESCAPED.search(text):
        clean = _clean(value)
        return Record(clean, line, end, "", replaced or clean != value)
    return Record(value, line, end, "", replaced)


def _skip_line(file: BinaryIO) -> int:
    """The bytes up to the end of the line; negative, or -1 for none, if the file ends first."""
    count = 0
    while data := file.readline(_CHUNK):
        count += len(data)
        if data.endswith(b"\n"):
            return count
    return -max(count, 1)


def _clean(value: object) -> object:
    """`value` with U+FFFD for each lone surrogate."""
    match value:
        case str():
            return _SURROGATE.sub("\ufffd", value)
        case list():
            return [_clean(item) for item in value]
        case dict():
            return {_clean(key): _clean(item) for key, item in value.items()}
        case _:
            return value


@define
class _Text:
    """A file as text that is read on as it is needed; what lies before `at` is dropped."""

    file: BinaryIO
    decoder: codecs.IncrementalDecoder = field(factory=codecs.getincrementaldecoder("utf-8-sig"))
    text: str = ""
    at: int = 0
    line: int = 1
    ended: bool = False
    replaced: bool = False
    damaged: bool = False
    opening: re.Pattern[str] | None = None

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip(self) -> None:
        """Go to the next character that is neither white space nor a comma."""
        while True:
            found = _BETWEEN.match(self.text, self.at)
            self._go_to(found.end() if found else self.at)
            if self.at < len(self.text) or not self.more():
                return

    def value(self) -> Record:
        """The value that begins here."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except RecursionError:
                return Record(None, self.line, fault="nested too deeply")
            except json.JSONDecodeError as error:
                if self._is_broken(error):
                    return Record(None, self.line, fault="not JSON")
                value, end = None, -1
            if end >= 0 and (self.ended or end < len(self.text)):
                return self._taken(value, end)
            if len(self.text) - self.at > LONGEST:
                return Record(None, self.line, fault="a record of more than 64 MiB")
            if not self.more() and end < 0:
                return Record(None, self.line, fault="not JSON", torn=True)

    def remember_opening(self) -> None:
        """Keep how the element that begins here does, to find others by."""
        found = _OPENING.match(self.text, self.at)
        self.opening = re.compile(re.escape(found[0])) if found else None

    def to_next(self) -> bool:
        """Go to the next place that begins as the first element does; whether there is one."""
        self.damaged = True
        if self.opening is None:
            return False
        self._go_to(self.at + 1)
        while (found := self.opening.search(self.text, self.at)) is None:
            self._go_to(max(self.at, len(self.text) - _LONGEST_OPENING))
            if not self.more():
                return False
        self._go_to(found.start())
        return True

    def has_more(self) -> bool:
        """Whether anything stands behind the character that is here."""
        self._go_to(self.at + 1)
        self.skip()
        return bool(self.peek())

    def more(self) -> bool:
        """Read as much again as is held, so that trying again costs twice the text and no more."""
        if self.ended:
            return False
        data = self.file.read(max(_CHUNK, len(self.text) - self.at))
        self.ended = not data
        self.text, self.at = self.text[self.at :] + self._decode(data), 0
        return True

    def _is_broken(self, error: json.JSONDecodeError) -> bool:
        """Whether no text that follows can make a value of this."""
        is_string = error.msg.startswith("Unterminated string")
        return not is_string and error.pos < len(self.text) - _NEAR_END

    def _decode(self, data: bytes) -> str:
        state = self.decoder.getstate()
        try:
            return self.decoder.decode(data, final=not data)
        except UnicodeDecodeError:
            self.replaced = True
            self.decoder.errors = "replace"
            self.decoder.setstate(state)
            return self.decoder.decode(data, final=not data)

    def _go_to(self, at: int) -> None:
        self.line += self.text.count("\n", self.at, at)
        self.at = at

    def _taken(self, value: object, end: int) -> Record:
        line, escaped = self.line, _ESCAPED.search(self.text, self.at, end)
        clean = _clean(value) if escaped else value
        replaced, self.replaced = self.replaced or clean != value, False
        self._go_to(end)
        return Record(clean, line, replaced=replaced)
