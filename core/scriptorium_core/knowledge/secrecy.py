"""Secrets that stand in clear in the files of a memory: their kind and their place, never what they are."""

import re
from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from ..facts.rows import ArchiveRows, Rows, TopicRows
from ..problem import Code, Problem
from ..sources.redact import Secret, Span

__all__ = [
    "Bare",
    "Look",
    "Passage",
    "bare",
    "bare_in",
    "fault",
    "fault_at",
    "fault_of_message",
    "fault_of_past",
    "passages",
]

Look = Callable[[str], Iterable[Span]]
"""Where secrets stand in a text."""

_GAP = re.compile(r"\n[ \t\r]*\n")


@frozen
class Passage:
    """Words that stand together in a file: their first line, and the name by which `forget` knows them."""

    text: str
    line: int
    name: str = ""


@frozen
class Bare:
    """A secret in clear: its kind, its line, and the name of the record or message that holds it, if any."""

    kind: Secret
    line: int
    name: str = ""


def passages(rows: Rows, data: bytes) -> Iterator[Passage]:
    """What is said in a file: each message of an archive, each block between blank lines of a topic."""
    match rows:
        case ArchiveRows(sources=sources):
            yield from (Passage(source.text, source.line, source.id) for source in sources)
        case TopicRows(records=records):
            names = {
                line: f"^{each.id}" for each in records for line in range(each.lines[0], each.lines[1] + 1)
            }
            line = 1
            for text in _blocks(data.decode("utf-8", "replace")):
                yield Passage(text, line, names.get(line + _blank_lines(text), ""))
                line += text.count("\n")
        case _:
            return


def bare(passage: Passage, look: Look) -> Iterator[Bare]:
    """The secrets in a passage."""
    for span in look(passage.text):
        yield Bare(span.kind, passage.line + passage.text.count("\n", 0, span.start), passage.name)


def bare_in(rows: Rows, data: bytes, look: Look) -> Iterator[Bare]:
    """The secrets in a file. A topic, whose blocks are many and short, is looked at as a whole first."""
    if isinstance(rows, TopicRows) and not any(look(data.decode("utf-8", "replace"))):
        return
    for passage in passages(rows, data):
        yield from bare(passage, look)


def fault(path: str, found: Bare) -> Problem:
    """That a secret stands in the memory as it is now."""
    return Problem(
        Code.SECRET_FOUND, f"a {_called(found.kind)} stands here in clear", path, found.line, _remedy(found)
    )


def fault_of_past(path: str, found: Bare, commit: str) -> Problem:
    """That a secret stands in an earlier version of a file, first in this commit."""
    message = f"a {_called(found.kind)} stood here in clear, first in the commit {commit[:10]}"
    return Problem(Code.SECRET_FOUND, message, path, found.line, _remedy(found))


def fault_of_message(kind: Secret, commit: str) -> Problem:
    """That a secret stands in what a commit says of itself."""
    remedy = "change the secret where it is used: what a commit says is rewritten with what is erased alone"
    return Problem(
        Code.SECRET_FOUND, f"the message of this commit holds a {_called(kind)}", commit, remedy=remedy
    )


def fault_at(kind: str, place: str, remedy: str, line: int = 0) -> Problem:
    """That a secret stands somewhere else about the memory: in an index, a log, a trace, a draft."""
    return Problem(Code.SECRET_FOUND, f"a {_called(kind)} stands here in clear", place, line, remedy)


def _called(kind: str) -> str:
    return "secret of the vault" if kind == Secret.VAULT else kind


def _remedy(found: Bare) -> str:
    if not found.name:
        return "take it out of the topic, and change the secret where it is used: the history keeps it"
    return f"`forget '{found.name}' --erase` takes it out of every commit; change the secret where it is used"


def _blocks(text: str) -> Iterator[str]:
    """The text in pieces that end with a blank line; joined they are the text."""
    start = 0
    for gap in _GAP.finditer(text):
        yield text[start : gap.end()]
        start = gap.end()
    yield text[start:]


def _blank_lines(text: str) -> int:
    """How many blank lines stand before the first word."""
    return text[: len(text) - len(text.lstrip())].count("\n")
