"""A unified diff over topics: read by a library, then applied strictly, without fuzz.

Each section names one topic, the same before and after (`--- a/topics/x.md`, `+++ b/topics/x.md`), or
`/dev/null` on the side where there is none. Every hunk stands at the very line that it names. Renames,
binary sections, changes of mode, and any line that belongs to no section are refused.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from ..names import TopicPath, path_key, topic_path
from ..problem import Code, Problem
from .model import Hunk, PatchTopic

if TYPE_CHECKING:
    from unidiff.patch import Hunk as ParsedHunk
    from unidiff.patch import PatchedFile, PatchSet

__all__ = ["decode_patch", "patched"]

_NOWHERE = "/dev/null"
_AT_HEADER = re.compile(
    r"diff --git |index [0-9a-f]+\.\.[0-9a-f]+( 100644)?$|(new|deleted) file mode 100644$"
)
_OLD, _NEW, _HUNK = "--- ", "+++ ", "@@ -"
_NO_END = "\\ No newline at end of file"
_REFUSED = (
    (("rename ", "copy ", "similarity "), "a patch does not rename or copy; move the records instead"),
    (("Binary file", "GIT binary"), "a binary section is no change of a topic"),
    (("old mode", "new mode", "new file mode", "deleted file mode"), "a patch does not change modes"),
)
_QUOTED = re.compile(r"\\([0-7]{3}|.)")
_ESCAPES = "abtnvfr"
_MEANINGS = "\a\b\t\n\v\f\r"


def decode_patch(text: str) -> tuple[tuple[PatchTopic, ...], tuple[Problem, ...]]:
    """The changes of a unified diff; what is faulty is left out and named with its line in the patch."""
    if not text.strip():
        return (), (_fault("the patch is blank", 0),)
    parsed = _parsed(text if text.endswith("\n") else f"{text}\n")
    if isinstance(parsed, Problem):
        return (), (parsed,)
    problems = list(_strangers(text.split("\n"), parsed))
    topics: list[PatchTopic] = []
    for each in parsed if not problems else ():
        topic = _topic(each)
        if isinstance(topic, Problem):
            problems.append(topic)
        elif path_key(topic.path) in {path_key(other.path) for other in topics}:
            problems.append(_fault(f"{topic.path} has two sections", topic.line))
        else:
            topics.append(topic)
    if not parsed and not problems:
        problems.append(_fault("the patch has no section (--- a/topics/…, +++ b/topics/…)", 0))
    return tuple(topics), tuple(problems)


def patched(data: bytes | None, change: PatchTopic) -> str | tuple[Problem, ...]:
    """The text of a topic after its hunks, or every place where it is not what the patch says."""
    if change.made and data is not None:
        return (_conflict(change.path, change.line, "the patch makes it, but it is there already"),)
    if not change.made and data is None:
        return (_conflict(change.path, change.line, "the patch changes it, but there is no such topic"),)
    lines = _lines(data or b"")
    problems = list(_mismatches(lines, change))
    if problems:
        return tuple(problems)
    pieces: list[str] = []
    done = 0
    for hunk in change.hunks:
        first = _first(hunk)
        pieces += [*lines[done:first], *hunk.new]
        done = first + len(hunk.old)
    text = "".join([*pieces, *lines[done:]])
    if change.removed and text:
        return (_conflict(change.path, change.line, "the patch removes it, but not all of its lines"),)
    return text


def _parsed(text: str) -> "PatchSet | Problem":
    # Loaded when a patch comes: 20 to 35 ms that no other request needs.
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        return PatchSet.from_string(text)
    except (UnidiffParseError, ValueError) as error:
        words = " ".join(str(error).split())
        return _fault(f"this is not a unified diff: {words[:200]}", 0)


def _strangers(lines: list[str], parsed: "PatchSet") -> Iterator[Problem]:
    """The lines that no section accounts for: the library would pass over them in silence."""
    inside = {line.diff_line_no for each in parsed for hunk in each for line in hunk}
    heads = {_OLD: 0, _NEW: 0}
    for number, line in enumerate(lines, 1):
        if number in inside or not line or line == _NO_END or line.startswith(_HUNK):
            continue
        if line[:4] in heads:
            heads[line[:4]] += 1
        elif not _AT_HEADER.match(line):
            yield _stranger(line, number)
    if set(heads.values()) != {len(parsed)}:
        yield _fault("each section needs a line --- and a line +++ before its hunks", 0)


def _stranger(line: str, number: int) -> Problem:
    refused = (message for begins, message in _REFUSED if line.startswith(begins))
    shown = f"{line[:40]!r} belongs to no hunk: check the counts in the line @@ before it"
    return _fault(next(refused, shown), number)


def _topic(section: "PatchedFile") -> PatchTopic | Problem:
    """One section, with its path and its hunks."""
    line = section.diff_line_no or 0
    old, new = _name(section.source_file, "a/"), _name(section.target_file, "b/")
    path = topic_path(new if old == _NOWHERE else old)
    if isinstance(path, Problem):
        return Problem(path.code, path.message, "patch", line, path.remedy)
    if old != new and _NOWHERE not in (old, new):
        return _fault(f"a patch does not rename {old} to {new}; move the records instead", line)
    if not section:
        return _fault(f"the section of {path} has no hunk", line)
    hunks = tuple(map(_hunk, section))
    if any(_first(after) < _first(before) + len(before.old) for before, after in pairwise(hunks)):
        return _fault(f"the hunks of {path} are not in the order of its lines", line)
    return PatchTopic(path, hunks, old == _NOWHERE, new == _NOWHERE, line)


def _hunk(parsed: "ParsedHunk") -> Hunk:
    old: list[str] = []
    new: list[str] = []
    sides: tuple[list[str], ...] = ()
    for line in parsed:
        if line.line_type == "\\":
            for side in sides:
                side[-1] = side[-1].removesuffix("\n")
        elif line.line_type:
            sides = {"-": (old,), "+": (new,)}.get(line.line_type, (old, new))
            for side in sides:
                side.append(line.value)
    number = min((line.diff_line_no for line in parsed if line.diff_line_no), default=1) - 1
    return Hunk(parsed.source_start, tuple(old), tuple(new), number)


def _name(written: str, prefix: str) -> str:
    """The path of a header; git quotes one that holds more than plain characters."""
    if written.startswith('"') and written.endswith('"') and len(written) > 1:
        written = _unquoted(written[1:-1])
    return written.removeprefix(prefix)


def _unquoted(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code = match[1]
        if len(code) == 3:
            return chr(int(code, 8) & 0xFF)
        return _MEANINGS[_ESCAPES.index(code)] if code in _ESCAPES else code

    # Bytes as characters: what stands there unescaped is made so as well, then all are read as UTF-8.
    return _QUOTED.sub(plain, text.encode().decode("latin-1")).encode("latin-1").decode("utf-8", "replace")


def _lines(data: bytes) -> list[str]:
    """The lines of a text with their ends, as diffs count them: at LF only."""
    parts = data.decode("utf-8", "surrogateescape").split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _first(hunk: Hunk) -> int:
    """The index of the first line that a hunk replaces."""
    return hunk.start - 1 if hunk.old else hunk.start


def _mismatches(lines: list[str], change: PatchTopic) -> Iterator[Problem]:
    for hunk in change.hunks:
        first = _first(hunk)
        found = lines[first : first + len(hunk.old)] if first >= 0 else []
        pairs = enumerate(zip(hunk.old, found, strict=False))
        wrong = next((n for n, (wanted, there) in pairs if wanted != there), len(found))
        if first < 0 or first > len(lines):
            yield _conflict(change.path, hunk.line, f"the topic has no line {hunk.start}")
        elif wrong < len(hunk.old):
            there = repr(found[wrong][:60]) if wrong < len(found) else "the end of the topic"
            message = f"line {first + wrong + 1} is {there}, not {hunk.old[wrong][:60]!r}"
            yield _conflict(change.path, hunk.line, message)


def _conflict(path: TopicPath, line: int, message: str) -> Problem:
    return Problem(
        Code.PATCH_CONFLICT,
        f"{path}: {message}",
        "patch",
        line,
        "read the topic again and make the patch anew",
    )


def _fault(message: str, line: int) -> Problem:
    remedy = "give a unified diff with --- a/topics/…, +++ b/topics/… and hunks"
    return Problem(Code.INVALID_ARGUMENT, message, "patch", line, remedy)
