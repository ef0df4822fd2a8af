"""What a file is that is no log, where that can be told: a wrong file of an export, a page, a picture."""

from collections.abc import Collection
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from .items import BLANK, Sample
from .packed import SQLITE

__all__ = ["cannot_be_talk", "no_log_in", "strange"]

_EXPORT = "give the zip of the export as it came, or the conversations.json in it"
_NAMED = 12


def cannot_be_talk(start: bytes) -> bool:
    """Whether a file that begins like this is no text, or a page: no log of any kind."""
    if start.startswith(SQLITE):
        return False
    return b"\x00" in start or start.lstrip(BLANK.encode()).startswith(b"<")


def strange(sample: Sample, shown: str, formats: str) -> Problem:
    """Why a file is no log, and what to give instead; `formats` are the names of those there are."""
    what, remedy = _told(sample) or (
        "is in no format that is known",
        f"use --format with one of {formats}, for a file of that format",
    )
    return Problem(Code.INVALID_ARGUMENT, f"{shown} {what}", shown, remedy=remedy)


def no_log_in(shown: str, is_folder: bool, names: Collection[str]) -> Problem:
    """That a folder or an archive holds no conversations; `names` is what it holds instead."""
    listed = ", ".join(sorted(names)[:_NAMED]) + (" …" if len(names) > _NAMED else "")
    kind = "folder" if is_folder else "archive"
    holds = f": it holds {listed}" if names else ", it is empty"
    message = f"{shown} is a{'n' if kind[0] == 'a' else ''} {kind} without conversations{holds}"
    remedy = "name the folder in which the logs lie" if is_folder else _EXPORT
    return Problem(Code.INVALID_ARGUMENT, message, shown, remedy=remedy)


def _told(sample: Sample) -> tuple[str, str] | None:
    value = sample.value[0] if isinstance(sample.value, list) and sample.value else sample.value
    match value:
        case {"prompt_template": _, "docs": _}:
            return "is a project of Claude.ai, which holds documents and no conversations", _EXPORT
        case {"verified_phone_number": _} | {"email_address": _} | {"email": _, "id": _}:
            return "tells of an account, and holds no conversations", _EXPORT
        case _:
            pass
    start = sample.start.lstrip(BLANK)
    if start.startswith("<"):
        return "is a page for a browser and no log", _EXPORT
    if start.startswith(SQLITE.decode()):
        return (
            "is a database that is no store of conversations",
            "name the database in which an agent keeps them",
        )
    if Path(sample.path).suffix.lower() in (".png", ".jpg", ".jpeg", ".webp", ".wav", ".pdf", ".mp4"):
        return "is a picture, a sound or a document to look at, and no log", _EXPORT
    return None
