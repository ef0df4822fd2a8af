"""Identifiers and paths that have passed a check, and how new ones are made."""

import re
import unicodedata
from collections.abc import Callable
from typing import NewType
from urllib.parse import quote

from .problem import Code, Problem

__all__ = [
    "CORE_TOPIC",
    "BlockId",
    "EvidenceId",
    "NodeId",
    "SessionId",
    "SourceId",
    "TopicPath",
    "WorkspaceId",
    "anchor",
    "archive_path",
    "block_id",
    "context_path",
    "evidence_id",
    "is_source_name",
    "path_key",
    "percent",
    "source_id",
    "spelling",
    "split_source_id",
    "topic_named",
    "topic_path",
    "topic_prefix",
]

BlockId = NewType("BlockId", str)
EvidenceId = NewType("EvidenceId", str)
SourceId = NewType("SourceId", str)
TopicPath = NewType("TopicPath", str)
NodeId = NewType("NodeId", str)
SessionId = NewType("SessionId", str)
WorkspaceId = NewType("WorkspaceId", str)

CORE_TOPIC = TopicPath("topics/core.md")
# Compiled where a text needs them (`re` remembers them): whoever only searches pays for none.
_WORDS = r"[^\s_-]+"
_LEGACY_SOURCE = r"D([0-9]+):([0-9]+)"
_RESERVED = frozenset(
    [
        "con",
        "prn",
        "aux",
        "nul",
        *(f"{name}{digit}" for name in ("com", "lpt") for digit in "123456789\u00b9\u00b2\u00b3"),
    ]
)
# Git's own name, also in the spellings that case-insensitive or short-name file systems resolve to it.
_GIT_NAMES = frozenset([".git", "git~1"])
_LONGEST_NAME = 200


def source_id(text: str) -> SourceId | None:
    """`provider/thread/message` as a source id, None if it is not one (format, section 4)."""
    parts = text.split("/", 2)
    if len(parts) != 3 or not all(parts) or parts[0] in (".", ".."):
        return None
    if not text.isprintable() or any(char in "[]()<>" for char in text):
        return None
    # Stricter than the shared format: git refuses a folder of this name, file systems refuse longer names.
    if parts[0].casefold() in _GIT_NAMES or any(len(percent(part)) > _LONGEST_NAME for part in parts[:2]):
        return None
    return SourceId(text)


def is_source_name(name: str) -> bool:
    """Whether a name is that of a message (`chat/s1/m2`, `D1:2` of the oldest archives), not of a record."""
    return name.count("/") > 1 or bool(re.fullmatch(_LEGACY_SOURCE, name))


def split_source_id(source: str) -> tuple[str, str, str]:
    """Provider, thread and message of a source id, split at the first two slashes."""
    provider, thread, message = source.split("/", 2)
    return provider, thread, message


def percent(text: str) -> str:
    """`text` percent-encoded for a file name: letters, digits and `-_.~` stay."""
    return quote(text, safe="")


def anchor(source: str) -> str:
    """The anchor of a source in its archive: `source-` and 16 hex digits, or `d1-2` for `D1:2`."""
    if legacy := re.fullmatch(_LEGACY_SOURCE, source):
        return f"d{legacy[1]}-{legacy[2]}"
    from hashlib import sha256

    return "source-" + sha256(source.encode()).hexdigest()[:16]


def archive_path(source: str) -> str:
    """The archive of a source: `sources/<provider>/_v2/<thread>.md`, percent-encoded."""
    if legacy := re.fullmatch(_LEGACY_SOURCE, source):
        return f"sources/D{legacy[1]}.md"
    provider, thread, _ = split_source_id(source)
    return f"sources/{percent(provider)}/_v2/{percent(thread)}.md"


def context_path(source: str) -> str:
    """The context file beside the archive of a version 2 source."""
    return archive_path(source).removesuffix(".md") + ".jsonl"


