"""How a home takes secrets out of what it keeps: what the detector knows, and what is in its vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptorium_core.sources.redact import untouched

if TYPE_CHECKING:
    from scriptorium_core.sources.redact import Finder, Redact

    from .place import Place

__all__ = ["finder_of", "redaction_of"]


def redaction_of(service: Place) -> Redact:
    """The way of redacting of a home; `untouched` itself where the settings switch it off."""
    if not service.settings.redact:
        return untouched
    from ..redaction import redacting

    return redacting(finder_of(service))


def finder_of(service: Place) -> Finder:
    """What finds the secrets of a home's vault in a text."""
    from ..vault import finding

    return finding.Finder(service.home)
