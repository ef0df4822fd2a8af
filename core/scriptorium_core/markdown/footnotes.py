"""An evidence definition, one physical line.

    [^e-6de0580b6c]: Time: `2026-03-01`; Sources: [label](../sources/chat/_v2/s1.md#source-da39bbac67e800a0)

Accepted as well: the date without backticks, white space around `:` and `;`, and the older
`[^id]: <date> · Sources: …`. After the sources stand further fields, `; Name: value`.
"""

import re
from collections.abc import Iterator
from unicodedata import category

from attrs import frozen

from ..when import UNDATED, When, parse_when, render_when

__all__ = ["Footnote", "Source", "footnote_label", "label_fault", "parse_footnote", "render_footnote"]

_LABEL = re.compile(r"\[\^([^\]\s]+)\]:[ \t]*")
_HEAD = re.compile(r"(?:Time\s*:\s*)?(`?)([^`;·\s]+)\1\s*[;·]\s*Sources\s*:\s*", re.IGNORECASE)
# A handle between parentheses may hold blanks, as a source id may; a link holds none.
_SOURCE_LINK = re.compile(r"\[([^\]\r\n]*)\]\(([^()\s]+|[^()#\r\n]+)\)")
_FIELD = re.compile(r"\s*;\s*([A-Z][A-Za-z-]*)\s*:\s*")
_HANDLE_END = re.compile(r"\s*,\s+|\s*;\s*[A-Z][A-Za-z-]*\s*:|\s*$")
_SEPARATOR = re.compile(r"\s*,\s*")


@frozen
class Source:
    """A cited source: the label is display text only, the identity is in the target.

    `target` is a link (`../sources/chat/_v2/s1.md#source-…`) or a plain handle
    (`provider/thread/message`, `D1:2`), whose label may be empty.
    """

    label: str
    target: str

    @property
    def is_handle(self) -> bool:
        """Whether it is a plain handle, which the commit replaces by a link."""
        return "#" not in self.target


@frozen
class Footnote:
    """A definition: its label, date (None = undated), sources and further fields in order."""

    id: str
    when: When | None
    sources: tuple[Source, ...]
    fields: tuple[tuple[str, str], ...] = ()


def footnote_label(line: str) -> str:
    """The label of a definition line."""
    match = _LABEL.match(line)
    return match[1] if match else ""


def label_fault(label: str) -> str:
    """Why a source label cannot be written, in words; empty if it can."""
    if not label.strip():
        return "is blank"
    if "]" in label:
        return "holds ]"
    if not label.isprintable() and any(category(char) in ("Cc", "Cs") for char in label):
        return "holds a line break or a control character"
    return ""


def parse_footnote(line: str) -> Footnote | str:
    """Read a definition line, or say in words what is wrong with it."""
    label = _LABEL.match(line)
    if label is None:
        return "it does not begin with [^id]:"
    text = line[label.end() :].strip()
    head = _HEAD.match(text)
    if head is None:
        return "it is not of the form Time: `date`; Sources: [label](target)"
    when = parse_when(head[2])
    if when is None and head[2].lower() != UNDATED:
        return f"{head[2]!r} is not a date (YYYY, YYYY-MM, YYYY-MM-DD or undated)"
    sources, end = _sources(text, head.end())
    if not sources:
        return "it names no source"
    fields = _fields(text, end)
    if fields is None:
        return f"it cannot be read from {text[end : end + 40]!r} on"
    return Footnote(label[1], when, sources, fields)


def render_footnote(note: Footnote) -> str:
    """The canonical line of a definition, without its line end."""
    sources = ", ".join(
        source.target if source.is_handle and not source.label else f"[{source.label}]({source.target})"
        for source in note.sources
    )
    fields = "".join(f"; {name}: {value}" for name, value in note.fields)
    return f"[^{note.id}]: Time: `{render_when(note.when)}`; Sources: {sources}{fields}"


def _sources(text: str, start: int) -> tuple[tuple[Source, ...], int]:
    """The sources from `start` on and where they end."""
    found: list[Source] = []
    position = start
    while position < len(text):
        link = _SOURCE_LINK.match(text, position)
        if link:
            found.append(Source(link[1], link[2]))
            position = link.end()
        elif handle := _handle(text, position):
            found.append(Source("", handle))
            position += len(handle)
        else:
            break
        separator = _SEPARATOR.match(text, position)
        if separator is None or separator.end() == len(text):
            break
        position = separator.end()
    return tuple(found), position


def _handle(text: str, start: int) -> str:
    if text[start] in "[;":
        return ""
    end = _HANDLE_END.search(text, start)
    return text[start : end.start()] if end else ""


def _fields(text: str, start: int) -> tuple[tuple[str, str], ...] | None:
    """The fields from `start` to the end, None if something else stands there."""
    if start == len(text):
        return ()
    if _FIELD.match(text, start) is None:
        return None
    return tuple(_split_fields(text, start))


def _split_fields(text: str, start: int) -> Iterator[tuple[str, str]]:
    heads = list(_FIELD.finditer(text, start))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        yield head[1], text[head.end() : following.start() if following else len(text)].strip()
