"""A source that a request brings, read from its JSON."""

import re
from datetime import datetime

from ..sizes import SPLIT, too_large
from .model import NewSource
from .reading import Faults, fields_of, is_text

__all__ = ["decode_source"]

_ROLES = ("user", "assistant", "system", "tool")
# What `day_of` and the header of an archived record can hold.
_INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.,+Z -]+)?")
_LABEL = re.compile(r"new-source-[a-z0-9-]+")


def decode_source(raw: object, place: str, faults: Faults) -> NewSource | None:
    """A new source at `place`; None if it is faulty."""
    before = len(faults.found)
    fields = fields_of(raw, place, ("label", "role", "content", "observed_at"), faults)
    label, role, content, at = (fields.get(key) for key in ("label", "role", "content", "observed_at"))
    if not isinstance(label, str) or _LABEL.fullmatch(label) is None:
        message = "must be new-source- and lower-case letters, digits or -"
        faults.add(f"{place}.label", message, remedy="name it new-source-1, say, and cite it by that name")
    if role not in _ROLES:
        message = f"must be one of {', '.join(_ROLES)}"
        faults.add(f"{place}.role", message, remedy="say who spoke: user, unless it was a program")
    if not is_text(content) or not content.strip():
        message = "the content is missing, blank or no text"
        faults.add(f"{place}.content", message, remedy="give what was said, verbatim")
    elif large := too_large(content):
        faults.add(f"{place}.content", f"the content {large}", remedy=SPLIT)
    if at is not None and not (isinstance(at, str) and _is_instant(at)):
        message = f"{at!r} is not an ISO 8601 date or time"
        faults.add(f"{place}.observed_at", message, remedy="use YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ")
    if len(faults.found) > before:
        return None
    return NewSource(str(label), str(role), str(content), str(at or ""))


def _is_instant(text: str) -> bool:
    if _INSTANT.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