def path_key(path: str) -> str:
    """What two paths share that may not coexist: equal after NFC and case folding."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def spelling(path: str) -> str:
    """What the spellings of one title share, as `Coffee Brewing`, `coffee-brewing` and `coffee_brewing`."""
    parts = path_key(path).removesuffix(".md").split("/")
    return "/".join("-".join(re.findall(_WORDS, part)) or part for part in parts)


def topic_prefix(text: str) -> str:
    """What the paths begin with of topics that `keys`, `/keys/` or `topics/keys` mean; all for nothing."""
    inside = text.strip("/")
    return "topics/" + ("" if inside == "topics" else inside.removeprefix("topics/").lstrip("/"))


def topic_path(text: str) -> TopicPath | Problem:
    """A path below `topics/` that is safe on every file system, or why it is not one."""
    if not text.strip():
        return _refuse(Code.INVALID_ARGUMENT, "the path is blank", text)
    if text.startswith(("/", "~")) or ".." in text.replace("\\", "/").split("/"):
        return _refuse(Code.PATH_OUTSIDE_WORKSPACE, f"{text!r} leads out of the memory directory", text)
    if not text.startswith("topics/"):
        return _refuse(
            Code.READ_ONLY_PATH, f"{text!r} is not below topics/, the only folder that is edited", text
        )
    if not text.endswith(".md") or text == "topics/.md":
        return _refuse(Code.INVALID_TOPIC_FORMAT, f"{text!r} does not end in .md", text)
    segments = text.split("/")
    for segment in segments:
        if fault := _segment_fault(segment):
            return _refuse(Code.INVALID_TOPIC_FORMAT, f"{fault} in {text!r}", text)
    if any(segment.casefold().endswith(".md") for segment in segments[:-1]):
        return _refuse(Code.INVALID_TOPIC_FORMAT, f"a folder named like a topic in {text!r}", text)
    if (
        any(len(segment.encode("utf-8", "replace")) > _LONGEST_NAME for segment in segments)
        or len(text) > 1000
    ):
        return _refuse(
            Code.INVALID_TOPIC_FORMAT,
            "the path is too long (200 bytes a name, 1,000 characters in all)",
            text,
        )
    return TopicPath(text)


def topic_named(text: str) -> TopicPath | Problem:
    """The topic that a person means, with `topics/` and `.md` or without; a bad name is a bad argument."""
    name = text.strip()
    whole = name if name.startswith(("topics/", "/")) or not name else f"topics/{name}"
    found = topic_path(whole if whole.endswith(".md") or not name else f"{whole}.md")
    if isinstance(found, Problem) and found.code is Code.INVALID_TOPIC_FORMAT:
        return found._replace(code=Code.INVALID_ARGUMENT)
    return found


def block_id(file_name: str, paragraph: str, taken: Callable[[str], bool]) -> BlockId:
    """A new block id: 8 hex digits, the first that `taken` denies (format, section 2, Ids)."""
    collapsed = " ".join(paragraph.split())
    return BlockId(_first_free(lambda n: f"block|{file_name}|{collapsed}|{n}", 8, "", taken))


def evidence_id(date: str, targets: tuple[str, ...], taken: Callable[[str], bool]) -> EvidenceId:
    """A new evidence id: `e-` and 10 hex digits; `date` as written, `targets` the source ids."""
    return EvidenceId(_first_free(lambda n: f"evidence|{date}|{'|'.join(targets)}|{n}", 10, "e-", taken))


def _first_free(seed: Callable[[int], str], length: int, prefix: str, taken: Callable[[str], bool]) -> str:
    from hashlib import sha256

    counter = 0
    while True:
        digest = sha256(seed(counter).encode("utf-8", "surrogatepass")).hexdigest()[:length]
        if not taken(prefix + digest):
            return prefix + digest
        counter += 1


def _segment_fault(segment: str) -> str:
    """What makes one name of a path unsafe, in words; empty if nothing does."""
    if segment in ("", "."):
        return "an empty or `.` segment"
    if segment.casefold() in _GIT_NAMES or segment.startswith("."):
        return "a name that begins with `.`"
    if any(unicodedata.category(char) in ("Cc", "Cs") or char in "\\:" for char in segment):
        return "a control character, backslash or colon"
    if segment[-1] in " .":
        return "a name that ends in a space or a dot"
    if segment.split(".", maxsplit=1)[0].rstrip(" ").casefold() in _RESERVED:
        return "a reserved device name"
    return ""


def _refuse(code: Code, message: str, path: str) -> Problem:
    return Problem(code, message, path, remedy="use a path like topics/people/mira.md")
