"""Links between files of the memory directory: finding them, resolving and rewriting their paths."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

__all__ = [
    "Link",
    "code_ranges",
    "link_path",
    "links_in",
    "outside",
    "rebase_links",
    "relative",
    "resolve",
    "without_paths",
]

# A label may hold one level of brackets; a target holds no white space and at most one pair of parentheses.
_LINK = re.compile(
    r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((<[^<>\r\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)?)\)"
)
_TICKS = re.compile(r"`+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Link(NamedTuple):
    """A link in a text: label, the target as written, and where the target stands in the text.

    `path` is the file part (percent-decoded, relative as written), `block` the id after `#^`,
    `fragment` whatever else follows `#`. All three are empty for a link out of the directory.
    """

    label: str
    target: str
    start: int
    end: int
    path: str = ""
    block: str = ""
    fragment: str = ""


def code_ranges(text: str) -> tuple[tuple[int, int], ...]:
    """Where inline code stands: from a run of backticks to the next run of the same length."""
    if "`" not in text:
        return ()
    runs = [match.span() for match in _TICKS.finditer(text)]
    ranges: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        closing = next(
            (k for k in range(index + 1, len(runs)) if runs[k][1] - runs[k][0] == end - start), None
        )
        if closing is None:
            index += 1
            continue
        ranges.append((start, runs[closing][1]))
        index = closing + 1
    return tuple(ranges)


def links_in(text: str) -> tuple[Link, ...]:
    """The links of a text, in order, outside inline code."""
    if "](" not in text:
        return ()
    return tuple(map(_link, outside(code_ranges(text), _LINK.finditer(text))))


def outside(ranges: Sequence[tuple[int, int]], matches: Iterable[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The matches that begin in none of the ranges; both are in order, and each is looked at once."""
    place = 0
    for match in matches:
        while place < len(ranges) and ranges[place][1] <= match.start():
            place += 1
        if place == len(ranges) or match.start() < ranges[place][0]:
            yield match


def relative(source: str, target: str) -> str:
    """The path of the file `target` as a file `source` writes it; both relative to the directory."""
    here, there = source.split("/")[:-1], target.split("/")
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:])


def resolve(source: str, path: str) -> str | None:
    """The file that `path` means in the file `source`, None if it leads out of the directory."""
    parts = source.split("/")[:-1]
    for segment in path.split("/"):
        if segment == "..":
            if not parts:
                return None
            parts.pop()
        elif segment not in ("", "."):
            parts.append(segment)
    return None if path.startswith("/") else "/".join(parts)


def rebase_links(text: str, new_target: Callable[[Link], str | None]) -> str:
    """The text with the target of each link replaced by what `new_target` gives; None leaves it."""
    pieces: list[str] = []
    done = 0
    for link in links_in(text):
        replacement = new_target(link)
        if replacement is not None and replacement != link.target:
            pieces += [text[done : link.start], replacement]
            done = link.end
    return "".join([*pieces, text[done:]])


def without_paths(text: str) -> str:
    """The text with each block link reduced to the id that it means: the same wherever the text stands."""
    return rebase_links(text, lambda link: f"#^{link.block}" if link.block else None)


def link_path(path: str) -> str:
    """A path as a link target writes it: percent-encoded, `/` kept."""
    return quote(path, safe="/")


def _link(match: re.Match[str]) -> Link:
    target = match[2]
    bare = target[1:-1] if target.startswith("<") else target
    if _SCHEME.match(bare) or bare.startswith("//"):
        return Link(match[1], target, match.start(2), match.end(2))
    path, _, fragment = bare.partition("#")
    block = fragment[1:] if fragment.startswith("^") else ""
    return Link(
        match[1], target, match.start(2), match.end(2), unquote(path), block, "" if block else fragment
    )
