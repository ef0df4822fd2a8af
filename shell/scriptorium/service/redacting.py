"""How a home takes secrets out of what it keeps: what the detector knows, and what is in its vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scriptorium_core.sources.redact import untouched

if TYPE_CHECKING:
    from scriptorium_core.sources.redact import Redact

    from .place import Place

__all__ = ["redaction_of"]


def redaction_of(service: Place) -> Redact:
    """The way of redacting of a home; `untouched` itself where the settings switch it off."""
    if not service.settings.redact:
        return untouched
    from ..redaction import redacting
    from ..vault.finding import Finder

    return redacting(Finder(service.home))
