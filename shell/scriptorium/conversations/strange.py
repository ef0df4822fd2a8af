"""What a file is that is no log, where that can be told: a wrong file of an export, a page, a picture."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from .formats.transcript import ENOUGH, TRANSCRIPT
from .items import BLANK, Sample
from .packed import SQLITE

__all__ = ["cannot_be_talk", "is_hollow", "no_log_in", "strange"]

_EXPORT = "give the zip of the export as it came, or the conversations.json in it"
_ANEW = "if there were conversations, have it made anew"
_TEXT = "give a log, an export of conversations, or a transcript as text"
_NAMED = 12
_PAGE = re.compile(rb"<(?:!doctype|!--|\?xml|[a-z][\w:.-]*[\s/>])", re.IGNORECASE)
_WIDE = (
    ("UTF-32", (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")),
    ("UTF-16", (b"\xff\xfe", b"\xfe\xff")),
)
_LOOKED_AT = 512  # bytes that tell UTF-16 without a mark at its beginning
_LETTERS = 0.9  # the share of its letters that are of one byte and a zero


def cannot_be_talk(start: bytes) -> bool:
    """Whether a file that begins like this is no text, or a page: no log of any kind."""
    if start.startswith(SQLITE):
        return False
    return b"\x00" in start or _is_page(start)


def is_hollow(sample: Sample) -> bool:
    """Whether a file holds an empty list or object, and nothing else."""
    return "".join(sample.start.strip(BLANK).split()) in ("[]", "{}")


def strange(sample: Sample, start: bytes, shown: str, formats: str) -> Problem:
    """Why a file is no log, and what to give instead; it begins with `start`, and `formats` are the names."""
    what, remedy = _told(sample, start) or _unknown(sample, start, formats)
    return Problem(Code.INVALID_ARGUMENT, f"{shown} {what}", shown, remedy=remedy)


def no_log_in(shown: str, is_folder: bool, names: Collection[str], hollow: Sequence[str] = ()) -> Problem:
    """That a folder or an archive holds no talk; `names` is what it holds, `hollow` which are empty."""
    kind = "folder" if is_folder else "archive"
    holds = f": it holds {_list(names)}" if names else ", it is empty"
    if hollow:
        holds = f": {_list(hollow)} hold{'s' if len(hollow) == 1 else ''} none"
    message = f"{shown} is a{'n' if kind[0] == 'a' else ''} {kind} without conversations{holds}"
    remedy = _ANEW if hollow else "name the folder in which the logs lie" if is_folder else _EXPORT
    return Problem(Code.INVALID_ARGUMENT, message, shown, remedy=remedy)


def _list(names: Collection[str]) -> str:
    return ", ".join(sorted(names)[:_NAMED]) + (" …" if len(names) > _NAMED else "")


def _told(sample: Sample, start: bytes) -> tuple[str, str] | None:
    value = sample.value[0] if isinstance(sample.value, list) and sample.value else sample.value
    match value:
        case {"prompt_template": _, "docs": _}:
            return "is a project of Claude.ai, which holds documents and no conversations", _EXPORT
        case {"verified_phone_number": _} | {"email_address": _} | {"email": _, "id": _}:
            return "tells of an account, and holds no conversations", _EXPORT
        case _:
            pass
    if is_hollow(sample):
        return "holds no conversation: what is in it is empty", _ANEW
    if _is_page(start):
        return "is a page for a browser and no log", _EXPORT
    if start.lstrip(BLANK.encode()).startswith(SQLITE):
        return (
            "is a database that is no store of conversations",
            "name the database in which an agent keeps them",
        )
    if Path(sample.path).suffix.lower() in (".png", ".jpg", ".jpeg", ".webp", ".wav", ".pdf", ".mp4"):
        return "is a picture, a sound or a document to look at, and no log", _EXPORT
    if encoding := _wide(start):
        remedy = f"write it anew in UTF-8 (`iconv -f {encoding} -t UTF-8`), and import that"
        return f"is text in {encoding}; logs are read in UTF-8", remedy
    return None


def _unknown(sample: Sample, start: bytes, formats: str) -> tuple[str, str]:
    """What is known of any other file."""
    one_of = f"for a file of one of these formats say `--format`: {formats}"
    if _is_binary(start):
        return "is no text, and no log that is known", f"{_TEXT}; {one_of}"
    if turns := TRANSCRIPT.turns(sample):
        what = f"may be a transcript; it has {turns} turns, and {ENOUGH} are taken for one"
        return what, "say `--format transcript` if it is one"
    if sample.value is not None:
        what = f"holds {_shape(sample.value)}, and nothing that is known for a conversation"
        return what, one_of
    if sample.start.lstrip(BLANK).startswith(("{", "[")):
        return "begins as JSON does; it is broken, or no log that is known", one_of
    what = "is text that begins neither as a log does nor as a transcript"
    return what, f"begin each turn with a line such as `User: …` or `Assistant: …`; {one_of}"


def _shape(value: object) -> str:
    if not isinstance(value, dict):
        return "JSON"
    keys = ", ".join(f"`{key[:40]}`" for key in list(value)[:5] if isinstance(key, str))
    return f"JSON with {keys}{' …' if len(value) > 5 else ''}" if keys else "JSON"


def _is_page(start: bytes) -> bool:
    """Whether it begins with the mark or the element of a page; other signs may stand behind a `<`."""
    return _PAGE.match(start.lstrip(BLANK.encode())) is not None


def _wide(start: bytes) -> str:
    """The encoding in which each letter has two bytes or four; empty if it is none."""
    for name, marks in _WIDE:
        if start.startswith(marks):
            return name
    part = start[:_LOOKED_AT]
    for name, letters, others in (("UTF-16LE", part[::2], part[1::2]), ("UTF-16BE", part[1::2], part[::2])):
        if len(others) > 1 and others.count(0) > _LETTERS * len(others) and not letters.count(0):
            return name
    return ""


def _is_binary(start: bytes) -> bool:
    """Whether it holds what no text does: a zero byte, or more bytes that are no UTF-8 than one in ten."""
    return b"\x00" in start or start.decode("utf-8", "replace").count("\ufffd") * 10 > len(start)
